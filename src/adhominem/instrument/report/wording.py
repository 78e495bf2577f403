"""Decisions and their numbers in plain words."""

import math
import re
from collections.abc import Mapping

from adhominem.instrument.evidence.limits import WEAK_EVIDENCE
from adhominem.instrument.report.scales import VerbalStep, at_bound, verbal_scale
from adhominem.instrument.views.kinds import REFERENCE
from adhominem.records import Decision, Explanation, Reading, Reason, TrackRecord, Verdict

_SIDE = re.compile(r"\b(?:left|right)\b(?! out)")
SIDES = {"left": "known", "right": "questioned"}  # names for readers
MINUS = "\N{MINUS SIGN}"


def decision_words(decision: Decision) -> dict[str, str]:
    return {
        "verdict": verdict_words(decision),
        "score": score_words(decision.score),
        "llr": signed(decision.llr),
        "support": support_words(decision.llr),
        "ratio": ratio_words(decision.llr),
        "bound": bound_words(decision),
        "reliability": reliability_words(decision),
        "track_record": track_record_words(decision),
    }


def reason_words(reason: Reason) -> str:
    """A reason or note, with the names of the sides for readers."""
    return _SIDE.sub(lambda found: f"the {SIDES[found[0]]} side", reason.message)


def kind_words(explanation: Explanation) -> str:
    """The assumed kind of text, and whether it was stated or recognised."""
    decision, given = explanation.decision, explanation.given
    labels = decision.labels
    if given is not None and given.genre is not None:
        return f"{labels.get(given.genre, given.genre)}, as stated"
    kinds = [reading.genre for reading in (decision.left, decision.right)]
    if REFERENCE in kinds:
        return "as in the reference texts"
    found = [f"{labels.get(k, k)}, recognised" if k else "not recognised" for k in kinds]
    if kinds[0] == kinds[1]:
        return found[0]
    return "; ".join(f"{name}: {label}" for name, label in zip(SIDES.values(), found, strict=True))


def further_notes(decision: Decision) -> list[Reason]:
    """The notes with other codes than the reasons."""
    codes = {reason.code for reason in decision.reasons}
    return [note for note in decision.notes if note.code not in codes]


def is_judged(decision: Decision) -> bool:
    """Whether the texts could be compared, however weak the evidence."""
    return all(reason.code == WEAK_EVIDENCE for reason in decision.reasons)


def verdict_words(decision: Decision) -> str:
    """The verdict as a headline, never stronger than `support_words`."""
    if not is_judged(decision):
        return "Cannot say"
    if decision.verdict is Verdict.UNDECIDED or _step(decision.llr).side == "neither":
        return "Inconclusive"
    same = decision.verdict is Verdict.SAME
    return "Probably the same author" if same else "Probably different authors"


def bound_words(decision: Decision) -> str:
    """A remark if the evidence is at the bound of the calibration, else ""."""
    if not at_bound(decision):
        return ""
    strongest = f"the strongest support for {'one author' if decision.llr > 0 else 'two authors'}"
    words = f"This is {strongest} that the model states for such texts: its test pairs do not "
    return words + "bear out a larger ratio, however the texts compare."


def support_words(llr: float) -> str:
    """A log10 likelihood ratio in words of the verbal scale."""
    step = _step(llr)
    authors = {"one": "one author", "two": "two authors"}.get(step.side)
    return f"{step.words} support for {authors}" if authors else "no support either way"


def _step(llr: float) -> VerbalStep:
    return next(step for step in verbal_scale(llr) if step.is_reached)


def ratio_words(llr: float) -> str:
    """The likelihood ratio as a sentence about the probability of such texts."""
    ratio = 10 ** min(abs(llr), 6)
    if not ratio >= 1.05:
        return "Two texts like these are about as probable from one author as from two."
    times = f"about {ratio:.1f}"
    if ratio >= 9.95:
        times = f"about {round(ratio, 1 - math.floor(math.log10(ratio))):,.0f}"
    times = "more than a million" if ratio >= 1_000_000 else times
    likelier, other = ("one author", "two") if llr > 0 else ("two authors", "one")
    return f"Two texts like these are {times} times as probable from {likelier} as from {other}."


def reliability_words(decision: Decision) -> str:
    if decision.verdict is Verdict.UNDECIDED:
        return "The texts were not judged, for the reason given above."
    distance, tau_s, tau_d = decision.distance, decision.tau_s, decision.tau_d
    if distance is None or tau_s is None or tau_d is None:
        counts = "counts" if decision.reliable else "does not count"
        return f"The method {counts} this answer among its reliable ones."
    band = "the band in which the model is unsure"
    if tau_s < distance < tau_d:
        return f"The distance lies inside {band}; errors are more frequent there."
    if decision.reliable:
        return f"The distance lies outside {band}."
    return "The distance lies outside the band, but other reasons speak against relying on it."


