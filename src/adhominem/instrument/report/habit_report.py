"""The linguistic habits of both sides: counts, contributions and findings worth reporting."""

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from adhominem.instrument.linguistics import findings as habit_findings
from adhominem.instrument.linguistics.findings import Finding, Findings, SideHabits
from adhominem.instrument.linguistics.habits import CATEGORIES, Category, Habits, find_habits
from adhominem.instrument.linguistics.reference import Reference, reference_for
from adhominem.instrument.linguistics.text_tokens import read_tokens
from adhominem.instrument.report.layout import in_context
from adhominem.instrument.report.wording import SIDES, signed
from adhominem.instrument.text.tokenised import Tokenised
from adhominem.records import Explanation, TextExplanation

_MAX_FINDINGS, _MAX_LINES = 12, 3  # of a table, and of a finding on each side
_MIN_TELLING = 0.4  # of a finding worth reporting
_MAX_TYPES = 8  # word types of a side


@dataclass(frozen=True, slots=True)
class HabitContributions:
    """Contributions to log10 LR, summed over the words of each hit and of each category."""

    hits: tuple[float, ...]
    categories: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class SideCount:
    """A category on one side; `contribution` is None if words have no contributions."""

    count: int
    per_thousand: float
    contribution: float | None

    @property
    def contribution_words(self) -> str:
        return signed(self.contribution) if self.contribution is not None and self.count else "-"


@dataclass(frozen=True, slots=True)
class CategoryRow:
    number: int  # marks the category on the page
    category: Category
    left: SideCount
    right: SideCount
    usual: float | None  # rate in the reference; None if it was not counted

    @property
    def usual_words(self) -> str:
        return "-" if self.usual is None else f"{self.usual:.1f}"


@dataclass(frozen=True, slots=True)
class HabitReport:
    left: SideHabits
    right: SideHabits
    left_contributions: tuple[HabitContributions | None, ...]  # of each text; None if it has none
    right_contributions: tuple[HabitContributions | None, ...]
    reference: Reference
    findings: Findings
    rows: tuple[CategoryRow, ...]
    absent: tuple[str, ...]  # categories that neither side has
    sequences: tuple[Finding, ...]  # shared word sequences
    labels: Mapping[str, str]

    @property
    def has_contributions(self) -> bool:
        return any((*self.left_contributions, *self.right_contributions))

    @property
    def numbers(self) -> Mapping[str, int]:
        return {row.category.name: row.number for row in self.rows}

    @property
    def reference_words(self) -> str:
        texts, tokens = self.reference.n_texts, self.reference.n_tokens
        genre = self.reference.genre or "all kinds"
        genre = self.labels.get(genre, genre)
        return f"{texts:,} texts ({genre}) by as many authors, {tokens:,} tokens in total"


def habit_report(explanation: Explanation) -> HabitReport:
    texts, tokens = (explanation.left, explanation.right), explanation.tokens or (None, None)
    left, right = sides = [side_habits(*own) for own in zip(texts, tokens, strict=True)]
    sums = [
        tuple(map(_contributions, own, side.habits)) for own, side in zip(texts, sides, strict=True)
    ]
    genres = {explanation.decision.left.genre, explanation.decision.right.genre}
    reference = reference_for(genres.pop() if len(genres) == 1 else None)
    rows: list[CategoryRow] = []
    for category in CATEGORIES:
        one, other = (_count(category.name, *own) for own in zip(sides, sums, strict=True))
        if one.count or other.count:
            usual = reference.categories.get(category.name)
            rate = None if usual is None else usual.per_thousand
            rows.append(CategoryRow(len(rows) + 1, category, one, other, rate))
    present = {row.category for row in rows}
    pairs = zip(sides, tokens, strict=True)
    read = ([read_tokens(t, own, document=i) for i, t in enumerate(s.texts)] for s, own in pairs)
    return HabitReport(
        *(left, right, sums[0], sums[1], reference),
        habit_findings.weigh_habits(left, right, reference),
        tuple(rows),
        tuple(category.name for category in CATEGORIES if category not in present),
        habit_findings.shared_sequences(*read),
        explanation.decision.labels,
    )


