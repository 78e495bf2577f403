"""Occlusion on a verifier whose every word counts the same, so that each weight is known."""

from __future__ import annotations

from dataclasses import replace

import pytest
from toy_verifiers import ToyVerifier

from adhominem.instrument.evidence.calibration import Calibration
from adhominem.records import Pair


class SharedWords(ToyVerifier):
    """Similarity: how many different words stand in both sides."""

    kind = "shared words"
    min_tokens = 1
    calibration_ = Calibration(slope=0.5, intercept=-1.0, lowest=-9.0, highest=9.0)

    def similarity(self, pair: Pair) -> float:
        return len(_words(pair.left) & _words(pair.right))


def _words(side: tuple) -> set[str]:
    return {word.strip(".").lower() for document in side for word in document.text.split()}


def test_weight_is_what_the_absence_of_a_word_changes() -> None:
    explanation = SharedWords().explain_texts(
        "Snow falls here. Fish swim.", "fish like snow. We do."
    )
    left = {word.text: word.weight for word in explanation.left[0].words}
    assert left == {"Snow": -0.5, "falls": 0.0, "here.": 0.0, "Fish": -0.5, "swim.": 0.0}
    assert [s.weight for s in explanation.left[0].sentences] == [-0.5, -0.5]
    assert [w.weight for w in explanation.right[0].words] == [-0.5, 0.0, -0.5, 0.0, 0.0]
    assert [s.weight for s in explanation.right[0].sentences] == [-1.0, 0.0]


def test_places_words_and_sentences_in_the_text() -> None:
    text = "One two.  Three!\n\nFour"
    words = SharedWords().explain_texts(text, "x").left[0]
    assert [text[w.start : w.end] for w in words.words] == ["One", "two.", "Three!", "Four"]
    assert [w.sentence for w in words.words] == [0, 0, 1, 2]


def test_reliable_without_thresholds_means_that_the_calibration_is_sure() -> None:
    verifier = SharedWords()
    assert verifier.calibration_ is not None
    verifier.calibration_ = replace(verifier.calibration_, sure_same=1.5)
    words = [f"w{i}" for i in range(8)]
    many, turned = " ".join(words), " ".join(words[::-1])  # no copies of each other
    assert verifier.verify(many, turned).score == pytest.approx(1 / (1 + 10**-3))
    assert verifier.verify(many, turned).reliable
    assert not verifier.verify("a b c", "c b a").reliable
    assert verifier.verify("a b", "b a").verdict == "undecided"
