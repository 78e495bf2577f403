"""What the user names on the command line, looked at: which files there are and what they hold."""

from __future__ import annotations

import glob
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from adhominem.errors import InputError
from adhominem.instrument.lines import iterate_lines, open_bytes
from adhominem.laboratory.corpus.readers import amazon, pan
from adhominem.laboratory.corpus.readers.rows import RecordError, parse_object, sound
from adhominem.laboratory.corpus.readers.tables import guess_header, read_header

FORMATS = (
    *("amazon", "metadata", "pan", "truth", "jsonl", "csv", "parquet", "authors", "problems"),
    "empty",
)
_LOOK_AT = 200  # lines, for the first that can be read


@dataclass(frozen=True, slots=True)
class Columns:
    """What the fields of a general file are called; None where the user did not say, an empty
    topic for a file whose topics are not to be used."""

    author: str | None = None
    topic: str | None = None
    text: str | None = None

    @property
    def names(self) -> tuple[str, str, str]:
        topic = "topic" if self.topic is None else self.topic
        return self.author or "author", topic, self.text or "text"

    @property
    def given(self) -> bool:
        return self.author is not None or self.text is not None


@dataclass(frozen=True, slots=True)
class Source:
    """One file, or one folder of texts.

    format      one of FORMATS; "authors" is a folder author/*.txt, "problems" one of PAN's
    name        how the corpus calls it: without the way to it, so that it means the same elsewhere
    truth       the answers to PAN problems
    header      columns and delimiter of a csv file
    """

    path: Path
    format: str
    name: str
    columns: Columns = Columns()
    truth: Path | None = None
    header: tuple[tuple[str, ...], str] | None = None


def find_sources(patterns: Sequence[str], columns: Columns = Columns()) -> list[Source]:
    """Files, folders and globs to sources in order of their names; each file counts once."""
    paths: dict[Path, None] = {}
    for pattern in patterns:
        found = [Path(pattern)] if _exists(Path(pattern)) else _glob(pattern)
        if not found:
            raise InputError(f"{pattern}: no such file or folder")
        paths |= dict.fromkeys(found)
    looked_at = {p.resolve(): s for path in paths for p, s in _look(path, columns)}
    sources = sorted(looked_at.values(), key=lambda source: (source.name, str(source.path)))
    sources = _attach_truth(_unique_names(sources))
    if not any(source.format not in ("metadata", "truth") for source in sources):
        kinds = ", ".join(sorted({source.format for source in sources})) or "nothing"
        raise InputError(f"{' '.join(patterns)}: no documents there, only {kinds}")
    return sources


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name longer than the file system allows
        return False


def _glob(pattern: str) -> list[Path]:
    return [Path(path) for path in sorted(glob.glob(pattern, recursive=True))]  # noqa: PTH207


def _look(path: Path, columns: Columns) -> list[tuple[Path, Source]]:
    if not path.is_dir():
        return [(path.resolve(), look_at_file(path, columns))]
    if pan.is_problem_folder(path):
        return [(path.resolve(), Source(path, "problems", path.resolve().name))]
    if any(path.glob("*/*.txt")) or any(path.glob("*/*/*.txt")):
        return [(path.resolve(), Source(path, "authors", path.resolve().name))]
    inside = sorted(p for p in path.iterdir() if p.is_file() and not p.name.startswith("."))
    if not inside:
        raise InputError(f"{path} is an empty folder: expected files, or author/*.txt")
    return [found for file in inside for found in _look(file, columns)]


