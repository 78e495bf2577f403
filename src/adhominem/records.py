"""Data classes of the package: frozen, with the standard library only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from adhominem.checks import check_side
from adhominem.presenting import Presented

if TYPE_CHECKING:
    from adhominem.instrument.text.tokenised import Tokenised


class Verdict(StrEnum):
    """The answer: same author, different authors, or undecided.

    >>> Verdict.SAME == "same"
    True
    """

    SAME = "same"
    DIFFERENT = "different"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Document:
    """One text with its metadata.

    notes   remarks for the reader, such as passages that were left out

    >>> Document("We loved it!!", author="smith").author
    'smith'
    """

    text: str
    author: str | None = None
    topic: str | None = None
    id: str | None = None
    notes: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sides to compare, each one or more documents by one author, and the truth if known.

    genre   one of the model's genres, if the genre of both sides is known

    >>> pair = Pair.of_texts(["We loved it!!", "Never again..."], "So-so.", genre="hotels")
    >>> len(pair.left), len(pair.right)
    (2, 1)
    """

    left: tuple[Document, ...]
    right: tuple[Document, ...]
    same_author: bool | None = None
    same_topic: bool | None = None
    id: str | None = None
    genre: str | None = None

    @classmethod
    def of_texts(cls, left: Texts, right: Texts, genre: str | None = None) -> Pair:
        """A pair of two texts, or of two lists of texts, each list by one author."""
        sides = (check_side(left, "left"), check_side(right, "right"))
        one, other = (
            tuple(text if isinstance(text, Document) else Document(text) for text in side)
            for side in sides
        )
        return cls(one, other, genre=genre)


Texts = str | Document | Sequence[str | Document]


@dataclass(frozen=True, slots=True)
class Reading:
    """Counts and properties of one side of a pair."""

    tokens: int  # all tokens of its texts
    unknown: int  # tokens outside the vocabulary of the model
    english: float | None = None  # share of English function words
    genre: str | None = None  # stated genre, or detected genre if the detection is certain
    out_of_domain: bool = False  # unlike the stated genre or, if none is stated, unlike every genre
    stretches: int = 1  # segments that the model read: one per text, more for a long text
    norm: float = 1.0  # of its features or z-scores, larger for a more marked style
    recognised: str | None = None  # genre of the model that is nearest to its words
    self_similarity: float | None = None  # how alike the two halves of each of its texts are
    voice: float | None = None  # mean log10 LR between its texts, if there are three or more


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    name: str
    version: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an answer is undecided: a code for programs and a sentence for people."""

    code: str
    message: str

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class TrackRecord:
    """Errors of a model on held-out pairs of one genre and length."""

    genre: str | None  # None for texts of unknown genre
    shortest: int  # fewest tokens of the shorter side
    longest: int | None  # its upper limit, exclusive
    pairs: int  # number of held-out pairs
    error: float  # share of wrong answers
    reliable_share: float  # share of reliable answers
    reliable_error: float | None  # share of wrong answers among the reliable ones, if any
    low: float  # 95 % interval of the error; for several kinds, it spans theirs
    high: float
    false_same: float | None = None  # share of wrong answers on different-author pairs
    false_different: float | None = None  # share of wrong answers on same-author pairs
    kinds: int = 1  # number of kinds of text


@dataclass(frozen=True, slots=True)
class Term:
    """Contribution of one view to the unbounded log10 likelihood ratio."""

    name: str
    llr: float


@dataclass(frozen=True, slots=True)
class Decision(Presented):
    """The answer for one pair. Notebooks show it as the first card of the report.

    score         P(same author) at equal prior odds; 0.5 says nothing
    llr           log10 of the likelihood ratio, same author against different authors
    reliable      whether wrong answers are rare in such cases, by the rule of the model
    reasons       why the answer is undecided; empty otherwise
    notes         remarks on the texts, such as repeated text that was left out
    left, right   counts and properties of each side
    distance      distance of the document features; None for methods without features
    tau_s, tau_d  an answer is reliable at a distance up to tau_s or from tau_d on; None if no
                  distance is
    track_record  errors of the model on test pairs like this one; None if there were none
    terms         contribution of each view to the log10 LR; empty for methods of one view
    bounds        lowest and highest log10 LR that the calibration of these texts allows
    labels        descriptions of the genres of the model, by name

    >>> import adhominem
    >>> adhominem.load().verify("Too short.", "To be judged.")
    Decision(undecided, score=0.500, llr=+0.00, reliable=False)
    """

    verdict: Verdict
    score: float
    llr: float
    reliable: bool
    reasons: tuple[Reason, ...]
    left: Reading
    right: Reading
    distance: float | None = None
    tau_s: float | None = None
    tau_d: float | None = None
    model: ModelIdentity | None = None
    track_record: TrackRecord | None = None
    notes: tuple[Reason, ...] = ()
    terms: tuple[Term, ...] = ()
    bounds: tuple[float, float] | None = None
    labels: Mapping[str, str] = field(default_factory=dict, compare=False)

    def __repr__(self) -> str:
        numbers = f"score={self.score:.3f}, llr={self.llr:+.2f}, reliable={self.reliable}"
        return f"Decision({self.verdict}, {numbers})"


@dataclass(frozen=True, slots=True)
class Word:
    """A token with its position in the original text; line markers have no width. Its contribution
    to the log10 likelihood ratio is positive in favour of one author, negative for two."""

    text: str
    start: int
    end: int
    weight: float  # attention within its sentence, or effect of removal: see Explanation
    sentence: int  # number of its sentence
    contribution: float | None = None  # None if not measured


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, or a part of one that the network read as a line. Its contribution is the sum of
    the contributions of its words."""

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
    """Result of a test of one kind of explanation: removal of its highest-ranked words, and of as
    many random words for comparison; means over pairs and over several shares of the words."""

    method: str
    pairs: int  # number of pairs in the test
    removal: str  # way of removing words, the least favourable one of those tested
    taken: float  # evidence for the verdict lost by the removal, in log10 LR
    random: float  # evidence lost by removing random words
    low: float  # 95 % interval of the difference, by resampling authors
    high: float
    agreement: float | None = None  # share of words whose removal acts as their sign predicts

    @property
    def beats_random(self) -> bool:
        return self.low > 0


@dataclass(frozen=True, slots=True)
class Explanation(Presented):
    """Which words and sentences carried the decision. Notebooks show it as the report.

    method          meaning of the weights. "attention": the network's attention, which sums to 1
                    over the words of a sentence and over the sentences of a side. "occlusion":
                    change of `llr` when the word or sentence is removed, negative for words in
                    favour of one author
    contributions   method of the contributions, "occlusion"; None if there are none. They are in
                    log10 LR without bounds
    faithfulness    result of a test of such contributions; None if not tested
    tokens          tokens of both sides, to save tokenising the texts again
    given           the pair as given, before repeated text was left out

    >>> import adhominem
    >>> adhominem.load().explain_texts("Too short.", "To be judged.").left[0].words[0].text
    'Too'
    """

    decision: Decision
    method: str
    left: tuple[TextExplanation, ...]
    right: tuple[TextExplanation, ...]
    contributions: str | None = None
    faithfulness: Faithfulness | None = None
    tokens: tuple[Tokenised, Tokenised] | None = field(default=None, repr=False, compare=False)
    given: Pair | None = field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        return f"Explanation({self.decision}, {len(self.left)} and {len(self.right)} texts)"
