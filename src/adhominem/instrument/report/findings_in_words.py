"""Three to five findings as sentences, for readers who look at nothing else."""

from __future__ import annotations

from adhominem.instrument.report.habit_report import HabitReport, finding_table
from adhominem.instrument.report.word_types import heaviest_types
from adhominem.instrument.report.wording import SIDES
from adhominem.records import Explanation

_MOST_SHARED, _MOST_DISTINCTIVE = 2, 2


def finding_sentences(explanation: Explanation, report: HabitReport) -> list[str]:
    """The most telling habits, and the words that carry most of the likelihood ratio."""
    findings = report.findings
    shared = finding_table(findings.shared, report).rows[:_MOST_SHARED]
    distinctive = finding_table(findings.distinctive, report).rows[:_MOST_DISTINCTIVE]
    sentences = [f"Both sides have {row.words} ({row.use}): {row.share}." for row in shared]
    if not shared and report.sequences:
        [row, *_] = finding_table(report.sequences, report).rows
        sentences.append(f"Both sides have the word sequence {row.words} ({row.use}).")
    sentences += [
        f"The sides differ in {row.words} ({row.use}): {row.share}." for row in distinctive
    ]
    if not sentences:
        sentences.append("No single habit stands out on either side or on both.")
    for texts, side in ((explanation.left, SIDES["left"]), (explanation.right, SIDES["right"])):
        types = heaviest_types(texts)[:3]
        told = ", ".join(f"“{one.text}” ({_times(one.count)}, {one.total_words})" for one in types)
        if told:
            sentences.append(
                f"Of the log10 likelihood ratio, words of the {side} side that carry most (above 0 "
                f"for one author, below 0 for two): {told}."
            )
    return sentences


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
