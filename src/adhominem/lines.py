"""Lines of plain and compressed files, tolerant of damage.

A compressed file is recognised by its first bytes, not by its name. A line over the size limit is
skipped without being held in memory; a truncated file gives the lines before the damage.
"""

import bz2
import gzip
import importlib
import io
import lzma
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from adhominem.errors import InputError, optional_imports

MAX_LINE = 16 * 1024 * 1024  # bytes
_SIGNS = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"\xfd7zXZ\0": "xz", b"BZh": "bzip2"}
_ZSTD_WINDOW = 2**31  # bytes; archives made with --long need that much
_ZSTD_STEP = 256  # compressed bytes read at a time, which unpack to 8 MB at most


@dataclass(frozen=True, slots=True)
class Line:
    number: int  # counted from 1
    data: bytes
    problem: str | None = None  # why the line is incomplete; then `data` is its beginning
    unterminated: bool = False  # the input ends or is damaged within this line


def compression(path: Path) -> str | None:
    """Return "gzip", "zstd", "xz", "bzip2", or None for a plain file."""
    with path.open("rb") as file:
        first = file.read(6)
    return next((name for sign, name in _SIGNS.items() if first.startswith(sign)), None)


def open_bytes(path: Path) -> IO[bytes]:
    """Open a file for reading, decompressed."""
    try:
        if path.is_dir():
            raise InputError(f"{path} is a folder: give a file")
        return cast(IO[bytes], _OPENERS[compression(path)](path, "rb"))
    except OSError as error:
        raise InputError(f"{path} cannot be opened: {error.strerror}") from None


def _open_zstd(path: Path, mode: str) -> IO[bytes]:
    with optional_imports(f"unpack {path} first"):
        zstandard = importlib.import_module("zstandard")
    decompressor = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
    return io.BufferedReader(_ZstdFrames(path.open(mode), decompressor), 1 << 17)


_OPENERS: dict[str | None, Any] = {None: Path.open, "gzip": gzip.open, "xz": lzma.open}
_OPENERS |= {"bzip2": bz2.open, "zstd": _open_zstd}


class _ZstdFrames(io.RawIOBase):
    """The content of all frames of a zstd file; zstandard's own reader stops after the first."""

    def __init__(self, file: IO[bytes], decompressor: Any) -> None:
        self._file, self._decompressor = file, decompressor
        self._frame: Any = None
        self._compressed = b""
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            compressed = self._compressed or self._file.read(_ZSTD_STEP)
            if not compressed and self._frame is None:
                return 0
            if not compressed:
                raise EOFError("its last frame has no end")
            self._frame = self._frame or self._decompressor.decompressobj()
            self._ready = memoryview(self._frame.decompress(compressed))
            self._compressed = self._frame.unused_data
            self._frame = None if self._frame.eof else self._frame
        size = min(len(buffer), len(self._ready))
        buffer[:size], self._ready = self._ready[:size], self._ready[size:]
        return size

    def fileno(self) -> int:
        return self._file.fileno()

    def close(self) -> None:
        self._file.close()
        super().close()


def iterate_lines(stream: IO[bytes], *, first: int = 1, max_line: int = MAX_LINE) -> Iterator[Line]:
    """Yield the lines of a stream; a line that is too long or damaged has a problem."""
    number = first - 1
    try:
        while data := stream.readline(max_line + 1):
            number += 1
            if len(data) <= max_line:
                yield Line(number, data.rstrip(b"\r\n"), unterminated=not data.endswith(b"\n"))
                continue
            size = len(data)
            while not data.endswith(b"\n") and (rest := stream.readline(max_line)):
                size += len(rest)
                data = data[:200] + rest[-1:]
            yield Line(number, data[:200], f"{size:,} bytes, at most {max_line:,} are read")
    except _read_errors() as error:
        problem = f"the file breaks off after line {number}: {error}"
        yield Line(number + 1, b"", problem, unterminated=True)


def _read_errors() -> tuple[type[Exception], ...]:
    errors: list[type[Exception]] = [OSError, EOFError, zlib.error, lzma.LZMAError]
    with suppress(ImportError):
        errors.append(importlib.import_module("zstandard").ZstdError)
    return tuple(errors)