def look_at_file(path: Path, columns: Columns = Columns()) -> Source:
    """The format, by the first bytes and by the first line that can be read."""
    source = Source(path, "empty", path.name, columns)
    try:
        with path.open("rb") as file:
            if file.read(4) == b"PAR1":
                return _look_at_parquet(source)
    except OSError as error:
        raise InputError(f"{path} cannot be opened: {error.strerror}") from None
    first: bytes | None = None
    strange: dict[str, Any] | None = None
    damaged = False
    with open_bytes(path) as stream:
        for line in iterate_lines(stream):
            if line.number > _LOOK_AT:
                break
            damaged = damaged or line.problem is not None
            if line.problem or not line.data.strip():
                continue
            first = line.data if first is None else first
            try:
                record = parse_object(line.data.removeprefix(b"\xef\xbb\xbf"))
            except RecordError:
                continue
            if found := _format_of(record, columns):
                return replace(source, format=found)
            strange = strange or record
    if first is None:
        return replace(source, format="jsonl") if damaged else source
    if strange is not None:
        author, _, text = columns.names
        raise InputError(
            f"{path} has the fields {_few(strange)}, not {_few([author, text])}: name those of the "
            "author and the text with --author and --text"
        )
    return _look_at_table(source, first)


def _format_of(record: dict[str, Any], columns: Columns) -> str | None:
    """The first line may be a broken one: a record that fits nothing decides nothing."""
    author, _, text = columns.names
    if {author, text} <= set(record):
        return "amazon" if not columns.given and amazon.is_review(record) else "jsonl"
    for name, fits in (
        ("pan", pan.is_problem),
        ("truth", pan.is_truth),
        ("amazon", amazon.is_review),
        ("metadata", amazon.is_metadata),
    ):
        if fits(record) and not columns.given:
            return name
    return None


def _look_at_parquet(source: Source) -> Source:
    import pyarrow
    from pyarrow import parquet

    try:
        columns = parquet.ParquetFile(source.path).schema_arrow.names
    except (pyarrow.ArrowException, OSError) as error:
        raise InputError(f"{source.path} is a damaged parquet file: {error}") from None
    return _check_columns(replace(source, format="parquet"), columns)


def _look_at_table(source: Source, first: bytes) -> Source:
    author, _, text = source.columns.names
    header = read_header(first, [author, text]) or guess_header(first)
    if header is None:
        begin = json.dumps(first[:40].decode("utf-8", "replace"))
        raise InputError(
            f"{source.path} is neither JSON lines nor a table with a header nor parquet: it "
            f"begins with {begin}; single texts go into a folder author/*.txt"
        )
    described = replace(source, format="csv", header=(header.columns, header.delimiter))
    return _check_columns(described, header.columns)


def _check_columns(source: Source, columns: Sequence[str]) -> Source:
    author, topic, text = source.columns.names
    needed = [author, text] + ([topic] if source.columns.topic else [])
    missing = [name for name in needed if name not in columns]
    if missing:
        raise InputError(
            f"{source.path} has no column {_few(missing)}, only {_few(columns)}: name the right "
            "ones with --author, --topic and --text"
        )
    return source


def _attach_truth(sources: list[Source]) -> list[Source]:
    """The truth file given, or the one beside the problems."""
    given = [source.path for source in sources if source.format == "truth"]
    attached = []
    for source in sources:
        if source.format == "pan":
            beside = [path for path in given if path.parent == source.path.parent]
            truth = pan.find_truth(source.path) or (beside[0] if len(beside) == 1 else None)
            attached.append(replace(source, truth=truth))
        else:
            attached.append(source)
    return attached


def _unique_names(sources: list[Source]) -> list[Source]:
    """Files of one name in several folders are told apart by as much of the way as it takes."""
    names = [source.name for source in sources]
    result = []
    for source in sources:
        parts = source.path.resolve().parts
        same = [s.path.resolve().parts for s in sources if s.name == source.name]
        depth = next(d for d in range(1, 99) if len({p[-d:] for p in same}) == len(same))
        name = "/".join(parts[-depth:]) if names.count(source.name) > 1 else source.name
        result.append(replace(source, name=sound(name)))
    return result


def _few(names: Any) -> str:
    shown = [" ".join(sound(str(name))[:40].split()) for name in names]
    return ", ".join(shown[:8]) + (" ..." if len(shown) > 8 else "")
