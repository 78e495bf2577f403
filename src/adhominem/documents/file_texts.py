"""The texts of a file of any format, with notes on what was left out."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Self

from adhominem.documents import quoted
from adhominem.documents.quoted import REPLY, Passage, TextLine
from adhominem.errors import InputError

_MAX_NAME = 120


@dataclass(frozen=True, slots=True)
class FileLimits:
    max_rows: int = 20_000  # texts in a file
    max_case: int = 10_000_000  # characters of all texts of a file
    max_unpacked: int = 64 * 1024 * 1024  # bytes of an unpacked archive
    max_ratio: float = 100.0  # unpacked size of a file in an archive over its packed size


@dataclass(frozen=True, slots=True)
class FileText:
    """A text of a file, without passages that its author probably did not write."""

    name: str
    text: str
    author: str | None = None
    topic: str | None = None
    passages: tuple[Passage, ...] = ()  # quotations and signatures that were left out
    whole: str | None = None  # the text with these passages; None without passages

    @classmethod
    def of_lines(
        cls, name: str, lines: Sequence[TextLine], author: str | None = None, *, mark: str = REPLY
    ) -> Self:
        """Build the text from its lines; `mark` as in `find_passages`."""
        lines = quoted.find_passages(lines, mark)
        whole, found = "\n".join(line.text for line in lines), quoted.passages(lines)
        own = "\n".join(line.text for line in lines if line.kind is None).strip("\n")
        return cls(name, own, author, None, found, whole) if found else cls(name, whole, author)


@dataclass(frozen=True, slots=True)
class FileTexts:
    """The texts of a file, and notes for the user on what was left out or guessed."""

    texts: tuple[FileText, ...]
    notes: tuple[str, ...] = ()


def clean_name(name: str) -> str:
    """A name for display: the last parts of a path without unprintable characters."""
    shown = "".join(c if c.isprintable() else " " for c in name.replace("\\", "/"))
    kept = [part.strip() for part in shown.split("/") if part.strip().strip(".")]
    return "/".join(kept)[-_MAX_NAME:].lstrip("/. ") or "text"


def gather(
    texts: Iterable[FileText], name: str, notes: list[str], limits: FileLimits, *, keep_quoted: bool
) -> FileTexts:
    """Check the limits, drop empty texts, and give every text of a file a distinct name."""
    read = list(islice(texts, limits.max_rows + 1))
    if len(read) > limits.max_rows:
        notes.append(f"Only the first {limits.max_rows:,} texts of {name} were read.")
        del read[-1]
    if keep_quoted:
        read = [replace(text, text=text.whole or text.text) for text in read]
    filled = [text for text in read if text.text.strip()]
    found = quoted.describe(text.passages for text in read)
    if found:
        notes.append(f"{'Kept in' if keep_quoted else 'Left out of'} {name}: {found}.")
    if not filled:
        why = [f"{name} holds nothing but {found}"] if found else [*notes, f"{name} holds no text"]
        raise InputError(why[0])
    size = sum(len(text.text) for text in filled)
    if size > (most := limits.max_case):
        raise InputError(f"{name} holds {size:,} characters, at most {most:,} can be used")
    named: dict[str, FileText] = {}
    numbers: Counter[str] = Counter()  # last number tried for each name
    for text in filled:
        own = text.name
        while own in named:
            numbers[text.name] += 1
            own = f"{text.name} ({numbers[text.name] + 1})"
        named[own] = replace(text, name=own)
    return FileTexts(tuple(named.values()), tuple(notes))
