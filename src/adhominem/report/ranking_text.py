"""Candidates in the order of the evidence for them, for the terminal."""

from __future__ import annotations

from adhominem.attribution import Ranking
from adhominem.report.visible import visible
from adhominem.report.wording import support_words


def ranking_text(ranking: Ranking) -> str:
    width = max(len("none of these"), *(len(visible(c.name)) for c in ranking.candidates))
    lines = [f"{'':{width}}  probability  log10 LR"]
    for candidate in ranking.candidates:
        name, decision = visible(candidate.name), candidate.decision
        if decision.reasons:
            lines.append(f"{name:{width}}  {'-':>11}  {'-':>8}  {'; '.join(decision.reasons)}")
            continue
        words = support_words(decision.llr)
        lines.append(
            f"{name:{width}}  {candidate.probability:>11.1%}  {decision.llr:>+8.2f}  {words}"
        )
    lines.append(f"{'none of these':{width}}  {ranking.none:>11.1%}")
    lines.append("")
    if ranking.answer is not None:
        lines.append(
            f"Most probable: {visible(ranking.answer)}, if all were equally so beforehand."
        )
    elif any(not candidate.decision.reasons for candidate in ranking.candidates):
        lines.append("Most probable: none of these.")
    else:
        lines.append("Cannot say: no candidate could be judged.")
    return "\n".join(lines)
