"""AdHominem and HRSN behind the common interface (Boenninghoff et al. 2019).

The similarity is the negative distance of the document features. A side of several texts, like a
text longer than the network reads at once, has the mean of their features by number of tokens,
brought back to length 1 where the network's features have that.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from adhominem.errors import ModelError, NotFittedError
from adhominem.instrument.evidence.comparison import Comparison
from adhominem.instrument.evidence.genres import Genres
from adhominem.instrument.evidence.matrix import (
    EvidenceMatrix,
    Progress,
    distances,
    matrix_of_features,
    quiet,
)
from adhominem.instrument.explain.placing import place_words
from adhominem.instrument.explain.word_effects import CONTRIBUTIONS, MOST_WORDS, WordEffects
from adhominem.instrument.network.attended_texts import AttendedTexts, attend
from adhominem.instrument.network.network_state import network_state, restore_network
from adhominem.instrument.network.read_texts import ReadText, join_texts
from adhominem.instrument.text.encode import Encoded, encode, unknown_counts
from adhominem.instrument.text.language import english_share
from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.text.tokenised import Tokenised
from adhominem.instrument.text.vocabulary import Vocabulary
from adhominem.instrument.verifier import ModelState, Verifier
from adhominem.laboratory.network.batches import count_stretches
from adhominem.laboratory.network.build import build_network, describe_network
from adhominem.laboratory.network.encoder import Features, encode_documents
from adhominem.laboratory.network.model import AdHominem, SiameseNetwork
from adhominem.laboratory.network.threads import one_thread
from adhominem.laboratory.training.config import TrainingConfig
from adhominem.records import Document, Explanation, Pair, Reading, TextExplanation

Floats = npt.NDArray[np.float64]
_BLOCK = 4096  # texts
_STEP = 128  # texts between two words on progress


@dataclass(frozen=True, slots=True)
class _Side:
    texts: Sequence[str]
    tokenised: Tokenised
    encoded: Encoded


class NeuralVerifier(Verifier):
    """A Siamese network and its vocabulary.

    network     kind and sizes; "adhominem" with the paper's sizes by default
    training    settings of `fit`
    """

    kind = "neural"
    calibrates_by_length = True

    def __init__(
        self,
        *,
        network: str = "adhominem",
        sizes: dict[str, Any] | None = None,
        training: TrainingConfig = TrainingConfig(),
        max_words: int = 20,
        max_characters: int = 15,
        min_word_count: int = 20,
        min_character_count: int = 100,
        seed: int = 1,
    ) -> None:
        self.network = network
        self.sizes = sizes or {}
        self.training = training
        self.max_words = max_words
        self.max_characters = max_characters
        self.min_word_count = min_word_count
        self.min_character_count = min_character_count
        self.seed = seed
        if training.objective == "pairs":
            self.tau_s, self.tau_d = training.tau_s, training.tau_d
        self.network_: SiameseNetwork | None = None
        self.vocabulary_: Vocabulary | None = None
        self.genres_: Genres | None = None

    def features(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Document features, one row per text; NaN for a text without tokens."""
        read = self.read(texts)
        return np.stack([r.features for r in read]) if read else np.zeros((0, 0), np.float32)

    def matrix(
        self,
        sides: Sequence[Sequence[Document]],
        progress: Progress = quiet,
        *,
        genre: str | None = None,
    ) -> EvidenceMatrix:
        """Reads every distinct text once, joins each side once, and weighs whole rows."""
        self._check_fitted()
        texts = list(dict.fromkeys(document.text for side in sides for document in side))
        total = len(texts) + len(sides)
        read: dict[str, ReadText] = {}
        for start in range(0, len(texts), _STEP):
            part = texts[start : start + _STEP]
            read |= zip(part, self.read(part), strict=True)
            progress(len(read), total)
        features, readings = zip(*(self._join(side, read) for side in sides), strict=True)
        if genre is not None:
            readings = tuple(reading.of_genre(self.check_genre(genre)) for reading in readings)
        return matrix_of_features(
            self, np.stack(features), readings, lambda row, _: progress(len(texts) + row, total)
        )

    @one_thread()
    def explain(self, pair: Pair, *, contributions: bool = True) -> Explanation:
        """The network's attention, and beside it what every word contributes, by the method that
        is the most faithful, unless they are too many or not asked for. Occlusion of runs of
        characters where the network has no attention."""
        if not isinstance(self.network_, AdHominem):
            return super().explain(pair)
        left, right = self._side(pair.left), self._side(pair.right)
        effects = self._word_effects(pair, left.encoded, right.encoded) if contributions else None
        if effects is not None and effects.n_words > MOST_WORDS:
            effects = None
        parts: Sequence[Floats | None] = (None, None)
        if effects is not None:
            parts = np.split(effects.weigh(CONTRIBUTIONS), [len(left.tokenised.tokens)])
        return Explanation(
            self.decide([pair])[0],
            "attention",
            self._place(left, parts[0]),
            self._place(right, parts[1]),
            contributions=None if effects is None else CONTRIBUTIONS,
            faithfulness=self._faithfulness_of(CONTRIBUTIONS),
        )

    def attention(self, texts: Sequence[str]) -> AttendedTexts:
        """Where the network looked in each text, all of them read at once."""
        tokenised = tokenise(texts)
        encoded = self._encode(tokenised)
        read = self._features(encoded)
        if read.word_attention is None or read.sentence_attention is None:
            raise ModelError(f"a {self.network} network has no attention: give an adhominem one")
        return attend(tokenised, encoded, read.word_attention, read.sentence_attention)

    def word_effects(self, pair: Pair) -> WordEffects | None:
        """None where a side has no word."""
        return self._word_effects(
            pair, self._side(pair.left).encoded, self._side(pair.right).encoded
        )

    def randomised(self, *, seed: int) -> NeuralVerifier:
        """The same with a network that has learned nothing."""
        other = copy(self)
        described = describe_network(self._network())
        other.network_ = build_network(described["kind"], described["sizes"], seed=seed).eval()
        return other

    def _fit(self, train: Sequence[Pair], dev: Sequence[Pair]) -> None:
        from adhominem.laboratory.training.fit import fit_network

        self.network_, self.vocabulary_ = fit_network(
            train,
            dev,
            kind=self.network,
            sizes=self.sizes,
            config=self.training,
            text=self.text_settings(),
            min_word_count=self.min_word_count,
            min_character_count=self.min_character_count,
            seed=self.seed,
        )

    def detectable_genres(self) -> Collection[str]:
        return () if self.genres_ is None else self.genres_.detectable

    def _similarity(self, pairs: Sequence[Pair]) -> Floats:
        return np.array([comparison.similarity for comparison in self._compare(pairs)])

    def _compare(self, pairs: Sequence[Pair]) -> list[Comparison]:
        """Reads every distinct text once, however many pairs it is in."""
        sides = [side for pair in pairs for side in (pair.left, pair.right)]
        texts = list(dict.fromkeys(document.text for side in sides for document in side))
        read = dict(zip(texts, self.read(texts), strict=True))
        joined = [self._join(side, read) for side in sides]
        comparisons = []
        for (one, left), (other, right) in zip(joined[0::2], joined[1::2], strict=True):
            distance = float(distances(one, other))
            comparisons.append(
                Comparison(
                    similarity=-distance,
                    left=left,
                    right=right,
                    distance=None if np.isnan(distance) else distance,
                )
            )
        return comparisons

    def read(self, texts: Sequence[str]) -> list[ReadText]:
        """In blocks, so that of many texts only the features stay in memory."""
        read: list[ReadText] = []
        for start in range(0, len(texts), _BLOCK):
            tokenised = tokenise(texts[start : start + _BLOCK])
            encoded = self._encode(tokenised)
            columns = zip(
                self._features(encoded).features,
                tokenised.n_tokens.tolist(),
                count_stretches(encoded, self.training.max_lines).tolist(),
                unknown_counts(tokenised, self._words()).tolist(),
                english_share(tokenised).tolist(),
                self._surprise(encoded),
                strict=True,
            )
            read += [ReadText(*row) for row in columns]
        return read

    def _words(self) -> Vocabulary:
        if self.vocabulary_ is None:
            raise NotFittedError("this neural verifier is not fitted: call fit() or load one")
        return self.vocabulary_

    def _encode(self, tokenised: Tokenised) -> Encoded:
        return encode(tokenised, self._words(), **self.text_settings())

    def _surprise(self, encoded: Encoded) -> Floats:
        if self.genres_ is None:
            return np.zeros((encoded.n_documents, 0))
        return self.genres_.bits_per_token(encoded)

    def _network(self) -> SiameseNetwork:
        if self.network_ is None:
            raise NotFittedError("this neural verifier is not fitted: call fit() or load one")
        return self.network_

    def _features(self, encoded: Encoded) -> Features:
        return encode_documents(self._network(), encoded, max_lines=self.training.max_lines)

    def _join(self, side: Sequence[Document], read: dict[str, ReadText]) -> tuple[Floats, Reading]:
        return self.join([read[document.text] for document in side])

    def join(self, texts: Sequence[ReadText]) -> tuple[Floats, Reading]:
        """The features of a side and what was read of it."""
        return join_texts(texts, self.genres_, has_unit_length=self._network().has_unit_length)

    def _side(self, documents: Sequence[Document]) -> _Side:
        texts = [document.text for document in documents]
        tokenised = tokenise(texts)
        return _Side(texts, tokenised, self._encode(tokenised))

    def _place(self, side: _Side, parts: Floats | None) -> tuple[TextExplanation, ...]:
        read = self._features(side.encoded)
        return place_words(side.texts, side.tokenised, side.encoded, read, parts)

    def _word_effects(self, pair: Pair, left: Encoded, right: Encoded) -> WordEffects | None:
        network = self._network()
        if not isinstance(network, AdHominem):
            raise ModelError(
                f"words of a {self.network} network cannot be weighed: it has no attention"
            )
        if not len(left.tokens) or not len(right.tokens):
            return None
        comparison = self._compare_known([pair])[0]
        line = self._calibration_for(comparison).line([0.0, 1.0], comparison.covariates)
        return WordEffects(
            network,
            left,
            right,
            slope=float(line[1] - line[0]),
            intercept=float(line[0]),
            max_lines=self.training.max_lines,
        )

    def text_settings(self) -> dict[str, int]:
        return {"max_words": self.max_words, "max_characters": self.max_characters}

    def _state(self) -> ModelState:
        return network_state(self)

    def _restore(self, state: ModelState) -> None:
        restore_network(self, state)
