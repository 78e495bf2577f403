"""Reading a case bundle that may come from anybody.

Only the names that a bundle can have are looked at, so nothing in it can point elsewhere or hold
another archive; sizes are bounded before and while a file is unpacked; every file must have the
hash that bundle.json says.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

from adhominem.bench.case.bundle import (
    CASE,
    FORMAT,
    MANIFEST,
    PAIR,
    README,
    RESULTS,
    Bundle,
    text_file,
)
from adhominem.bench.case.texts import MOST_TEXTS, NamedText
from adhominem.errors import InputError
from adhominem.records import ModelIdentity

MOST_BYTES = 256 * 1024 * 1024  # unpacked
_NAME = re.compile(rf"{re.escape(MANIFEST)}|{RESULTS}|{README}|texts/\d{{5}}\.txt")
_PLAIN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 0x1
_BROKEN = (  # what zipfile raises on bytes that are no archive
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError),
    *(NotImplementedError, RuntimeError, ValueError),
)


def read_file(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    if len(data) > MOST_BYTES:
        raise InputError(f"{path} is larger than {MOST_BYTES >> 20} MB: it is no case bundle")
    return data


def read_bundle(data: bytes, name: str = "the file") -> Bundle:
    """`name` is for what is said of a file that is no bundle."""
    files = _unpack(data, name)
    try:
        manifest = _object(files, MANIFEST)
        if manifest["format"] != FORMAT:
            raise InputError(
                f"the bundle has the format {manifest['format']!r:.60}, this version reads "
                f"'{FORMAT}': update adhominem"
            )
        _check_hashes(files, manifest["sha256"])
        texts = [
            NamedText(_string(row["name"]), _text(files, n), _optional(row["author"]))
            for n, row in enumerate(manifest["texts"], 1)
        ]
        kind, model = manifest["kind"], manifest["model"]
        if kind not in (PAIR, CASE):
            raise ValueError(f"unknown kind {kind!r:.60}")
        return Bundle(
            kind,
            _string(manifest["version"]),
            None if model is None else ModelIdentity(*map(_string, _identity(model))),
            tuple(texts),
            _optional(manifest["questioned"]),
            _object(files, RESULTS),
            _optional(manifest.get("genre")),
        )
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        problem = str(error).splitlines()[0][:100] if str(error) else type(error).__name__
        raise InputError(f"the bundle is damaged ({problem}): ask for it again") from None


def _unpack(data: bytes, name: str) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            if len(entries) > MOST_TEXTS + 3:
                raise InputError(f"the bundle has {len(entries):,} files: it is none of ours")
            left = MOST_BYTES
            for entry in entries:
                if not _NAME.fullmatch(entry.filename) or entry.filename in files:
                    raise InputError(
                        f"the bundle holds {entry.filename!r:.60}, which no bundle does: it is "
                        "none of ours"
                    )
                if entry.compress_type not in _PLAIN or entry.flag_bits & _ENCRYPTED:
                    raise InputError(f"{entry.filename} of the bundle is packed in another way")
                with archive.open(entry) as file:
                    files[entry.filename] = file.read(left + 1)
                left -= len(files[entry.filename])
                if left < 0:
                    raise InputError(f"the bundle holds more than {MOST_BYTES >> 20} MB unpacked")
    except _BROKEN as error:
        raise InputError(
            f"{name} is not a case bundle ({error}): expected the zip of a case"
        ) from None
    return files


def _check_hashes(files: dict[str, bytes], hashes: dict[str, str]) -> None:
    for name, data in files.items():
        if name != MANIFEST and hashlib.sha256(data).hexdigest() != hashes.get(name):
            raise InputError(f"{name} of the bundle was changed: its sha256 is another")
    if missing := hashes.keys() - files.keys():
        raise InputError(f"the bundle lacks {len(missing)} files: ask for it again")


def _object(files: dict[str, bytes], name: str) -> dict[str, Any]:
    content = json.loads(files[name])
    if not isinstance(content, dict):
        raise ValueError(f"{name} is not an object")
    return content


def _text(files: dict[str, bytes], number: int) -> str:
    return files[text_file(number)].decode("utf-8", "surrogatepass")


def _identity(model: dict[str, Any]) -> tuple[Any, Any, Any]:
    return model["name"], model["version"], model["sha256"]


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected a string, got {type(value).__name__}")
    return value


def _optional(value: Any) -> str | None:
    return None if value is None else _string(value)
