"""Readers of raw data: the list of all formats, and the search for sources.

A new format is a subclass of `Reader` in a file of its own, and its entry in `READERS`.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from glob import glob
from itertools import islice
from pathlib import Path

from adhominem.errors import InputError
from adhominem.laboratory.corpus import Columns
from adhominem.laboratory.corpus.readers import amazon, pan, plain_files
from adhominem.laboratory.corpus.readers.plain_files import JsonLines
from adhominem.laboratory.corpus.readers.reader import Companion, Head, Reader, Source, few_names
from adhominem.laboratory.corpus.readers.tables import CorpusFolder, CsvTable, ParquetTable
from adhominem.lines import iterate_lines, open_bytes
from adhominem.rows import RecordError, parse_object, storable

# The first reader that recognises a source reads it.
READERS: dict[str, Reader] = {
    reader.name: reader
    for reader in (
        *(CorpusFolder(), ParquetTable(), pan.PanFolders(), plain_files.AuthorFolders()),
        *(amazon.AmazonReviews(), JsonLines(), pan.PanProblems()),
        Companion(pan.TRUTH, pan.is_truth),
        *(Companion(amazon.METADATA, amazon.is_metadata), CsvTable()),
        plain_files.EmptyFile(),
    )
}
_LOOK_AT = 200  # first lines in which a record is searched


def find_sources(patterns: Sequence[str], columns: Columns = Columns()) -> list[Source]:
    """Return the distinct sources for files, folders and globs, sorted by name."""
    paths: dict[Path, None] = {}
    for pattern in patterns:
        matches = [pattern]
        if not os.path.exists(pattern):  # noqa: PTH110  false for a name that is too long
            matches = sorted(glob(pattern, recursive=True))  # noqa: PTH207
        if not matches:
            raise InputError(f"{pattern}: no such file or folder")
        paths |= dict.fromkeys(map(Path, matches))
    unique: dict[Path, Source] = {}
    for path in paths:
        files = [path]
        if path.is_dir():
            if source := _recognise(path, Head(columns)):
                unique[path.resolve()] = source
                continue
            files = sorted(p for p in path.iterdir() if p.is_file() and not p.name.startswith("."))
            if not files:
                raise InputError(f"{path} is an empty folder: expected files, or author/*.txt")
        unique |= {file.resolve(): recognise_file(file, columns) for file in files}
    sources = sorted(unique.values(), key=lambda source: (source.name, str(source.path)))
    if not any(READERS[source.format].holds_documents for source in sources):
        formats = ", ".join(sorted({source.format for source in sources})) or "nothing"
        raise InputError(f"{' '.join(patterns)}: no documents there, only {formats}")
    named = []
    for number, source in enumerate(sources):
        # Sources with equal names are told apart by their parent folders.
        same = [s.path.resolve().parts for s in sources if s.name == source.name]
        depth = next(d for d in range(1, 99) if len({parts[-d:] for parts in same}) == len(same))
        longer = "/".join(source.path.resolve().parts[-depth:])
        name = storable(longer if len(same) > 1 else source.name)
        named.append(replace(source, path=source.path.absolute(), name=name, number=number))
    return [READERS[source.format].complete(source, named) for source in named]


def _recognise(path: Path, head: Head) -> Source | None:
    reader = next((reader for reader in READERS.values() if reader.sniffs(path, head)), None)
    return reader.source(path, head) if reader else None


def recognise_file(path: Path, columns: Columns = Columns()) -> Source:
    """Return a file as a source; its format is recognised by its first bytes or lines."""
    try:
        with path.open("rb") as file:
            raw = file.read(4)
    except OSError as error:
        raise InputError(f"{path} cannot be opened: {error.strerror}") from None
    if source := _recognise(path, Head(columns, raw)):
        return source
    first, unknown, is_damaged = b"", None, False
    with open_bytes(path) as stream:
        for line in islice(iterate_lines(stream), _LOOK_AT):
            is_damaged = is_damaged or line.problem is not None
            if line.problem or not line.data.strip():
                continue
            first = first or line.data
            try:
                record = parse_object(line.data.removeprefix(plain_files.BYTE_ORDER_MARK))
            except RecordError:
                continue
            if source := _recognise(path, Head(columns, raw, line.data, record)):
                return source
            unknown = unknown or record
    if unknown is not None:
        author, _, text = columns.names
        raise InputError(
            f"{path} has the fields {few_names(unknown)}, not {few_names([author, text])}: name "
            "those of the author and the text with --author and --text"
        )
    if is_damaged and not first:  # reading it reports the damage
        return Source(path, JsonLines.name, path.name, columns)
    if source := _recognise(path, Head(columns, raw, first)):
        return source
    begin = json.dumps(first[:40].decode("utf-8", "replace"))
    raise InputError(
        f"{path} is neither JSON lines nor a table with a header nor parquet: it begins with "
        f"{begin}; single texts go into a folder author/*.txt"
    )
