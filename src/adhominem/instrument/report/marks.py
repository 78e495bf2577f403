"""Which stretches of a text carry habits, piece by piece."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from adhominem.instrument.linguistics.text_tokens import Hit
from adhominem.instrument.report.habit_report import QUIET


@dataclass(frozen=True, slots=True)
class Mark:
    """`numbers` of the habits that end in this piece; none for the very frequent ones."""

    title: str
    numbers: str = ""
    is_quiet: bool = False


NO_MARK = Mark("")


def marks(
    lengths: Sequence[int], hits: Sequence[Hit], numbers: Mapping[str, int]
) -> Iterator[Mark]:
    """For pieces of these lengths, which follow each other from the beginning of the text, and
    hits in the order of their places."""
    coming = iter(hits)
    following = next(coming, None)
    open_hits: list[Hit] = []
    start = 0
    for length in lengths:
        end = start + length
        while following is not None and following.start < end:
            open_hits.append(following)
            following = next(coming, None)
        open_hits = [hit for hit in open_hits if hit.end > start]
        yield _mark([hit for hit in open_hits if length], end, numbers)
        start = end


def _mark(hits: Sequence[Hit], end: int, numbers: Mapping[str, int]) -> Mark:
    if not hits:
        return NO_MARK
    ending = {numbers[hit.category] for hit in hits if hit.end <= end and hit.category not in QUIET}
    return Mark(
        title="; ".join(dict.fromkeys(map(_words, hits))),
        numbers=" ".join(map(str, sorted(ending))),
        is_quiet=all(hit.category in QUIET for hit in hits),
    )


def _words(hit: Hit) -> str:
    return f"{hit.category} ({hit.intended})" if hit.intended else hit.category
