"""What a case says, in rows for page and terminal: groups, strongest links, texts not judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from adhominem.instrument.report.wording import signed, support_words

Case = Mapping[str, Any]  # as case.as_json writes it


@dataclass(frozen=True, slots=True)
class Link:
    """Between texts i and j; `words` for the evidence."""

    i: int
    j: int
    llr: float
    words: str
    reliable: bool

    @property
    def number(self) -> str:
        return signed(self.llr)


def groups_of(case: Case) -> tuple[list[list[str]], list[str]]:
    """The names of each group of two texts or more, the largest first, and of the texts alone."""
    members: dict[int, list[str]] = {}
    for name, group in zip(case["names"], case["groups"], strict=True):
        members.setdefault(group, []).append(name)
    together = [members[group] for group in sorted(members) if len(members[group]) > 1]
    return together, [names[0] for names in members.values() if len(names) == 1]


def links_of(case: Case, *, most: int) -> list[Link]:
    """The pairs with the strongest evidence for one author."""
    pairs = (
        (case["llr"][i][j], i, j)
        for i, j in combinations(range(len(case["names"])), 2)
        if case["verdict"][i][j] == "same"
    )
    names = case["names"]
    best = sorted(pairs, key=lambda pair: (-pair[0], names[pair[1]], names[pair[2]]))
    return [
        Link(i, j, llr, support_words(llr), case["reliable"][i][j]) for llr, i, j in best[:most]
    ]


def not_judged(case: Case) -> list[tuple[str, str]]:
    """Names and reasons."""
    return [
        (name, "; ".join(doubts))
        for name, doubts in zip(case["names"], case["doubts"], strict=True)
        if doubts
    ]


def verdict_counts(case: Case) -> dict[str, int]:
    counts = {"same": 0, "different": 0, "undecided": 0, "reliable": 0}
    for i, j in combinations(range(len(case["names"])), 2):
        counts[case["verdict"][i][j]] += 1
        counts["reliable"] += case["reliable"][i][j]
    return counts


def counts_words(case: Case) -> str:
    counts = verdict_counts(case)
    n = len(case["names"])
    return (
        f"{n:,} texts, {n * (n - 1) // 2:,} pairs: {counts['same']:,} speak for one author, "
        f"{counts['different']:,} for two, {counts['undecided']:,} are undecided; "
        f"{counts['reliable']:,} answers are reliable."
    )
