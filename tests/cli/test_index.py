"""adhominem index and rank over it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adhominem.records import Pair

Run = Callable[..., Any]


@pytest.fixture
def known(tmp_path: Path, samples: tuple[str, str]) -> Path:
    folder = tmp_path / "known"
    (folder / "smith").mkdir(parents=True)
    (folder / "smith" / "a.txt").write_text(samples[1])
    (folder / "smith" / "b.txt").write_text(samples[1] + samples[1])
    (folder / "jones.txt").write_text("The committee is of the opinion that it was not so. " * 20)
    (tmp_path / "questioned.txt").write_text(samples[0])
    return folder


def test_an_index_answers_as_the_folder_does(run: Run, known: Path, tmp_path: Path) -> None:
    index, questioned = tmp_path / "index", tmp_path / "questioned.txt"
    done = run("index", known, "-o", index)
    assert done.code == 0
    assert "2 candidates, 3 texts" in done.out
    found = json.loads(run("rank", questioned, index, "--json").out)
    read = json.loads(run("rank", questioned, known, "--prior", "0.5", "--json").out)
    assert found["answer"] == read["answer"] == "smith"
    assert found["none"] == pytest.approx(read["none"], rel=0.02)
    assert [c["name"] for c in found["candidates"]] == [c["name"] for c in read["candidates"]]
    words = run("rank", questioned, index, "--top", "1").out
    assert "1 others" in words and "jones" not in words
    again = run("index", known, "-o", index)
    assert again.code == 1 and "exists already" in again.err
    assert "3 candidates" in run("index", known, "-o", index, "--each-text", "--force").out
    names = [
        c["name"] for c in json.loads(run("rank", questioned, index, "--json").out)["candidates"]
    ]
    assert sorted(names) == ["jones/jones.txt", "smith/a.txt", "smith/b.txt"]


def test_a_file_of_several_texts_is_read_as_rank_reads_it(
    run: Run, known: Path, tmp_path: Path
) -> None:
    index, questioned = tmp_path / "index", tmp_path / "questioned.txt"
    texts = [(known / "smith" / name).read_text() for name in ("a.txt", "b.txt")]
    rows = [{"text": texts[0], "name": "one"}, {"text": texts[1]}]
    (known / "both.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert "3 candidates, 5 texts" in run("index", known, "-o", index).out
    found, read = (
        {
            c["name"]: c["llr"]
            for c in json.loads(run("rank", questioned, place, "--json").out)["candidates"]
        }
        for place in (index, known)
    )
    assert found == pytest.approx(read, abs=0.06)
    assert found["both"] == found["smith"]
    assert "5 candidates" in run("index", known, "-o", index, "--each-text", "--force").out
    answer = json.loads(run("rank", questioned, index, "--json").out)
    names = {c["name"] for c in answer["candidates"]}
    assert names == {
        *("both/one", "both/both.jsonl, line 2", "jones/jones.txt", "smith/a.txt", "smith/b.txt")
    }


def test_force_replaces_nothing_but_an_index(run: Run, known: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").touch()
    done = run("index", known, "-o", precious, "--force")
    assert done.code == 1 and "has no index.json" in done.err
    assert (precious / "file").exists()


def test_a_corpus_can_be_indexed(run: Run, tmp_path: Path, dev_pairs: list[Pair]) -> None:
    from adhominem.laboratory.corpus.store import Corpus

    source, folder, index = tmp_path / "texts.jsonl", tmp_path / "corpus", tmp_path / "index"
    rows = {d.text: d for pair in dev_pairs for d in (*pair.left, *pair.right)}.values()
    source.write_text(
        "".join(json.dumps({"author": d.author, "text": d.text}) + "\n" for d in rows)
    )
    limits = ("--min-tokens", "20", "--workers", "1")
    assert run("corpus", "build", source, *limits, "-o", folder).code == 0
    assert run("index", folder, "-o", index).code == 0
    corpus = Corpus.open(folder)
    documents = corpus.documents(np.arange(len(corpus.label("author"))))
    known = tmp_path / "known"
    for place, document in documents.items():
        path = known / str(document.author) / f"{place}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(document.text)
    questioned = tmp_path / "questioned.txt"
    questioned.write_text(next(iter(documents.values())).text)
    found = json.loads(run("rank", questioned, index, "--top", "100", "--json").out)
    read = json.loads(run("rank", questioned, known, "--prior", "0.5", "--json").out)
    one, other = ({c["name"]: c["llr"] for c in r["candidates"]} for r in (found, read))
    assert one == pytest.approx(other, abs=0.06)
    assert found["none"] == pytest.approx(read["none"], rel=0.02)
    each = run("index", folder, "-o", tmp_path / "each", "--each-text")
    assert each.out.startswith(f"{len(documents)} candidates, {len(documents)} texts")


def test_errors_are_one_line(run: Run, known: Path, tmp_path: Path) -> None:
    questioned = tmp_path / "questioned.txt"
    for arguments, problem in (
        (["index", tmp_path / "none", "-o", tmp_path / "x"], "no such file or folder"),
        (["rank", questioned, known, "--prior", "2"], "between 0 and 1"),
        (["rank", questioned, tmp_path / "none"], "is not a folder"),
    ):
        done = run(*arguments)
        assert done.code == 1
        assert problem in done.err
        assert done.err.count("\n") == 1


def test_an_index_is_searched_as_it_was_made(run: Run, known: Path, tmp_path: Path) -> None:
    index, questioned = tmp_path / "index", tmp_path / "questioned.txt"
    assert run("index", known, "-o", index, "--genre", "hotels").code == 0
    found = json.loads(run("rank", questioned, index, "--genre", "hotels", "--json").out)
    assert {one["left"]["genre"] for one in found["candidates"]} == {"hotels"}
    other = run("rank", questioned, index, "--genre", "blogs")
    assert other.code == 1 and "made with --genre hotels: search it with --genre" in other.err
    rng = np.random.default_rng(0)
    words = questioned.read_text().split()
    lines = [json.dumps({"text": " ".join(rng.choice(words, 50))}) for _ in range(55)]
    (tmp_path / "texts.jsonl").write_text("\n".join(lines))
    referring = run("rank", questioned, index, "--reference", tmp_path / "texts.jsonl")
    assert referring.code == 1 and "rank the texts or leave out" in referring.err


def test_what_is_left_out_of_files_is_told(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "known"
    folder.mkdir()
    (folder / "smith.txt").write_text("My own words stand here.\n\n> and yours\n")
    done = run("index", folder, "-o", tmp_path / "index")
    assert 'Left out of smith.txt: 1 quoted reply (1 line, "> and yours")' in done.err
    kept = run("index", folder, "-o", tmp_path / "kept", "--keep-quoted")
    assert "Kept in smith.txt" in kept.err
