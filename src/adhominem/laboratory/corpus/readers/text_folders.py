"""Folders of plain text files: author/text.txt or author/topic/text.txt."""

from collections.abc import Callable, Iterator
from pathlib import Path

from adhominem.instrument.rows import storable
from adhominem.laboratory.corpus.readers import reader as base

_FILES = 2000  # of a shard
_MAX_FILE = 64 * 1024 * 1024  # bytes of one text


class AuthorFolders(base.Reader):
    """A folder with one folder per author, perhaps with one folder per topic in it."""

    name = "authors"

    def sniffs(self, path: Path, head: base.Head) -> bool:
        return path.is_dir() and (any(path.glob("*/*.txt")) or any(path.glob("*/*/*.txt")))

    def split(self, source: base.Source, folder: Path, shard_bytes: int) -> Iterator[base.Shard]:
        return split_files(source)

    def read(self, shard: base.Shard) -> base.Records:
        return read_files(shard, _document)


def _document(name: str, text: str, number: int) -> base.RawDocument:
    author, *topics, _ = name.split("/")
    return base.RawDocument(storable(author), storable(topics[0]) if topics else None, text, number)


def split_files(source: base.Source) -> Iterator[base.Shard]:
    """Split the text files of a folder and its folders into lists."""
    files = sorted(
        path.relative_to(source.path).as_posix()
        for path in source.path.rglob("*.txt")
        if path.is_file() and len(path.relative_to(source.path).parts) > 1
    )
    for i in range(0, len(files), _FILES):
        part = tuple(files[i : i + _FILES])
        size = sum((source.path / name).stat().st_size for name in part)
        yield base.Shard(source, source.path, size, first=i + 1, files=part)


def read_files(
    shard: base.Shard, document: Callable[[str, str, int], base.RawDocument | base.Rejected]
) -> base.Records:
    """Yield what `document` makes of the name, the text and the number of each file; a file that
    cannot be read is rejected."""
    for number, name in enumerate(shard.files, shard.first):
        text = _read_file(shard.path / name, number)
        yield text if isinstance(text, base.Rejected) else document(name, text, number)


def _read_file(path: Path, number: int) -> str | base.Rejected:
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_FILE + 1)
        if len(data) <= _MAX_FILE:
            return storable(data.decode("utf-8-sig"))
        reason, detail = "line too long", f"over {_MAX_FILE >> 20} MB"
    except UnicodeDecodeError as error:
        reason, detail = "invalid UTF-8", str(error.reason)
    except OSError as error:
        reason, detail = "damaged file", str(error.strerror)
    return base.Rejected(number, reason, detail, storable(path.name))
