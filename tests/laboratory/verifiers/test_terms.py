"""Explanations by terms: the parts add up to the similarity they are parts of."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from adhominem.instrument.report.render import render
from adhominem.laboratory.verifiers.base import read_sides
from adhominem.laboratory.verifiers.cosine import CosineDelta, CosineVerifier, PanDistance
from adhominem.laboratory.verifiers.counts import carried_ngrams, count_ngrams
from adhominem.records import Document, Explanation, Pair


def total(explanation: Explanation, side: str) -> float:
    return sum(word.weight for text in getattr(explanation, side) for word in text.words)


@pytest.fixture(scope="module", params=[PanDistance, CosineDelta])
def fitted(
    request: pytest.FixtureRequest, train_pairs: list[Pair], dev_pairs: list[Pair]
) -> CosineVerifier:
    verifier: CosineVerifier = request.param().fit(train_pairs, dev_pairs)
    return verifier


def present_terms(verifier: CosineVerifier, pair: Pair, side: int) -> float:
    """The similarity without what the features bring that the side lacks."""
    texts = read_sides([pair])
    sides = texts.join(verifier._features(texts))
    terms, row = dense(verifier._terms(*sides)), dense(sides[side])
    return float(terms[row != 0].sum())


def dense(row: Any) -> npt.NDArray[np.float64]:
    return np.asarray(row.toarray() if hasattr(row, "toarray") else row).ravel()


def test_weights_add_up_to_the_terms_of_the_features_that_are_there(
    fitted: CosineVerifier, dev_pairs: list[Pair]
) -> None:
    for pair in dev_pairs[:8]:
        explanation = fitted.explain(pair)
        if explanation.decision.reasons:
            continue
        assert explanation.method == "terms"
        assert fitted.calibration_ is not None
        for number, side in enumerate(("left", "right")):
            expected = -fitted.calibration_.slope * present_terms(fitted, pair, number)
            assert total(explanation, side) == pytest.approx(expected)


def test_a_cosine_of_present_features_is_the_whole_similarity(
    train_pairs: list[Pair], dev_pairs: list[Pair]
) -> None:
    verifier = PanDistance().fit(train_pairs, dev_pairs)
    pair = dev_pairs[0]
    assert verifier.calibration_ is not None
    similarity = verifier._similarity([pair])[0]
    for side in ("left", "right"):
        weight = total(verifier.explain(pair), side)
        assert weight == pytest.approx(-verifier.calibration_.slope * similarity)


def test_a_text_given_twice_shares_its_weights(
    fitted: CosineVerifier, dev_pairs: list[Pair]
) -> None:
    one, other = dev_pairs[0].left[0], dev_pairs[0].right[0]
    single = fitted.explain(Pair((one,), (other,)))
    double = fitted.explain(Pair((one, one), (other,)))
    assert total(double, "left") == pytest.approx(total(single, "left"))
    for text in double.left:
        for shared, alone in zip(text.words, single.left[0].words, strict=True):
            assert shared.weight == pytest.approx(alone.weight / 2)


def test_sentences_are_the_sums_of_their_words(
    fitted: CosineVerifier, dev_pairs: list[Pair]
) -> None:
    for text in fitted.explain(dev_pairs[1]).left:
        for number, sentence in enumerate(text.sentences):
            words = [word.weight for word in text.words if word.sentence == number]
            assert sentence.weight == pytest.approx(sum(words))


def test_every_occurrence_of_an_ngram_is_carried_once() -> None:
    texts = ["the  hotel\nwas there", "a theatre 👍 the"]
    pair = Pair((Document(texts[0]),), (Document(texts[1]),))
    read = read_sides([pair])
    ngrams = ["the", "e h", "tel", " th"]
    carried = carried_ngrams(read.texts, read.tokens, ngrams, 3)
    edges = read.tokens.sentences[read.tokens.documents]
    for i in range(2):
        counted = count_ngrams([read.texts[i]], ngrams).toarray().ravel()
        sums = carried[edges[i] : edges[i + 1]].sum(axis=0)
        np.testing.assert_allclose(np.asarray(sums).ravel(), counted)


@pytest.mark.parametrize("form", ["html", "text", "json"])
def test_they_can_be_shown(fitted: CosineVerifier, dev_pairs: list[Pair], form: str) -> None:
    assert render(fitted.explain(dev_pairs[0]), form=form)
