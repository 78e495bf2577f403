"""A ranking of candidates as text for a terminal."""

from __future__ import annotations

from adhominem.instrument.evidence.attribution import Ranking
from adhominem.instrument.report.plain_text import visible
from adhominem.instrument.report.wording import support_words


def ranking_text(ranking: Ranking) -> str:
    none, others = "none of these", f"{ranking.n_others:,} others"
    width = max(map(len, (none, others, *(visible(row.name) for row in ranking.candidates))))
    lines = [f"{'':{width}}  probability  log10 LR"]
    for candidate in ranking.candidates:
        name, decision = visible(candidate.name), candidate.decision
        if candidate.probability:
            share, llr = _percentage(candidate.probability), f"{decision.llr:+.2f}"
            words = support_words(decision.llr)
        else:
            share, llr, words = "-", "-", visible("; ".join(map(str, decision.reasons)))
        lines.append(f"{name:{width}}  {share:>11}  {llr:>8}  {words}")
    if ranking.n_others:
        lines.append(f"{others:{width}}  {_percentage(ranking.others):>11}")
    lines += [f"{none:{width}}  {_percentage(ranking.none):>11}", ""]
    probabilities = [candidate.probability for candidate in ranking.candidates]
    if any(probabilities):
        answer = none if ranking.answer is None else visible(ranking.answer)
        prior = "all were equally probable beforehand"
        if ranking.prior is not None:
            share = f"{ranking.prior:.0%}"
            prior = f"one of them was the author with {share} beforehand, each equally probable"
        lines.append(f"Most probable: {answer}, if {prior}.")
    else:
        lines.append("Cannot say: no candidate could be judged.")
    if ranking.others > max([ranking.none, *probabilities]):
        lines.append("Among so many candidates no one stands out: the list is for a closer look.")
    return "\n".join(lines)


def _percentage(probability: float) -> str:
    return f"{probability:.1%}" if probability >= 0.001 else f"{100 * probability:.1g}%"
