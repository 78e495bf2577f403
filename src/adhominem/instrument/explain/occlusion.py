"""Explains any verifier by removing words and sentences in turn.

A word, a run of characters between white space, is removed from its text and the pair is judged
again. Its weight is the llr without it minus the llr with it, so words that speak for one author
are negative; its contribution has the opposite sign. The same is done for sentences. Cost: one
comparison per word and sentence, in one batch.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from adhominem.instrument.evidence.copies import distinct_pair
from adhominem.records import Document, Explanation, Pair, Sentence, TextExplanation, Word

if TYPE_CHECKING:
    from adhominem.instrument.verifier import Verifier

_WORD = re.compile(r"\S+")
_SENTENCE = re.compile(r"\S.*?(?:[.!?]+(?=\s|$)|\n\s*\n|$)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Cut:
    side: str
    document: int
    start: int
    end: int

    def apply(self, pair: Pair) -> Pair:
        text: str = getattr(pair, self.side)[self.document].text
        return with_text(pair, self.side, self.document, text[: self.start] + text[self.end :])


def with_text(pair: Pair, side: str, index: int, text: str) -> Pair:
    """The pair with another text in the place of one of its documents."""
    documents: list[Document] = list(getattr(pair, side))
    documents[index] = replace(documents[index], text=text)
    new = tuple(documents)
    return replace(pair, left=new) if side == "left" else replace(pair, right=new)


def explain_by_occlusion(verifier: Verifier, pair: Pair) -> Explanation:
    given = pair
    pair, notes = distinct_pair(pair)
    decision = replace(verifier.decide([pair])[0], notes=notes)
    words = _cuts(pair, _WORD)
    sentences = _cuts(pair, _SENTENCE)
    judged = verifier.decide([cut.apply(pair) for cut in (*words, *sentences)])
    weights = [without.llr - decision.llr for without in judged]
    word_weights = list(zip(words, weights[: len(words)], strict=True))
    sentence_weights = list(zip(sentences, weights[len(words) :], strict=True))
    sides = {
        side: tuple(
            _explain_text(
                document.text,
                [(c, w) for c, w in word_weights if (c.side, c.document) == (side, number)],
                [(c, w) for c, w in sentence_weights if (c.side, c.document) == (side, number)],
            )
            for number, document in enumerate(getattr(pair, side))
        )
        for side in ("left", "right")
    }
    return Explanation(
        decision, "occlusion", sides["left"], sides["right"], "occlusion", given=given
    )


def _cuts(pair: Pair, pattern: re.Pattern[str]) -> list[_Cut]:
    return [
        _Cut(side, number, match.start(), match.end())
        for side in ("left", "right")
        for number, document in enumerate(getattr(pair, side))
        for match in pattern.finditer(document.text)
    ]


def _explain_text(
    text: str, words: Sequence[tuple[_Cut, float]], sentences: Sequence[tuple[_Cut, float]]
) -> TextExplanation:
    sentence_of = {
        start: number
        for number, (cut, _) in enumerate(sentences)
        for start in range(cut.start, cut.end)
    }
    found = tuple(
        Word(text[c.start : c.end], c.start, c.end, weight, sentence_of.get(c.start, 0), -weight)
        for c, weight in words
    )
    sums = [0.0] * len(sentences)
    for word in found:
        sums[word.sentence] -= word.weight
    return TextExplanation(
        text,
        found,
        tuple(Sentence(c.start, c.end, w, sums[n]) for n, (c, w) in enumerate(sentences)),
    )
