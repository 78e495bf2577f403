"""Explains additive methods by their own terms: what each token adds to the similarity.

The similarity is a sum over features. The part of a feature is shared out among the texts of a
side by what they bring to it, within a text equally among its occurrences, and a token has what
falls on it. A contribution is that part of log10 LR, a weight the same with the sign changed, so
that, as with occlusion, what pulls the texts together is negative. Features that a text lacks have
parts too, which no token can carry.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from adhominem.instrument.text.tokenised import Tokenised
from adhominem.laboratory.verifiers.stylometric import Features, Texts
from adhominem.records import Decision, Explanation, Pair, Sentence, TextExplanation, Word

Floats = npt.NDArray[np.float64]


def explain_by_terms(
    pair: Pair,
    decision: Decision,
    texts: Texts,
    features: Features,
    terms: Floats,
    carriers: Any,
    slope: float,
) -> Explanation:
    """`terms` holds the part of each feature, `carriers` (tokens, features) who carries it."""
    place = {text: i for i, text in enumerate(texts.texts)}
    edges = texts.tokens.sentences[texts.tokens.documents]
    shown = []
    for number, documents in enumerate((pair.left, pair.right)):
        share = texts.sides[[number]].toarray().ravel()
        whole = _dense(texts.sides[[number]] @ features)
        side = []
        for document in documents:
            i = place[document.text]
            copies = sum(other.text == document.text for other in documents)
            own = carriers[edges[i] : edges[i + 1]]
            occurrences = np.asarray(own.sum(axis=0)).ravel()
            brought = share[i] / copies * _dense(features[[i]])
            part = np.divide(
                terms * brought,
                whole * occurrences,
                out=np.zeros_like(terms),
                where=(whole * occurrences) != 0,
            )
            tokens = texts.tokens.select(np.array([i]))
            side.append(_of_text(document.text, tokens, -slope * (own @ part)))
        shown.append(tuple(side))
    return Explanation(decision, "terms", shown[0], shown[1], "terms")


def _dense(row: Any) -> Floats:
    dense = row.toarray() if hasattr(row, "toarray") else row
    return np.asarray(dense, dtype=np.float64).ravel()


def _of_text(text: str, tokens: Tokenised, weights: Floats) -> TextExplanation:
    spelt, starts, ends = tokens.words(), tokens.starts.tolist(), tokens.ends.tolist()
    words: list[Word] = []
    sentences: list[Sentence] = []
    for number, (first, last) in enumerate(pairwise(tokens.sentences.tolist())):
        words += [
            Word(spelt[i], starts[i], ends[i], float(weights[i]), number, -float(weights[i]))
            for i in range(first, last)
        ]
        total = float(weights[first:last].sum())
        sentences.append(Sentence(starts[first], ends[last - 1], total, -total))
    return TextExplanation(text, tuple(words), tuple(sentences))
