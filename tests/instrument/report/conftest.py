from __future__ import annotations

from collections.abc import Callable

import pytest

from adhominem.records import (
    Decision,
    Explanation,
    ModelIdentity,
    Reading,
    Sentence,
    TextExplanation,
    Verdict,
    Word,
)

Decide = Callable[..., Decision]
Explain = Callable[..., Explanation]


def _decide(verdict: Verdict = Verdict.SAME, **changes: object) -> Decision:
    fields: dict[str, object] = {
        "score": 0.93,
        "llr": 1.12,
        "reliable": True,
        "reasons": (),
        "left": Reading(tokens=120, unknown=3),
        "right": Reading(tokens=98, unknown=0),
        "distance": 0.83,
        "tau_s": 1.0,
        "tau_d": 3.0,
        "model": ModelIdentity("reviews", "1.0.0", "0123456789abcdef" * 4),
    }
    return Decision(verdict=verdict, **(fields | changes))  # type: ignore[arg-type]


def _words(text: str) -> TextExplanation:
    """One sentence for each line, words at blanks, weights that are all different."""
    words: list[Word] = []
    sentences = []
    start = 0
    for number, line in enumerate(text.split("\n")):
        place = start
        tokens = line.split(" ")
        for token in tokens:
            weight = 0.0004 * (len(words) % 1000 + 1)
            words.append(Word(token or "-", place, place + len(token), weight, number))
            place += len(token) + 1
        end = start + len(line)
        words.append(Word("<sentence-end>", end, end, 0.001, number))
        sentences.append(Sentence(start, end, 0.5 / (number + 1)))
        start = end + 1
    return TextExplanation(text, tuple(words), tuple(sentences))


def _explain(
    left: str | TextExplanation = "I left cuz & definately\nso long , folks",
    right: str | TextExplanation = "some other text",
    *,
    method: str = "attention",
    decision: Decision | None = None,
) -> Explanation:
    sides = [_words(side) if isinstance(side, str) else side for side in (left, right)]
    return Explanation(decision or _decide(), method, (sides[0],), (sides[1],))


@pytest.fixture(scope="session")
def decide() -> Decide:
    return _decide


@pytest.fixture(scope="session")
def explain() -> Explain:
    return _explain
