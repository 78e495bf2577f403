"""The interface of a reader: one object per format that recognises, splits and reads sources."""

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from adhominem.errors import InputError
from adhominem.files import sha256
from adhominem.instrument.model_schema import record_from
from adhominem.instrument.rows import Header, author_field, storable, text_field, topic_field
from adhominem.laboratory.corpus import Columns

EXCERPT = 160  # characters of a rejected record that are recorded


@dataclass(frozen=True, slots=True)
class Head:
    """The part of a source by which its format is recognised."""

    columns: Columns
    raw: bytes = b""  # first bytes of a file as they are stored; empty for a folder
    line: bytes | None = None  # decompressed; None if none was read yet, empty if there is none
    record: Mapping[str, Any] | None = None  # the JSON object on this line, if it holds one

    @property
    def special(self) -> Mapping[str, Any]:
        """The record, unless the user named the fields of a general file."""
        return {} if self.columns.given else self.record or {}


@dataclass(frozen=True, slots=True)
class Source:
    """One file, or one folder of texts."""

    path: Path
    format: str  # the name of its reader
    name: str  # in the corpus; does not depend on where it is stored
    columns: Columns = Columns()
    number: int = 0  # among all sources of a corpus
    companions: tuple[Path, ...] = ()  # files that its reader needs: the truth of PAN problems
    header: Header | None = None  # of a csv file


@dataclass(frozen=True, slots=True)
class Shard:
    """A part of a source that is read on its own."""

    source: Source
    path: Path  # the file to read: the source, or a piece of it that the reader has written
    size: int  # bytes, decompressed
    start: int = 0  # range of bytes of a plain file, or of rows of a parquet file
    stop: int = 0
    first: int = 1  # number of the first line or file
    is_piece: bool = False  # whether `path` is such a piece
    files: tuple[str, ...] = ()  # paths below a folder

    def to_dict(self) -> dict[str, Any]:
        """Return the shard as JSON values."""
        return dict(json.loads(json.dumps(asdict(self), default=str)))

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Self:
        return record_from(cls, content)


@dataclass(frozen=True, slots=True)
class RawDocument:
    """A document as it was found in a source."""

    author: str
    topic: str | None
    text: str
    line: int  # number of its line, row or file in the source
    part: int = 0  # its number among the documents of that line
    is_local: bool = False  # the author's name is unique in this source only


@dataclass(frozen=True, slots=True)
class Rejected:
    """A line that holds no document."""

    line: int
    reason: str  # one of a few fixed phrases
    detail: str  # what was found
    excerpt: str  # the beginning of the line


Records = Iterator[RawDocument | Rejected]


class Reader(ABC):
    """A format of raw data."""

    name: str  # as it is recorded in the corpus
    pattern = "*.txt"  # the files of a folder whose hashes describe it
    holds_documents = True  # False for files that complement others; these are not read

    @abstractmethod
    def sniffs(self, path: Path, head: Head) -> bool:
        """Return whether a file or folder has this format."""

    def split(self, source: Source, folder: Path, shard_bytes: int) -> Iterator[Shard]:
        """Yield shards of about `shard_bytes`; files needed to read them are put into `folder`."""
        return iter(())

    def read(self, shard: Shard) -> Records:
        """Yield the documents of a shard, and the lines that hold none, in order."""
        return iter(())

    def source(self, path: Path, head: Head) -> Source:
        """Return the source at a path that has this format; raise an error if it cannot be used."""
        name = path.resolve().name if path.is_dir() else path.name
        return Source(path, self.name, name, head.columns)

    def complete(self, source: Source, others: Sequence[Source]) -> Source:
        """Return the source with the companions that it needs, found among all sources."""
        return source

    def describe(self, source: Source) -> dict[str, Any]:
        """Return the entry of the source in the corpus's manifest."""
        top = source.path
        if top.is_dir():
            files = sorted(path for path in top.rglob(self.pattern) if path.is_file())
            rows = [f"{path.relative_to(top).as_posix()}\0{sha256(path)}\n" for path in files]
            digest = hashlib.sha256("".join(rows).encode()).hexdigest()
        else:
            files, digest = [top], sha256(top)
        size = sum(path.stat().st_size for path in files)
        return {"name": source.name, "format": source.format, "bytes": size, "sha256": digest}

    def document_id(self, shard: Shard, document: RawDocument) -> str:
        """Return the id of a document in the corpus."""
        if shard.files:
            return f"{shard.source.name}/{shard.files[document.line - shard.first]}"
        return f"{shard.source.name}:{document.line}"


class Companion(Reader):
    """A format of files that complement others and hold no documents themselves."""

    holds_documents = False

    def __init__(self, name: str, recognises: Callable[[Mapping[str, Any]], bool]) -> None:
        self.name, self._recognises = name, recognises

    def sniffs(self, path: Path, head: Head) -> bool:
        return self._recognises(head.special)


def general_document(record: dict[str, Any], line: int, columns: Columns) -> RawDocument:
    """Return the document in a record of a general file."""
    author, topic, text = columns.names
    who, about = author_field(record, author), topic_field(record, topic)
    return RawDocument(who, about, text_field(record, text), line)


def check_columns(path: Path, columns: Columns, available: Sequence[str]) -> None:
    """Raise an error if a table lacks a column that is needed."""
    author, topic, text = columns.names
    needed = [author, text] + ([topic] if columns.topic else [])
    missing = [name for name in needed if name not in available]
    if missing:
        raise InputError(
            f"{path} has no column {few_names(missing)}, only {few_names(available)}: name the "
            "right ones with --author, --topic and --text"
        )


def few_names(names: Any) -> str:
    """Return the first names as one line."""
    shown = [" ".join(storable(str(name))[:40].split()) for name in names]
    return ", ".join(shown[:8]) + (" ..." if len(shown) > 8 else "")
