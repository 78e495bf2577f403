"""What a method gains by saying how texts are read and joined."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from adhominem.arrays import Floats
from adhominem.errors import ModelError
from adhominem.instrument.evidence.calibration import Calibration
from adhominem.instrument.evidence.limits import SEVERAL_VOICES
from adhominem.instrument.feature_verifier import FeatureVerifier, require_features
from adhominem.instrument.network.side import ReadText
from adhominem.instrument.verifier import ModelState
from adhominem.laboratory.verifiers.cosine import Chance
from adhominem.records import Document, Pair, Reading, Verdict

LETTERS = "aeioust"
TEXTS = [f"{word} " * 30 for word in ("house", "mouse", "toast", "sea", "tea")]


class Letters(FeatureVerifier):
    """Relative frequencies of letters; notes which texts it has read."""

    kind = "letters"

    def __init__(self) -> None:
        self.calibration_ = Calibration(4.0, 2.0, -3.0, 3.0)
        self.noted: list[str] = []

    def read(self, texts: Sequence[str]) -> list[ReadText]:
        self.noted += texts
        return [self._read(text) for text in texts]

    def _read(self, text: str) -> ReadText:
        counts = np.array([text.count(letter) for letter in LETTERS], dtype=np.float32)
        features = counts / (len(text) or np.nan)
        return ReadText(features, len(text.split()), 1, 0, 1.0, np.zeros(0))

    def join(self, texts: Sequence[ReadText], genre: str | None = None) -> tuple[Floats, Reading]:
        tokens = [text.tokens for text in texts]
        features = np.average([text.features for text in texts], axis=0, weights=tokens)
        return features, Reading(sum(tokens), 0, genre=genre)

    def state(self) -> ModelState:
        raise NotImplementedError

    def restore(self, state: ModelState) -> None:
        raise NotImplementedError


def sides() -> list[tuple[Document, ...]]:
    documents = [Document(text) for text in TEXTS]
    return [(documents[0],), (documents[1], documents[2]), (documents[3],), tuple(documents)]


def test_features_are_those_of_the_texts() -> None:
    features = Letters().features(["toast", "sea", ""])
    assert features.shape == (3, len(LETTERS))
    np.testing.assert_allclose(features[0], [0.2, 0, 0, 0.2, 0, 0.2, 0.4])
    assert np.isnan(features[2]).all()
    assert len(Letters().features([])) == 0


def test_similarity_is_the_negative_distance_of_joined_features() -> None:
    pair = Pair(sides()[0], sides()[1])
    one, two, three = Letters().features(TEXTS[:3]).astype(float)
    expected = -np.linalg.norm(one - (two + three) / 2)
    assert Letters().compare([pair]).similarity[0] == pytest.approx(expected, abs=1e-6)
    assert Letters().decide([pair])[0].distance == pytest.approx(-expected, abs=1e-6)


def test_a_pile_of_strangers_has_no_voice() -> None:
    verifier = Letters()
    verifier.min_tokens = 1
    one_author = [Document(text) for text in ("sea east sea", "east sea seat", "seat sea east")]
    strangers = [Document(text) for text in ("sea sea sea", "toot toot", "rrr rrr rrr")]
    alike, mixed = (
        verifier.verify(side, [Document("sea sea")]) for side in (one_author, strangers)
    )
    assert alike.left.voice is not None and mixed.left.voice is not None
    assert alike.left.voice > mixed.left.voice
    verifier.min_voice = (alike.left.voice + mixed.left.voice) / 2
    assert not verifier.verify(one_author, [Document("sea sea")]).reasons
    refused = verifier.verify(strangers, [Document("sea sea")])
    assert refused.verdict is Verdict.UNDECIDED
    assert [reason.code for reason in refused.reasons] == [SEVERAL_VOICES]


def test_a_matrix_is_what_decide_says_and_reads_each_text_once() -> None:
    verifier, every = Letters(), sides()
    steps: list[tuple[int, int]] = []
    matrix = verifier.matrix(every, lambda done, total: steps.append((done, total)))
    assert sorted(verifier.noted) == sorted(TEXTS)
    assert steps[-1] == (len(TEXTS) + len(every), len(TEXTS) + len(every))
    for i in range(len(every)):
        for j in range(i):
            decision = verifier.decide([Pair(every[i], every[j])])[0]
            assert matrix.llr[i, j] == matrix.llr[j, i] == pytest.approx(decision.llr, abs=1e-9)
            assert matrix.verdict(i, j) is decision.verdict


def test_what_a_method_lacks_is_said() -> None:
    verifier = Letters()
    for ask in (
        lambda: verifier.attention(TEXTS),
        lambda: verifier.word_effects(Pair(sides()[0], sides()[1])),
        lambda: verifier.randomised(seed=1),
    ):
        with pytest.raises(ModelError, match="a letters model"):
            ask()


def test_methods_without_features_are_refused() -> None:
    verifier = Letters()
    assert require_features(verifier, "") is verifier
    with pytest.raises(ModelError, match="a chance model has no features to count"):
        require_features(Chance(), "a {kind} model has no features to count")
