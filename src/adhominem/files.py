"""Atomic writing of files and folders, also if the process is killed, and sealed JSON.

Output is written to a temporary file or folder beside its target, locked while the process lives. A
later write to the same target removes temporary files of killed processes. Symbolic links are
followed; only regular files and folders are ever replaced.

A sealed JSON object contains a hash of its own content, which reveals damage when it is read. The
hash protects against accidents, not against deliberate changes.
"""

import errno
import glob
import gzip
import hashlib
import json
import lzma
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import IO, Any, NoReturn

from adhominem.errors import InputError, OutputError

_PARTIAL, _REPLACED = ".partial", ".replaced"  # endings of temporary names
SEAL = "content_sha256"  # key of the hash
_MAX_STEM = 50  # characters of a name that its temporary name begins with


def check_writable(*paths: Path | None, force: bool, folder_with: str | None = None) -> None:
    """Raise OutputError unless every path can be written; None is skipped. Use it before long jobs.
    With `force`, existing files may be replaced, and folders with a file named `folder_with`."""
    for path in paths:
        if path is None:
            continue
        if os.path.lexists(path) and not force:
            raise OutputError(f"{path} exists already: give another name or --force")
        with _one_line(path):
            target = _target(path, folder=folder_with is not None)
            if folder_with and target.exists() and not (target / folder_with).is_file():
                raise OutputError(f"{path} has no {folder_with}: --force replaces no such folder")
            parent = next(p for p in target.parents if p.exists())
            tempfile.TemporaryFile(dir=parent).close()
            for name in target.relative_to(parent).parts:
                with suppress(FileNotFoundError):
                    (parent / name).lstat()  # raises OSError for a name that is too long


def write_whole(path: Path, content: bytes | str) -> None:
    """Write a file atomically: a killed process leaves the old content or the new one."""
    data = content.encode() if isinstance(content, str) else content
    with _replacing(path) as file:
        file.write(data)


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that appears when the block ends without an error. Files named .gz or .xz are
    compressed; equal content gives equal bytes."""
    with _replacing(path) as file:
        packed: Any = nullcontext(file)
        if path.suffix == ".gz":
            packed = gzip.GzipFile("", "wb", fileobj=file, mtime=0)
        elif path.suffix == ".xz":
            packed = lzma.LZMAFile(file, "wb")  # noqa: SIM115  closed below
        with packed as opened:
            yield opened


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Create a temporary folder that replaces `path` when the block ends without an error, and is
    removed otherwise."""
    with _one_line(path):
        target = _target(path, folder=True)
        folder, lock = _temporary(target, folder=True)
    try:
        with _one_line(path, unnamed=True):
            yield folder
        with _one_line(path):
            folder.chmod(0o755)
            if target.is_dir():
                _replace_folder(target, folder)
            else:
                folder.replace(target)
        _sweep(target, _REPLACED)
    finally:
        os.close(lock)
        shutil.rmtree(folder, ignore_errors=True)