def side_habits(texts: Sequence[TextExplanation], tokens: Tokenised | None) -> SideHabits:
    """The habits of the texts of one side; `tokens` are their tokens, if known."""
    strings = tuple(text.text for text in texts)
    habits = (find_habits(text, tokens, document=i) for i, text in enumerate(strings))
    return SideHabits(strings, tuple(habits))


def _contributions(text: TextExplanation, habits: Habits) -> HabitContributions | None:
    """The contributions of the habits of a text; None if no word has a contribution."""
    words = [w for w in text.words if w.contribution is not None and w.end > w.start]
    if not words:
        return None
    starts, ends = [word.start for word in words], [word.end for word in words]
    parts = (word.contribution or 0.0 for word in words)
    sums = list(accumulate((p if math.isfinite(p) else 0.0 for p in parts), initial=0.0))
    by_hit = []
    by_category: dict[str, float] = defaultdict(float)
    counted: dict[str, int] = defaultdict(int)  # words of the category that were added already
    for hit in habits.hits:
        first, last = bisect_right(ends, hit.start), bisect_left(starts, hit.end)
        by_hit.append(sums[max(first, last)] - sums[first])
        begin = max(first, counted[hit.category])
        if last > begin:
            by_category[hit.category] += sums[last] - sums[begin]
            counted[hit.category] = last
    return HabitContributions(tuple(by_hit), by_category)


def _count(name: str, side: SideHabits, texts: Sequence[HabitContributions | None]) -> SideCount:
    count = sum(hit.category == name for hit in side.hits)
    parts = [text.categories.get(name, 0.0) for text in texts if text is not None]
    return SideCount(count, 1000 * count / max(side.n_tokens, 1), sum(parts) if parts else None)


def finding_table(
    findings: Sequence[Finding], report: HabitReport, *, around: int = 30
) -> tuple[list[dict[str, Any]], int]:
    """The findings worth reporting, in words, and the number of the others. `lines` of a finding
    are its first places, with the name of the side and `around` characters on either side."""
    (left, right), sides = SIDES.values(), (report.left, report.right)
    rows = []
    for finding in [one for one in findings if one.telling >= _MIN_TELLING][:_MAX_FINDINGS]:
        words, found = finding.category, (finding.left, finding.right)
        if finding.form is not None:
            words = f"“{finding.form}”" + (f" for “{finding.intended}”" if finding.intended else "")
        use = f"{left} {len(finding.left)}, {right} {len(finding.right)}"
        if finding.standard:
            other = right if finding.left else left
            times = "once" if finding.standard == 1 else f"{finding.standard} times"
            use += f"; {other} writes “{finding.intended}” instead, {times}"
        lines = [
            (name, in_context(side.texts[one.document], one.start, one.end, around=around))
            for name, side, places in zip(SIDES.values(), sides, found, strict=True)
            for one in places[:_MAX_LINES]
        ]
        more = len(finding.left) + len(finding.right) - len(lines)
        own = {"words": words, "category": finding.category, "use": use, "lines": lines}
        rows.append({**own, "share": _share_words(finding), "lines_left_out": more})
    return rows, len(findings) - len(rows)


def _share_words(finding: Finding) -> str:
    share = finding.share
    if math.isnan(share):
        return "how common it is was not counted"
    if share > 0.995:
        return "in nearly all reference texts of this length"
    digits = 0 if share >= 0.1 else 1
    few = "fewer than " if not finding.is_listed or share < 0.001 else ""
    return f"in {few}{max(share, 0.001):.{digits}%} of reference texts of this length"


def heaviest_types(texts: Sequence[TextExplanation]) -> list[tuple[str, int, str]]:
    """The word types of one side with the largest contributions, in lower case, each with its
    number of uses and the sum of their contributions. Empty without contributions."""
    parts: dict[str, list[float]] = defaultdict(list)
    for word in (word for text in texts for word in text.words if word.end > word.start):
        if word.contribution is not None and math.isfinite(word.contribution):
            parts[word.text.lower()].append(word.contribution)
    heaviest = sorted(parts, key=lambda word: (-abs(sum(parts[word])), word))[:_MAX_TYPES]
    return [(word, len(parts[word]), signed(sum(parts[word]))) for word in heaviest]
