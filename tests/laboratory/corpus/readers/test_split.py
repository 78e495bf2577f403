"""Shards of any size hold every line once, under its own number."""

from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from adhominem.laboratory.corpus import Columns
from adhominem.laboratory.corpus.readers import READERS, plain_files
from adhominem.laboratory.corpus.readers.plain_files import lines_of, write_pieces
from adhominem.laboratory.corpus.readers.reader import Shard, Source
from adhominem.lines import Line, iterate_lines
from adhominem.rows import Header

PROPERTY = settings(max_examples=40)
LINES = st.lists(st.binary(max_size=12).map(lambda b: b.replace(b"\n", b"")), min_size=1)


def split(source: Source, shard_bytes: int = 100) -> list[Shard]:
    pieces = Path(tempfile.mkdtemp(dir=source.path.parent))
    return list(READERS[source.format].split(source, pieces, shard_bytes))


@given(LINES, st.integers(1, 60), st.sampled_from([bytes, gzip.compress]), st.booleans())
@PROPERTY
def test_shards_of_any_size_hold_every_line_under_its_number(
    lines: list[bytes], shard_bytes: int, pack: Callable[[bytes], bytes], last: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        data = b"\n".join(lines) + b"\n" * last
        path.write_bytes(pack(b"{}" + data))
        parts = split(Source(path, "jsonl", "file"), shard_bytes)
        found = [line for shard in parts for line in lines_of(shard)]
    ends = (b"{}" + data).removesuffix(b"\n").split(b"\n")
    expected = [Line(i, end.rstrip(b"\r")) for i, end in enumerate(ends, 1)]
    assert [replace(line, unterminated=False) for line in found] == expected
    assert all(shard.source.path == path for shard in parts)
    if pack is bytes:
        assert sum(shard.size for shard in parts) == len(data) + 2


def test_a_shard_is_as_large_as_asked_for_and_ends_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"0123456\n" * 100)
    shards = split(Source(path, "jsonl", "file"), 100)
    assert [shard.size for shard in shards] == [104] * 7 + [72]
    assert [shard.first for shard in shards] == list(range(1, 101, 13))


def test_a_line_longer_than_many_shards_stays_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    long = b"x" * 200_000
    path.write_bytes(b"a\n" + long + b"\nb\nc")
    shards = split(Source(path, "jsonl", "file"), 1)
    found = [line.data for shard in shards for line in lines_of(shard)]
    assert found == [b"a", long, b"b", b"c"]


@given(st.lists(st.tuples(st.binary(max_size=3000), st.text(max_size=5)), max_size=30))
@PROPERTY
def test_pieces_keep_lines_and_their_problems(rows: list[tuple[bytes, str]]) -> None:
    lines = [Line(3 * i, data, problem or None) for i, (data, problem) in enumerate(rows, 1)]
    with tempfile.TemporaryDirectory() as folder:
        source = Source(Path(folder) / "file", "jsonl", "file", number=5)
        parts = list(write_pieces(source, iter(lines), Path(folder) / "new", 2000))
        found = [line for part in parts for line in lines_of(part)]
        left = sorted(path.name for path in (Path(folder) / "new").iterdir())
    assert found == lines
    assert left == [f"000005-{i:06d}.lines" for i in range(len(parts))]


def test_a_large_line_goes_through_a_piece(tmp_path: Path) -> None:
    lines = [Line(1, b"xy" * 3_000_000), Line(2, b"after", "a problem")]
    source = Source(tmp_path / "file", "jsonl", "file")
    [part] = write_pieces(source, iter(lines), tmp_path, 1 << 30)
    assert list(lines_of(part)) == lines


def test_metadata_and_truth_have_no_shards_and_plain_files_no_pieces(tmp_path: Path) -> None:
    path = tmp_path / "reviews_Books_5.json"
    path.write_bytes(b"{}\n")
    kinds = ("metadata", "amazon", "truth", "empty")
    sources = [Source(path, kind, kind, number=i) for i, kind in enumerate(kinds)]
    shards = [s for o in sources for s in READERS[o.format].split(o, tmp_path / "pieces", 100)]
    assert [shard.source for shard in shards] == [sources[1], sources[3]]
    assert not (tmp_path / "pieces").exists()


@pytest.mark.parametrize("n_rows", [0, 1, 10])
@pytest.mark.parametrize("shard_bytes", [1, 300, 1 << 20])
def test_the_rows_of_a_parquet_file_are_cut_without_gap(
    tmp_path: Path, n_rows: int, shard_bytes: int
) -> None:
    path = tmp_path / "file"
    parquet.write_table(pyarrow.table({"author": ["a"] * n_rows, "text": ["b"] * n_rows}), path)
    shards = split(Source(path, "parquet", "file"), shard_bytes)
    assert [i for s in shards for i in range(s.start, s.stop)] == list(range(n_rows))
    assert len(shards) == (1 if shard_bytes > 1000 else max(n_rows, 1)) or shard_bytes == 300


def test_the_files_of_a_folder_are_cut_into_lists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"author{i}/{j}.txt" for i in range(3) for j in range(3)]
    for name in [*names, "readme.txt", "author1/notes.md"]:
        (tmp_path / "texts" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "texts" / name).write_text("12345")
    monkeypatch.setattr(plain_files, "_FILES", 4)
    shards = split(Source(tmp_path / "texts", "authors", "texts"))
    assert [name for shard in shards for name in shard.files] == names
    assert [(s.first, s.size, len(s.files)) for s in shards] == [(1, 20, 4), (5, 20, 4), (9, 5, 1)]


PATHS = st.text(st.characters(exclude_characters="\0")).map(Path)


@given(
    st.builds(
        Shard,
        source=st.builds(
            Source,
            **{"path": PATHS, "format": st.text(), "name": st.text(), "number": st.integers()},
            companions=st.lists(PATHS).map(tuple),
            columns=st.builds(Columns, author=st.none() | st.text(), topic=st.none() | st.text()),
            header=st.none()
            | st.builds(Header, st.lists(st.text(), min_size=1).map(tuple), st.just(";")),
        ),
        **{"path": PATHS, "size": st.integers(), "is_piece": st.booleans()},
        files=st.lists(st.text()).map(tuple),
    )
)
@PROPERTY
def test_a_shard_survives_the_way_through_json(shard: Shard) -> None:
    assert Shard.from_dict(json.loads(json.dumps(shard.to_dict()))) == shard


def test_lines_of_a_shard_do_not_reach_into_the_next(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"a\n\nb\r\nc\n")
    with path.open("rb") as stream:
        whole = list(iterate_lines(stream))
    apart = [list(lines_of(shard)) for shard in split(Source(path, "jsonl", "file"), 1)]
    assert [line for lines in apart for line in lines] == whole
    assert [len(lines) for lines in apart] == [1, 2, 1]
