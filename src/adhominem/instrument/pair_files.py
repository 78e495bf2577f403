"""Reads and writes pairs of texts as JSON lines, plain or compressed.

A line is an object with "id", "left" and "right", where a side is a text or a list of texts, and
optionally "same_author", "same_topic", "authors" and "genre". PAN's {"id", "pair": [left, right]}
is read too. A line that cannot be read becomes a `BadLine`; the other lines are still read.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from adhominem.errors import InputError
from adhominem.files import whole_file
from adhominem.lines import Line, iterate_lines, open_bytes
from adhominem.records import Document, Pair

MAX_LINE = 64 * 1024 * 1024  # bytes


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that holds no pair."""

    number: int
    id: str | None
    error: str
    breaks_off: bool = False  # whether the file is damaged or ends in this line


def open_lines(path: Path) -> IO[bytes]:
    """Open a file of lines for reading, decompressed; `-` is the standard input."""
    return sys.stdin.buffer if str(path) == "-" else open_bytes(path)


def read_pairs(lines: IO[bytes], name: str) -> Iterator[Pair | BadLine]:
    """Yield a pair or `BadLine` for each line that is not empty; `name` stands in messages."""
    return parse_pairs(iterate_lines(lines, max_line=MAX_LINE), name)


def parse_pairs(lines: Iterable[Line], name: str) -> Iterator[Pair | BadLine]:
    """`read_pairs` for lines that were read already."""
    for line in lines:
        if line.problem:
            error = f"{name}, line {line.number}: {line.problem}"
            yield BadLine(line.number, None, error, line.problem.startswith("the file breaks off"))
        elif line.data.strip():
            yield _parse(line)


def write_pairs(pairs: Iterable[Pair], path: Path) -> int:
    """Write labelled pairs, compressed if the name ends in .gz or .xz, and return their number."""
    written = 0
    with whole_file(path) as file:
        for pair in pairs:
            sides = [[document.text for document in side] for side in (pair.left, pair.right)]
            left, right = (side[0] if len(side) == 1 else side for side in sides)
            truth = {"same_author": pair.same_author, "same_topic": pair.same_topic}
            line: dict[str, Any] = {"id": pair.id, "left": left, "right": right, **truth}
            line["authors"] = [pair.left[0].author, pair.right[0].author]
            line |= {} if pair.genre is None else {"genre": pair.genre}
            file.write(json.dumps(line).encode() + b"\n")
            written += 1
    return written


def _parse(line: Line) -> Pair | BadLine:
    number = line.number
    try:
        row = json.loads(line.data)
    except (ValueError, RecursionError) as error:
        return BadLine(number, None, f"line {number} is not JSON: {error}", line.unterminated)
    if not isinstance(row, dict):
        return BadLine(number, None, f"line {number} is not a JSON object")
    name = None if row.get("id") is None else str(row["id"])
    try:
        return _pair(row, name)
    except (InputError, RecursionError) as error:  # quoting needs more depth than reading
        return BadLine(number, name, f"line {number}: {error}")


def _pair(row: dict[str, Any], name: str | None) -> Pair:
    if "pair" not in row and not ("left" in row and "right" in row):
        raise InputError("expected 'left' and 'right', or 'pair'")
    sides = row["pair"] if "pair" in row else [row["left"], row["right"]]
    if not isinstance(sides, list) or len(sides) != 2:
        raise InputError("'pair' must be a list of two texts")
    authors = row.get("authors") or [None, None]
    if not isinstance(authors, list) or [isinstance(a, str | None) for a in authors] != [True] * 2:
        raise InputError("'authors' must be a list of two names")
    genre = row.get("genre")
    if not isinstance(genre, str | None):
        raise InputError(f"'genre' must be a name, not {_shorten(genre)}")
    return Pair(
        left=_side(sides[0], "left", authors[0]),
        right=_side(sides[1], "right", authors[1]),
        same_author=_flag(row, "same_author", "same"),
        same_topic=_flag(row, "same_topic"),
        id=name,
        genre=genre,
    )


def _side(value: Any, name: str, author: str | None) -> tuple[Document, ...]:
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not texts or not all(isinstance(t, str) for t in texts):
        raise InputError(f"'{name}' must be a text or a list of texts, not {_shorten(value)}")
    return tuple(Document(text, author=author) for text in texts)


def _flag(row: dict[str, Any], *names: str) -> bool | None:
    value = next((row[name] for name in names if row.get(name) is not None), None)
    if not isinstance(value, bool | None):
        raise InputError(f"'{names[0]}' must be true or false, not {_shorten(value)}")
    return value


def _shorten(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:37] + "..."
