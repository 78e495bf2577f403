"""Lines of bytes out of plain and compressed files, however long or damaged.

A file is known by its first bytes, not by its name. A line over the limit is passed over without
ever being held in memory; a file that breaks off gives what stands before the break.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from adhominem.errors import InputError, MissingExtraError

MAX_LINE = 16 * 1024 * 1024  # bytes
_WINDOW = 2**31  # of zstd archives made with --long


@dataclass(frozen=True, slots=True)
class Line:
    """`problem` says why the line is not whole; `data` then holds its beginning."""

    number: int
    data: bytes
    problem: str | None = None


def compression(path: Path) -> str | None:
    """gzip, zstd, xz, bzip2, or None for a plain file."""
    with path.open("rb") as file:
        begin = file.read(6)
    signs = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"\xfd7zXZ\0": "xz", b"BZh": "bzip2"}
    return next((name for sign, name in signs.items() if begin.startswith(sign)), None)


def open_bytes(path: Path) -> IO[bytes]:
    """The content of a file, unpacked while it is read."""
    try:
        if path.is_dir():
            raise InputError(f"{path} is a folder: give a file")
        match compression(path):
            case "gzip":
                return cast(IO[bytes], gzip.open(path, "rb"))
            case "xz":
                return cast(IO[bytes], lzma.open(path, "rb"))
            case "bzip2":
                return bz2.open(path, "rb")
            case "zstd":
                return _open_zstd(path)
        return path.open("rb")
    except OSError as error:
        raise InputError(f"{path} cannot be opened: {error.strerror}") from None


def _open_zstd(path: Path) -> IO[bytes]:
    try:
        import zstandard
    except ImportError:
        raise MissingExtraError(
            f"{path} is a zstd file: pip install 'adhominem[corpus]' to read it"
        ) from None
    reader = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
    return cast(IO[bytes], zstandard.open(path, "rb", dctx=reader))


def iterate_lines(stream: IO[bytes], *, first: int = 1, max_line: int = MAX_LINE) -> Iterator[Line]:
    """Every line in order, without its end; the break of a damaged file is the last one."""
    number = first - 1
    try:
        while data := stream.readline(max_line + 1):
            number += 1
            if len(data) <= max_line:
                yield Line(number, data.rstrip(b"\r\n"))
                continue
            size = len(data)
            while not data.endswith(b"\n") and (rest := stream.readline(max_line)):
                size += len(rest)
                data = data[:200] + rest[-1:]
            yield Line(number, data[:200], f"{size:,} bytes, at most {max_line:,} are read")
    except _damages() as error:
        yield Line(number + 1, b"", f"the file breaks off after line {number}: {error}")


def _damages() -> tuple[Any, ...]:
    kinds: list[Any] = [OSError, EOFError, zlib.error, lzma.LZMAError]
    try:
        import zstandard

        kinds.append(zstandard.ZstdError)
    except ImportError:
        pass
    return tuple(kinds)
