"""A case as one self-contained page: no script, nothing from outside, everything escaped."""

from __future__ import annotations

from dataclasses import dataclass

from adhominem import __version__
from adhominem.bench.case.drawing import (
    dendrogram,
    dots,
    largest,
    picture,
    shorten,
    strength,
)
from adhominem.bench.case.rows import Case, counts_words, groups_of, links_of, not_judged
from adhominem.instrument.report.html import environment, showable
from adhominem.instrument.report.wording import signed, support_words

_MOST_NUMBERS = 24  # texts up to which the matrix has room for its numbers
_MOST_NAMES = 40  # and the map for its names
_MOST_LINKS = 50
_MOST_CANDIDATES = 50


@dataclass(frozen=True, slots=True)
class Cell:
    """`style` holds the strength of its colour."""

    words: str
    title: str
    style: str
    kind: str


@dataclass(frozen=True, slots=True)
class Suspect:
    name: str
    probability: str
    llr: str
    words: str


def case_page(case: Case) -> str:
    together, alone = groups_of(case)
    n = len(case["names"])
    page = (
        environment("adhominem.bench.case")
        .get_template("page.html.jinja")
        .render(
            counts=counts_words(case),
            names=case["names"],
            together=together,
            alone=alone,
            links=links_of(case, most=_MOST_LINKS),
            refused=not_judged(case),
            rows=_rows(case) if n <= _MOST_NUMBERS else None,
            picture=picture(case) if n > _MOST_NUMBERS else None,
            peak=f"{largest(case):.1f}",
            tree=dendrogram(case),
            dots=dots(case),
            with_names=n <= _MOST_NAMES,
            questioned=case["questioned"],
            suspects=_suspects(case),
            ranking=case["ranking"],
            model=case["model"],
            version=__version__,
        )
    )
    return showable(page)


def _rows(case: Case) -> list[tuple[str, list[Cell]]]:
    """In the order of the leaves."""
    peak, order = largest(case), case["order"]
    return [(shorten(case["names"][i]), [_cell(case, i, j, peak) for j in order]) for i in order]


def _cell(case: Case, i: int, j: int, peak: float) -> Cell:
    llr, names = case["llr"][i][j], case["names"]
    if llr is None:
        return Cell("", names[i], "", "self")
    if case["verdict"][i][j] == "undecided":
        return Cell("·", f"{names[i]} and {names[j]}: undecided", "", "undecided")
    sure = ", reliable" if case["reliable"][i][j] else ""
    return Cell(
        signed(llr, 1),
        f"{names[i]} and {names[j]}: {signed(llr)}, {support_words(llr)}{sure}",
        f"--x:{strength(llr, peak):.3f}",
        case["verdict"][i][j],
    )


def _suspects(case: Case) -> list[Suspect]:
    if case["ranking"] is None:
        return []
    rows = []
    for candidate in case["ranking"]["candidates"][:_MOST_CANDIDATES]:
        if candidate["reasons"]:
            rows.append(Suspect(candidate["name"], "-", "-", "; ".join(candidate["reasons"])))
            continue
        llr = candidate["llr"]
        words = support_words(llr)
        rows.append(
            Suspect(candidate["name"], f"{candidate['probability']:.1%}", signed(llr), words)
        )
    return rows
