"""Findings as sentences, for readers who look at nothing else; the heaviest words by type."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from adhominem.instrument.report.habit_report import HabitReport, finding_table
from adhominem.instrument.report.wording import SIDES, signed
from adhominem.records import Explanation, TextExplanation

_MOST_TYPES, _MOST_FINDINGS = 8, 2


@dataclass(frozen=True, slots=True)
class WordType:
    """A word in small letters, how often it stands there, and what its uses carry of log10 LR."""

    text: str
    count: int
    total: float

    @property
    def total_words(self) -> str:
        return signed(self.total)


def heaviest_types(texts: Sequence[TextExplanation]) -> list[WordType]:
    """The types of one side that carry most; none if words have no contributions."""
    parts: dict[str, list[float]] = defaultdict(list)
    for word in (word for text in texts for word in text.words if word.end > word.start):
        if word.contribution is not None and math.isfinite(word.contribution):
            parts[word.text.lower()].append(word.contribution)
    types = [WordType(word, len(own), sum(own)) for word, own in parts.items()]
    return sorted(types, key=lambda one: (-abs(one.total), one.text))[:_MOST_TYPES]


def finding_sentences(explanation: Explanation, report: HabitReport) -> list[str]:
    """The most telling habits of both sides and of one, and the words that carry most."""
    findings = report.findings
    sentences = [
        f"{told} {row.words} ({row.use}): {row.share}."
        for told, rows in (
            ("Both sides have", findings.shared),
            ("Both sides have the word sequence", report.sequences[:1]),
            ("The sides differ in", findings.distinctive),
        )
        for row in finding_table(rows, report).rows[:_MOST_FINDINGS]
    ] or ["No single habit stands out on either side or on both."]
    for side, name in SIDES.items():
        types = heaviest_types(getattr(explanation, side))[:3]
        told = ", ".join(f"“{one.text}” (×{one.count}, {one.total_words})" for one in types)
        if told:
            sentences.append(
                f"Of the log10 likelihood ratio, words of the {name} side that carry most (above 0 "
                f"for one author, below 0 for two): {told}."
            )
    return sentences
