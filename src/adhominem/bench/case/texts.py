"""The texts of a case, and what must hold of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from adhominem.errors import InputError

MOST_TEXTS = 2_000  # every two are compared, and all of it is kept


@dataclass(frozen=True, slots=True)
class NamedText:
    """`author` where it is known."""

    name: str
    text: str
    author: str | None = None


def check_texts(texts: Sequence[NamedText], questioned: str | None = None) -> None:
    if not 2 <= len(texts) <= MOST_TEXTS:
        raise InputError(f"a case has 2 to {MOST_TEXTS:,} texts, this one has {len(texts):,}")
    name, times = Counter(text.name for text in texts).most_common(1)[0]
    if times > 1:
        raise InputError(f"{times} texts are named '{name}': each needs a name of its own")
    if questioned is not None and questioned not in {text.name for text in texts}:
        raise InputError(f"no text is named '{questioned}': name one of the case as questioned")


def candidates(texts: Sequence[NamedText], questioned: str) -> dict[str, list[str]]:
    """The other texts: those of a known author together, any other for itself."""
    others = [text for text in texts if text.name != questioned]
    authors = {text.author for text in others if text.author is not None}
    known: dict[str, list[str]] = {}
    for text in others:
        name = text.author
        if name is None:
            name = f"{text.name} (text)" if text.name in authors else text.name
        known.setdefault(name, []).append(text.text)
    return known
