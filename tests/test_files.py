"""Whole or not at all: whatever goes wrong inside, the old content stays and nothing else does."""

import errno
import gzip
import hashlib
import lzma
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adhominem.errors import InputError, OutputError
from adhominem.files import (
    check_writable,
    read_regular,
    sha256,
    whole_file,
    whole_folder,
    write_whole,
)


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
        with pytest.raises(OutputError if error is OSError else error):
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
    with pytest.raises(OutputError, match="is a folder"):
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
        with pytest.raises(OutputError, match="no"), whole_folder(path) as target:
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
    with (
        pytest.raises(OutputError, match="not a folder"),
        whole_folder(tmp_path / "folder") as target,
    ):
        fill(target, "new")
    assert contents(tmp_path) == {"folder": b"old"}
    assert names(tmp_path) == ["folder"]


def test_link_to_a_folder_is_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    fill(tmp_path / "elsewhere", "old")
    (tmp_path / "folder").symlink_to(tmp_path / "elsewhere")
    with whole_folder(tmp_path / "folder") as target:
        fill(target, "new")
    assert contents(tmp_path) == {"elsewhere/deep/file": b"new"}
    assert (tmp_path / "folder").is_symlink()


def test_link_to_a_file_is_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "file").write_text("old")
    (tmp_path / "link").symlink_to("elsewhere/file")
    with pytest.raises(OutputError, match="exists already"):
        check_writable(tmp_path / "link", force=False)
    write_whole(tmp_path / "link", "new")
    assert (tmp_path / "elsewhere" / "file").read_text() == "new"
    assert (tmp_path / "link").is_symlink()
    (tmp_path / "dangling").symlink_to("nowhere")
    with pytest.raises(OutputError, match="exists already"):
        check_writable(tmp_path / "dangling", force=False)


def test_nothing_but_a_regular_file_is_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "full").symlink_to("/dev/full")
    for name in ("fifo", "loop", "full"):
        with pytest.raises(OutputError, match="not a regular file"):
            check_writable(tmp_path / name, force=True)
        with pytest.raises(OutputError, match="not a regular file"):
            write_whole(tmp_path / name, "new")
    assert stat.S_ISFIFO((tmp_path / "fifo").stat().st_mode)
    assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("folder", "is a folder"),
        ("file/below", "Not a directory"),
        ("x" * 300, "File name too long"),
        ("new/" + "x" * 300, "File name too long"),
        ("/proc/none/file", "cannot be written"),
    ],
)
def test_what_cannot_be_written_is_refused_before_the_work(
    tmp_path: Path, name: str, problem: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("old")
    with pytest.raises(OutputError, match=problem):
        check_writable(tmp_path / name, force=True)
    with pytest.raises(OutputError, match=problem):
        write_whole(tmp_path / name, "new")
    assert set(names(tmp_path)) - {"new"} == {"file", "folder"}


@pytest.mark.parametrize("name", ["x" * 255, "é" * 127])
def test_the_longest_names_are_written(tmp_path: Path, name: str) -> None:
    check_writable(tmp_path / name, force=False)
    write_whole(tmp_path / name, "one")
    with whole_folder(tmp_path / "below" / name) as target:
        fill(target, "two")
    assert contents(tmp_path) == {name: b"one", f"below/{name}/deep/file": b"two"}


def test_a_full_disk_is_one_line(tmp_path: Path) -> None:
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    problem = "file cannot be written: No space left"
    with pytest.raises(OutputError, match=problem), whole_file(tmp_path / "file"):
        raise full
    with pytest.raises(OutputError, match=problem), whole_folder(tmp_path / "file"):
        raise full
    assert names(tmp_path) == []
    with pytest.raises(FileNotFoundError), whole_file(tmp_path / "file"):
        Path("/nowhere/input").read_text()  # none of the output's business


def test_a_folder_is_replaced_only_if_it_is_of_the_same_kind(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    check_writable(folder, force=False, folder_with="index.json")
    folder.mkdir()
    with pytest.raises(OutputError, match=r"has no index\.json"):
        check_writable(folder, force=True, folder_with="index.json")
    (folder / "index.json").touch()
    check_writable(folder, force=True, folder_with="index.json")
    with pytest.raises(OutputError, match="not a folder"):
        check_writable(folder / "index.json", force=True, folder_with="index.json")


KILLED = """
import os, sys
from pathlib import Path
from adhominem.files import whole_file, whole_folder
with whole_file(Path(sys.argv[1]) / "file"), whole_folder(Path(sys.argv[1]) / "folder") as folder:
    (folder / "inside").touch()
    print(flush=True)
    sys.stdin.read()
    os.kill(os.getpid(), 9)
"""


def test_leftovers_of_a_killed_process_are_swept_and_of_a_living_one_kept(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdout.readline()
        (tmp_path / ".file.mine.partial").touch()  # no name of ours
        for living in (True, False):
            write_whole(tmp_path / "file", "new")
            with whole_folder(tmp_path / "folder"):
                pass
            mine = [".file.mine.partial", "file", "folder"]
            assert len(names(tmp_path)) == len(mine) + 2 * living
            if living:
                process.stdin.close()
                process.wait()
    assert names(tmp_path) == mine


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "zero").symlink_to("/dev/zero")
    (tmp_path / "large").write_bytes(bytes(2 << 20))
    (tmp_path / "link").symlink_to("large")
    for name, problem in [
        ("fifo", "not a regular file"),
        ("zero", "not a regular file"),
        (".", "not a regular file"),
        ("none", "No such file"),
        ("large", "larger than 1 MB"),
    ]:
        with pytest.raises(InputError, match=problem):
            read_regular(tmp_path / name, most=1 << 20)
    assert len(read_regular(tmp_path / "link", most=2 << 20)) == 2 << 20


def test_overwriting_needs_force(tmp_path: Path) -> None:
    path = tmp_path / "file"
    check_writable(path, force=False)
    path.write_text("old")
    check_writable(path, force=True)
    with pytest.raises(OutputError, match=r"exists already.*--force"):
        check_writable(path, force=False)


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
