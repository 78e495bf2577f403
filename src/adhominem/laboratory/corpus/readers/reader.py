"""The interface of a reader, which recognises, splits and reads the sources of one format."""

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
from adhominem.laboratory.corpus import Columns
from adhominem.rows import Header, author_field, storable, text_field, topic_field

EXCERPT = 160  # recorded characters of a rejected line


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of a source, by which its format is recognised."""

    columns: Columns
    raw: bytes = b""  # first bytes of a file as stored; empty for a folder
    line: bytes | None = None  # a decompressed line; None if not read yet, empty if there is none
    record: Mapping[str, Any] | None = None  # the JSON object on this line, if any

    @property
    def special(self) -> Mapping[str, Any]:
        """The record for readers of special formats; empty if the user named the columns."""
        return {} if self.columns.given else self.record or {}


@dataclass(frozen=True, slots=True)
class Source:
    """A file or a folder of texts."""

    path: Path
    format: str  # name of the reader
    name: str  # name in the corpus, whatever the parent folder
    columns: Columns = Columns()
    number: int = 0  # among all sources of a corpus
    companions: tuple[Path, ...] = ()  # other files that the reader needs, such as a truth file
    header: Header | None = None  # of a csv file


@dataclass(frozen=True, slots=True)
class Shard:
    """A part of a source, read by one task."""

    source: Source
    path: Path  # file to read: the source, or a piece of it that the reader has written
    size: int  # decompressed bytes
    start: int = 0  # range of bytes of a plain file, or of rows of a parquet file
    stop: int = 0
    first: int = 1  # number of the first line or file
    is_piece: bool = False  # whether `path` is a piece
    files: tuple[str, ...] = ()  # paths relative to a folder

    def to_dict(self) -> dict[str, Any]:
        """Return the shard as JSON values."""
        return dict(json.loads(json.dumps(asdict(self), default=str)))

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Self:
        return record_from(cls, content)


@dataclass(frozen=True, slots=True)
class RawDocument:
    """A document as found in a source."""

    author: str
    topic: str | None
    text: str
    line: int  # number of the line, row or file in the source
    part: int = 0  # number among the documents of the line
    is_local: bool = False  # whether the author's name is unique in this source only


@dataclass(frozen=True, slots=True)
class Rejected:
    """A line without a valid document."""

    line: int
    reason: str  # one of a few fixed phrases
    detail: str  # what was found
    excerpt: str  # the beginning of the line


Records = Iterator[RawDocument | Rejected]


class Reader(ABC):
    """A format of raw data."""

    name: str  # as recorded in the corpus
    pattern = "*.txt"  # files of a folder that are hashed to describe it
    holds_documents = True  # False for companions of other files, which are not read

    @abstractmethod
    def sniffs(self, path: Path, head: Head) -> bool:
        """Return whether a file or folder has this format."""

    def split(self, source: Source, folder: Path, shard_bytes: int) -> Iterator[Shard]:
        """Yield shards of about `shard_bytes`; files needed to read them go into `folder`."""
        return iter(())

    def read(self, shard: Shard) -> Records:
        """Yield the documents and rejected lines of a shard in order."""
        return iter(())

    def source(self, path: Path, head: Head) -> Source:
        """Return the source at a path of this format; raise InputError if it cannot be used."""
        name = path.resolve().name if path.is_dir() else path.name
        return Source(path, self.name, name, head.columns)

    def complete(self, source: Source, others: Sequence[Source]) -> Source:
        """Return the source with its companions, which are found among all sources."""
        return source

    def describe(self, source: Source) -> dict[str, Any]:
        """Return the entry of the source in the manifest of the corpus."""
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
    """A format of files without documents that readers of other files need."""

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
    """Raise InputError if a table lacks a required column."""
    author, topic, text = columns.names
    needed = [author, text] + ([topic] if columns.topic else [])
    missing = [name for name in needed if name not in available]
    if missing:
        raise InputError(
            f"{path} has no column {few_names(missing)}, only {few_names(available)}: name the "
            "right ones with --author, --topic and --text"
        )


def few_names(names: Any) -> str:
    """Return the first names, shortened, as one line."""
    shown = [" ".join(storable(str(name))[:40].split()) for name in names]
    return ", ".join(shown[:8]) + (" ..." if len(shown) > 8 else "")
