"""The decision in plain words, for whoever has to explain it to somebody else."""

from __future__ import annotations

import math

from adhominem.records import Decision, Explanation, Reading, Verdict

_VERDICTS = {
    Verdict.SAME: "Probably the same author",
    Verdict.DIFFERENT: "Probably different authors",
    Verdict.UNDECIDED: "Cannot say",
}
_SUPPORT = ((1.0, "limited"), (2.0, "moderate"), (4.0, "strong"), (math.inf, "very strong"))
_NO_SUPPORT = 0.5


def verdict_words(verdict: Verdict) -> str:
    return _VERDICTS[verdict]


def support_words(llr: float) -> str:
    """A verbal scale for log10 likelihood ratios."""
    strength = abs(llr)
    if not strength >= _NO_SUPPORT:
        return "no support either way to speak of"
    word = next((word for limit, word in _SUPPORT if strength < limit), _SUPPORT[-1][1])
    return f"{word} support for {'one author' if llr > 0 else 'two authors'}"


def ratio_words(llr: float) -> str:
    """The likelihood ratio as a sentence about how probable such texts are."""
    times = _times(abs(llr))
    if times is None:
        return "Two texts like these are about as probable from one author as from two."
    likelier, other = ("one author", "two") if llr > 0 else ("two authors", "one")
    return f"Two texts like these are {times} times as probable from {likelier} as from {other}."


def _times(strength: float) -> str | None:
    if strength >= 6:
        return "more than a million"
    ratio = 10**strength
    if not ratio >= 1.05:
        return None
    if ratio < 9.95:
        return f"about {ratio:.1f}"
    digits = 1 - math.floor(math.log10(ratio))
    return f"about {round(ratio, digits):,.0f}"


def reliability_words(decision: Decision) -> str:
    if decision.verdict is Verdict.UNDECIDED:
        return "The texts were not judged, for the reason given above."
    distance, tau_s, tau_d = decision.distance, decision.tau_s, decision.tau_d
    if distance is None or tau_s is None or tau_d is None:
        if decision.reliable:
            return "The method counts this answer among its reliable ones."
        return "The method does not count this answer among its reliable ones."
    inside = tau_s < distance < tau_d
    if decision.reliable and not inside:
        return "The distance lies outside the band in which the model is unsure."
    if inside:
        return (
            "The distance lies inside the band in which the model is unsure; "
            "errors are more frequent there."
        )
    return "The distance lies outside the band, but other reasons speak against relying on it."


def experience_words(decision: Decision) -> str:
    """How often the model was wrong about texts like these."""
    row, left, right = decision.track_record, decision.left.genre, decision.right.genre
    if row is not None:
        tokens = (
            f"{row.shortest:,} tokens or more"
            if row.longest is None
            else f"{row.shortest:,} to {row.longest:,} tokens"
        )
        kind = "" if row.genre is None else f"{row.genre}, "
        words = (
            f"Of {row.pairs:,} test pairs like these ({kind}the shorter text of {tokens}) "
            f"{row.error:.1%} were judged wrongly"
        )
        if row.reliable_error is not None:
            words += (
                f"; of the {row.reliable_share:.0%} called reliable {row.reliable_error:.1%} were"
            )
        return f"{words}."
    if left != right:
        kinds = " and ".join(kind or "not known" for kind in (left, right))
        return (
            f"Unknown: the texts are of different kinds ({kinds}), and the model was "
            "tested on texts of one kind only."
        )
    if left is None:
        return "This model has no record of its errors on texts of this length."
    return f"Unknown: no test pair ({left}) was as short as this one."


def faithfulness_words(explanation: Explanation) -> str:
    """How well this kind of explanation did in a test, with a warning where chance does as well."""
    if explanation.contributions is None:
        return (
            "No word has a contribution: there is nothing to compare, or the texts are very long."
        )
    row = explanation.faithfulness
    if row is None:
        return f"How faithful explanations by {explanation.contributions} are was not tested."
    words = (
        f"In a test on {row.pairs:,} pairs, taking away the words that {row.method} ranks highest "
        f"weakened the evidence by {signed(row.taken).lstrip('+')} (log10 LR), words drawn at "
        f"random by {signed(row.random).lstrip('+')}."
    )
    if row.beats_random:
        return words
    return f"{words} Warning: that is no better than chance; do not take these words for reasons."


def score_words(score: float) -> str:
    """A probability that is never rounded up to certainty."""
    if score >= 0.9995:
        return "> 0.999"
    if score < 0.0005:
        return "< 0.001"
    return f"{score:.3f}"


def signed(number: float, digits: int = 2) -> str:
    """With its sign, the minus a true one."""
    return f"{number:+.{digits}f}".replace("-", "\N{MINUS SIGN}")


def weight_words(weight: float, *, sign: bool) -> str:
    """A weight with four decimals, or in scientific notation where these would say too little."""
    kind = ".1e" if weight and abs(weight) < 0.001 else ".4f"
    return format(weight, f"+{kind}" if sign else kind).replace("-", "\N{MINUS SIGN}")


def percent_words(weight: float, peak: float) -> str:
    """A share with as many decimals as its largest neighbour needs."""
    decimals = 0 if peak >= 0.1 else 1 if peak >= 0.01 else 2
    return f"{weight:.{decimals}%}"


def reading_words(reading: Reading) -> str:
    part = f" ({reading.unknown / reading.tokens:.0%})" if reading.tokens else ""
    noun = "token" if reading.tokens == 1 else "tokens"
    kind = f"; judged as {reading.genre}" if reading.genre else ""
    return f"{reading.tokens:,} {noun} read, {reading.unknown:,} of them unknown{part}{kind}"
