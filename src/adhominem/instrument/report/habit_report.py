"""The linguistic habits of both sides, counted, compared and set against a reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adhominem.instrument.linguistics.categories import CATEGORIES, Category
from adhominem.instrument.linguistics.findings import Finding, Findings, SideHabits, weigh_habits
from adhominem.instrument.linguistics.habits import find_habits
from adhominem.instrument.linguistics.reference import Reference, reference_for
from adhominem.instrument.report.habit_parts import Parts, habit_parts
from adhominem.instrument.report.wording import signed
from adhominem.records import Explanation, TextExplanation

QUIET = frozenset(("punctuation mark", "proper noun"))  # too frequent to be numbered in a text


@dataclass(frozen=True, slots=True)
class Count:
    """`contribution` is the part of log10 LR that the words of the category carry, None where words
    have no contributions."""

    count: int
    per_thousand: float
    contribution: float | None


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
    """`absent` are the categories that neither side has; the parts are of each text of a side, None
    where its words have no contributions."""

    left: SideHabits
    right: SideHabits
    left_parts: tuple[Parts | None, ...]
    right_parts: tuple[Parts | None, ...]
    reference: Reference
    evidence: Findings
    rows: tuple[CategoryRow, ...]
    absent: tuple[str, ...]

    @property
    def has_contributions(self) -> bool:
        return any((*self.left_parts, *self.right_parts))

    @property
    def numbers(self) -> dict[str, int]:
        return {row.category.name: row.number for row in self.rows}


def habit_report(explanation: Explanation) -> HabitReport:
    left, right = _side(explanation.left), _side(explanation.right)
    left_parts, right_parts = _parts(explanation.left, left), _parts(explanation.right, right)
    reference = reference_for(_genre(explanation))
    rows: list[CategoryRow] = []
    absent = []
    for category in CATEGORIES:
        counts = _count(category, left, left_parts), _count(category, right, right_parts)
        if not any(count.count for count in counts):
            absent.append(category.name)
            continue
        usual = reference.categories[category.name].per_thousand
        rows.append(CategoryRow(len(rows) + 1, category, *counts, usual))
    return HabitReport(
        left,
        right,
        left_parts,
        right_parts,
        reference,
        weigh_habits(left, right, reference),
        tuple(rows),
        tuple(absent),
    )


def _side(texts: Sequence[TextExplanation]) -> SideHabits:
    return SideHabits(
        tuple(text.text for text in texts), tuple(find_habits(text.text) for text in texts)
    )


def _genre(explanation: Explanation) -> str | None:
    left, right = explanation.decision.left.genre, explanation.decision.right.genre
    return left if left == right else None


def _parts(texts: Sequence[TextExplanation], side: SideHabits) -> tuple[Parts | None, ...]:
    return tuple(
        habit_parts(text, habits.hits) for text, habits in zip(texts, side.habits, strict=True)
    )


def _count(category: Category, side: SideHabits, parts: Sequence[Parts | None]) -> Count:
    count = side.count(category.name)
    known = [part.categories.get(category.name, 0.0) for part in parts if part is not None]
    return Count(count, 1000 * count / max(side.n_tokens, 1), sum(known) if known else None)


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


def carried_words(count: Count) -> str:
    """What the words of a category carry; nothing where there are none."""
    if count.contribution is None or not count.count:
        return "-"
    return signed(count.contribution)


def reference_words(reference: Reference) -> str:
    kind = "all kinds" if reference.genre is None else reference.genre
    return (
        f"{reference.n_texts:,} texts ({kind}) by as many authors, "
        f"{reference.n_tokens:,} tokens in all"
    )
