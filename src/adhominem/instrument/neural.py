"""AdHominem and HRSN (Boenninghoff et al. 2019) behind the common interface, without torch.

The similarity is the negative distance of the document features, or the sum of the terms of views.
The features of several texts, and of several stretches of a long text, are averaged by tokens.
"""

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from typing import Any, Self, TypeVar

import numpy as np
import numpy.typing as npt

from adhominem.arrays import Floats
from adhominem.errors import ModelError, NotFittedError
from adhominem.instrument.evidence.copies import COPIED_TEXT, distinct_pair
from adhominem.instrument.evidence.decision import Decisions, decide
from adhominem.instrument.evidence.genres import Genres
from adhominem.instrument.evidence.sides import Sides
from adhominem.instrument.explain.word_effects import CONTRIBUTIONS, MOST_WORDS, WordEffects
from adhominem.instrument.feature_verifier import FeatureVerifier
from adhominem.instrument.network.attended_texts import AttendedTexts, attend, place_words
from adhominem.instrument.network.encoder import Features, encode_documents
from adhominem.instrument.network.side import ReadSide, ReadText, join_texts
from adhominem.instrument.network.stretches import count_stretches
from adhominem.instrument.network.weights import Network
from adhominem.instrument.text.encode import Encoded, encode, unknown_counts
from adhominem.instrument.text.language import english_share
from adhominem.instrument.text.settings import PAPER
from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.text.tokenised import Tokenised
from adhominem.instrument.text.vocabulary import Vocabulary
from adhominem.instrument.verifier import ModelState, check_pairs
from adhominem.instrument.views.kinds import REFERENCE
from adhominem.instrument.views.views import PREFIX, Views
from adhominem.records import Document, Explanation, Pair, Reading, Reason

T = TypeVar("T")
_GENRES = "genres.bits"
_BLOCK = 4096  # texts


