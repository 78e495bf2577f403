"""The nouns of the package: frozen, and made of the standard library alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum


class Verdict(StrEnum):
    SAME = "same"
    DIFFERENT = "different"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Document:
    """One text, with what is known of its origin."""

    text: str
    author: str | None = None
    topic: str | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sides to compare, each one or more documents by one author, and perhaps the truth.

    genre   what kind of text both are, where that is known: a genre of the model
    """

    left: tuple[Document, ...]
    right: tuple[Document, ...]
    same_author: bool | None = None
    same_topic: bool | None = None
    id: str | None = None
    genre: str | None = None

    @classmethod
    def of_texts(
        cls, left: str | Sequence[str], right: str | Sequence[str], genre: str | None = None
    ) -> Pair:
        return cls(_documents(left), _documents(right), genre=genre)


def _documents(texts: str | Sequence[str]) -> tuple[Document, ...]:
    if isinstance(texts, str):
        texts = [texts]
    return tuple(Document(text) for text in texts)


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read of one side: all its tokens, and how many of them the model knows not.

    stretches how many pieces it was read in: one for each text, more for a long one
    english   share of its words that are English function words; None where it was not counted
    genre     of the genres that the model knows; None where it cannot be told
    out_of_domain    it is like none of them
    norm      length of its features: the more marked its style, the longer; 1 where there are none
    """

    tokens: int
    unknown: int
    english: float | None = None
    genre: str | None = None
    out_of_domain: bool = False
    stretches: int = 1
    norm: float = 1.0

    def of_genre(self, genre: str) -> Reading:
        """Where the genre is said, nobody need look how far it is."""
        return replace(self, genre=genre, out_of_domain=False)


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    name: str
    version: str
    sha256: str


@dataclass(frozen=True, slots=True)
class TrackRecord:
    """`error` of all answers to `pairs` held-out pairs of one genre whose shorter side has at least
    `shortest` and fewer than `longest` tokens; `reliable_error` of those called reliable, None
    where none was. The genre is None for texts whose genre is not known."""

    genre: str | None
    shortest: int
    longest: int | None
    pairs: int
    error: float
    reliable_share: float
    reliable_error: float | None


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer for one pair.

    score     P(same author) when both answers are equally likely beforehand; 0.5 says nothing
    llr       log10 of the likelihood ratio, same author against different authors
    distance  between the document features; None for methods that have none
    tau_s     the distance up to which the model is sure of one author ...
    tau_d     ... and from which it is sure of two; `reliable` when outside the band between them
    reasons   why the answer is undecided; empty otherwise
    track_record  how the model did on test pairs like this one; None where there were none
    """

    verdict: Verdict
    score: float
    llr: float
    reliable: bool
    reasons: tuple[str, ...]
    left: Reading
    right: Reading
    distance: float | None = None
    tau_s: float | None = None
    tau_d: float | None = None
    model: ModelIdentity | None = None
    track_record: TrackRecord | None = None


@dataclass(frozen=True, slots=True)
class Word:
    """A token with its place in the original text; markers (ends of lines) have no width.

    contribution    the part of `llr` that it carries: positive pulls the texts together and speaks
                    for one author, negative pulls them apart; None where it was not measured
    """

    text: str
    start: int
    end: int
    weight: float
    sentence: int
    contribution: float | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """Its contribution is the sum of those of its words."""

    start: int
    end: int
    weight: float
    contribution: float | None = None


@dataclass(frozen=True, slots=True)
class TextExplanation:
    text: str
    words: tuple[Word, ...]
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Faithfulness:
    """How one kind of explanation did in a test: the words that it ranks highest were taken away,
    and words drawn at random for comparison (evaluation/faithfulness.py).

    pairs       in the test
    removal     how words were taken away: of the ways tried the one it did worse with
    taken       what that took from the evidence for the verdict, in log10 LR, the mean over pairs
                and over several shares of their words
    random      the same with words drawn at random
    low, high   of the difference, the middle 95 % when authors are drawn anew
    agreement   share of the words whose absence moves the evidence as the sign of their
                contribution says; None for weights without a sign
    """

    method: str
    pairs: int
    removal: str
    taken: float
    random: float
    low: float
    high: float
    agreement: float | None = None

    @property
    def beats_random(self) -> bool:
        return self.low > 0


@dataclass(frozen=True, slots=True)
class Explanation:
    """Which words and sentences carried the decision.

    With `method` "attention" the weights are the network's attentions, which sum to 1 over the
    words of a sentence and over the sentences of a side; with "occlusion" a weight is the change
    of `llr` that taking the word or sentence away brings about; with "terms" it is the part of
    `llr` that the word's features carry, with the sign changed, so that in both what pulls the
    texts together is negative.

    contributions   how they were made: "occlusion", "integrated gradients", their mean ("gradients
                    and occlusion") or "terms"; None where there are none. They are in log10 LR
                    before its bounds and for texts as long as these
    faithfulness    how well this kind of contribution did in a test; None where it was not tested
    """

    decision: Decision
    method: str
    left: tuple[TextExplanation, ...]
    right: tuple[TextExplanation, ...]
    contributions: str | None = None
    faithfulness: Faithfulness | None = None
