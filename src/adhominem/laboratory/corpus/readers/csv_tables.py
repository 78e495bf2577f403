"""csv and tsv files with a header."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from adhominem.instrument.csv_rows import (
    Header,
    guess_header,
    join_records,
    parse_record,
    read_header,
)
from adhominem.instrument.lines import iterate_lines, open_bytes
from adhominem.laboratory.corpus.readers.line_files import read_lines, write_pieces
from adhominem.laboratory.corpus.readers.reader import (
    Head,
    Reader,
    Records,
    Shard,
    Source,
    check_columns,
    general_document,
)


class CsvTable(Reader):
    """A table of text whose first line names its columns, separated by comma, tab, semicolon or
    bar. Its records, which may span lines, are written as pieces."""

    name = "csv"

    def sniffs(self, path: Path, head: Head) -> bool:
        return _header(head) is not None

    def source(self, path: Path, head: Head) -> Source:
        header = _header(head)
        assert header is not None
        check_columns(path, head.columns, header.columns)
        return replace(super().source(path, head), header=header)

    def split(self, source: Source, folder: Path, shard_bytes: int) -> Iterator[Shard]:
        assert source.header is not None
        with open_bytes(source.path) as stream:
            lines = iterate_lines(stream)
            next(line for line in lines if line.data.strip() and not line.problem)  # the header
            records = join_records(lines, source.header.delimiter)
            yield from write_pieces(source, records, folder, shard_bytes)

    def read(self, shard: Shard) -> Records:
        header, columns = shard.source.header, shard.source.columns
        assert header is not None
        return read_lines(
            shard, lambda data, line: [general_document(parse_record(data, header), line, columns)]
        )


def _header(head: Head) -> Header | None:
    if not head.line or head.record is not None:
        return None
    author, _, text = head.columns.names
    return read_header(head.line, [author, text]) or guess_header(head.line)
