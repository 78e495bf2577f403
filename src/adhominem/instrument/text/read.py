"""Reads a text file."""

from __future__ import annotations

import codecs
import sys
from pathlib import Path

from adhominem.errors import InputError

MAX_BYTES = 64 * 1024 * 1024


def read_text(path: Path, *, encoding: str = "utf-8") -> str:
    """The text of a file, or of the standard input for `-`, with line ends as `\\n` and without a
    byte order mark."""
    data = _read_bytes(path)
    try:
        if codecs.lookup(encoding).name == "utf-8" and b"\0" in data:
            raise InputError(f"{path} is a binary file: save its text as plain UTF-8 first")
        text = data.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path} is not {encoding} text (byte 0x{data[error.start]:02x} at {error.start}): "
            "name its encoding, for instance --encoding cp1252"
        ) from None
    except LookupError:
        raise InputError(f"unknown encoding '{encoding}': try utf-8, cp1252 or utf-16") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _read_bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise InputError(f"{path} is a folder: give a text file")
        if str(path) == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with path.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    if len(data) > MAX_BYTES:
        raise InputError(f"{path} is larger than {MAX_BYTES >> 20} MB: give a part of it")
    return data
