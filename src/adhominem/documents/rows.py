"""Reads tables (csv, tsv) and JSON lines with a text in each row, and perhaps author and topic."""

import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from adhominem import rows
from adhominem.documents.file_texts import FileText, clean_name
from adhominem.errors import InputError
from adhominem.instrument.report.plain_text import visible
from adhominem.lines import Line, iterate_lines

_SWAPPED = 400  # columns count as swapped if authors have more characters in all, and than texts
_MARK = b"\xef\xbb\xbf"


def table_texts(data: bytes, name: str, notes: list[str]) -> Iterator[FileText]:
    lines = iterate_lines(io.BytesIO(data.removeprefix(_MARK)))
    first = next(lines, None)
    line = b"" if first is None else first.data
    whole = line[:80].decode("utf-8", "replace").strip('" ')  # a table may have a single column
    header = rows.guess_header(line) or rows.Header((whole,), ",")
    header = replace(header, columns=tuple(name.strip().lower() for name in header.columns))
    if "text" not in header.columns:
        columns = visible(", ".join(header.columns))[:200]
        raise InputError(
            f"{name} must begin with the names of its columns: 'text' and, if known, 'author', "
            f"'name' and 'topic'; it has {columns or 'none'}"
        )
    records = rows.join_records(lines, header.delimiter)
    yield from _texts(records, name, notes, lambda line: rows.parse_record(line.data, header))


def json_texts(data: bytes, name: str, notes: list[str]) -> Iterator[FileText]:
    lines = iterate_lines(io.BytesIO(data.removeprefix(_MARK)))
    yield from _texts(lines, name, notes, lambda line: rows.parse_object(line.data))


def _texts(lines: Iterator[Line], name: str, notes: list[str], parse: Any) -> Iterator[FileText]:
    problems: Counter[str] = Counter()
    lengths: Counter[str] = Counter()
    for line in lines:
        if not line.data.strip() and line.problem is None:
            continue
        try:
            if line.problem is not None:
                raise rows.RecordError("cannot be read", line.problem)
            record = parse(line)
            lengths.update({key: len(str(record.get(key) or "")) for key in ("text", "author")})
            if lengths["author"] > max(_SWAPPED, 2 * lengths["text"]):
                raise InputError(f"{name} has longer authors than texts: are the columns swapped?")
            known = record.get("author") not in (None, "")
            title = record.get("name") or record.get("id")
            yield FileText(
                name=clean_name(title) if isinstance(title, str) else f"{name}, line {line.number}",
                text=rows.text_field(record, "text"),
                author=rows.author_field(record, "author")[:200] if known else None,
                topic=(rows.topic_field(record, "topic") or "")[:200] or None,
            )
        except rows.RecordError as problem:
            problems[problem.reason] += 1
    if problems:
        reasons = ", ".join(f"{reason} ({n:,})" for reason, n in problems.most_common(3))
        notes.append(f"{name}: {problems.total():,} lines were left out: {reasons}.")
