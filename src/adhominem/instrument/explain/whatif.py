"""Explains a pair before and after edits of one text, and searches for few edits that change the
verdict.

The search is greedy: every round undoes the habit that changes the evidence most, until the verdict
changes or the budget is spent; then edits that are not needed are taken back.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Any

from adhominem.errors import InputError
from adhominem.instrument.explain.occlusion import with_text
from adhominem.instrument.linguistics.rewrites import Edit, find_edits, rewrite, same_edits
from adhominem.instrument.verifier import Verifier
from adhominem.pausing import pause
from adhominem.records import Decision, Explanation, Pair, TextExplanation, Texts, Verdict

_MAX_EDITS = 400  # the first edits of a text that are tried
_MAX_AGAIN = 40  # best habits of a round that are tried again in the next
_BLOCK = 50  # variants that are read between two calls of `pause`
_MAX_CHARACTERS = 5_000_000  # read in a round; fewer edits of a very long text are tried


@dataclass(frozen=True, slots=True)
class Attended:
    """Weight of the words of a passage, and weight of its sentence."""

    words: float
    sentence: float


@dataclass(frozen=True, slots=True)
class Effect:
    edit: Edit
    before: Attended
    after: Attended


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Explanations before and after edits of one text: text `index` of `side`."""

    side: str
    before: Explanation
    after: Explanation
    effects: tuple[Effect, ...]
    budget: int | None = None  # largest number of habits to undo; None if edits were given
    n_tried: int | None = None  # variants that the search tried
    index: int = 0

    @property
    def has_moved(self) -> bool:
        return self.before.decision.verdict is not self.after.decision.verdict


def what_if(
    verifier: Verifier,
    left: Texts,
    right: Texts,
    edits: Sequence[Edit],
    side: str,
    *,
    index: int = 0,
    genre: str | None = None,
    contributions: bool = True,
) -> WhatIf:
    """Explain a pair before and after given edits of one text."""
    pair = Pair.of_texts(left, right, genre)
    rewritten = rewrite(_text_of(pair, side, index), edits)
    pairs = (pair, with_text(pair, side, index, rewritten.text))
    before, after = (verifier.explain(one, contributions=contributions) for one in pairs)
    one, other = getattr(before, side)[index], getattr(after, side)[index]
    effects = []
    for edit, place in zip(edits, rewritten.places, strict=True):
        weights = _attended(one, edit.start, edit.end), _attended(other, *place)
        effects.append(Effect(edit, *weights))
    return WhatIf(side, before, after, tuple(effects), index=index)


def attack(
    verifier: Verifier,
    left: Texts,
    right: Texts,
    *,
    side: str,
    budget: int,
    index: int = 0,
    **options: Any,
) -> WhatIf:
    """Search for few edits that change the verdict; undoes at most `budget` habits of one text."""
    search = _Search(verifier, Pair.of_texts(left, right, options.get("genre")), side, index)
    if search.before.verdict is Verdict.UNDECIDED:
        reasons = "; ".join(map(str, search.before.reasons))
        raise InputError(f"there is no verdict to change: {reasons}")
    found = what_if(verifier, left, right, search.run(budget), side, index=index, **options)
    return replace(found, budget=budget, n_tried=search.n_tried)


def _text_of(pair: Pair, side: str, index: int) -> str:
    texts: list[str] = [document.text for document in getattr(pair, side)]
    if not 0 <= index < len(texts):
        raise InputError(f"there is no text {index}: the {side} side has {len(texts)}, from 0 on")
    return texts[index]


class _Search:
    def __init__(self, verifier: Verifier, pair: Pair, side: str, index: int) -> None:
        self._verifier = verifier
        self._text = _text_of(pair, side, index)
        self._rewritten = partial(with_text, pair, side, index)
        [self.before] = verifier.decide([pair], distinct=True)
        self.n_tried = 0

    def run(self, budget: int) -> list[Edit]:
        most = min(_MAX_EDITS, max(_MAX_CHARACTERS // max(len(self._text), 1), 1))
        habits = same_edits(find_edits(self._text)[:most])
        chosen: list[Edit] = []
        reached = self.before
        for _ in range(budget):
            if not habits or self._has_moved(reached):
                break
            trials = [sorted([*chosen, *habit], key=attrgetter("start")) for habit in habits]
            decisions = self._decide(trials)
            first, *others = sorted(range(len(trials)), key=lambda i: self._support(decisions[i]))
            if self._support(decisions[first]) >= self._support(reached):
                break
            reached, chosen = decisions[first], trials[first]
            habits = [habits[i] for i in others[:_MAX_AGAIN]]
        return self._only_needed(chosen) if self._has_moved(reached) else chosen

    def _only_needed(self, chosen: list[Edit]) -> list[Edit]:
        """Drop edits that the new verdict does not need, many at a time at first."""
        size = len(chosen) // 2
        while size:
            start = 0
            while start < len(chosen):
                fewer = chosen[:start] + chosen[start + size :]
                if fewer and self._has_moved(self._decide([fewer])[0]):
                    chosen = fewer
                else:
                    start += size
            size //= 2
        return chosen

    def _decide(self, trials: Sequence[list[Edit]]) -> list[Decision]:
        self.n_tried += len(trials)
        pairs = [self._rewritten(rewrite(self._text, edits).text) for edits in trials]
        decisions: list[Decision] = []
        for start in range(0, len(pairs), _BLOCK):
            pause()
            decisions += self._verifier.decide(pairs[start : start + _BLOCK], distinct=True)
        return decisions

    def _support(self, decision: Decision) -> tuple[float, float]:
        """Sorting key: evidence for the original verdict, then the distance to break ties."""
        sign = 1 if self.before.verdict is Verdict.SAME else -1
        return sign * decision.llr, -sign * (decision.distance or 0.0)

    def _has_moved(self, decision: Decision) -> bool:
        return decision.verdict is not self.before.verdict


def _attended(text: TextExplanation, start: int, end: int) -> Attended:
    words = [word for word in text.words if word.start < end and word.end > start]
    sentence = text.sentences[words[0].sentence].weight if words else 0.0
    return Attended(sum((word.weight for word in words), 0.0), sentence)
