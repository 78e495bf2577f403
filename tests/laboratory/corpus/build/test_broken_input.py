"""Sources that are not as they should be: the good part is read, or one line says what is wrong."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from adhominem.errors import InputError
from adhominem.laboratory.corpus.store import Corpus
from adhominem.lines import iterate_lines

BROKEN = (
    (b"hello", "not JSON"),
    (b'{"author": "a", "text": "It was', "not JSON"),
    (b'["a", "It was the room."]', "not an object"),
    (b'{"text": "It was the room."}', "missing author"),
    (b'{"author": "a"}', "missing text"),
    (b'{"author": "a", "text": null}', "missing text"),
    (b'{"author": "a", "text": 12}', "wrong type"),
    (b'{"author": "  ", "text": "It was the room."}', "missing author"),
    (b'{"author": "a", "text": "caf\xe9"}', "invalid UTF-8"),
    (b"", "empty line"),
)


def read_quarantine(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "quarantine.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("packed", [False, True])
def test_every_broken_line_is_quarantined_and_all_others_are_read(
    make: Any, tmp_path: Path, small_shards: Callable[[int], None], packed: bool
) -> None:
    small_shards(60_000)
    good = [json.dumps(row).encode() for row in make.rows(400)]
    rng = random.Random(3)
    lines = [(line, "") for line in good]
    for broken in BROKEN * 3:
        lines.insert(rng.randrange(1, len(lines)), broken)
    data = b"".join(line + b"\n" for line, _ in lines)
    path = tmp_path / "rows.jsonl"
    path.write_bytes(gzip.compress(data) if packed else data)
    manifest = make.build(path, tmp_path / "corpus")
    found = read_quarantine(tmp_path / "corpus")
    expected = [(i, reason) for i, (_, reason) in enumerate(lines, 1) if reason]
    assert [(entry["line"], entry["reason"]) for entry in found] == expected
    assert {entry["file"] for entry in found} == {"rows.jsonl"}
    for entry in found:
        shown = lines[entry["line"] - 1][0].decode("utf-8", "replace")
        assert entry["excerpt"] == shown
        assert entry["detail"]
    ids = [i for t in Corpus.open(tmp_path / "corpus").tables(["id"]) for i in t["id"].to_pylist()]
    read = {f"rows.jsonl:{i}" for i, (_, reason) in enumerate(lines, 1) if not reason}
    assert set(ids) == read
    assert len(ids) == len(good) == 2400
    assert manifest["rejected"] == {
        reason: 3 * [r for _, r in BROKEN].count(reason) for _, reason in BROKEN
    }
    assert manifest["funnel"][:2] == [
        {"step": "lines read", "removed": 0, "left": 2430},
        {"step": "not readable", "removed": 30, "left": 2400},
    ]


def test_a_line_over_the_limit_is_quarantined(
    make: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(iterate_lines.__kwdefaults__, "max_line", 2000)
    rows = make.rows()
    rows.insert(100, {"author": "author1", "text": "the room " * 1000})
    manifest = make.build(make.write(rows, tmp_path / "rows.jsonl"), tmp_path / "corpus")
    [entry] = read_quarantine(tmp_path / "corpus")
    assert (entry["line"], entry["reason"]) == (101, "line too long")
    assert len(entry["excerpt"]) < 200
    assert manifest["documents"]["total"] == 240


def test_a_truncated_archive_is_read_up_to_the_break_and_a_warning(
    make: Any, tmp_path: Path
) -> None:
    data = gzip.compress("".join(json.dumps(row) + "\n" for row in make.rows()).encode())
    (tmp_path / "rows.jsonl.gz").write_bytes(data[: len(data) * 2 // 3])
    manifest = make.build(tmp_path / "rows.jsonl.gz", tmp_path / "corpus")
    [entry] = read_quarantine(tmp_path / "corpus")
    assert entry["reason"] == "damaged file"
    assert 100 < manifest["documents"]["total"] < 200
    assert entry["line"] > manifest["documents"]["total"]
    assert any("damaged file" in warning for warning in manifest["warnings"])


def test_an_empty_file_beside_a_good_one_is_a_warning(make: Any, source: Path) -> None:
    (source / "empty.jsonl").write_bytes(b"")
    corpus = source.parent / "corpus"
    manifest = make.build(source, corpus)
    [entry] = read_quarantine(corpus)
    assert (entry["file"], entry["reason"]) == ("empty.jsonl", "empty file")
    assert manifest["documents"]["total"] == 240
    assert any("empty file" in warning for warning in manifest["warnings"])


def damaged_parquet(folder: Path, rows: list[dict[str, Any]]) -> Path:
    path = folder / "rows.parquet"
    parquet.write_table(pyarrow.Table.from_pylist(rows), path, row_group_size=20)
    data = bytearray(path.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 400] = b"\xff" * 400
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("kind", ["lonely", "short", "unreadable", "missing", "damaged"])
def test_what_cannot_be_built_is_one_line_and_leaves_nothing(
    make: Any, tmp_path: Path, kind: str
) -> None:
    rows, path = make.rows(), tmp_path / "source" / "rows.jsonl"
    path.parent.mkdir()
    if kind == "lonely":
        rows, says = [{**row, "author": f"a{i}"} for i, row in enumerate(rows)], "no author has 2"
    elif kind == "short":
        rows, says = [{**row, "text": "So it is."} for row in rows], "too short 240"
    elif kind == "unreadable":
        rows, says = [{**row, "text": None} for row in rows], "missing text 240"
    elif kind == "missing":
        path, says = tmp_path / "source" / "missing.jsonl", "no such file"
    if kind == "damaged":
        path, says = damaged_parquet(path.parent, rows), "damaged parquet"
    elif kind != "missing":
        make.write(rows, path)
    for _ in range(2):
        with pytest.raises(InputError, match=says) as caught:
            make.build(path, tmp_path / "corpus")
        assert "\n" not in str(caught.value)
        assert names(tmp_path) == ["source"]


def test_an_existing_output_is_kept_without_force_and_replaced_with_it(
    make: Any, source: Path, tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    make.build(source, corpus)
    before = make.files(corpus)
    with pytest.raises(InputError, match="exists already: give another name or --force"):
        make.build(source / "0.jsonl", corpus)
    assert make.files(corpus) == before
    make.build(source, corpus, force=True)
    assert make.files(corpus) == before
    with pytest.raises(InputError, match="no such file"):
        make.build(source / "missing", corpus, force=True)
    assert make.files(corpus) == before
    assert names(tmp_path) == ["corpus", "source"]


@pytest.mark.parametrize("kind", ["folder", "manifest", "file"])
@pytest.mark.parametrize("force", [False, True])
def test_what_is_no_corpus_is_never_replaced(
    make: Any, source: Path, tmp_path: Path, kind: str, force: bool
) -> None:
    output = tmp_path / "thesis"
    if kind == "file":
        output.write_text("all my work")
    else:
        output.mkdir()
        name = "manifest.json" if kind == "manifest" else "chapter.txt"
        (output / name).write_text('{"name": "a web app"}')
    with pytest.raises(InputError, match="is not a corpus" if force else "exists already"):
        make.build(source, output, force=force)
    assert names(tmp_path) == ["source", "thesis"]
    assert output.read_text() == "all my work" if kind == "file" else names(output) == [name]


def test_two_builds_at_once_on_one_output_are_refused(
    make: Any, source: Path, tmp_path: Path
) -> None:
    refused = []

    def build_again(stage: str, done: int, _: int) -> None:
        if stage == "reading" and done == 4:
            with pytest.raises(InputError, match="another build is at work") as caught:
                make.build(source, tmp_path / "corpus")
            refused.append(str(caught.value))

    make.build(source, tmp_path / "corpus", progress=build_again)
    assert len(refused) == 1
    assert "\n" not in refused[0]
    make.build(source, tmp_path / "alone")
    assert make.files(tmp_path / "corpus") == make.files(tmp_path / "alone")
    assert names(tmp_path) == ["alone", "corpus", "source"]
