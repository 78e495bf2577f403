"""Presents a case: as a self-contained page, as figures for any page, or as text for a terminal."""

import json
from functools import partial
from operator import itemgetter
from typing import Any

import numpy as np
from markupsafe import Markup

from adhominem.bench.case import drawing
from adhominem.bench.case.drawing import Case, shorten
from adhominem.instrument.report.cover import Cover
from adhominem.instrument.report.html import environment, fragment, page, text
from adhominem.instrument.report.plain_text import visible
from adhominem.instrument.report.wording import reading_words, record_words, signed, support_words
from adhominem.records import Reading, TrackRecord

_PACKAGE = "adhominem.bench.case"
_COUNTS = (
    "{texts:,} texts, {pairs:,} pairs: {same:,} speak for one author, {different:,} for two, "
    "{undecided:,} are undecided; {reliable:,} answers are reliable."
)
_MAX_NUMBERS = 24  # texts up to which there is a table of all numbers
_MAX_LINKS = 50
_FIGURE, _LARGEST_CELL = 600, 48  # pixels of the matrix, and of a cell of it
_MAX_TEXT_LINKS, _MAX_TEXT_NAME = 20, 40  # in the terminal


def case_page(case: Case, cover: Cover = Cover(), pairs_file: str | None = None) -> str:
    """The page of a case, or of the drawn part of a large case. `pairs_file` is the name of the
    file with the answers to all pairs, if there is one."""
    values = _values(case, pairs_file)
    templates = environment(_PACKAGE)
    sections = templates.get_template("sections.html.jinja").render(
        figure_values(case),
        **values,
        most_links=_MAX_LINKS,
        with_table=len(case["names"]) <= _MAX_NUMBERS,
        limits=fragment("limits", values["errors"]),
    )
    n_texts = case["summary"]["texts"]
    return page(
        [Markup(sections)],
        title=cover.title or f"{n_texts} texts · case report",
        kicker="Authorship case report",
        heading=f"{n_texts} texts, each against every other",
        lead=values["counts"],
        cover=cover,
        running_head=cover.running_head,
        sheet=Markup(templates.get_template("case.css").render()),
    )


def figure_values(case: Case) -> dict[str, Any]:
    """The variables of figures.html.jinja."""
    cell = max(1, round(min(_FIGURE / len(case["names"]), _LARGEST_CELL)))
    return {
        "case": case,
        "cell": cell,
        "picture": drawing.matrix_picture(case, cell if cell >= 8 else 1),
        "peak": drawing.peak(case),
        "tree": drawing.dendrogram(case),
        "points": drawing.map_points(case),
        "map_links": drawing.map_links(case),
        "links": links_of(case),
        "drawing": drawing,
        "pair_words": partial(_pair_words, case),
        "most_links": 15,
        "interactive": False,
    }


def cell_words(case: Case) -> str:
    """JSON for the script that describes the cells of the matrix, in the order of the leaves. The
    words of the cells of a row are a string with one letter per cell."""
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
            "words": {letter: label for label, letter in words.items()},
        }
    )


def _pair_words(case: Case, i: int, j: int) -> str:
    """The evidence between two texts in words; empty for a text and itself."""
    if case["llr"][i][j] is None:
        return ""
    if case["verdict"][i][j] == "undecided":
        return "undecided"
    return _strength(case, i, j) + (", reliable" if case["reliable"][i][j] else "")


def _strength(case: Case, i: int, j: int) -> str:
    """The strength of the evidence in words, and whether text was copied."""
    return support_words(case["llr"][i][j]) + (", copied text" if case["copied"][i][j] else "")


def groups_of(case: Case) -> tuple[list[dict[str, Any]], list[str]]:
    """The groups of two texts or more, the largest first, with the names of their texts and the
    number of texts that are not drawn; and the names of single texts."""
    members: dict[int, list[str]] = {}
    for name, group in zip(case["names"], case["groups"], strict=True):
        members.setdefault(group, []).append(name)
    sizes = drawing.group_sizes(case)
    together = [
        {"names": names, "left_out": sizes[group] - len(names)}
        for group, names in sorted(members.items())
        if sizes[group] > 1
    ]
    return together, [names[0] for group, names in members.items() if sizes[group] == 1]


def links_of(case: Case) -> list[dict[str, Any]]:
    """The pairs of texts with evidence for one author, the strongest first."""
    names, llr, reliable = case["names"], case["llr"], case["reliable"]
    same = np.argwhere(np.triu(np.array(case["verdict"]) == "same", 1)).tolist()
    same.sort(key=lambda pair: (-llr[pair[0]][pair[1]], *(names[text] for text in pair)))
    rows = ({"i": i, "j": j, "llr": llr[i][j], "reliable": reliable[i][j]} for i, j in same)
    return [{**row, "words": _strength(case, row["i"], row["j"])} for row in rows]


def not_judged(case: Case) -> list[tuple[str, str]]:
    """The texts that were not judged: names and reasons."""
    rows = zip(case["names"], case["doubts"], strict=True)
    return [(name, "; ".join(doubts)) for name, doubts in rows if doubts]


def _values(case: Case, pairs_file: str | None) -> dict[str, Any]:
    """The variables of the templates of the page and of the text for the terminal."""
    together, alone = groups_of(case)
    readings = [reading_words(Reading(**row), case["labels"]) for row in case["readings"]]
    records = [record_words(TrackRecord(**row), case["labels"]) for row in case["track_records"]]
    in_part = len(case["names"]) < case["summary"]["texts"]
    return {
        "counts": _COUNTS.format_map(case["summary"]),
        "left_out": in_part and text("left_out", _PACKAGE, case=case, pairs_file=pairs_file),
        "together": together,
        "alone": alone,
        "refused": not_judged(case),
        "texts": list(zip(case["names"], readings, case["hashes"], strict=True)),
        "errors": " ".join(records) or "Unknown: the model was not tested on texts like these.",
    }


def case_text(case: Case, pairs_file: str | None = None) -> str:
    """Groups, strongest links and texts not judged, for the terminal."""
    names = [shorten(visible(name), _MAX_TEXT_NAME) for name in case["names"]]
    links = [
        (names[i], names[j], signed(llr), _pair_words(case, i, j))
        for i, j, llr in map(itemgetter("i", "j", "llr"), links_of(case)[:_MAX_TEXT_LINKS])
    ]
    return text("case", _PACKAGE, links=links, **_values(case, pairs_file))
