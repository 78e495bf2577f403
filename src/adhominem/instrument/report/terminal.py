"""The report as text for a terminal, coloured or plain.

Texts become `Text` objects after `visible`, so that nothing in them is markup or a control code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import StringIO

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from adhominem.instrument.report import wording
from adhominem.instrument.report.audit import audit_trail
from adhominem.instrument.report.concordance import columns_of, heaviest_words
from adhominem.instrument.report.habit_report import (
    FindingTable,
    HabitReport,
    finding_table,
    habit_report,
)
from adhominem.instrument.report.layers import (
    ATTENTION,
    OCCLUSION,
    TERMS,
    Layer,
    Scale,
    layers_of,
    sentence_of,
    sentence_scale,
    word_scale,
)
from adhominem.instrument.report.layout import Layout, Passage, glyph, lay_out, left_out_words
from adhominem.instrument.report.plain_text import visible
from adhominem.instrument.report.scales import DistanceScale, distance_scale
from adhominem.records import Decision, Explanation, Reading, TextExplanation

# Of the 256 colours that nearly every terminal has. They gain saturation rather than lightness,
# so that they read as a scale on a dark and on a light ground alike.
_STEPS = (0.1, 0.3, 0.55, 0.8)
_COLOURS = {  # ink and ground of each step
    "red": ((255, 95), (255, 124), (255, 160), (16, 196)),
    "blue": ((255, 60), (255, 25), (16, 32), (16, 39)),
}
_AXIS_WIDTH = 48
_AROUND = 24  # characters of context
_HOW_TO_READ = {
    OCCLUSION: "A weight is the change of log10 LR when the word or sentence is removed: positive "
    "weights pull the texts apart, negative ones together.",
    ATTENTION: "Attention shows where the network looked; it is not proof of why it decided so. "
    "¶ ends a sentence and ⏎ a line.",
    TERMS: "A weight is the part of log10 LR that the features of a word carry, with the sign "
    "changed: positive weights pull the texts apart, negative ones together.",
}


def terminal_text(explanation: Explanation, *, colour: bool = True, width: int = 80) -> str:
    decision, layers = explanation.decision, layers_of(explanation)
    blocks = [
        *_decision(decision),
        *_side("Left text", explanation.left, decision.left, layers),
        *_side("Right text", explanation.right, decision.right, layers),
        *_habits(habit_report(explanation)),
        Text("\n" + _how_to_read(explanation)),
        _audit(explanation),
    ]
    return _print(blocks, colour=colour, width=width)


def decision_text(decision: Decision, *, colour: bool = True, width: int = 80) -> str:
    """The decision alone, and how much of each side was read."""
    read = _grid(2)
    read.add_row("left", wording.reading_words(decision.left))
    read.add_row("right", wording.reading_words(decision.right))
    return _print([*_decision(decision), read], colour=colour, width=width)


def _print(blocks: Sequence[RenderableType], *, colour: bool, width: int) -> str:
    out = StringIO()
    console = Console(
        file=out,
        width=width,
        force_terminal=colour,
        color_system="256" if colour else None,
        no_color=not colour,
        force_jupyter=False,
        legacy_windows=False,
        _environ={},
    )
    for block in blocks:
        console.print(block)
    return "".join(line.rstrip() + "\n" for line in out.getvalue().splitlines())


def _grid(space: int, *columns: str) -> Table:
    """A table without lines; each column wraps ("fold"), does not ("") or is to the "right"."""
    grid = Table.grid(padding=(0, space, 0, 0))
    for column in columns:
        is_right = column == "right"
        grid.add_column(
            justify="right" if is_right else "left", overflow="fold", no_wrap=not column
        )
    return grid


def _decision(decision: Decision) -> Iterator[RenderableType]:
    yield Text(wording.verdict_words(decision.verdict), style="bold underline")
    for reason in decision.reasons:
        yield Text(f"- {visible(str(reason))}")
    facts = _grid(2)
    facts.add_row("score", Text(f"{wording.score_words(decision.score)} at equal prior odds"))
    llr = f"{wording.signed(decision.llr)}: {wording.support_words(decision.llr)}"
    facts.add_row("log10 LR", Text(f"{llr}. {wording.ratio_words(decision.llr)}"))
    level = "high" if decision.reliable else "low"
    facts.add_row("reliability", Text(f"{level}. {wording.reliability_words(decision)}"))
    facts.add_row("errors", Text(visible(wording.track_record_words(decision))))
    if decision.distance is not None:
        facts.add_row("distance", _axis(decision))
    if decision.model:
        model = decision.model
        identity = f"{model.name} {model.version}, sha256 {model.sha256[:12]}"
        facts.add_row("model", Text(visible(identity)))
    yield facts


def _axis(decision: Decision) -> Text:
    axis = Text(f"{decision.distance:.2f}")
    scale = distance_scale(decision)
    if scale is None:
        return axis
    axis.append("\n0 ")
    for place in range(_AXIS_WIDTH):
        axis.append(*_axis_mark(place, scale))
    axis.append(f"\none author up to {decision.tau_s:.2f}, two from {decision.tau_d:.2f}")
    return axis


def _axis_mark(place: int, scale: DistanceScale) -> tuple[str, str]:
    if place == min(int(scale.needle * _AXIS_WIDTH), _AXIS_WIDTH - 1):
        return "◆", "bold"
    middle = (place + 0.5) / _AXIS_WIDTH
    if middle <= scale.tau_s:
        return "━", "color(32)"
    return ("━", "color(202)") if middle >= scale.tau_d else ("╌", "")


def _side(
    name: str, texts: Sequence[TextExplanation], reading: Reading, layers: Sequence[Layer]
) -> Iterator[RenderableType]:
    """The texts of a side, coloured by the first layer."""
    words = word_scale(layers[0].words, texts)
    sentences = sentence_scale(layers[0].sentences, texts)
    layouts = lay_out(texts)
    yield Text(f"\n{name}", style="bold").append(f"  {wording.reading_words(reading)}", "not bold")
    yield from _key(words)
    yield from _key(sentences)
    for number, (text, layout) in enumerate(zip(texts, layouts, strict=True), start=1):
        if len(texts) > 1:
            yield Text(f"\nDocument {number} of {len(texts)}")
        yield _heat(text, layout, words, sentences)
    if left_out := left_out_words(layouts):
        yield Text(left_out)
    yield _heaviest_words(texts, layers)


def _key(scale: Scale) -> Iterator[Text]:
    label, negative = scale.measure.label, scale.measure.negative
    if negative is None:
        yield _swatches(label, scale.measure.positive, scale.peak, "")
    else:
        yield _swatches(f"{label} pulls apart", scale.measure.positive, scale.peak, "+")
        yield _swatches(f"{label} pulls together", negative, scale.peak, wording.MINUS)


def _swatches(label: str, colour: str, peak: float, sign: str) -> Text:
    key = Text(f"{label}: ")
    for number, step in enumerate(_STEPS, 1):
        weight = wording.weight_words(step * peak, sign=False)
        key.append(f" {sign}{weight} ", _style(colour, number))
    return key.append(f" to {sign}{wording.weight_words(peak, sign=False)}")


def _style(colour: str, n_steps: int) -> str:
    """The style of a weight that reaches the first `n_steps` steps."""
    if not n_steps:
        return ""
    ink, ground = _COLOURS[colour][n_steps - 1]
    return f"color({ink}) on color({ground})"


def _style_of(value: float, scale: Scale) -> str:
    strength = scale.strength(value)
    colour = "blue" if scale.measure.is_blue(value) else "red"
    return _style(colour, sum(strength >= step for step in _STEPS))


def _heat(text: TextExplanation, layout: Layout, words: Scale, sentences: Scale) -> Table:
    table = _grid(1, "right", "fold")
    for passage in layout.passages:
        line = _line(passage, text, words)
        if passage.sentence is not None:
            weight = passage.sentence.weight
            chip = Text(
                f" {sentences.chip(weight):>5} ", _style_of(weight, sentences), no_wrap=True
            )
            table.add_row(chip, line)
        elif line.plain.strip():
            table.add_row("", line)
    return table


def _line(passage: Passage, text: TextExplanation, words: Scale) -> Text:
    line = Text()
    for piece in passage.pieces:
        if piece.word is None:
            line.append(visible(piece.text))
            continue
        value = words.measure.value(piece.word, sentence_of(piece.word, text)) or 0.0
        line.append(visible(piece.text) or glyph(piece.word), _style_of(value, words))
    return line


def _heaviest_words(texts: Sequence[TextExplanation], layers: Sequence[Layer]) -> Table:
    table = _grid(2, "fold")
    heads = [layer.column.lower() for layer in columns_of(layers)]
    table.add_row(Text("\nheaviest words"), *(Text(f"\n{head}") for head in heads))
    for row in heaviest_words(texts, layers):
        place = Text(visible(row.context.before), style="dim")
        place.append(visible(row.context.own) or glyph(row.word), "bold not dim")
        place.append(visible(row.context.after))
        table.add_row(place, *map(Text, row.numbers))
    return table


def _habits(report: HabitReport) -> Iterator[RenderableType]:
    """Shared and distinctive habits with a concordance, and the table of categories."""
    shared, distinctive = report.findings.shared, report.findings.distinctive
    yield from _findings("Shared habits", finding_table(shared, report, around=_AROUND))
    yield from _findings("Distinctive habits", finding_table(distinctive, report, around=_AROUND))
    lead = "  hits, and hits in 1,000 tokens"
    if report.has_contributions:
        lead += "; what their words carry of log10 LR (above 0 for one author)"
    yield Text("\nCategories", style="bold").append(lead, "not bold")
    yield _categories(report)
    if any(row.category.experimental for row in report.rows):
        yield Text("* experimental: often wrong, and not used as evidence")
    yield Text(f"reference: {visible(report.reference_words)}")


def _findings(title: str, table: FindingTable) -> Iterator[RenderableType]:
    yield Text(f"\n{title}", style="bold")
    for row in table.rows:
        yield Text(visible(row.words), style="bold").append(f"  {row.use}; {row.share}", "not bold")
        lines = _grid(1, "", "right", "fold", "fold")
        for line in row.lines:
            context = line.context
            before, own, after = map(visible, (context.before, context.own, context.after))
            lines.add_row(f"  {line.side}", Text(before), Text(own, style="bold"), Text(after))
        if row.lines_left_out:
            lines.add_row("", f"and {row.lines_left_out:,} more", "", "")
        yield lines
    if not table.rows:
        yield Text("none worth reporting")


def _categories(report: HabitReport) -> Table:
    heads = ["left", "carry", "right", "carry"] if report.has_contributions else ["left", "right"]
    table = _grid(2, "fold", *["right"] * (len(heads) + 1))
    table.add_row("", *heads, "reference")
    for row in report.rows:
        cells = []
        for side in (row.left, row.right):
            cells.append(f"{side.count}  {side.per_thousand:6.1f}")
            if report.has_contributions:
                cells.append(side.contribution_words)
        name = row.category.name + (" *" if row.category.experimental else "")
        table.add_row(name, *cells, row.usual_words)
    return table


def _how_to_read(explanation: Explanation) -> str:
    how = _HOW_TO_READ[explanation.method]
    if explanation.contributions is None:
        return how
    return (
        f"{how}\nSigned is the part of log10 LR, by {visible(explanation.contributions)}: positive "
        f"pulls the texts together. {visible(wording.faithfulness_words(explanation))}"
    )


def _audit(explanation: Explanation) -> Table:
    table = _grid(2, "", "fold")
    table.add_row(Text("\nAudit trail", style="bold"), "")
    for name, value in audit_trail(explanation).items():
        table.add_row(Text(name), Text(visible(value)))
    return table
