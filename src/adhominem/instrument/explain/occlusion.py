"""Explains decisions of any verifier by removing words and sentences in turn.

The weight of a word (a run of characters without white space) is log10 LR without it minus log10 LR
with it: negative for words that speak for one author. Its contribution has the opposite sign.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from adhominem.instrument.evidence.copies import distinct_pair
from adhominem.instrument.verifier import Verifier
from adhominem.records import Document, Explanation, Pair, Sentence, TextExplanation, Word

_WORD = re.compile(r"\S+")
_SENTENCE = re.compile(r"\S.*?(?:[.!?]+(?=\s|$)|\n\s*\n|$)", re.DOTALL)


def with_text(pair: Pair, side: str, index: int, text: str) -> Pair:
    """The pair with the text of one document replaced."""
    documents: list[Document] = list(getattr(pair, side))
    documents[index] = replace(documents[index], text=text)
    changed: dict[str, Any] = {side: tuple(documents)}
    return replace(pair, **changed)


def explain_by_occlusion(verifier: Verifier, pair: Pair) -> Explanation:
    given = pair
    pair, notes = distinct_pair(pair)
    decision = replace(verifier.decide([pair])[0], notes=notes)
    variants = [
        with_text(pair, side, number, text[: cut.start()] + text[cut.end() :])
        for side in ("left", "right")
        for number, text in enumerate(document.text for document in getattr(pair, side))
        for pattern in (_WORD, _SENTENCE)
        for cut in pattern.finditer(text)
    ]
    weights = iter([without.llr - decision.llr for without in verifier.decide(variants)])
    sides = (pair.left, pair.right)
    left, right = (tuple(_explain_text(one.text, weights) for one in side) for side in sides)
    return Explanation(decision, "occlusion", left, right, "occlusion", given=given)


def _explain_text(text: str, weights: Iterator[float]) -> TextExplanation:
    """A text with its words and sentences; takes their weights, those of the words first."""
    words = [(match, next(weights)) for match in _WORD.finditer(text)]
    sentences = [(match, next(weights)) for match in _SENTENCE.finditer(text)]
    spans = enumerate(match.span() for match, _ in sentences)
    sentence_of = {place: number for number, span in spans for place in range(*span)}
    found = tuple(
        Word(match[0], *match.span(), weight, sentence_of.get(match.start(), 0), -weight)
        for match, weight in words
    )
    sums = [0.0] * len(sentences)
    for word in found:
        sums[word.sentence] -= word.weight
    whole = zip(sentences, sums, strict=True)
    return TextExplanation(text, found, tuple(Sentence(*m.span(), w, s) for (m, w), s in whole))
