"""A case for the terminal."""

from __future__ import annotations

from adhominem.bench.case.rows import Case, counts_words, groups_of, links_of, not_judged
from adhominem.instrument.report.plain_text import visible

_MOST_LINKS = 20
_WIDEST = 40


def case_text(case: Case) -> str:
    together, alone = groups_of(case)
    lines = [counts_words(case), "", "Groups whose mean evidence speaks for one author"]
    lines += [f"  {n}  {', '.join(map(visible, names))}" for n, names in enumerate(together, 1)]
    if not together:
        lines.append("  none")
    if alone:
        lines.append(f"Alone: {', '.join(map(visible, alone))}")
    if links := links_of(case, most=_MOST_LINKS):
        lines += ["", "Strongest links, log10 LR"]
        pairs = [(_short(case["names"][link.i]), _short(case["names"][link.j])) for link in links]
        left, right = (max(map(len, column)) for column in zip(*pairs, strict=True))
        for (one, other), link in zip(pairs, links, strict=True):
            sure = ", reliable" if link.reliable else ""
            lines.append(f"  {one:{left}}  {other:{right}}  {link.number}  {link.words}{sure}")
    if rows := not_judged(case):
        lines += ["", "Not judged"]
        lines += [f"  {visible(name)}: {reason}" for name, reason in rows]
    return "\n".join(lines)


def _short(name: str) -> str:
    shown = visible(name)
    return shown if len(shown) <= _WIDEST else f"{shown[: _WIDEST - 1]}…"
