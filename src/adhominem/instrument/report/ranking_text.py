"""Candidates in the order of the evidence for them, for the terminal."""

from __future__ import annotations

from adhominem.instrument.evidence.attribution import Ranking
from adhominem.instrument.report.visible import visible
from adhominem.instrument.report.wording import support_words


def ranking_text(ranking: Ranking) -> str:
    others = f"{ranking.n_others:,} others"
    width = max(
        len("none of these"), len(others), *(len(visible(c.name)) for c in ranking.candidates)
    )
    lines = [f"{'':{width}}  probability  log10 LR"]
    for candidate in ranking.candidates:
        name, decision = visible(candidate.name), candidate.decision
        if not candidate.probability:
            lines.append(
                f"{name:{width}}  {'-':>11}  {'-':>8}  {'; '.join(map(str, decision.reasons))}"
            )
            continue
        words = support_words(decision.llr)
        lines.append(
            f"{name:{width}}  {_share(candidate.probability):>11}  {decision.llr:>+8.2f}  {words}"
        )
    if ranking.n_others:
        lines.append(f"{others:{width}}  {_share(ranking.others):>11}")
    lines.append(f"{'none of these':{width}}  {_share(ranking.none):>11}")
    lines.append("")
    if ranking.answer is not None:
        lines.append(f"Most probable: {visible(ranking.answer)}, if {_beforehand(ranking)}.")
    elif any(candidate.probability for candidate in ranking.candidates):
        lines.append(f"Most probable: none of these, if {_beforehand(ranking)}.")
    else:
        lines.append("Cannot say: no candidate could be judged.")
    if ranking.others > max([ranking.none, *(c.probability for c in ranking.candidates)]):
        lines.append("Among so many candidates no one stands out: the list is for a closer look.")
    return "\n".join(lines)


def _beforehand(ranking: Ranking) -> str:
    if ranking.prior is None:
        return "all were equally so beforehand"
    return f"it was one of them with {ranking.prior:.0%} beforehand, each as probably as the others"


def _share(probability: float) -> str:
    return f"{probability:.1%}" if probability >= 0.001 else f"{100 * probability:.1g}%"
