"""The report as text for a terminal, coloured or plain.

Texts pass through `visible` and become `Text` objects, so that nothing in them is markup or a
control code. Modules that only explanations need are imported by the functions that print these.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from itertools import chain
from typing import TYPE_CHECKING, Any

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from adhominem.instrument.report import layers as layer_rows
from adhominem.instrument.report import wording
from adhominem.instrument.report.layers import Layer, Scale
from adhominem.instrument.report.layout import Passage, glyph, lay_out, whole_sentences
from adhominem.instrument.report.plain_text import visible
from adhominem.instrument.report.scales import distance_scale
from adhominem.records import Decision, Explanation, TextExplanation

if TYPE_CHECKING:
    from adhominem.instrument.report.habit_report import HabitReport

# Text and background of the 256 colours that nearly every terminal has. Saturation grows rather
# than lightness, so that they read as a scale on dark and on light terminals.
_STEPS = (0.1, 0.3, 0.55, 0.8)
_RED = ((255, 95), (255, 124), (255, 160), (16, 196))
_BLUE = ((255, 60), (255, 25), (16, 32), (16, 39))
_STYLES = {  # below the first step, and from each step on
    colour: ("", *(f"color({ink}) on color({ground})" for ink, ground in pairs))
    for colour, pairs in (("red", _RED), ("blue", _BLUE))
}
_WIDTH, _AXIS_WIDTH = 80, 48
_AROUND = 24  # characters of context
_HOW_TO_READ = {
    "occlusion": "A weight is the change of log10 LR when the word or sentence is removed: "
    "positive weights pull the texts apart, negative ones together.",
    "attention": "Attention shows where the network looked; it is not proof of why it decided so. "
    "¶ ends a sentence and ⏎ a line.",
}


def terminal_text(explanation: Explanation, *, colour: bool = True) -> str:
    from adhominem.instrument.report.habit_report import habit_report

    layers = layer_rows.layers_of(explanation)
    sides = (_side(explanation, side, layers) for side in wording.SIDES)
    rest = (_habits(habit_report(explanation)), _notes(explanation))
    return _print(chain(_decision(explanation.decision), *sides, *rest), colour=colour)


def decision_text(decision: Decision, *, colour: bool = True) -> str:
    """The decision without an explanation, and the readings of both sides."""
    read = _grid(2)
    for side, name in wording.SIDES.items():
        read.add_row(name, wording.read_words(decision, side))
    return _print([*_decision(decision), read], colour=colour)


def _print(blocks: Iterable[RenderableType], *, colour: bool) -> str:
    out = StringIO()
    plain: dict[str, Any] = {"force_jupyter": False, "legacy_windows": False, "_environ": {}}
    colours: Any = {"force_terminal": colour, "color_system": "256" if colour else None}
    console = Console(file=out, width=_WIDTH, **colours, **plain)
    for block in blocks:
        console.print(block)
    return "".join(line.rstrip() + "\n" for line in out.getvalue().splitlines())


def _grid(space: int, *columns: str) -> Table:
    """A table without lines. Columns wrap ("fold"), do not wrap ("") or are aligned "right"."""
    grid = Table.grid(padding=(0, space, 0, 0))
    for column in columns:
        right = column == "right"
        grid.add_column(justify="right" if right else "left", overflow="fold", no_wrap=not column)
    return grid


def _titled(title: str, rest: str) -> Text:
    return Text(title, style="bold").append(f"  {rest}", "not bold")


def _decision(decision: Decision) -> Iterator[RenderableType]:
    yield Text(wording.verdict_words(decision), style="bold underline")
    for reason in (*decision.reasons, *wording.further_notes(decision)):
        yield Text(f"- {visible(wording.reason_words(reason))}")
    words, model = wording.decision_words(decision), decision.model
    ratio = f"{words['llr']}: {words['support']}. {words['ratio']} {words['bound']}"
    level = "high" if decision.reliable else "low"
    facts: dict[str, str | Text] = {
        "score": f"{words['score']} at equal prior odds",
        "log10 LR": ratio.rstrip(),
        "reliability": f"{level}. {words['reliability']}",
        "views": ", ".join(f"{term.name} {wording.signed(term.llr)}" for term in decision.terms),
        "errors": words["track_record"],
        "distance": "" if decision.distance is None else _axis(decision),
        "model": f"{model.name} {model.version}, sha256 {model.sha256[:12]}" if model else "",
    }
    table = _grid(2)
    for name, fact in facts.items():
        if fact:
            table.add_row(name, fact if isinstance(fact, Text) else Text(visible(fact)))
    yield table


def _axis(decision: Decision) -> Text:
    """The distance, and its position on an axis with both thresholds."""
    axis = Text(f"{decision.distance:.2f}")
    if (scale := distance_scale(decision)) is None:
        return axis
    axis.append("\n0 ")
    needle = min(int(scale["needle"] * _AXIS_WIDTH), _AXIS_WIDTH - 1)
    for place in range(_AXIS_WIDTH):
        middle = (place + 0.5) / _AXIS_WIDTH
        if place == needle:
            axis.append("◆", "bold")
        elif scale["tau_s"] < middle < scale["tau_d"]:
            axis.append("╌")
        else:
            axis.append("━", "color(32)" if middle <= scale["tau_s"] else "color(202)")
    return axis.append(f"\none author up to {decision.tau_s:.2f}, two from {decision.tau_d:.2f}")


def _side(explanation: Explanation, side: str, layers: Sequence[Layer]) -> Iterator[RenderableType]:
    """The texts of a side, coloured by the first layer, and its heaviest words."""
    from adhominem.instrument.report.habit_report import heaviest_types

    texts = tuple(map(whole_sentences, getattr(explanation, side)))
    words, sentences = layers[0].scales(texts)
    layouts, left_out = lay_out(texts)
    title = f"\n{wording.SIDES[side].capitalize()} text"
    yield _titled(title, wording.read_words(explanation.decision, side))
    yield from (*_key(words), *_key(sentences))
    for number, (text, passages) in enumerate(zip(texts, layouts, strict=True), start=1):
        if len(texts) > 1:
            yield Text(f"\nDocument {number} of {len(texts)}")
        yield _heat(text, passages, words, sentences)
    if left_out:
        yield Text(left_out)
    if types := heaviest_types(texts):
        listed = "  ".join(f"{visible(word)} ×{count} {total}" for word, count, total in types)
        yield _titled("\nheaviest by type", listed)
    table = _grid(2, "fold")
    heads = ("heaviest words", *(row.column.lower() for row in layer_rows.columns_of(layers)))
    table.add_row(*(Text(f"\n{head}") for head in heads))
    for word, context, numbers in layer_rows.heaviest_words(texts, layers):
        place = Text(visible(context.before), style="dim")
        place.append(visible(context.own) or glyph(word), "bold not dim")
        place.append(visible(context.after))
        table.add_row(place, *map(Text, numbers))
    yield table


def _key(scale: Scale) -> Iterator[Text]:
    measure = scale.measure
    ramps = [("", measure.positive, "")]
    if measure.negative is not None:
        ramps = [(" pulls apart", measure.positive, "+")]
        ramps.append((" pulls together", measure.negative, wording.MINUS))
    for effect, colour, sign in ramps:
        key = Text(f"{measure.label}{effect}: ")
        for step, style in zip(_STEPS, _STYLES[colour][1:], strict=True):
            key.append(f" {sign}{wording.weight_words(step * scale.peak, sign=False)} ", style)
        yield key.append(f" to {sign}{wording.weight_words(scale.peak, sign=False)}")


def _style(value: float, scale: Scale) -> str:
    colour = "blue" if scale.measure.is_blue(value) else "red"
    return _STYLES[colour][bisect_right(_STEPS, scale.strength(value))]


def _heat(
    text: TextExplanation, passages: Sequence[Passage], words: Scale, sentences: Scale
) -> Table:
    table = _grid(1, "right", "fold")
    for passage in passages:
        line = Text()
        for piece in passage.pieces:
            if piece.word is None:
                line.append(visible(piece.text))
                continue
            sentence = layer_rows.sentence_of(piece.word, text)
            value = words.measure.value(piece.word, sentence) or 0.0
            line.append(visible(piece.text) or glyph(piece.word), _style(value, words))
        if passage.sentence is not None:
            weight = passage.sentence.weight
            chip = Text(f" {sentences.chip(weight):>5} ", _style(weight, sentences), no_wrap=True)
            table.add_row(chip, line)
        elif line.plain.strip():
            table.add_row("", line)
    return table


def _habits(report: "HabitReport") -> Iterator[RenderableType]:
    """Shared and distinctive habits with a concordance, and the table of categories."""
    from adhominem.instrument.report.habit_report import finding_table

    found = report.findings.shared, report.findings.distinctive, report.sequences
    titles = ("Shared habits", "Distinctive habits", "Shared word sequences")
    for title, findings in zip(titles, found, strict=True):
        yield Text(f"\n{title}", style="bold")
        rows, _ = finding_table(findings, report, around=_AROUND)
        for row in rows:
            yield _titled(visible(row["words"]), f"{row['use']}; {row['share']}")
            lines = _grid(1, "", "right", "fold", "fold")
            for name, context in row["lines"]:
                before, own, after = map(visible, (context.before, context.own, context.after))
                lines.add_row(f"  {name}", Text(before), Text(own, style="bold"), Text(after))
            if more := row["lines_left_out"]:
                lines.add_row("", f"and {more:,} more", "", "")
            yield lines
        if not rows:
            yield Text("none worth reporting")
    carry = ["carry"] if report.has_contributions else []
    carried = "; what their words carry of log10 LR (above 0 for one author)" if carry else ""
    yield _titled("\nCategories", f"hits, and hits in 1,000 tokens{carried}")
    categories = _grid(2, "fold", *["right"] * (3 + 2 * len(carry)))
    left, right = wording.SIDES.values()
    categories.add_row("", left, *carry, right, *carry, "reference")
    for category in report.rows:
        cells = []
        for side in (category.left, category.right):
            cells.append(f"{side.count}  {side.per_thousand:6.1f}")
            cells += [side.contribution_words] if carry else []
        name = category.category.name + (" *" if category.category.experimental else "")
        categories.add_row(name, *cells, category.usual_words)
    yield categories
    if any(row.category.experimental for row in report.rows):
        yield Text("* experimental: often wrong or not tested, and not used as evidence")
    yield Text(f"reference: {visible(report.reference_words)}")


def _notes(explanation: Explanation) -> Iterator[RenderableType]:
    from adhominem.instrument.report.as_json import audit_trail

    how = f"\n{_HOW_TO_READ[explanation.method]}"
    if explanation.contributions is not None:
        method = visible(explanation.contributions)
        how += f"\nSigned is the part of log10 LR, by {method}: positive "
        how += f"pulls the texts together. {visible(wording.faithfulness_words(explanation))}"
    yield Text(how)
    trail = _grid(2, "", "fold")
    trail.add_row(Text("\nAudit trail", style="bold"), "")
    for name, value in audit_trail(explanation).items():
        trail.add_row(Text(name), Text(visible(value)))
    yield trail