class NeuralVerifier(FeatureVerifier):
    """A trained Siamese network with its vocabulary.

    network      "adhominem" or "hrsn"
    sizes        sizes of its layers, as in the paper
    arrays_      its weights under torch's names, the word vectors as bytes
    vocabulary_  its words and characters
    genres_      word frequencies of the genres that it was trained on; None for a single genre
    max_words, max_characters, max_lines   largest number of tokens of a line, characters of a word
                 and lines of a stretch
    """

    kind = "neural"
    network: str = "adhominem"
    max_words: int = PAPER.max_words
    max_characters: int = PAPER.max_characters
    max_lines: int = 40

    def __init__(self) -> None:
        self.sizes: dict[str, Any] = {}
        self.arrays_: Mapping[str, npt.NDArray[Any]] = {}
        self.vocabulary_: Vocabulary | None = None
        self.genres_: Genres | None = None
        self._settings: dict[str, Any] = {}
        self._network: Network | None = None

    def explain(self, pair: Pair, *, contributions: bool = True) -> Explanation:
        """Explain a decision by attention and, for up to MOST_WORDS words, by contributions from
        removing words. Networks without attention are explained by occlusion."""
        if not _fitted(self._network).has_attention:
            return super().explain(pair)
        if (other := self.leaving_out((pair.left, pair.right))) is not self:
            return other.explain(pair, contributions=contributions)
        check_pairs([pair])
        shown, notes = distinct_pair(pair)
        is_copied = any(note.code == COPIED_TEXT for note in notes)
        decision = None
        if is_copied and not (shown.left[0].text and shown.right[0].text):
            decision, shown, contributions = self.decide([pair], distinct=True)[0], pair, False
        left, right = (self.read_side(side, shown.genre) for side in (shown.left, shown.right))
        parts: Sequence[Floats | None] = (None, None)
        effects = self._effects(left, right) if contributions else None
        if effects is not None and effects.n_words <= MOST_WORDS:
            parts = np.split(effects.weigh(CONTRIBUTIONS), [len(left.tokens.tokens)])
        return Explanation(
            decision or self.decide_sides(left, right, notes)[0],
            "attention",
            place_words(left, parts[0]),
            place_words(right, parts[1]),
            contributions=None if parts[0] is None else CONTRIBUTIONS,
            faithfulness=next((f for f in self.faithfulness_ if f.method == CONTRIBUTIONS), None),
            tokens=(left.tokens, right.tokens),
            given=pair,
        )

    def attention(self, texts: Sequence[str]) -> AttendedTexts:
        """The attention to every token of many texts, which are read at once."""
        tokenised, encoded, read = self._read_tokens(texts)
        if read.word_attention is None or read.sentence_attention is None:
            raise ModelError(f"a {self.network} network has no attention: give an adhominem one")
        return attend(tokenised, encoded, read.word_attention, read.sentence_attention)

    def word_effects(self, pair: Pair) -> WordEffects | None:
        left, right = (self.read_side(side, pair.genre) for side in (pair.left, pair.right))
        return self._effects(left, right)

    def randomised(self, *, seed: int) -> Self:
        """A copy with the weights of each array permuted at random."""
        rng = np.random.default_rng(seed)
        other = copy(self)
        arrays = sorted(self.arrays_.items())  # the order in a file may differ
        drawn = {name: rng.permutation(a.reshape(-1)).reshape(a.shape) for name, a in arrays}
        other.set_arrays(drawn)
        return other

    def read(self, texts: Sequence[str]) -> list[ReadText]:
        """Features and counts of each text, read in blocks to bound memory."""
        read: list[ReadText] = []
        for start in range(0, len(texts), _BLOCK):
            block = texts[start : start + _BLOCK]
            read += self._read_texts(block, *self._read_tokens(block))
        return read

    def read_side(self, documents: Sequence[Document], genre: str | None = None) -> ReadSide:
        """Read the texts of one side. `genre` is the stated genre, if any."""
        genre = genre and self.check_genre(genre)
        texts = tuple(document.text for document in documents)
        read = self._read_tokens(texts)
        return ReadSide(texts, *read, *self.side(self._read_texts(texts, *read), genre))

    def join(self, texts: Sequence[ReadText], genre: str | None = None) -> tuple[Floats, Reading]:
        """The vector and reading of a side; reference texts, if any, are its default genre."""
        kinds = None if self.views_ is None else self.views_.kinds
        if genre is None and self.views_ is not None and self.views_.reference:
            genre = REFERENCE
        unit = _fitted(self._network).unit_length
        return join_texts(texts, self.genres_, kinds, has_unit_length=unit, genre=genre)

    def decide_sides(
        self, left: ReadSide, right: ReadSide, notes: tuple[Reason, ...] = ()
    ) -> Decisions:
        """Decide about two sides that were read already."""
        sides = Sides.of([left.reading]), Sides.of([right.reading])
        similarity, terms = self.similarity(left.vector[None], right.vector[None], *sides)
        distance = self.distance(left.vector[None], right.vector[None])
        calibrations, limits = self.calibrations(), self.limits()
        return decide(similarity, sides, calibrations, limits, [notes], terms, distance)

    def detectable_genres(self) -> Collection[str]:
        known = self.genres_ if self.views_ is None else self.views_.kinds
        return () if known is None else known.detectable

    def set_arrays(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Set the weights, under torch's names; the word vectors may be bytes with scales."""
        self.arrays_ = arrays
        self._network = Network.from_arrays(arrays, self.sizes)

    def state(self) -> ModelState:
        vocabulary = _fitted(self.vocabulary_)
        settings = {**self._settings, "kind": self.network, "sizes": self.sizes}
        settings |= {"max_words": self.max_words, "max_characters": self.max_characters}
        arrays = dict(self.arrays_)
        if self.genres_ is not None:
            settings["genres"] = self.genres_.to_dict()
            arrays[_GENRES] = self.genres_.bits.astype(np.float16)
        tables: dict[str, Any] = {}
        if self.views_ is not None:
            tables["views"] = self.views_.to_table()
            arrays |= self.views_.kinds.arrays()
            settings["detectable"] = self.views_.kinds.detectable
        words = {"words": vocabulary.words, "characters": vocabulary.characters}
        return ModelState(settings, tables | {"vocabulary": words}, arrays)

    def restore(self, state: ModelState) -> None:
        settings, arrays = dict(state.settings), dict(state.arrays)
        vocabulary = state.tables["vocabulary"]
        self.vocabulary_ = Vocabulary(tuple(vocabulary["words"]), vocabulary["characters"])
        self.network, self.sizes = settings["kind"], settings["sizes"]
        self.max_words, self.max_characters = settings["max_words"], settings["max_characters"]
        self.max_lines = settings["training"]["max_lines"]
        if "genres" in settings:
            bits = arrays.pop(_GENRES).astype(np.float32)
            self.genres_ = Genres.from_dict(settings.pop("genres"), bits)
        if "views" in state.tables:
            own = {name: arrays.pop(name) for name in state.arrays if name.startswith(PREFIX)}
            self.set_views(Views.from_table(state.tables["views"], own))
        self._settings = settings
        self.set_arrays(arrays)

    def _read_texts(
        self, texts: Sequence[str], tokenised: Tokenised, encoded: Encoded, features: Features
    ) -> list[ReadText]:
        genres, views, n = self.genres_, self.views_, len(texts)
        columns = zip(
            features.features,
            tokenised.n_tokens.tolist(),
            count_stretches(encoded, self.max_lines).tolist(),
            unknown_counts(tokenised, _fitted(self.vocabulary_)).tolist(),
            english_share(tokenised).tolist(),
            np.zeros((n, 0)) if genres is None else genres.bits_per_token(encoded),
            [None] * n if views is None else views.kinds.count(texts, tokenised),
            np.full(n, np.nan) if features.self_similarity is None else features.self_similarity,
            strict=True,
        )
        return [ReadText(*row) for row in columns]

    def _read_tokens(self, texts: Sequence[str]) -> tuple[Tokenised, Encoded, Features]:
        tokenised, limits = tokenise(texts), (self.max_words, self.max_characters)
        encoded = encode(tokenised, _fitted(self.vocabulary_), *limits)
        features = encode_documents(_fitted(self._network), encoded, max_lines=self.max_lines)
        return tokenised, encoded, features

    def _effects(self, left: ReadSide, right: ReadSide) -> WordEffects | None:
        network = _fitted(self._network)
        if not network.has_attention:
            raise ModelError(f"a {self.network} network cannot weigh words: it has no attention")
        if not len(left.encoded.tokens) or not len(right.encoded.tokens):
            return None
        return WordEffects(network, left, right, self.calibrations(), self.max_lines, self.views_)


def _fitted(value: T | None) -> T:
    if value is None:
        raise NotFittedError("this neural verifier is not fitted: call fit() or load one")
    return value
