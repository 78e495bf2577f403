"""Lines of bytes out of plain and compressed files, however long or damaged.

A file is known by its first bytes, not by its name. A line over the limit is passed over without
ever being held in memory; a file that breaks off gives what stands before the break.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from adhominem.errors import InputError
from adhominem.extras import optional_imports

MAX_LINE = 16 * 1024 * 1024  # bytes
_WINDOW = 2**31  # of zstd archives made with --long
_STEP = 256  # bytes of a zstd file at a time, which unpack to 8 MB at most


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
    with optional_imports(f"unpack {path} first"):
        import zstandard
    unpacker = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
    return io.BufferedReader(_Frames(path.open("rb"), unpacker), 1 << 17)


class _Frames(io.RawIOBase):
    """Every frame of a zstd file. The package's own reader stops after the first one, and takes
    a file that breaks off for one that ends."""

    def __init__(self, file: IO[bytes], unpacker: Any) -> None:
        self._file, self._unpacker = file, unpacker
        self._frame: Any = None
        self._packed = b""
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            packed = self._packed or self._file.read(_STEP)
            if not packed and self._frame is None:
                return 0
            if not packed:
                raise EOFError("its last frame has no end")
            self._frame = self._frame or self._unpacker.decompressobj()
            self._ready = memoryview(self._frame.decompress(packed))
            self._packed = self._frame.unused_data
            self._frame = None if self._frame.eof else self._frame
        size = min(len(buffer), len(self._ready))
        buffer[:size], self._ready = self._ready[:size], self._ready[size:]
        return size

    def close(self) -> None:
        self._file.close()
        super().close()


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
