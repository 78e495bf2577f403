"""All habits of a text: the hits of every detector, in one list."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from adhominem.instrument.linguistics.categories import CATEGORIES, CATEGORY
from adhominem.instrument.linguistics.text_tokens import Hit, read_tokens
from adhominem.instrument.text.tokenised import Tokenised

_DETECTORS = tuple(dict.fromkeys(row.detector for row in CATEGORIES if row.detector is not None))


@dataclass(frozen=True, slots=True)
class Habits:
    """The hits of one text, sorted by position, and its number of tokens."""

    hits: tuple[Hit, ...]
    n_tokens: int


def find_habits(text: str, tokenised: Tokenised | None = None, *, document: int = 0) -> Habits:
    """Find the habits of a text.

    tokenised, document  tokens that were read before, and the index of the text among them
    """
    tokens = read_tokens(text, tokenised, document=document)
    hits = {hit for detector in _DETECTORS for hit in detector(tokens)}
    # Misspelt names cannot be repeated: a rare name that is taken for one occurs many times.
    mistakes = [hit for hit in hits if CATEGORY[hit.category].is_mistake]
    times = Counter(hit.surface.lower() for hit in mistakes)
    hits.update(
        replace(hit, category="repeated mistake")
        for hit in mistakes
        if times[hit.surface.lower()] > 1
    )
    in_order = sorted(hits, key=lambda hit: (hit.start, hit.end, hit.category, hit.intended or ""))
    return Habits(tuple(in_order), len(tokens.words))
