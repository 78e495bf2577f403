"""AdHominem and HRSN behind the common interface (Boenninghoff et al. 2019).

The similarity is the negative distance of the document features. A side of several texts, like a
text longer than the network reads at once, has the mean of their features by number of tokens,
brought back to length 1 where the network's features have that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from adhominem.errors import NotFittedError
from adhominem.network.build import build_network, describe_network
from adhominem.network.encoder import Features, encode_documents, unit_length
from adhominem.records import Document, Explanation, Pair, Reading, Sentence, TextExplanation, Word
from adhominem.text.encode import Encoded, encode, unknown_counts
from adhominem.text.tokenise import tokenise
from adhominem.text.tokenised import Tokenised
from adhominem.text.vocabulary import Vocabulary
from adhominem.text.windows import MARKERS
from adhominem.training.config import TrainingConfig
from adhominem.verifier import Comparison, ModelState, Verifier

if TYPE_CHECKING:
    from adhominem.network.model import SiameseNetwork

Floats = npt.NDArray[np.float64]
_BLOCK = 1024  # texts


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text with what the network made of it."""

    features: npt.NDArray[np.float32]
    reading: Reading


class NeuralVerifier(Verifier):
    """A Siamese network and its vocabulary.

    network     kind and sizes; "adhominem" with the paper's sizes by default
    training    settings of `fit`
    """

    kind = "neural"

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
        self.tau_s = training.tau_s
        self.tau_d = training.tau_d
        self.network_: SiameseNetwork | None = None
        self.vocabulary_: Vocabulary | None = None

    def features(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Document features, one row per text; NaN for a text without tokens."""
        read = self._read(texts)
        return np.stack([r.features for r in read]) if read else np.zeros((0, 0), np.float32)

    def explain(self, pair: Pair) -> Explanation:
        """The network's attention; by occlusion where the network has none."""
        decision = self.decide([pair])[0]
        left = [self._attention(document.text) for document in pair.left]
        right = [self._attention(document.text) for document in pair.right]
        if any(text is None for text in (*left, *right)):
            return super().explain(pair)
        return Explanation(
            decision,
            "attention",
            tuple(text for text in left if text is not None),
            tuple(text for text in right if text is not None),
        )

    def _fit(self, train: Sequence[Pair], dev: Sequence[Pair]) -> None:
        from adhominem.training.fit import fit_network

        self.network_, self.vocabulary_ = fit_network(
            train,
            dev,
            kind=self.network,
            sizes=self.sizes,
            config=self.training,
            text=self._text_settings(),
            min_word_count=self.min_word_count,
            min_character_count=self.min_character_count,
            seed=self.seed,
        )

    def _similarity(self, pairs: Sequence[Pair]) -> Floats:
        return np.array([comparison.similarity for comparison in self._compare(pairs)])

    def _compare(self, pairs: Sequence[Pair]) -> list[Comparison]:
        """Reads every distinct text once, however many pairs it is in."""
        sides = [side for pair in pairs for side in (pair.left, pair.right)]
        texts = list(dict.fromkeys(document.text for side in sides for document in side))
        read = dict(zip(texts, self._read(texts), strict=True))
        joined = [self._join(side, read) for side in sides]
        comparisons = []
        for left, right in zip(joined[0::2], joined[1::2], strict=True):
            distance = float(np.linalg.norm(left.features.astype(np.float64) - right.features))
            comparisons.append(
                Comparison(
                    similarity=-distance,
                    left=left.reading,
                    right=right.reading,
                    distance=None if np.isnan(distance) else distance,
                )
            )
        return comparisons

    def _read(self, texts: Sequence[str]) -> list[ReadText]:
        """In blocks, so that of many texts only the features stay in memory."""
        read: list[ReadText] = []
        for start in range(0, len(texts), _BLOCK):
            encoded, readings = self._encode(tokenise(texts[start : start + _BLOCK]))
            features = self._features(encoded).features
            read += [ReadText(row, r) for row, r in zip(features, readings, strict=True)]
        return read

    def _encode(self, tokenised: Tokenised) -> tuple[Encoded, list[Reading]]:
        if self.vocabulary_ is None:
            raise NotFittedError("this neural verifier is not fitted: call fit() or load one")
        encoded = encode(tokenised, self.vocabulary_, **self._text_settings())
        unknown = unknown_counts(tokenised, self.vocabulary_)
        readings = [
            Reading(int(tokens), int(n))
            for tokens, n in zip(tokenised.n_tokens, unknown, strict=True)
        ]
        return encoded, readings

    def _features(self, encoded: Encoded) -> Features:
        if self.network_ is None:
            raise NotFittedError("this neural verifier is not fitted: call fit() or load one")
        return encode_documents(self.network_, encoded, max_lines=self.training.max_lines)

    def _join(self, side: Sequence[Document], read: dict[str, ReadText]) -> ReadText:
        texts = [read[document.text] for document in side]
        tokens = np.array([text.reading.tokens for text in texts], dtype=np.float64)
        total = Reading(int(tokens.sum()), sum(text.reading.unknown for text in texts))
        if not total.tokens:
            return ReadText(np.full_like(texts[0].features, np.nan), total)
        filled = np.stack([text.features for text in texts])[tokens > 0]
        weights = tokens[tokens > 0] / total.tokens
        joined = weights @ filled
        if self.network_ is not None and self.network_.has_unit_length:
            joined = unit_length(joined)
        return ReadText(joined.astype(np.float32), total)

    def _attention(self, text: str) -> TextExplanation | None:
        tokenised = tokenise([text])
        encoded, _ = self._encode(tokenised)
        read = self._features(encoded)
        if read.word_attention is None or read.sentence_attention is None:
            return None
        return _lay_over_text(text, tokenised, encoded, read)

    def _text_settings(self) -> dict[str, int]:
        return {"max_words": self.max_words, "max_characters": self.max_characters}

    def _state(self) -> ModelState:
        if self.network_ is None or self.vocabulary_ is None:
            raise NotFittedError("this neural verifier is not fitted: there is nothing to save")
        arrays = {name: t.cpu().numpy() for name, t in self.network_.state_dict().items()}
        # Half precision moves a score by less than the third decimal and halves the largest table.
        arrays["words.weight"] = arrays["words.weight"].astype(np.float16)
        settings = {
            **describe_network(self.network_),
            **self._text_settings(),
            "training": asdict(self.training),
            "seed": self.seed,
        }
        vocabulary = {"words": self.vocabulary_.words, "characters": self.vocabulary_.characters}
        return ModelState(settings, {"vocabulary": vocabulary}, arrays)

    def _restore(self, state: ModelState) -> None:
        import torch

        settings = state.settings
        self.network, self.sizes = settings["kind"], settings["sizes"]
        self.training = TrainingConfig(**settings["training"])
        self.max_words, self.max_characters = settings["max_words"], settings["max_characters"]
        self.seed = settings["seed"]
        vocabulary = state.tables["vocabulary"]
        self.vocabulary_ = Vocabulary(tuple(vocabulary["words"]), vocabulary["characters"])
        self.network_ = build_network(self.network, self.sizes)
        weights = {name: torch.from_numpy(a.astype(np.float32)) for name, a in state.arrays.items()}
        try:
            self.network_.load_state_dict(weights)
        except RuntimeError as error:
            raise ValueError(f"weights do not fit the network: {error}") from None
        self.network_.eval()


def _lay_over_text(
    text: str, tokenised: Tokenised, encoded: Encoded, read: Features
) -> TextExplanation:
    """Attention beside the places of its tokens; a marker stands where its line ends."""
    assert read.word_attention is not None and read.sentence_attention is not None
    n_types = len(encoded.type_words)
    tokens, starts, ends = tokenised.words(), tokenised.starts.tolist(), tokenised.ends.tolist()
    words: list[Word] = []
    sentences: list[Sentence] = []
    taken = 0
    for line, (begin, end) in enumerate(pairwise(encoded.lines)):
        first = taken
        for token in range(begin, end - 1):
            weight = float(read.word_attention[token])
            words.append(Word(tokens[taken], starts[taken], ends[taken], weight, line))
            taken += 1
        last = ends[taken - 1]
        marker = MARKERS[int(encoded.tokens[end - 1]) - (n_types - len(MARKERS))]
        words.append(Word(marker, last, last, float(read.word_attention[end - 1]), line))
        sentences.append(Sentence(starts[first], last, float(read.sentence_attention[line])))
    return TextExplanation(text, tuple(words), tuple(sentences))
