"""Reasons not to judge a pair, and notes that come with an answer. Each has a code for programs and
a sentence for people."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from adhominem.arrays import Booleans, Floats, Integers
from adhominem.instrument.evidence.fusion import APART
from adhominem.instrument.evidence.sides import Sides
from adhominem.records import ModelIdentity, Reading, Reason, Term, TrackRecord

_DOUBTS = ("too-short", "not-english", "unknown-words", "out-of-domain", "several-voices")
TOO_SHORT, NOT_ENGLISH, UNKNOWN_WORDS, OUT_OF_DOMAIN, SEVERAL_VOICES = _DOUBTS
REST = "kind and length"  # name of the term that remains beside the views
DIFFERENT_KINDS, VIEWS_DISAGREE = "different-kinds", "views-disagree"
REFERENCE_TEXTS, MANY_TEXTS = "reference-texts", "many-texts"
_LEAST_OFF = 0.02  # log10 LR that is worth a note
_CONTRADICTION = 0.3  # log10 LR from which on views of opposite sign contradict each other
NOTHING_TO_COMPARE, WEAK_EVIDENCE = "nothing-to-compare", "weak-evidence"


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a verifier beyond which a side is not judged, and facts that its decisions quote.

    tau_s, tau_d   thresholds that the network was trained with: answers at distances up to tau_s
                   and from tau_d on are reliable; if None, the calibration tells
    """

    min_tokens: int = 20  # of a side
    max_unknown: float = 0.5  # share of tokens outside the vocabulary
    min_english: float = 0.15  # share of English function words
    max_english: float = 0.95  # a larger share is a list of words, not running text
    min_llr: float = 0.05  # weaker evidence (log10 LR) decides nothing
    min_voice: float = -np.inf  # mean log10 LR among the texts of a side, lower for several authors
    tau_s: float | None = None
    tau_d: float | None = None
    has_distance: bool = False  # whether a similarity is a negative distance
    track_records: tuple[TrackRecord, ...] = ()  # errors on held-out pairs
    term_names: tuple[str, ...] = ()  # views whose terms add up to the similarity
    model: ModelIdentity | None = None
    most_stretches: float = np.inf  # largest number of stretches on a side of a calibration pair
    references: Mapping[str, int] = field(default_factory=dict, hash=False)  # texts by kind
    labels: Mapping[str, str] = field(default_factory=dict, hash=False)  # as in `kind_labels`

    @property
    def thresholds(self) -> tuple[float, float] | None:
        if not self.has_distance or self.tau_s is None or self.tau_d is None:
            return None
        return self.tau_s, self.tau_d


def kind_labels(names: Sequence[str], labels: Sequence[str]) -> dict[str, str]:
    """Labels of kinds of text by name, each with the name in brackets."""
    rows = zip(names, labels, strict=True)
    return {name: name if name == label else f"{label} ({name})" for name, label in rows}


def find_doubts(sides: Sides, limits: Limits) -> Integers:
    """For each side the number of the first reason not to judge it; -1 if there is none."""
    conditions = [
        sides.tokens < limits.min_tokens,
        (sides.english < limits.min_english) | (sides.english > limits.max_english),  # not for NaN
        sides.unknown > limits.max_unknown * sides.tokens,
        sides.out_of_domain,
        sides.voice < limits.min_voice,  # False for NaN
    ]
    return np.select(conditions, list(range(len(conditions))), default=-1)


def find_caveats(
    values: Floats | None, stretches: npt.ArrayLike, names: Sequence[str], limits: Limits
) -> tuple[Booleans, Booleans]:
    """Whether pairs have more stretches than any calibration pair, and whether their views
    contradict each other. Answers with either caveat are not reliable.

    values   (n, terms) log10 LR of the terms, in the order of `names`
    """
    many = np.asarray(np.asarray(stretches) >= limits.most_stretches + 0.5)
    views = [i for i, name in enumerate(names) if name not in (REST, APART)]
    if values is None or not views:
        return many, np.zeros(many.shape, dtype=bool)
    own = values[:, views]
    contradict = (own.min(axis=1) <= -_CONTRADICTION) & (own.max(axis=1) >= _CONTRADICTION)
    return many, np.asarray(contradict)


