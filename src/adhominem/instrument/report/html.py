"""The report as a self-contained page without scripts, and its fragments. A fragment is a macro of
`fragments.html.jinja`; it gives HTML with all texts escaped, for any page with the style sheet."""

import re
from collections.abc import Sequence
from functools import cache

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from adhominem import __version__
from adhominem.instrument.explain.whatif import WhatIf
from adhominem.instrument.linguistics.habits import CATEGORIES, Habits
from adhominem.instrument.report import habit_report as habits_of
from adhominem.instrument.report import layers as layer_rows
from adhominem.instrument.report import layout, palette, scales, whatif, wording
from adhominem.instrument.report.as_json import audit_trail
from adhominem.instrument.report.cover import Cover, compared_texts
from adhominem.instrument.report.habit_report import HabitReport
from adhominem.instrument.report.heatmap import Side, glyph_class
from adhominem.instrument.report.plain_text import visible
from adhominem.records import Explanation

_UNSHOWABLE = re.compile("[\x00\ud800-\udfff]")  # HTML has no NUL, UTF-8 no lone surrogate
_DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069]")  # control the direction of writing
_NUMBERS = {category.name: number for number, category in enumerate(CATEGORIES, 1)}


def html_page(explanation: Explanation, cover: Cover = Cover()) -> str:
    decision, report = explanation.decision, habits_of.habit_report(explanation)
    sections = (
        fragment("result", decision),
        fragment("findings_in_words", explanation, report),
        fragment("compared", list(compared_texts(explanation, cover)), explanation),
        heat_maps(explanation, report, plain=True),
        fragment("habit_tables", report),
        fragment("prose_card", "How to read this", fragment("how_to_read", explanation)),
        fragment("limits", wording.track_record_words(decision)),
        fragment("glossary"),
        fragment("audit", audit_trail(explanation, cover)),
    )
    return page(
        sections,
        title=cover.title or f"{wording.verdict_words(decision)} · authorship report",
        kicker="Authorship verification report",
        cover=cover,
        running_head=cover.running_head,
    )


def what_if_page(outcome: WhatIf) -> str:
    trail = fragment("audit", audit_trail(outcome.before))
    return page(
        (fragment("what_if", outcome), what_if_heat_maps(outcome), trail),
        title=f"{whatif.headline(outcome)} · what if",
        kicker="Authorship verification: what if",
        heading=whatif.headline(outcome),
        lead=whatif.search_words(outcome),
        warning="Attention shows where the network looked; it is not proof of why it decided so. ",
    )


def page(sections: Sequence[Markup], **values: object) -> str:
    """A page with the style of the report; `values` are the variables of `page.html.jinja`."""
    template = environment().get_template("page.html.jinja")
    return showable(template.render(sections=sections, **values))


def style_sheet(*, page: bool = True) -> str:
    """The style sheet; `page=False` leaves out the rules for the page around fragments."""
    values = {} if page else {"fragments_only": True}
    return environment().get_template("style.css.jinja").render(values)


def heat_maps(
    explanation: Explanation,
    report: HabitReport | None = None,
    *,
    prefix: str = "",
    plain: bool = False,
) -> Markup:
    """Heat maps of both sides, with a button for each layer.

    report   habits; without it there is no layer of habits
    prefix   distinguishes the ids of several heat maps on a page
    plain    whether to show the texts without colours at first
    """
    layers, sides = layer_rows.layers_of(explanation), []
    if report is None:
        layers = tuple(layer for layer in layers if layer.name != "habits")
    for side, name in wording.SIDES.items():
        n_texts = len(getattr(explanation, side))
        habits = [Habits((), 0)] * n_texts if report is None else getattr(report, side).habits
        numbers = {} if report is None else report.numbers
        title = f"{name.capitalize()} text{'s' if n_texts > 1 else ''}"
        sides.append(Side(explanation, side, title, layers, habits, numbers))
    return fragment("heat_maps", explanation.method, layers, sides, prefix, plain)


def what_if_heat_maps(outcome: WhatIf) -> Markup:
    layers, sides = layer_rows.layers_of(outcome.before), []
    for title, explanation in (("Before", outcome.before), ("After", outcome.after)):
        tokens = explanation.tokens and explanation.tokens[outcome.side == "right"]
        habits = habits_of.side_habits(getattr(explanation, outcome.side), tokens).habits
        sides.append(Side(explanation, outcome.side, title, layers, habits, _NUMBERS))
    return fragment("heat_maps", outcome.before.method, layers, sides, "", False)


def fragment(name: str, *values: object, **options: object) -> Markup:
    """Call the macro of this name in `fragments.html.jinja`."""
    macros = environment().get_template("fragments.html.jinja").module
    return Markup(showable(getattr(macros, name)(*values, **options)))


def text(name: str, package: str = "adhominem.instrument.report", /, **values: object) -> str:
    """Render the template `name`.text.jinja of a package as plain text."""
    return environment(package).get_template(f"{name}.text.jinja").render(values).strip("\n")


def showable(page: str) -> str:
    """Replace characters that HTML cannot contain, and spell out characters that control the
    direction of writing, so that a text cannot reorder the text after it."""
    page = _UNSHOWABLE.sub("\N{REPLACEMENT CHARACTER}", page)
    return _DIRECTION.sub(lambda found: f"[U+{ord(found[0]):04X}]", page)


def isolated(name: str) -> Markup:
    """A name that does not change the direction of writing of its neighbours."""
    return Markup("<bdi>{}</bdi>").format(name)


def css_string(text: str) -> Markup:
    """A string for a style sheet; only letters, digits and spaces are not escaped."""
    escaped = (char if char.isalnum() or char == " " else f"\\{ord(char):x} " for char in text)
    return Markup(f'"{"".join(escaped)}"')


@cache
def environment(package: str = "adhominem.instrument.report") -> Environment:
    """The Jinja environment of a package's templates, which may include those of the report."""
    packages = dict.fromkeys((package, "adhominem.instrument.report"))
    made = Environment(
        loader=ChoiceLoader([PackageLoader(name, ".") for name in packages]),
        autoescape=lambda name: name is None or not name.endswith(".text.jinja"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    modules = (habits_of, layer_rows, layout, palette, scales, whatif, wording)
    made.globals |= {module.__name__.rpartition(".")[2]: module for module in modules}
    made.globals["version"] = __version__
    for own in (glyph_class, isolated, css_string, visible, wording.reason_words):
        made.filters[own.__name__] = own
    made.filters["number"] = "{:,}".format
    made.tests["at_bound"] = scales.at_bound
    return made
