"""A ranking of candidates as text for a terminal."""

from collections.abc import Iterator

from adhominem.instrument.evidence.attribution import Ranking
from adhominem.instrument.evidence.copies import COPIED_TEXT
from adhominem.instrument.report import wording
from adhominem.instrument.report.plain_text import visible
from adhominem.instrument.report.scales import at_bound


def ranking_text(ranking: Ranking) -> str:
    none, others = "none of these", f"{ranking.n_others:,} others"
    width = max(map(len, (none, others, *(visible(row.name) for row in ranking.candidates))))
    lines = [f"{'':{width}}  probability  log10 LR  distance  tokens"]
    for candidate in ranking.candidates:
        name, decision = visible(candidate.name), candidate.decision
        distance = "-" if decision.distance is None else f"{decision.distance:.3f}"
        if candidate.probability:
            share, llr = _percentage(candidate.probability), wording.signed(decision.llr)
            llr += "*" if at_bound(decision) else ""
            words = wording.support_words(decision.llr)
            is_copied = any(note.code == COPIED_TEXT for note in decision.notes)
            words += ", copied text" if is_copied else ", reliable" if decision.reliable else ""
        else:
            reasons = "; ".join(map(wording.reason_words, decision.reasons))
            share, llr, words = "-", "-", visible(reasons)
        numbers = f"{share:>11}  {llr:>8}  {distance:>8}  {decision.left.tokens:>6,}"
        lines.append(f"{name:{width}}  {numbers}  {words}")
    if ranking.n_others:
        lines.append(f"{others:{width}}  {_percentage(ranking.others):>11}")
    lines += [f"{none:{width}}  {_percentage(ranking.none):>11}", ""]
    return "\n".join([*lines, *_cautions(ranking)])


def _cautions(ranking: Ranking) -> Iterator[str]:
    """The answer and what it rests on: prior, bounds, text read and error rate."""
    best, probabilities = ranking.candidates[0], [row.probability for row in ranking.candidates]
    if any(probabilities):
        answer = "none of these" if ranking.answer is None else visible(ranking.answer)
        prior = f"one of them was the author with {ranking.prior:.0%} beforehand"
        yield f"Most probable: {answer}, if {prior}, each equally probable."
    else:
        yield "Cannot say: no candidate could be judged."
    if ranking.others > max([ranking.none, *probabilities]):
        yield "Among so many candidates no one stands out: the list is for a closer look."
    if any(at_bound(row.decision) for row in ranking.candidates):
        yield "* The strongest ratio that the model states; of several, the nearest is first."
    yield f"Questioned: {visible(wording.read_words(best.decision, 'right'))}."
    yield f"Errors on texts like these: {visible(wording.track_record_words(best.decision))}"


def _percentage(probability: float) -> str:
    return f"{probability:.1%}" if probability >= 0.001 else f"{100 * probability:.1g}%"
