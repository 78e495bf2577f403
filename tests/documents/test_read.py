"""Files that are texts, and files that are not."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from adhominem.documents import read as module
from adhominem.documents.read import read_file
from adhominem.errors import InputError

BOM = b"\xef\xbb\xbf"


def read_text(path: Path, *, encoding: str = "utf-8") -> str:
    [text] = read_file(path, encoding=encoding).texts
    return text.text


def write(folder: Path, data: bytes) -> Path:
    path = folder / "a.txt"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("data", "encoding", "expected"),
    [
        ("Größe 日本 👍".encode(), "utf-8", "Größe 日本 👍"),
        (BOM + b"one", "utf-8", "one"),
        (BOM + b"one", "UTF8", "one"),
        (b"a\r\nb\r\n\r\nc", "utf-8", "a\nb\n\nc"),
        (b"a\rb\r\rc\n\r", "utf-8", "a\nb\n\nc\n\n"),
        ("“é”".encode("cp1252"), "cp1252", "“é”"),
        ("é\r\n".encode("utf-16"), "utf-16", "é\n"),
        ("\ufeffé".encode("utf-16-le"), "utf-16-le", "é"),
        ("é".encode("latin-1"), "latin-1", "é"),
    ],
)
def test_a_text_is_read_with_one_kind_of_line_end_and_no_byte_order_mark(
    tmp_path: Path, data: bytes, encoding: str, expected: str
) -> None:
    assert read_text(write(tmp_path, data), encoding=encoding) == expected


@pytest.mark.parametrize(
    ("data", "encoding", "says"),
    [
        (b"", "utf-8", "holds no text"),
        (BOM + b" ", "utf-8", "holds no text"),
        (b"PK\x03\x04\x00\x00", "utf-8", "binary file"),
        (BOM + b"a\x00", "UTF-8", "binary file"),
        ("é".encode("cp1252"), "utf-8", "byte 0xe9 at 0"),
        (BOM + b"ab\xff", "utf-8", "byte 0xff at 5"),
        (b"ab\xed\xa0\x80", "utf-8", "byte 0xed at 2"),
        (b"a", "utf-16", "is not utf-16 text"),
        (b"\x81", "cp1252", "is not cp1252 text"),
        (b"a", "klingon", "unknown encoding 'klingon'"),
        (b"a", "hex", "unknown encoding 'hex'"),
        (b"a", "", "unknown encoding ''"),
    ],
)
def test_what_is_no_text_is_refused_in_one_line(
    tmp_path: Path, data: bytes, encoding: str, says: str
) -> None:
    with pytest.raises(InputError) as caught:
        read_text(write(tmp_path, data), encoding=encoding)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (".", "is a folder"),
        ("missing.txt", "no such file"),
        ("a.txt/b.txt", "cannot be read"),
        ("x" * 5000, "cannot be read"),
    ],
)
def test_a_path_without_a_file_is_refused(tmp_path: Path, name: str, says: str) -> None:
    write(tmp_path, b"text")
    with pytest.raises(InputError, match=says):
        read_text(tmp_path / name)


def test_the_largest_file_is_read_and_a_larger_one_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_BYTES", 1 << 20)
    assert len(read_text(write(tmp_path, b"a" * (1 << 20)))) == 1 << 20
    with pytest.raises(InputError, match="larger than 1 MB"):
        read_text(write(tmp_path, b"a" * ((1 << 20) + 1)))


def test_a_dash_is_the_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(BOM + b"a\r\nb")))
    assert read_text(Path("-")) == "a\nb"
