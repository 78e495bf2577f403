"""A case for its readers: one self-contained page, its figures alone, or text for the terminal."""

import json
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from markupsafe import Markup

from adhominem.bench.case import drawing
from adhominem.bench.case.drawing import Case, shorten
from adhominem.instrument.report.cover import Cover
from adhominem.instrument.report.html import environment, fragment, page, text
from adhominem.instrument.report.plain_text import visible
from adhominem.instrument.report.wording import reading_words, record_words, signed, support_words
from adhominem.records import Reading, TrackRecord

_MAX_NUMBERS = 24  # texts up to which there is a table of all numbers
_MAX_LINKS = 50
_FIGURE, _LARGEST_CELL = 600, 48  # pixels of the matrix, and of a cell of it
_MAX_TEXT_LINKS, _MAX_TEXT_NAME = 20, 40  # in the terminal


@dataclass(frozen=True, slots=True)
class Link:
    """Texts i and j, whose evidence speaks for one author."""

    i: int
    j: int
    llr: float
    words: str
    reliable: bool


def case_page(case: Case, cover: Cover = Cover()) -> str:
    together, alone = groups_of(case)
    texts = zip(case["names"], case["readings"], case["hashes"], strict=True)
    templates = environment("adhominem.bench.case")
    template = templates.get_template("sections.html.jinja")
    sections = Markup(
        template.render(
            figure_values(case),
            together=together,
            alone=alone,
            refused=not_judged(case),
            most_links=_MAX_LINKS,
            with_table=len(case["names"]) <= _MAX_NUMBERS,
            texts=[(name, _read(case, row), sha) for name, row, sha in texts],
            limits=fragment("limits", error_words(case)),
        )
    )
    n_texts = len(case["names"])
    return page(
        [sections],
        title=cover.title or f"{n_texts} texts · case report",
        kicker="Authorship case report",
        heading=f"{n_texts} texts, each against every other",
        lead=counts_words(case),
        cover=cover,
        running_head=cover.running_head,
        sheet=Markup(templates.get_template("case.css").render()),
    )


def figure_values(case: Case) -> dict[str, Any]:
    """The variables of figures.html.jinja."""
    cell = max(1, round(min(_FIGURE / len(case["names"]), _LARGEST_CELL)))
    return {
        "case": case,
        "names": case["names"],
        "cell": cell,
        "picture": drawing.matrix_picture(case, cell if cell >= 8 else 1),
        "peak": drawing.peak(case),
        "tree": drawing.dendrogram(case),
        "points": drawing.map_points(case),
        "map_links": drawing.map_links(case),
        "links": links_of(case),
        "drawing": drawing,
        "signed": signed,
        "support_words": support_words,
        "pair_words": lambda i, j: _pair_words(case, i, j),
        "most_links": 15,
        "interactive": False,
    }


def cell_words(case: Case) -> str:
    """JSON for the script that tells of a cell: names and log10 LR in the order of the leaves, and
    a string for each row, with one letter a cell that stands for the words."""
    order, words = case["order"], dict[str, str]()
    letters = [
        "".join(words.setdefault(_pair_words(case, i, j), chr(97 + len(words))) for j in order)
        for i in order
    ]
    return json.dumps(
        {
            "order": order,
            "names": [case["names"][i] for i in order],
            "llr": [[round(case["llr"][i][j] or 0, 2) for j in order] for i in order],
            "letters": letters,
            "words": {letter: told for told, letter in words.items()},
        }
    )


def _pair_words(case: Case, i: int, j: int) -> str:
    """The evidence between two texts, empty for a text and itself."""
    llr = case["llr"][i][j]
    if llr is None:
        return ""
    if case["verdict"][i][j] == "undecided":
        return "undecided"
    return _support(case, i, j) + (", reliable" if case["reliable"][i][j] else "")


def _support(case: Case, i: int, j: int) -> str:
    """The strength of the evidence; the evidence of copied text is never called reliable."""
    return support_words(case["llr"][i][j]) + (", copied text" if case["copied"][i][j] else "")


def groups_of(case: Case) -> tuple[list[list[str]], list[str]]:
    """The names of each group of two texts or more, the largest first, and of the texts alone."""
    members: dict[int, list[str]] = {}
    for name, group in zip(case["names"], case["groups"], strict=True):
        members.setdefault(group, []).append(name)
    together = [members[group] for group in sorted(members) if len(members[group]) > 1]
    return together, [names[0] for names in members.values() if len(names) == 1]


def links_of(case: Case) -> list[Link]:
    """The pairs that speak for one author, the strongest first."""
    names = case["names"]
    pairs = [
        Link(i, j, case["llr"][i][j], _support(case, i, j), case["reliable"][i][j])
        for i, j in combinations(range(len(names)), 2)
        if case["verdict"][i][j] == "same"
    ]
    return sorted(pairs, key=lambda link: (-link.llr, names[link.i], names[link.j]))


def error_words(case: Case) -> str:
    """How often the model was wrong about test pairs of these kinds and lengths."""
    records = [record_words(TrackRecord(**row), case["labels"]) for row in case["track_records"]]
    return " ".join(records) or "Unknown: the model was not tested on texts like these."


def _read(case: Case, row: dict[str, Any]) -> str:
    return reading_words(Reading(**row), case["labels"])


def not_judged(case: Case) -> list[tuple[str, str]]:
    """Names of texts and the reasons why they were not judged."""
    rows = zip(case["names"], case["doubts"], strict=True)
    return [(name, "; ".join(doubts)) for name, doubts in rows if doubts]


def counts_words(case: Case) -> str:
    n = len(case["names"])
    pairs = list(combinations(range(n), 2))
    verdicts = [case["verdict"][i][j] for i, j in pairs]
    return (
        f"{n:,} texts, {len(pairs):,} pairs: {verdicts.count('same'):,} speak for one author, "
        f"{verdicts.count('different'):,} for two, {verdicts.count('undecided'):,} are undecided; "
        f"{sum(case['reliable'][i][j] for i, j in pairs):,} answers are reliable."
    )


def case_text(case: Case) -> str:
    """Groups, strongest links and texts not judged, for the terminal."""
    together, alone = groups_of(case)
    names = [shorten(visible(name), _MAX_TEXT_NAME) for name in case["names"]]
    links = [
        (names[link.i], names[link.j], signed(link.llr), _pair_words(case, link.i, link.j))
        for link in links_of(case)[:_MAX_TEXT_LINKS]
    ]
    return text(
        "case",
        "adhominem.bench.case",
        counts=counts_words(case),
        together=together,
        alone=alone,
        links=links,
        refused=not_judged(case),
        texts=zip(case["names"], (_read(case, row) for row in case["readings"]), strict=True),
        errors=error_words(case),
    )
