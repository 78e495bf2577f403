"""The report as text for a terminal, coloured or plain.

Texts enter as `Text` objects made `visible`: nothing in them is markup or a control code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import StringIO

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from adhominem.instrument.report import wording
from adhominem.instrument.report.layout import Layout, Passage, glyph, lay_out
from adhominem.instrument.report.ranking import heaviest_words
from adhominem.instrument.report.scale import (
    ATTENTION,
    TERMS,
    DistanceScale,
    Peaks,
    check_method,
    distance_scale,
    peaks,
    share,
    weigh,
)
from adhominem.instrument.report.terminal_habits import audit_block, habit_blocks
from adhominem.instrument.report.visible import visible
from adhominem.records import Decision, Explanation, Reading, TextExplanation

# Of the 256 colours that nearly every terminal has. They gain saturation rather than lightness,
# so that they read as a scale on a dark and on a light ground alike.
_STEPS = (0.1, 0.3, 0.55, 0.8)
_REDS = (
    "color(255) on color(95)",
    "color(255) on color(124)",
    "color(255) on color(160)",
    "bold color(16) on color(196)",
)
_BLUES = (
    "color(255) on color(60)",
    "color(255) on color(25)",
    "color(16) on color(32)",
    "color(16) on color(39)",
)
_AXIS_WIDTH = 48


def terminal_text(explanation: Explanation, *, colour: bool = True, width: int = 80) -> str:
    check_method(explanation)
    decision, method = explanation.decision, explanation.method
    blocks = [
        *_decision(decision),
        *_side("Left text", explanation.left, decision.left, method),
        *_side("Right text", explanation.right, decision.right, method),
        *habit_blocks(explanation),
        _how_to_read(method),
        *_how_faithful(explanation),
        audit_block(explanation),
    ]
    return _print(blocks, colour=colour, width=width)


def decision_text(decision: Decision, *, colour: bool = True, width: int = 80) -> str:
    """The decision alone, with how much of each side was read."""
    read = Table.grid(padding=(0, 2, 0, 0))
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


def _decision(decision: Decision) -> Iterator[RenderableType]:
    yield Text(wording.verdict_words(decision.verdict), style="bold underline")
    for reason in decision.reasons:
        yield Text(f"- {visible(str(reason))}")
    facts = Table.grid(padding=(0, 2, 0, 0))
    facts.add_row("score", Text(f"{wording.score_words(decision.score)} at equal prior odds"))
    llr = f"{wording.signed(decision.llr)}: {wording.support_words(decision.llr)}"
    facts.add_row("log10 LR", Text(f"{llr}. {wording.ratio_words(decision.llr)}"))
    level = "high" if decision.reliable else "low"
    facts.add_row("reliability", Text(f"{level}. {wording.reliability_words(decision)}"))
    facts.add_row("errors", Text(visible(wording.experience_words(decision))))
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
    name: str, texts: Sequence[TextExplanation], reading: Reading, method: str
) -> Iterator[RenderableType]:
    highest = peaks(texts, method)
    layouts = lay_out(texts)
    yield Text(f"\n{name}", style="bold").append(f"  {wording.reading_words(reading)}", "not bold")
    yield from _legend(highest, method)
    for number, (text, layout) in enumerate(zip(texts, layouts, strict=True), start=1):
        if len(texts) > 1:
            yield Text(f"\nDocument {number} of {len(texts)}")
        yield _heat(text, layout, highest, method)
    characters = sum(layout.characters_left_out for layout in layouts)
    if characters:
        shown = sum(layout.words_shown for layout in layouts)
        left_out = sum(layout.words_left_out for layout in layouts)
        yield Text(
            f"Shown are the first {shown:,} words; {left_out:,} more are left out "
            f"({characters:,} characters)."
        )
    yield _ranking(texts, method)


def _legend(highest: Peaks, method: str) -> Iterator[Text]:
    if method == ATTENTION:
        yield _swatches("word \N{MULTIPLICATION SIGN} sentence", _REDS, highest.importance)
        yield _swatches("sentence", _BLUES, highest.sentence)
    else:
        for what, peak in (("word", highest.word), ("sentence", highest.sentence)):
            yield _swatches(f"{what} pulls apart", _REDS, peak, sign="+")
            yield _swatches(f"{what} pulls together", _BLUES, peak, sign="\N{MINUS SIGN}")


def _swatches(label: str, styles: Sequence[str], peak: float, sign: str = "") -> Text:
    legend = Text(f"{label}: ")
    for step, style in zip(_STEPS, styles, strict=True):
        legend.append(f" {sign}{wording.weight_words(step * peak, sign=False)} ", style)
    return legend.append(f" to {sign}{wording.weight_words(peak, sign=False)}")


def _style(weight: float, peak: float, styles: Sequence[str]) -> str:
    strength = share(weight, peak)
    return next(
        (s for step, s in zip(reversed(_STEPS), reversed(styles), strict=True) if strength >= step),
        "",
    )


def _heat(text: TextExplanation, layout: Layout, highest: Peaks, method: str) -> Table:
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    for passage in layout.passages:
        line = _line(passage, text, highest, method)
        if passage.sentence is None:
            if line.plain.strip():
                table.add_row("", line)
            continue
        weight = passage.sentence.weight
        if method == ATTENTION:
            number, styles = wording.percent_words(weight, highest.sentence), _BLUES
        else:
            number, styles = wording.signed(weight), _BLUES if weight < 0 else _REDS
        chip = Text(f" {number:>5} ")
        chip.stylize(_style(weight, highest.sentence, styles))
        table.add_row(chip, line)
    return table


def _line(passage: Passage, text: TextExplanation, highest: Peaks, method: str) -> Text:
    line = Text()
    for piece in passage.pieces:
        if piece.word is None:
            line.append(visible(piece.text))
            continue
        importance = weigh(piece.word, text, method).importance
        styles = _BLUES if method != ATTENTION and importance < 0 else _REDS
        line.append(
            visible(piece.text) or glyph(piece.word),
            _style(importance, highest.importance, styles),
        )
    return line


def _ranking(texts: Sequence[TextExplanation], method: str) -> Table:
    is_signed = method != ATTENTION
    columns = ["word", "sentence"] if is_signed else ["word", "sentence", "product", "signed"]
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(overflow="fold")
    table.add_row(Text("\nheaviest words"), *(Text(f"\n{column}") for column in columns))
    for one in heaviest_words(texts, method):
        place = Text(visible(one.before), style="dim")
        place.append(visible(one.own) or glyph(one.word), "bold not dim")
        place.append(visible(one.after))
        weights = (one.weights.word, one.weights.sentence, one.weights.importance)
        numbers = [wording.weight_words(weight, sign=is_signed) for weight in weights]
        part = one.word.contribution
        numbers.append("" if part is None else wording.signed(part, 3))
        table.add_row(place, *map(Text, numbers[: len(columns)]))
    return table


def _how_to_read(method: str) -> Text:
    if method == ATTENTION:
        return Text(
            "\nAttention shows where the network looked; it is not proof of why it decided so. "
            "¶ ends a sentence and ⏎ a line."
        )
    if method == TERMS:
        return Text(
            "\nA weight is the part of log10 LR that the word's features carry, with the sign "
            "changed: positive ones pull the texts apart, negative ones together."
        )
    return Text(
        "\nA weight is the change of log10 LR when the word or sentence is taken away: positive "
        "ones pull the texts apart, negative ones together."
    )


def _how_faithful(explanation: Explanation) -> Iterator[Text]:
    if explanation.contributions is not None:
        yield Text(
            f"Signed is the part of log10 LR, by {visible(explanation.contributions)}: positive "
            f"pulls the texts together. {visible(wording.faithfulness_words(explanation))}"
        )