def track_record_words(decision: Decision) -> str:
    if decision.track_record is not None:
        return record_words(decision.track_record, decision.labels)
    sides = decision.left.genre, decision.right.genre
    left, right = (genre and decision.labels.get(genre, genre) for genre in sides)
    if left == right is None:
        return "This model has no record of its errors on texts of this length."
    if left == right:
        return f"Unknown: no test pair of {left} was as short as this one."
    if decision.verdict is Verdict.UNDECIDED:
        return "Not quoted: the texts were not judged."
    kinds = f"the texts are of different kinds, {left or 'not known'} and {right or 'not known'}"
    return f"Unknown: {kinds}, and the model was tested on texts of one kind only."


def record_words(row: TrackRecord, labels: Mapping[str, str]) -> str:
    """How often the model was wrong about test pairs of one kind and length."""
    longest = "tokens or more" if row.longest is None else f"to {row.longest:,} tokens"
    genre = "" if row.genre is None else f"{labels.get(row.genre, row.genre)}, "
    kind = f"{genre}the shorter text of {row.shortest:,} {longest}"
    if row.kinds > 1:
        begin = "The kind of text was not stated, and how often the model is wrong depends on it"
        end = "known to the model or never seen. State the kind or give reference texts."
        if row.genre is not None:
            begin = "How often the model is wrong with reference texts depends on their kind"
            end = "never seen by the network."
        return (
            f"{begin}: of the test pairs of this length ({kind}) {row.error:.0%} were judged "
            f"wrongly, between {row.low:.0%} and {row.high:.0%} over {row.kinds} groups of pairs, "
            f"each of one kind, {end}"
        )
    words = f"Of {row.pairs:,} test pairs like these, {kind}, {row.error:.1%} were judged wrongly"
    words += ", an undecided one counted as half "
    words += f"(95 % interval {row.low:.1%} to {row.high:.1%})"
    if row.false_same is not None and row.false_different is not None:
        words += f"; of those decided, {row.false_same:.1%} by two authors and "
        words += f"{row.false_different:.1%} by one"
    if row.reliable_error is not None:
        words += f"; of the {row.reliable_share:.0%} called reliable "
        words += f"{row.reliable_error:.1%} were wrong"
    return f"{words}."


def faithfulness_words(explanation: Explanation) -> str:
    """The test result of this kind of explanation; warns if it is no better than chance."""
    if explanation.contributions is None:
        why = "there is nothing to compare, or the texts are very long"
        return f"No word has a contribution: {why}."
    row = explanation.faithfulness
    if row is None:
        return f"The faithfulness of explanations by {explanation.contributions} was not tested."
    taken, random = (f"{value:.2f}".replace("-", MINUS) for value in (row.taken, row.random))
    verb = "replacing" if row.removal == "exchange" else "removing"
    words = f"In a test on {row.pairs:,} pairs, {verb} the words that {row.method} ranks highest "
    words += f"weakened the evidence by {taken} (log10 LR), words drawn at random by {random}."
    warning = " Warning: that is no better than chance; do not take these words as reasons."
    return words if row.beats_random else words + warning


def score_words(score: float) -> str:
    """A probability that is never rounded up to certainty."""
    return "> 0.999" if score >= 0.9995 else "< 0.001" if score < 0.0005 else f"{score:.3f}"


def signed(number: float, digits: int = 2) -> str:
    return f"{number:+.{digits}f}".replace("-", MINUS)


def weight_words(weight: float, *, sign: bool) -> str:
    """A weight with four decimals, or in scientific notation if it is very small."""
    kind = ".1e" if weight and abs(weight) < 0.001 else ".4f"
    return format(weight, f"+{kind}" if sign else kind).replace("-", MINUS)


def percent_words(weight: float, peak: float) -> str:
    """A share as a percentage, with as many decimals as the largest share needs."""
    decimals = 0 if peak >= 0.1 else 1 if peak >= 0.01 else 2
    return f"{weight:.{decimals}%}"


def read_words(decision: Decision, side: str) -> str:
    return reading_words(getattr(decision, side), decision.labels)


def reading_words(reading: Reading, labels: Mapping[str, str]) -> str:
    part = f" ({reading.unknown / reading.tokens:.0%})" if reading.tokens else ""
    noun = "token" if reading.tokens == 1 else "tokens"
    stated, nearest = (k and labels.get(k, k) for k in (reading.genre, reading.recognised))
    genre = f"; taken as {stated}" if stated else ""
    if nearest not in (None, stated):
        genre += f"; its words are nearest to {nearest}"
    return f"{reading.tokens:,} {noun} read, {reading.unknown:,} of them unknown{part}{genre}"
