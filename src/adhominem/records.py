"""The nouns of the package: frozen, and made of the standard library alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
    """Two sides to compare, each one or more documents by one author, and perhaps the truth."""

    left: tuple[Document, ...]
    right: tuple[Document, ...]
    same_author: bool | None = None
    same_topic: bool | None = None
    id: str | None = None

    @classmethod
    def of_texts(cls, left: str | Sequence[str], right: str | Sequence[str]) -> Pair:
        return cls(_documents(left), _documents(right))


def _documents(texts: str | Sequence[str]) -> tuple[Document, ...]:
    if isinstance(texts, str):
        texts = [texts]
    return tuple(Document(text) for text in texts)


@dataclass(frozen=True, slots=True)
class Reading:
    """How much of one side was read: all its tokens, and how many of them the model knows not."""

    tokens: int
    unknown: int


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    name: str
    version: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer for one pair.

    score     P(same author) when both answers are equally likely beforehand; 0.5 says nothing
    llr       log10 of the likelihood ratio, same author against different authors
    distance  between the document features; None for methods that have none
    tau_s     the distance up to which the model is sure of one author ...
    tau_d     ... and from which it is sure of two; `reliable` when outside the band between them
    reasons   why the answer is undecided; empty otherwise
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


@dataclass(frozen=True, slots=True)
class Word:
    """A token with its place in the original text; markers (ends of lines) have no width."""

    text: str
    start: int
    end: int
    weight: float
    sentence: int


@dataclass(frozen=True, slots=True)
class Sentence:
    start: int
    end: int
    weight: float


@dataclass(frozen=True, slots=True)
class TextExplanation:
    text: str
    words: tuple[Word, ...]
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Which words and sentences carried the decision.

    With `method` "attention" the weights are the network's attentions, which sum to 1 over the
    words of a sentence and over the sentences of a side; with "occlusion" a weight is the change
    of `llr` that taking the word or sentence away brings about; with "terms" it is the part of
    `llr` that the word's features carry, with the sign changed, so that in both what pulls the
    texts together is negative.
    """

    decision: Decision
    method: str
    left: tuple[TextExplanation, ...]
    right: tuple[TextExplanation, ...]
