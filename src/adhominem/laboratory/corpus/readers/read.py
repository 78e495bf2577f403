"""The records of one shard: documents with their authors, and lines that hold none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from adhominem.errors import InputError
from adhominem.instrument.lines import Line, iterate_lines
from adhominem.laboratory.corpus.readers import amazon, pan
from adhominem.laboratory.corpus.readers.rows import (
    Found,
    RecordError,
    Rejected,
    author_field,
    parse_object,
    reject,
    sound,
    text_field,
    topic_field,
)
from adhominem.laboratory.corpus.readers.shards import Shard, read_piece
from adhominem.laboratory.corpus.readers.sources import Columns
from adhominem.laboratory.corpus.readers.tables import Header, parse_record

_MAX_FILE = 64 * 1024 * 1024  # bytes of one text file


def read_shard(shard: Shard, categories: Mapping[str, str]) -> Iterator[Found | Rejected]:
    """Every record of the shard, in order. `categories` holds those of products."""
    match shard.format:
        case "authors":
            yield from _read_files(shard)
        case "problems":
            yield from _read_problems(shard)
        case "parquet":
            yield from _read_rows(shard)
        case "empty":
            yield Rejected(0, "empty file", "the file holds no line", "")
        case _:
            for line in _lines(shard):
                yield from _read_line(line, shard, categories)


def _lines(shard: Shard) -> Iterator[Line]:
    if shard.packed:
        yield from read_piece(Path(shard.path))
        return
    with Path(shard.path).open("rb") as stream:
        stream.seek(shard.start)
        for line in iterate_lines(stream, first=shard.first):
            yield line
            if stream.tell() >= shard.stop:
                return


def _read_line(
    line: Line, shard: Shard, categories: Mapping[str, str]
) -> Iterator[Found | Rejected]:
    if line.problem:
        breaks_off = line.problem.startswith("the file")
        reason = "damaged file" if breaks_off else "line too long"
        reason = "not csv" if "quote" in line.problem else reason
        yield reject(line, reason, line.problem)
    elif not line.data.strip():
        yield reject(line, "empty line", "the line holds nothing")
    else:
        try:
            yield from _documents(line, shard, categories)
        except RecordError as problem:
            yield reject(line, problem.reason, problem.detail)


def _documents(line: Line, shard: Shard, categories: Mapping[str, str]) -> list[Found]:
    data = line.data.removeprefix(b"\xef\xbb\xbf") if line.number == 1 else line.data
    if shard.header:
        return [_general(parse_record(data, Header(*shard.header)), line.number, shard.columns)]
    record = parse_object(data)
    if shard.format == "amazon":
        return [
            amazon.read_review(record, line.number, category=shard.category, categories=categories)
        ]
    if shard.format == "pan":
        return pan.read_problem(record, line.number, _truth(shard.truth))
    return [_general(record, line.number, shard.columns)]


def _general(record: dict[str, Any], line: int, columns: Columns) -> Found:
    author, topic, text = columns.names
    return Found(
        author_field(record, author), topic_field(record, topic), text_field(record, text), line
    )


@lru_cache(maxsize=4)
def _truth(path: str | None) -> dict[str, dict[str, Any]]:
    return pan.read_truth(Path(path)) if path else {}


def _read_rows(shard: Shard) -> Iterator[Found | Rejected]:
    import pyarrow
    from pyarrow import parquet

    file = parquet.ParquetFile(shard.path)
    wanted = [name for name in shard.columns.names if name in file.schema_arrow.names]
    if shard.stop == shard.start:
        yield Rejected(0, "empty file", "the file holds no row", "")
    row = 0
    for group in range(file.num_row_groups):
        n_rows = file.metadata.row_group(group).num_rows
        if row + n_rows <= shard.start or row >= shard.stop:
            row += n_rows
            continue
        try:
            for batch in file.iter_batches(2048, row_groups=[group], columns=wanted):
                first, row = row, row + len(batch)
                begin, end = max(shard.start - first, 0), min(shard.stop - first, len(batch))
                if begin < end:
                    for i, record in enumerate(_records(batch.slice(begin, end - begin))):
                        yield _read_record(record, first + begin + i + 1, shard.columns)
        except (pyarrow.ArrowException, OSError) as error:
            raise InputError(f"{shard.path} is a damaged parquet file: {error}") from None


def _records(batch: Any) -> list[dict[str, Any] | None]:
    """The rows of a batch, None for those that are no UTF-8."""
    try:
        return list(batch.to_pylist())
    except UnicodeDecodeError:
        if len(batch) == 1:
            return [None]
        return [row for i in range(len(batch)) for row in _records(batch.slice(i, 1))]


def _read_record(record: dict[str, Any] | None, number: int, columns: Columns) -> Found | Rejected:
    if record is None:
        return Rejected(number, "invalid UTF-8", "a field of the row is no UTF-8", "")
    try:
        return _general(record, number, columns)
    except RecordError as problem:
        excerpt = str(record)[:160]
        return Rejected(number, problem.reason, problem.detail, excerpt)


def _read_files(shard: Shard) -> Iterator[Found | Rejected]:
    """author/text.txt, or author/topic/text.txt."""
    for number, name in enumerate(shard.files, shard.first):
        parts = name.split("/")
        text = _read_file(Path(shard.path) / name, number)
        if isinstance(text, str):
            yield Found(sound(parts[0]), sound(parts[1]) if len(parts) > 2 else None, text, number)
        else:
            yield text


def _read_problems(shard: Shard) -> Iterator[Found | Rejected]:
    truth = pan.folder_truth(Path(shard.path))
    for number, name in enumerate(shard.files, shard.first):
        problem, _, file = name.partition("/")
        text = _read_file(Path(shard.path) / name, number)
        if not isinstance(text, str):
            yield text
        elif problem not in truth:
            detail = f"truth.txt has no line for '{problem}'"
            yield Rejected(number, "no truth", sound(detail), sound(name))
        else:
            is_other = file.startswith("unknown") and not truth[problem]
            author = sound(f"{problem} (unknown)" if is_other else problem)
            yield Found(author, None, text, number, is_local=True)


def _read_file(path: Path, number: int) -> str | Rejected:
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_FILE + 1)
        if len(data) > _MAX_FILE:
            return Rejected(number, "line too long", f"over {_MAX_FILE >> 20} MB", sound(path.name))
        return sound(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return Rejected(number, "invalid UTF-8", str(error.reason), sound(path.name))
    except OSError as error:
        return Rejected(number, "damaged file", str(error.strerror), sound(path.name))
