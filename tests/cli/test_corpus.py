"""The corpus verbs as a user meets them."""

import gzip
import json
import random
import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from adhominem.files import read_sealed
from adhominem.laboratory.corpus import CorpusSettings

WORDS = ["the", "of", "and", "to", "in", "is", "it", "was", "room", "river", "lamp", "bridge"]


Run = Callable[..., Any]


@pytest.fixture
def corpus_verb(run: Run) -> Run:
    return partial(run, "corpus")


@pytest.fixture
def posts(tmp_path: Path) -> Path:
    rng = random.Random(1)
    lines = ["user,forum,body"]
    for i in range(240):
        text = " ".join(rng.choices(WORDS, k=40))
        lines.append(f'<b>user {i % 40}</b>,forum {i % 3},"{text}."')
    path = tmp_path / "posts.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def corpus(corpus_verb: Run, posts: Path, tmp_path: Path) -> Path:
    columns = ("--author", "user", "--topic", "forum", "--text", "body")
    limits = ("--min-tokens", "20", "--workers", "1")
    done = corpus_verb("build", posts, *columns, *limits, "-o", tmp_path / "corpus")
    assert done.code == 0, done
    assert "240 documents by 40 authors" in done.out
    return tmp_path / "corpus"


def test_build_says_what_it_needs(corpus_verb: Run, posts: Path, tmp_path: Path) -> None:
    done = corpus_verb("build", posts, "-o", tmp_path / "corpus")
    assert done.code == 1
    assert "has no column author, text, only user, forum, body" in done.err
    assert done.out == ""
    assert not (tmp_path / "corpus").exists()


def test_help_shows_the_defaults_of_the_settings(corpus_verb: Run) -> None:
    settings = CorpusSettings()
    help_page = corpus_verb("build", "--help").out
    for name in ("min_tokens", "max_tokens", "min_documents", "max_documents", "folds", "seed"):
        option = f"--{name.replace('_', '-')} "
        [line] = [line for line in help_page.splitlines() if line.lstrip().startswith(option)]
        assert f"[default: {getattr(settings, name)}]" in line


def test_build_prints_the_manifest_as_json(corpus_verb: Run, corpus: Path, posts: Path) -> None:
    columns = ("--author", "user", "--topic", "forum", "--text", "body", "--min-tokens", "20")
    done = corpus_verb(
        "build", posts, *columns, "--workers", "1", "--json", "--force", "-o", corpus
    )
    assert json.loads(done.out) == read_sealed((corpus / "manifest.json").read_bytes())


def test_describe_in_three_forms(corpus_verb: Run, corpus: Path, tmp_path: Path) -> None:
    page = tmp_path / "corpus.html"
    text = corpus_verb("describe", corpus, "--html", page).out
    assert re.search(r"documents +240\n", text)
    assert re.search(r"authors in two splits +0\n", text)
    described = json.loads(corpus_verb("describe", corpus, "--json").out)
    assert described["documents"]["total"] == 240
    assert described["funnel"][-1]["left"] == 240
    html = page.read_text(encoding="utf-8")
    assert html.count("<svg") == 3
    assert "<script" not in html
    assert "http:" not in re.sub(r"http://www\.w3\.org/\S*", "", html)
    refused = corpus_verb("describe", corpus, "--html", page)
    assert refused.code == 1 and "--force" in refused.err


def test_names_from_the_data_arrive_escaped(corpus_verb: Run, corpus: Path, tmp_path: Path) -> None:
    folder = corpus.rename(tmp_path / "<img src=x>")
    page = tmp_path / "page.html"
    corpus_verb("describe", folder, "--html", page)
    assert "<img src=x>" not in page.read_text(encoding="utf-8")
    assert "&lt;img src=x&gt;" in page.read_text(encoding="utf-8")


def test_pairs_have_equal_cells_and_go_with_seed_and_epoch(
    corpus_verb: Run, corpus: Path, tmp_path: Path
) -> None:
    texts = {}
    for name, options in {
        "a": [],
        "b": [],
        "c": ["--epoch", "1"],
        "d": ["--seed", "5"],
        "e": ["--fold", "2"],
        "f": ["--most", "3"],
    }.items():
        path = tmp_path / f"{name}.jsonl.gz"
        done = corpus_verb("pairs", corpus, "--split", "train", *options, "-o", path)
        assert done.code == 0, done
        texts[name] = path.read_bytes()
        rows = [json.loads(line) for line in gzip.decompress(texts[name]).splitlines()]
        cells = Counter((row["same_author"], row["same_topic"]) for row in rows)
        assert len(cells) == 4
        assert len(set(cells.values())) == 1
        assert all((row["authors"][0] == row["authors"][1]) == row["same_author"] for row in rows)
    assert texts["a"] == texts["b"]
    assert len({texts[name] for name in "acdef"}) == 5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("describe", "nowhere"), "no manifest.json"),
        (("pairs", "nowhere", "-o", "x"), "no manifest.json"),
        (("build", "nowhere.jsonl", "-o", "x"), "no such file"),
    ],
)
def test_errors_are_one_line(
    corpus_verb: Run,
    arguments: tuple[str, ...],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = corpus_verb(*arguments)
    assert done.code == 1
    assert message in done.err
    assert done.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_description_without_texts_shows_none(
    corpus_verb: Run, posts: Path, tmp_path: Path
) -> None:
    lines = posts.read_text().splitlines()
    signed = [lines[0], *(line[:-1] + ' Yours ever, Anthony T."' for line in lines[1:])]
    posts.write_text("\n".join(signed) + "\n")
    columns = ("--author", "user", "--topic", "forum", "--text", "body", "--min-tokens", "20")
    corpus_verb("build", posts, *columns, "--workers", "1", "-o", tmp_path / "signed")
    assert "Anthony" in corpus_verb("describe", tmp_path / "signed", "--json").out
    page = tmp_path / "page.html"
    bare = corpus_verb("describe", tmp_path / "signed", "--no-texts", "--json", "--html", page)
    assert json.loads(bare.out)["leaks"]["signatures"]["documents"] > 0
    assert "Anthony" not in bare.out + page.read_text(encoding="utf-8")