def reasons_of(name: str, reading: Reading, limits: Limits) -> tuple[Reason, ...]:
    """The reason why a side of this name is not judged, or nothing."""
    doubt = int(find_doubts(Sides.of([reading]), limits)[0])
    if doubt < 0:
        return ()
    noun = "token" if reading.tokens == 1 else "tokens"
    unknown = reading.unknown / max(reading.tokens, 1)
    unlike = f"{name} uses words unlike any kind of text the model was trained on"
    if reading.genre and reading.recognised and reading.recognised != reading.genre:
        stated, nearest = (limits.labels.get(k, k) for k in (reading.genre, reading.recognised))
        unlike = f"you said {stated}; {name} does not look like that, it looks more like {nearest}"
    messages = {
        TOO_SHORT: f"{name} has {reading.tokens} {noun}, at least {limits.min_tokens} are needed",
        NOT_ENGLISH: f"{reading.english or 0:.0%} of the words of {name} are English function words"
        f", in running text {limits.min_english:.0%} to {limits.max_english:.0%} are: is it "
        "English?",
        UNKNOWN_WORDS: f"{unknown:.0%} of the tokens of {name} are unknown to the model, "
        f"at most {limits.max_unknown:.0%} may be: is it English?",
        OUT_OF_DOMAIN: unlike,
        SEVERAL_VOICES: f"the texts of {name} do not seem to have one author: compare them singly",
    }
    return (Reason(_DOUBTS[doubt], messages[_DOUBTS[doubt]]),)


def presentable(reading: Reading, limits: Limits) -> Reading:
    """The reading without the detected kind of text if it is too short to detect one."""
    if reading.tokens >= limits.min_tokens:
        return reading
    stated = None if reading.genre == reading.recognised else reading.genre
    return replace(reading, genre=stated, recognised=None)


def notes_of(
    left: Reading,
    right: Reading,
    limits: Limits,
    *,
    terms: Sequence[Term] = (),
    stretches: float = 1.0,
) -> Iterator[Reason]:
    """Yield notes on reference texts, on sides that look like different kinds of text, on more
    stretches than any calibration pair has, and on views that contradict each other."""
    if number := limits.references.get(left.genre or ""):
        message = f"{number:,} reference texts are the standard of comparison"
        yield Reason(REFERENCE_TEXTS, message)
    off = sum(term.llr for term in terms if term.name == APART)
    if abs(off) >= _LEAST_OFF:
        kinds = {side.recognised for side in (left, right)} - {None}
        labels = sorted(limits.labels.get(kind, kind) for kind in map(str, kinds))
        message = "the sides look like different kinds of text"
        message += f" ({' and '.join(labels)})" if len(labels) == 2 else ""
        counting = sum(term.llr for term in terms)
        message += ", tests had pairs of one kind: the evidence counts less, "
        message += f"its sum is {round(counting, 2) + 0.0:+.2f} in place of {counting - off:+.2f}"
        yield Reason(DIFFERENT_KINDS, message)
    values = np.array([[term.llr for term in terms]])
    names = [term.name for term in terms]
    [is_many], [contradict] = find_caveats(values, [stretches], names, limits)
    if is_many:
        message = f"the sides have about {stretches:.0f} texts or stretches of long texts, "
        message += f"calibration pairs at most {limits.most_stretches:.0f}: expect more errors "
        message += "than stated"
        yield Reason(MANY_TEXTS, message)
    if contradict:
        views = sorted((t for t in terms if t.name not in (REST, APART)), key=lambda term: term.llr)
        message = f"the views disagree: {views[-1].name} for one author, {views[0].name} for two"
        yield Reason(VIEWS_DISAGREE, message)
