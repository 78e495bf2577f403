"""Lines out of any file: by the first bytes, whole or broken off, short or endless."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem.errors import InputError, MissingExtraError
from adhominem.lines import Line, compression, iterate_lines, open_bytes

COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".bz2": bz2.compress,
    ".zst": zstandard.ZstdCompressor(write_checksum=True).compress,
}
NAMES = {".gz": "gzip", ".xz": "xz", ".bz2": "bzip2", ".zst": "zstd", "": None}
WHOLE = [Line(1, b"one"), Line(2, b""), Line(3, "drei ü".encode()), Line(4, b"four")]


def lines_of(path: Path, max_line: int = 1000) -> list[Line]:
    with open_bytes(path) as stream:
        return list(iterate_lines(stream, max_line=max_line))


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("last", [True, False])
@pytest.mark.parametrize("ending", NAMES)
def test_every_compression_gives_the_same_lines(
    tmp_path: Path, ending: str, end: bytes, last: bool
) -> None:
    path = tmp_path / f"lines.txt{ending}"
    data = end.join(line.data for line in WHOLE) + end * last
    path.write_bytes(COMPRESS.get(ending, bytes)(data))
    assert lines_of(path) == [*WHOLE[:3], Line(4, b"four", unterminated=not last)]


@pytest.mark.parametrize("ending", NAMES)
@pytest.mark.parametrize("name", ["x.jsonl", "x.gz", "x.zst", "x"])
def test_the_first_bytes_decide_whatever_the_name_says(
    tmp_path: Path, ending: str, name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(COMPRESS.get(ending, bytes)(b"one\n"))
    assert compression(path) == NAMES[ending]
    assert lines_of(path) == [Line(1, b"one")]


@pytest.mark.parametrize("ending", COMPRESS)
def test_files_that_were_strung_together_are_read_to_the_end(tmp_path: Path, ending: str) -> None:
    path = tmp_path / "strung"
    path.write_bytes(b"".join(map(COMPRESS[ending], [b"one\ntw", b"", b"o\n", b"three\n"])))
    assert [line.data for line in lines_of(path)] == [b"one", b"two", b"three"]


@pytest.mark.parametrize("ending", COMPRESS)
def test_a_file_that_breaks_off_gives_its_lines_and_then_one_problem(
    tmp_path: Path, ending: str
) -> None:
    """The lines are random, so the first half of the bytes holds about half of the lines."""
    rng = random.Random(1)
    whole = ["".join(rng.choices("abcdefgh", k=900)).encode() for _ in range(400)]
    data = COMPRESS[ending](b"\n".join(whole))
    path = tmp_path / "cut"
    path.write_bytes(data[: len(data) // 2])
    *lines, broken = lines_of(path)
    assert lines == [Line(i, line) for i, line in enumerate(whole[: len(lines)], 1)]
    assert broken.number == len(lines) + 1
    assert broken.problem and broken.problem.startswith("the file breaks off after line")
    if ending != ".bz2":  # which is read in blocks of 900 kB
        assert 50 < len(lines) < 350


@pytest.mark.parametrize("ending", COMPRESS)
@pytest.mark.parametrize("keep", [6, 12, -1])
def test_the_break_is_noticed_wherever_it_is(tmp_path: Path, ending: str, keep: int) -> None:
    path = tmp_path / "cut"
    path.write_bytes(COMPRESS[ending](b"one\ntwo\n" * 50)[:keep])
    *lines, broken = lines_of(path)
    assert all(line.problem is None for line in lines)
    assert broken.problem is not None


@pytest.mark.parametrize("ending", COMPRESS)
def test_a_garbled_file_ends_with_a_problem(tmp_path: Path, ending: str) -> None:
    data = bytearray(COMPRESS[ending](b"".join(b"line %d\n" % i for i in range(5000))))
    data[len(data) // 2 : len(data) // 2 + 20] = b"\xff" * 20
    path = tmp_path / "garbled"
    path.write_bytes(data)
    assert lines_of(path)[-1].problem is not None


@given(st.lists(st.integers(0, 40), max_size=8), st.integers(1, 30), st.booleans())
@settings(max_examples=150)
def test_only_lines_within_the_limit_are_given_and_none_is_lost(
    lengths: list[int], max_line: int, last: bool
) -> None:
    """The limit counts the end of the line."""
    whole = [chr(97 + i).encode() * n for i, n in enumerate(lengths)]
    data = b"".join(line + b"\n" for line in whole)
    data = data if last else data.removesuffix(b"\n")
    ends = data.splitlines(keepends=True)
    lines = list(iterate_lines(io.BytesIO(data), first=7, max_line=max_line))
    assert [line.number for line in lines] == list(range(7, 7 + len(ends)))
    for line, raw in zip(lines, ends, strict=True):
        if len(raw) <= max_line:
            cut = not raw.endswith(b"\n")
            assert line == Line(line.number, raw.rstrip(b"\n"), unterminated=cut)
        else:
            assert line.problem == f"{len(raw):,} bytes, at most {max_line:,} are read"
            assert raw.startswith(line.data[:1])


@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
def test_an_endless_line_is_never_held_in_memory(tmp_path: Path, ending: str) -> None:
    path = tmp_path / "long"
    size = 50_000_000
    path.write_bytes(COMPRESS.get(ending, bytes)(b"before\n" + b"x" * size + b"\nafter\n"))
    tracemalloc.start()
    lines = lines_of(path, max_line=1 << 20)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    problem = f"{size + 1:,} bytes, at most {1 << 20:,} are read"
    assert lines == [Line(1, b"before"), Line(2, b"x" * 200, problem), Line(3, b"after")]
    assert peak < 25_000_000


def test_an_empty_file_has_no_lines(tmp_path: Path) -> None:
    path = tmp_path / "empty"
    path.write_bytes(b"")
    assert lines_of(path) == []


@pytest.mark.parametrize(("name", "says"), [(".", "is a folder"), ("missing", "No such file")])
def test_a_path_without_a_file_is_refused(tmp_path: Path, name: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        open_bytes(tmp_path / name)


def test_zstd_without_its_package_names_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lines.zst"
    path.write_bytes(COMPRESS[".zst"](b"one\n"))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(MissingExtraError, match=r'pip install "adhominem\[lab\]"'):
        open_bytes(path)
    path.write_bytes(gzip.compress(b"one\n"))
    assert lines_of(path) == [Line(1, b"one")]
