"""Sources cut into shards that can be read apart from each other.

A plain file is cut into ranges of whole lines; a compressed one is unpacked once and laid down in
pieces; a parquet file is cut into ranges of rows and a folder into lists of files. Which shards
there are depends on the sources and on nothing else.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from adhominem.instrument.lines import Line, compression, iterate_lines, open_bytes
from adhominem.laboratory.corpus.readers import amazon
from adhominem.laboratory.corpus.readers.sources import Columns, Source
from adhominem.laboratory.corpus.readers.tables import join_records

SHARD_BYTES = 16 * 1024 * 1024
_FILES = 2000  # texts of a folder
_HEAD = struct.Struct("<QII")  # number of the line, lengths of its problem and of its data


@dataclass(frozen=True, slots=True)
class Shard:
    """A part of a source.

    size            bytes, unpacked
    path            the file to read: the source itself, or a piece laid down by the splitter
    start, stop     bytes of a plain file, rows of a parquet file
    first           number of its first line
    files           paths below a folder
    """

    number: int
    source: int
    format: str
    path: str
    size: int
    start: int = 0
    stop: int = 0
    first: int = 1
    packed: bool = False
    files: tuple[str, ...] = ()
    columns: Columns = Columns()
    category: str = ""
    truth: str | None = None
    header: tuple[tuple[str, ...], str] | None = None

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Shard:
        header = content["header"]
        return cls(
            **{
                **content,
                "files": tuple(content["files"]),
                "columns": Columns(**content["columns"]),
                "header": (tuple(header[0]), header[1]) if header else None,
            }
        )


def split_sources(
    sources: Sequence[Source], folder: Path, *, shard_bytes: int = SHARD_BYTES
) -> Iterator[Shard]:
    """The shards of all sources; pieces of compressed files are laid down in `folder`."""
    number = 0
    for place, source in enumerate(sources):
        common: dict[str, Any] = {
            "source": place,
            "format": source.format,
            "columns": source.columns,
            "category": amazon.category_of_file(source.path),
            "truth": str(source.truth.absolute()) if source.truth else None,
            "header": source.header,
        }
        parts: Iterator[dict[str, Any]]
        match source.format:
            case "metadata" | "truth":
                continue
            case "empty":
                parts = iter([{"path": str(source.path.absolute()), "size": 0}])
            case "authors" | "problems":
                parts = _split_folder(source)
            case "parquet":
                parts = _split_parquet(source, shard_bytes)
            case _:
                parts = _split_lines(source, folder, number, shard_bytes)
        for part in parts:
            yield Shard(number=number, **common, **part)
            number += 1


def _split_folder(source: Source) -> Iterator[dict[str, Any]]:
    files = sorted(
        path.relative_to(source.path).as_posix()
        for path in source.path.rglob("*.txt")
        if path.is_file() and len(path.relative_to(source.path).parts) > 1
    )
    for i in range(0, len(files), _FILES):
        part = files[i : i + _FILES]
        yield {
            "path": str(source.path.absolute()),
            "size": sum((source.path / file).stat().st_size for file in part),
            "files": tuple(part),
            "first": i + 1,
        }


def _split_parquet(source: Source, shard_bytes: int) -> Iterator[dict[str, Any]]:
    from pyarrow import parquet

    data = parquet.ParquetFile(source.path).metadata
    size = sum(data.row_group(i).total_byte_size for i in range(data.num_row_groups))
    rows = max(1, min(20_000, data.num_rows * shard_bytes // max(size, 1)))
    for start in range(0, max(data.num_rows, 1), rows):
        stop = min(start + rows, data.num_rows)
        yield {
            "path": str(source.path.absolute()),
            "size": size * (stop - start) // max(data.num_rows, 1),
            "start": start,
            "stop": stop,
        }


def _split_lines(
    source: Source, folder: Path, number: int, shard_bytes: int
) -> Iterator[dict[str, Any]]:
    with open_bytes(source.path) as stream:
        lines = iterate_lines(stream)
        if source.header:
            next(line for line in lines if line.data.strip() and not line.problem)
            lines = join_records(lines, source.header[1])
        if compression(source.path) is None and source.header is None:
            yield from _ranges(source, shard_bytes)
        else:
            yield from _pieces(lines, folder, number, shard_bytes)


def _ranges(source: Source, shard_bytes: int) -> Iterator[dict[str, Any]]:
    """Whole lines of a plain file, found by looking for the end of a line after each stretch."""
    path, size = str(source.path.absolute()), source.path.stat().st_size
    start, first = 0, 1
    with source.path.open("rb") as file:
        while start < size or start == 0:
            lines = file.read(shard_bytes).count(b"\n")
            while (rest := file.read(1 << 16)) and b"\n" not in rest:
                pass
            if rest:
                file.seek(rest.index(b"\n") + 1 - len(rest), 1)
                lines += 1
            stop = file.tell()
            yield {
                "path": path,
                "size": stop - start,
                "start": start,
                "stop": stop,
                "first": first,
            }
            if stop == start:
                return
            start, first = stop, first + lines


def _pieces(
    lines: Iterator[Line], folder: Path, number: int, shard_bytes: int
) -> Iterator[dict[str, Any]]:
    """Each piece is a compressed file of lines behind their numbers and lengths."""
    import pyarrow

    folder.mkdir(parents=True, exist_ok=True)
    line = next(lines, None)
    done = False
    while line is not None or not done:
        path = folder / f"{number:06d}.lines"
        size = 0
        temporary = path.with_suffix(".part")
        with pyarrow.output_stream(str(temporary), compression="zstd") as file:
            while line is not None and size < shard_bytes:
                problem = (line.problem or "").encode()
                file.write(_HEAD.pack(line.number, len(problem), len(line.data)))
                file.write(problem + line.data)
                size += len(line.data) + _HEAD.size
                line = next(lines, None)
        temporary.replace(path)
        yield {"path": str(path.absolute()), "size": size, "packed": True}
        number += 1
        done = line is None


def read_piece(path: Path) -> Iterator[Line]:
    import pyarrow

    with pyarrow.input_stream(str(path), compression="zstd", buffer_size=1 << 20) as file:
        while head := file.read(_HEAD.size):
            number, n_problem, n_data = _HEAD.unpack(head)
            problem = file.read(n_problem).decode()
            yield Line(number, file.read(n_data), problem or None)
