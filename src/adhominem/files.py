"""Files and folders that appear complete or not at all, also when the process is killed."""

from __future__ import annotations

import gzip
import hashlib
import lzma
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, cast

from adhominem.errors import InputError


def write_whole(path: Path, content: bytes | str) -> None:
    """Write a file that appears complete: a kill leaves the old content or the new one."""
    data = content.encode() if isinstance(content, str) else content
    with _replacing(path) as file:
        file.write(data)


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that takes its name when the block ends without an error.

    A name that ends in .gz or .xz gives a compressed file; the same content gives the same bytes.
    """
    with _replacing(path) as file:
        if path.suffix == ".gz":
            with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
                yield cast(IO[bytes], packed)
        elif path.suffix == ".xz":
            with lzma.LZMAFile(file, "wb") as packed_by_xz:
                yield packed_by_xz
        else:
            yield file


@contextmanager
def _replacing(path: Path) -> Iterator[IO[bytes]]:
    """Open a temporary file in the same folder and rename it when the block ends without an error;
    otherwise remove it. Create missing parent folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o644)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Create a temporary folder that takes its name when the block ends without an error, in the
    place of an older folder of that name, and is removed otherwise."""
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    try:
        yield folder
        folder.chmod(0o755)
        if path.is_dir():
            _replace_folder(path, folder)
        else:
            folder.replace(path)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _replace_folder(old: Path, new: Path) -> None:
    """Move the old folder away and the new one to its place; undo this if the second move fails. A
    folder cannot be renamed onto another one."""
    aside = Path(tempfile.mkdtemp(prefix=f".{old.name}.", dir=old.parent))
    retired = aside / old.name
    try:
        old.replace(retired)
        try:
            new.replace(old)
        except BaseException:
            retired.replace(old)
            raise
    except BaseException:
        with suppress(OSError):
            aside.rmdir()
        raise
    shutil.rmtree(aside, ignore_errors=True)


def refuse_overwrite(*paths: Path | None, force: bool) -> None:
    """Raise InputError for the first path that exists, unless `force`; None is passed over."""
    for path in paths:
        if path is not None and path.exists() and not force:
            raise InputError(f"{path} exists already: give another name or --force")


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file as 64 hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
