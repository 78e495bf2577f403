"""The texts of an uploaded file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice

from adhominem.bench.web.settings import Limits
from adhominem.errors import InputError

_MAX_NAME = 120


@dataclass(frozen=True, slots=True)
class UploadedText:
    name: str
    text: str
    author: str | None = None
    topic: str | None = None


@dataclass(frozen=True, slots=True)
class Upload:
    """`notes` are sentences for the reader: what was left out, what was guessed."""

    texts: tuple[UploadedText, ...]
    notes: tuple[str, ...] = ()


def clean_name(name: str) -> str:
    """A name to show, never to open: its last parts without unprintable characters."""
    shown = "".join(c if c.isprintable() else " " for c in name.replace("\\", "/"))
    parts = [part.strip() for part in shown.split("/")]
    kept = [part for part in parts if part.strip(".")]
    return "/".join(kept)[-_MAX_NAME:].lstrip("/. ") or "text"


def gather(texts: Iterable[UploadedText], notes: list[str], limits: Limits) -> Upload:
    """The texts within the limits, without empty ones, each under a name of its own; `notes` grow
    while the texts are read."""
    filled = list(islice((text for text in texts if text.text.strip()), limits.max_rows + 1))
    if not filled:
        raise InputError(notes[0] if notes else "there is no text in it")
    if len(filled) > limits.max_rows:
        notes.append(f"Only the first {limits.max_rows:,} texts were read.")
    size = sum(len(text.text) for text in filled)
    if size > limits.max_case:
        raise InputError(f"it holds {size:,} characters, at most {limits.max_case:,} can be used")
    return Upload(tuple(_by_own_name(filled[: limits.max_rows])), tuple(notes))


def _by_own_name(texts: list[UploadedText]) -> Iterable[UploadedText]:
    taken: set[str] = set()
    numbers: Counter[str] = Counter()  # the last number of each name, so that none is tried twice
    for text in texts:
        name = text.name
        while name in taken:
            numbers[text.name] += 1
            name = f"{text.name} ({numbers[text.name] + 1})"
        taken.add(name)
        yield replace(text, name=name)
