"""The linguistic habits of both sides, counted, compared and set against a reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adhominem.linguistics.categories import CATEGORIES, Category
from adhominem.linguistics.evidence import Evidence, Finding, SideHabits, weigh_habits
from adhominem.linguistics.habits import find_habits
from adhominem.linguistics.reference import Reference, reference_for
from adhominem.records import Explanation, TextExplanation

QUIET = frozenset(("punctuation mark", "proper noun"))  # too frequent to be numbered in a text


@dataclass(frozen=True, slots=True)
class Count:
    count: int
    per_thousand: float


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """`number` stands for the category in the texts; `usual` is its rate in the reference."""

    number: int
    category: Category
    left: Count
    right: Count
    usual: float


@dataclass(frozen=True, slots=True)
class HabitReport:
    """`absent` are the categories that neither side has."""

    left: SideHabits
    right: SideHabits
    reference: Reference
    evidence: Evidence
    rows: tuple[CategoryRow, ...]
    absent: tuple[str, ...]

    @property
    def numbers(self) -> dict[str, int]:
        return {row.category.name: row.number for row in self.rows}


def habit_report(explanation: Explanation) -> HabitReport:
    left, right = _side(explanation.left), _side(explanation.right)
    reference = reference_for(_genre(explanation))
    rows: list[CategoryRow] = []
    absent = []
    for category in CATEGORIES:
        counts = left.count(category.name), right.count(category.name)
        if not any(counts):
            absent.append(category.name)
            continue
        usual = reference.categories[category.name].per_thousand
        rows.append(
            CategoryRow(
                len(rows) + 1, category, _count(counts[0], left), _count(counts[1], right), usual
            )
        )
    evidence = weigh_habits(left, right, reference)
    return HabitReport(left, right, reference, evidence, tuple(rows), tuple(absent))


def _side(texts: Sequence[TextExplanation]) -> SideHabits:
    return SideHabits(
        tuple(text.text for text in texts), tuple(find_habits(text.text) for text in texts)
    )


def _genre(explanation: Explanation) -> str | None:
    left, right = explanation.decision.left.genre, explanation.decision.right.genre
    return left if left == right else None


def _count(count: int, side: SideHabits) -> Count:
    return Count(count, 1000 * count / max(side.n_tokens, 1))


def habit_words(finding: Finding) -> str:
    """What the habit is, in a few words."""
    if finding.form is None:
        return finding.category
    meant = f" for “{finding.intended}”" if finding.intended else ""
    return f"“{finding.form}”{meant}"


def use_words(finding: Finding) -> str:
    """How often each side has it."""
    words = f"left {len(finding.left)}, right {len(finding.right)}"
    if finding.standard:
        other = "right" if finding.left else "left"
        words += f"; {other} writes “{finding.intended}” instead, {finding.standard} times"
    return words.replace("instead, 1 times", "instead, once")


def share_words(finding: Finding) -> str:
    """How many reference texts show it."""
    share = finding.share
    if share > 0.995:
        return "in nearly all reference texts of this length"
    digits = 0 if share >= 0.1 else 1
    few = "fewer than " if not finding.is_listed or share < 0.001 else ""
    return f"in {few}{max(share, 0.001):.{digits}%} of reference texts of this length"


def reference_words(reference: Reference) -> str:
    kind = "all kinds" if reference.genre is None else reference.genre
    return (
        f"{reference.n_texts:,} texts ({kind}) by as many authors, "
        f"{reference.n_tokens:,} tokens in all"
    )
