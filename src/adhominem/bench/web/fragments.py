"""The page and its fragments: HTML from the templates of the report, of a case and of the page.

The page allows no inline styles. Fragments have `data-style` instead, which its script applies.
"""

import json
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, FileSystemLoader
from markdown_it import MarkdownIt
from markupsafe import Markup

from adhominem.bench.case.page import cell_words, figure_values, groups_of, not_judged
from adhominem.instrument.explain import BUDGET, MAX_BUDGET
from adhominem.instrument.linguistics.rewrites import KINDS, Edit, same_edits
from adhominem.instrument.report import html
from adhominem.instrument.report.habit_report import HabitReport
from adhominem.instrument.report.html import environment, showable
from adhominem.instrument.report.render import find_browser
from adhominem.records import Explanation

FOLDER = Path(__file__).parent / "page"


def page() -> str:
    index = _environment().get_template("index.html.jinja")
    has_browser = find_browser() is not None
    return index.render(has_browser=has_browser, budget=BUDGET, max_budget=MAX_BUDGET)


@cache
def style_sheet() -> str:
    case = environment("adhominem.bench.case").get_template("case.css")
    return html.style_sheet(page=False) + case.render()


def answer_fragment(explanation: Explanation, report: HabitReport | None) -> str:
    heat_maps = html.heat_maps(explanation, report, prefix="layer-")
    return fragment("answer", explanation=explanation, report=report, heat_maps=heat_maps)


def edits_fragment(edits: Sequence[Edit]) -> str:
    """Buttons that undo habits; equal edits of one kind share a button."""
    groups = same_edits(edits)
    rows = {kind: [same for same in groups if same[0].kind == kind] for kind in KINDS}

    def as_json(own: Iterable[Edit]) -> str:
        return json.dumps([[edit.start, edit.end, edit.new] for edit in own])

    return fragment("edits", edits=edits, rows=rows, as_json=as_json)


def case_fragment(case: dict[str, Any]) -> str:
    together, _ = groups_of(case)
    values = figure_values(case) | {"interactive": True, "cells": cell_words(case)}
    return fragment("case_result", **values, groups=len(together), refused=len(not_judged(case)))


def fragment(template: str, **values: Any) -> str:
    """Render a template of the page."""
    rendered = _environment().get_template(f"{template}.html.jinja").render(values)
    # Quotation marks of texts are escaped, so this is always an attribute of a template.
    return showable(rendered).replace(' style="', ' data-style="')


@cache
def _environment() -> Environment:
    shared = environment("adhominem.bench.case")
    assert shared.loader is not None
    loader = ChoiceLoader([FileSystemLoader(FOLDER / "templates"), shared.loader])
    return shared.overlay(loader=loader)


def markdown(card: str) -> Markup:
    """A model card as HTML. Its own HTML is escaped, and links keep only their words."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    for rule in ("link_open", "link_close"):
        reader.add_render_rule(rule, lambda *_: "")
    tokens = reader.parse(card)
    for token in tokens:
        if token.tag in ("h1", "h2", "h3", "h4"):
            token.tag = f"h{int(token.tag[1]) + 2}"
    return Markup(reader.renderer.render(tokens, reader.options, {}))
