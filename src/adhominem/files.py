"""Files and folders that appear whole or not at all."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from adhominem.errors import InputError


def write_whole(path: Path, content: bytes | str) -> None:
    """Writes beside the place, then renames: a kill leaves the old file or the new one."""
    data = content.encode() if isinstance(content, str) else content
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o644)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """A folder to fill that takes its name when the block ends well, and vanishes otherwise."""
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
    """Folders cannot be renamed onto each other: the old one steps aside, or back if need be."""
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


def refuse_overwrite(path: Path, *, force: bool) -> None:
    if path.exists() and not force:
        raise InputError(f"{path} exists already: give another name or --force")


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
