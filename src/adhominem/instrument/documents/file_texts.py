"""The texts of a file, whatever its format, and what was found in them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Self

from adhominem.errors import InputError
from adhominem.instrument.documents import quoted
from adhominem.instrument.documents.quoted import REPLY, Passage, TextLine

_MAX_NAME = 120


@dataclass(frozen=True, slots=True)
class FileLimits:
    max_rows: int = 20_000  # texts in it
    max_case: int = 10_000_000  # characters of all its texts
    max_unpacked: int = 64 * 1024 * 1024  # bytes that an archive may unpack to
    max_ratio: float = 100.0  # how many times its own size an archive may unpack to


@dataclass(frozen=True, slots=True)
class FileText:
    """A text of a file, without the passages that its author probably did not write."""

    name: str
    text: str
    author: str | None = None
    topic: str | None = None
    passages: tuple[Passage, ...] = ()  # those that were found
    whole: str | None = None  # the text with these passages; None if there are none

    @classmethod
    def of_lines(
        cls, name: str, lines: Sequence[TextLine], author: str | None = None, *, mark: str = REPLY
    ) -> Self:
        """The text of these lines; `mark` as in `find_passages`."""
        lines = quoted.find_passages(lines, mark)
        whole, found = "\n".join(line.text for line in lines), quoted.passages(lines)
        own = "\n".join(line.text for line in lines if line.kind is None).strip("\n")
        return cls(name, own, author, None, found, whole) if found else cls(name, whole, author)


@dataclass(frozen=True, slots=True)
class FileTexts:
    """The texts of a file. `notes` are sentences for the reader: what was left out or guessed."""

    texts: tuple[FileText, ...]
    notes: tuple[str, ...] = ()


def clean_name(name: str) -> str:
    """A name to show, never to open: its last parts without unprintable characters."""
    shown = "".join(c if c.isprintable() else " " for c in name.replace("\\", "/"))
    kept = [part.strip() for part in shown.split("/") if part.strip().strip(".")]
    return "/".join(kept)[-_MAX_NAME:].lstrip("/. ") or "text"


def gather(
    texts: Iterable[FileText], name: str, notes: list[str], limits: FileLimits, *, keep_quoted: bool
) -> FileTexts:
    """The filled texts of the file `name` within the limits, with distinct names and all notes."""
    read = list(islice(texts, limits.max_rows + 1))
    if len(read) > limits.max_rows:
        notes.append(f"Only the first {limits.max_rows:,} texts of {name} were read.")
        del read[-1]
    if keep_quoted:
        read = [replace(text, text=text.whole or text.text) for text in read]
    filled = [text for text in read if text.text.strip()]
    found = quoted.in_words(text.passages for text in read)
    if found:
        notes.append(f"{'Kept in' if keep_quoted else 'Left out of'} {name}: {found}.")
    if not filled:
        why = [f"{name} holds nothing but {found}"] if found else [*notes, f"{name} holds no text"]
        raise InputError(why[0])
    size = sum(len(text.text) for text in filled)
    if size > limits.max_case:
        raise InputError(
            f"{name} holds {size:,} characters, at most {limits.max_case:,} can be used"
        )
    named: dict[str, FileText] = {}
    numbers: Counter[str] = Counter()  # the last number of each name, so that none is tried twice
    for text in filled:
        own = text.name
        while own in named:
            numbers[text.name] += 1
            own = f"{text.name} ({numbers[text.name] + 1})"
        named[own] = replace(text, name=own)
    return FileTexts(tuple(named.values()), tuple(notes))
