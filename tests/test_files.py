"""Whole or not at all: whatever goes wrong inside, the old content stays and nothing else does."""

from __future__ import annotations

import gzip
import hashlib
import lzma
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adhominem.errors import InputError
from adhominem.files import refuse_overwrite, sha256, whole_file, whole_folder, write_whole


class Interrupted(BaseException):
    """What `except Exception` would let through, as a keyboard interrupt is."""


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def narrow_umask() -> Iterator[None]:
    before = os.umask(0o077)
    yield
    os.umask(before)


@given(content=st.binary(max_size=200) | st.text(st.characters(codec="utf-8"), max_size=200))
def test_what_was_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, content: bytes | str
) -> None:
    path = tmp_path_factory.getbasetemp() / "any"
    write_whole(path, content)
    assert path.read_bytes() == (content.encode() if isinstance(content, str) else content)


def test_file_and_its_folders_appear_and_nothing_beside_them(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "file.json"
    write_whole(path, "one")
    write_whole(path, "two")
    assert contents(tmp_path) == {"a/b/file.json": b"two"}


@pytest.mark.usefixtures("narrow_umask")
def test_others_may_read(tmp_path: Path) -> None:
    write_whole(tmp_path / "file", "one")
    with whole_folder(tmp_path / "folder"):
        pass
    assert mode(tmp_path / "file") == 0o644
    assert mode(tmp_path / "folder") == 0o755


@pytest.mark.parametrize("error", [OSError, Interrupted])
@pytest.mark.parametrize("call", ["fsync", "chmod", "replace"])
@pytest.mark.parametrize("old", [None, b"old"])
def test_failing_write_leaves_the_old_file(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: type[BaseException],
    call: str,
    old: bytes | None,
) -> None:
    path = tmp_path / "file"
    if old is not None:
        path.write_bytes(old)

    def fail(*_: object, **__: object) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(os, call, fail)
        with pytest.raises(error):
            write_whole(path, b"new")
    assert contents(tmp_path) == ({} if old is None else {"file": old})


@pytest.mark.parametrize("error", [ValueError, Interrupted])
@pytest.mark.parametrize("old", [None, b"old"])
def test_block_that_fails_leaves_the_old_file(
    tmp_path: Path, error: type[BaseException], old: bytes | None
) -> None:
    path = tmp_path / "file"
    if old is not None:
        path.write_bytes(old)
    with pytest.raises(error), whole_file(path) as file:
        file.write(b"new")
        raise error
    assert contents(tmp_path) == ({} if old is None else {"file": old})


def test_text_that_is_no_utf8_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(UnicodeEncodeError):
        write_whole(tmp_path / "new" / "file", "\ud800")
    assert contents(tmp_path) == {}


def test_folder_in_the_place_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").mkdir()
    with pytest.raises(OSError):
        write_whole(tmp_path / "file", "new")
    assert names(tmp_path) == ["file"]


def test_reader_of_the_old_file_keeps_it(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_whole(path, "old")
    with path.open() as file:
        write_whole(path, "new")
        assert file.read() == "old"
    assert path.read_text() == "new"


def fill(folder: Path, content: str) -> None:
    (folder / "deep").mkdir()
    (folder / "deep" / "file").write_text(content)


def test_folder_appears_when_the_block_ends(tmp_path: Path) -> None:
    path = tmp_path / "runs" / "folder"
    with whole_folder(path) as target:
        fill(target, "one")
        assert not path.exists()
        assert target.parent == path.parent  # one file system, so that a rename will do
    assert contents(tmp_path) == {"runs/folder/deep/file": b"one"}
    assert names(tmp_path / "runs") == ["folder"]


def test_folder_replaces_an_older_one_and_its_files(tmp_path: Path) -> None:
    path = tmp_path / "folder"
    path.mkdir()
    (path / "stale").write_text("old")
    with whole_folder(path) as target:
        fill(target, "new")
        assert contents(path) == {"stale": b"old"}
    assert contents(tmp_path) == {"folder/deep/file": b"new"}
    assert names(tmp_path) == ["folder"]


@pytest.mark.parametrize("error", [ValueError, Interrupted])
@pytest.mark.parametrize("old", [None, "old"])
def test_block_that_fails_leaves_the_old_folder(
    tmp_path: Path, error: type[BaseException], old: str | None
) -> None:
    path = tmp_path / "folder"
    if old is not None:
        path.mkdir()
        fill(path, old)
    with pytest.raises(error), whole_folder(path) as target:
        fill(target, "new")
        raise error
    assert contents(tmp_path) == ({} if old is None else {"folder/deep/file": b"old"})
    assert names(tmp_path) == ([] if old is None else ["folder"])


@pytest.mark.parametrize("call", [1, 2])
def test_rename_that_fails_leaves_the_old_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: int
) -> None:
    """Also the second one, when the old folder has already stepped aside."""
    path = tmp_path / "folder"
    path.mkdir()
    fill(path, "old")
    true_replace, calls = os.replace, 0

    def replace(*arguments: str) -> None:
        nonlocal calls
        calls += 1
        if calls == call:
            raise OSError("no")
        true_replace(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", replace)
        with pytest.raises(OSError, match="no"), whole_folder(path) as target:
            fill(target, "new")
    assert contents(tmp_path) == {"folder/deep/file": b"old"}
    assert names(tmp_path) == ["folder"]


def test_old_folder_that_cannot_be_removed_does_not_spoil_the_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "folder"
    path.mkdir()
    fill(path, "old")

    def fail(*_: object, ignore_errors: bool = False, **__: object) -> None:
        if not ignore_errors:
            raise OSError("busy")

    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", fail)
        with whole_folder(path) as target:
            fill(target, "new")
    assert contents(path) == {"deep/file": b"new"}


def test_file_in_the_place_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "folder").write_text("old")
    with pytest.raises(OSError), whole_folder(tmp_path / "folder") as target:
        fill(target, "new")
    assert contents(tmp_path) == {"folder": b"old"}
    assert names(tmp_path) == ["folder"]


def test_link_to_a_folder_is_replaced_and_its_target_kept(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    fill(tmp_path / "elsewhere", "old")
    (tmp_path / "folder").symlink_to(tmp_path / "elsewhere")
    with whole_folder(tmp_path / "folder") as target:
        fill(target, "new")
    assert contents(tmp_path) == {"elsewhere/deep/file": b"old", "folder/deep/file": b"new"}


def test_overwriting_needs_force(tmp_path: Path) -> None:
    path = tmp_path / "file"
    refuse_overwrite(path, force=False)
    path.write_text("old")
    refuse_overwrite(path, force=True)
    with pytest.raises(InputError, match=r"exists already.*--force"):
        refuse_overwrite(path, force=False)


def test_sum_is_that_of_hashlib(tmp_path: Path) -> None:
    content = os.urandom(3_000_000)
    (tmp_path / "file").write_bytes(content)
    assert sha256(tmp_path / "file") == hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize(
    ("name", "expand"), [("a", bytes), ("a.gz", gzip.decompress), ("a.xz", lzma.decompress)]
)
def test_an_open_file_appears_when_the_block_ends(
    tmp_path: Path, name: str, expand: Callable[[bytes], bytes]
) -> None:
    for _ in range(2):
        with whole_file(tmp_path / name) as file:
            file.write(b"one\n")
            file.write(b"two\n")
    assert names(tmp_path) == [name]
    written = (tmp_path / name).read_bytes()
    assert expand(written) == b"one\ntwo\n"
    with pytest.raises(Interrupted), whole_file(tmp_path / name) as file:
        file.write(b"three\n")
        raise Interrupted
    assert names(tmp_path) == [name]
    assert (tmp_path / name).read_bytes() == written