def read_regular(path: Path, *, most: int) -> bytes:
    """Return the content of a regular file of at most `most` bytes; raise InputError for a FIFO, a
    device, a folder or a larger file."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise InputError(f"{path} is not a regular file")
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    if len(data) > most:
        raise InputError(f"{path} is larger than {most >> 20} MB")
    return data


def link(source: Path, target: Path) -> None:
    """Create a hard link to a file, or a copy where the file system has no links."""
    try:
        target.hardlink_to(source)
    except OSError:
        shutil.copyfile(source, target)


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file as 64 hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sealed_json(content: dict[str, Any], *, indent: int = 2) -> bytes:
    """Return the object as JSON, with a hash of its content."""
    content = json.loads(json.dumps(content))  # as a reader will see it
    return json.dumps({**content, SEAL: _digest(content)}, indent=indent).encode() + b"\n"


def read_sealed(data: bytes | str) -> dict[str, Any]:
    """Return a sealed JSON object without its hash. Raise ValueError if it is not an object, has a
    number that is not finite, or has no hash or a wrong one."""
    try:
        content = json.loads(data, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(content, dict):
        raise ValueError("expected a JSON object")
    if SEAL not in content:
        raise ValueError(f"it has no {SEAL}, the hash of its content")
    if content.pop(SEAL) != _digest(content):
        raise ValueError("its content was changed after it was written")
    return content


def _digest(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _refuse(number: str) -> NoReturn:
    raise ValueError(f"{number} is not a finite number")


@contextmanager
def _one_line(path: Path, *, unnamed: bool = False) -> Iterator[None]:
    """Turn an OSError into an OutputError about `path`; with `unnamed`, only one without a file
    name, as raised by writing to an open file."""
    try:
        yield
    except OSError as error:
        is_ours = error.errno and error.errno != errno.EPIPE and error.filename is None
        if unnamed and not is_ours:
            raise
        raise OutputError(f"{path} cannot be written: {error.strerror or error}") from None


def _target(path: Path, *, folder: bool) -> Path:
    """Return the path with links resolved, if it is free or may be replaced."""
    target = Path(os.path.realpath(path))
    try:
        mode = target.lstat().st_mode
    except FileNotFoundError:
        return target
    if folder and not stat.S_ISDIR(mode):
        raise OutputError(f"{path} is not a folder: give another name")
    if not folder and stat.S_ISDIR(mode):
        raise OutputError(f"{path} is a folder: give the name of a file")
    if not folder and not stat.S_ISREG(mode):
        raise OutputError(f"{path} is not a regular file: give another name")
    return target


@contextmanager
def _replacing(path: Path) -> Iterator[IO[bytes]]:
    """Open a temporary file that replaces `path` unless there is an error."""
    with _one_line(path):
        target = _target(path, folder=False)
        temporary, handle = _temporary(target, folder=False)
    try:
        with _one_line(path, unnamed=True), os.fdopen(handle, "wb") as file:
            yield file
            with _one_line(path):
                file.flush()
                os.fsync(file.fileno())
                temporary.chmod(0o644)
                temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _replace_folder(old: Path, new: Path) -> None:
    """Move the old folder away, as a folder cannot be renamed onto another one, and the new one to
    its place; undo the first move if the second one fails."""
    aside = Path(tempfile.mkdtemp(suffix=_REPLACED, prefix=_prefix(old), dir=old.parent))
    retired = aside / old.name
    try:
        old.replace(retired)
        new.replace(old)
    except BaseException:
        with suppress(OSError):
            if retired.exists():
                retired.replace(old)
            aside.rmdir()
        raise
    shutil.rmtree(aside, ignore_errors=True)


def _temporary(target: Path, *, folder: bool) -> tuple[Path, int]:
    """Create a temporary file or folder beside `target`; return it and a locked handle."""
    target.parent.mkdir(parents=True, exist_ok=True)
    _sweep(target, _PARTIAL)
    while True:
        if folder:
            path = tempfile.mkdtemp(suffix=_PARTIAL, prefix=_prefix(target), dir=target.parent)
            handle = os.open(path, os.O_RDONLY)
        else:
            handle, path = tempfile.mkstemp(_PARTIAL, _prefix(target), target.parent)
        _lock(handle)
        if os.path.exists(path):  # noqa: PTH110  not removed before it was locked
            return Path(path), handle
        os.close(handle)


def _prefix(target: Path) -> str:
    return f".{target.name[:_MAX_STEM]}."


def _sweep(target: Path, ending: str) -> None:
    """Remove temporary files and folders of `target` that no running process has locked."""
    pattern = glob.escape(_prefix(target)) + "????????" + ending
    for left in target.parent.glob(pattern):
        with suppress(OSError):
            handle = os.open(left, os.O_RDONLY)
            try:
                if not _lock(handle):
                    continue
                if left.is_dir():
                    shutil.rmtree(left)
                else:
                    left.unlink()
            finally:
                os.close(handle)


def _lock(handle: int) -> bool:
    """Lock an open file until it is closed; return False if that is not possible."""
    try:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ImportError, OSError):
        return False
    return True
