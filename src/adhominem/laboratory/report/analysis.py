"""An analysis of attention: Markdown for terminals and pages, and figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from adhominem.instrument.report.plain_text import markdown_code, visible
from adhominem.instrument.report.wording import signed
from adhominem.laboratory.report.evaluation_tables import INTERVAL, Columns, Row, column_table
from adhominem.laboratory.report.figures import COLOURS, MARKERS, drawing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_TOP_SHOWN, _TOP_DRAWN = 20, 40
_FEWEST = 20  # tokens of a category that is drawn
_PAPER_DEFINITELY = "0.13 %"
_PAPER_TAU = (0.836, 0.853)
_GROUPS = (
    ("linguistic category", "categories"),
    ("part of speech", "parts_of_speech"),
    ("kind of word", "kinds"),
    ("vocabulary", "vocabulary"),
)
_TOP: Columns = (
    ("among the five most attended", lambda row: markdown_code(row["word"])),
    ("times", "{times:,}"),
    ("share %", "{share:.2%}"),
    ("of its occurrences %", "{chosen:.0%}"),
)
_LIFT: Columns = (
    ("tokens", "{tokens:,}"),
    ("of all %", "{share:.2%}"),
    ("of the five highest %", "{top_share:.2%}"),
    ("lift (95 %)", lambda row: INTERVAL.format_map(row["lift"])),
)
_MATCHED: Columns = (
    ("put right in the same text", "{name}"),
    ("places", "{matches:,}"),
    ("attention before", "{before[value]:.2f}"),
    ("after", "{after[value]:.2f}"),
    ("difference (95 %)", lambda row: _signed_cell(row["difference"])),
    ("before is more, %", "{attended_more[value]:.0%}"),
    ("its sentence, difference (95 %)", lambda row: _signed_cell(row["sentence_difference"])),
)
_POSITIONS: Columns = (
    ("place of the sentence", "{name}"),
    ("lift (95 %)", lambda row: INTERVAL.format_map(row["lift"])),
    ("highest of its text, %", "{highest:.1%}"),
)
_SPREAD = "{mean:.3f} ± {deviation:.3f}"
_STABILITY: Columns = (
    ("against", "{name}"),
    ("texts", "{words[texts]:,}"),
    ("tau of words", lambda row: _measured(row["words"], _SPREAD)),
    ("p < .05 %", lambda row: _measured(row["words"], "{below_05:.1%}")),
    ("p ≤ .01 %", lambda row: _measured(row["words"], "{below_01:.1%}")),
    ("empty places counted", lambda row: _measured(row["padded_words"], _SPREAD)),
    ("tau of sentences", lambda row: _measured(row["sentences"], _SPREAD)),
    ("p < .05 %", lambda row: _measured(row["sentences"], "{below_05:.1%}")),
)


def analysis_text(report: Row) -> str:
    """Summary and tables of every sample of texts."""
    parts: list[str] = []
    for corpus in report["corpora"]:
        parts += [f"### {corpus['name']}", _summary(corpus), *_tables(corpus, report["tagger"])]
    return "\n\n".join(parts)


def stability_text(report: Row) -> str:
    """Tables of the agreement of models about the words they attend to."""
    parts = []
    for corpus in report["corpora"]:
        parts += [f"### {_source(corpus)}", column_table(_STABILITY, corpus["against"])]
    paper = "The paper has 0.836 to 0.853 with deviations of 0.014 to 0.017."
    return "\n\n".join([*parts, f"Mean and deviation over texts. {paper}"])


def _measured(part: Row, pattern: str) -> str:
    return pattern.format_map(part).removesuffix("%") if part["texts"] else "-"


def _source(corpus: Row) -> str:
    part = f", fold {corpus['fold']}" if "fold" in corpus else ""
    part += f", {corpus['split']} authors" if "split" in corpus else ""
    return f"{corpus['name']}{part}"


def _summary(corpus: Row) -> str:
    rows = {row["name"]: row for row in corpus["categories"]}
    wrong, definitely = rows.get("any misspelling"), rows.get("“definitely”, misspelt")
    lines = [
        f"{corpus['texts']:,} texts by {corpus['authors']:,} authors ({_source(corpus)}), "
        f"{corpus['tokens']:,} tokens; {100 * corpus['on_markers']:.0f} % of the attention is on "
        "the ends of lines and sentences, the rest on words."
    ]
    if wrong:
        lines.append(
            f"{100 * wrong['top_share']:.2f} % of the five most attended words of each text are "
            f"misspelt, of all words {100 * wrong['share']:.2f} %."
        )
    lines.append(
        f"Misspelt forms of “definitely” are {100 * definitely['top_share']:.2f} % of them "
        f"(the paper: {_PAPER_DEFINITELY})."
        if definitely
        else f"No misspelt form of “definitely” was met (the paper: {_PAPER_DEFINITELY})."
    )
    lines += [
        f"A misspelt word has {row['before']['value']:.2f} times the mean weight of its text, the "
        f"same word spelt right {row['after']['value']:.2f}: {_signed_cell(row['difference'])}."
        for row in corpus["matched"]
        if row["name"] == "misspelt word"
    ]
    lines += [
        f"The last sentence has {INTERVAL.format_map(row['lift'])} times the mean attention of its "
        f"text and is the highest in {100 * row['highest']:.1f} % of texts, by chance in "
        f"{100 * corpus['places']['highest_by_chance']:.1f} % (the paper: “frequently marked”)."
        for row in corpus["places"]["rows"]
        if row["name"] == "last sentence" and corpus["places"]["texts"]
    ]
    return "\n".join(lines)


def _tables(corpus: Row, tagger: str) -> Iterator[str]:
    yield column_table(_TOP, corpus["top"]["words"][:_TOP_SHOWN])
    for title, name in _GROUPS:
        by = f" by {tagger}" if name == "parts_of_speech" else ""
        yield column_table([(title + by, "{name}"), *_LIFT], corpus[name])
    matched, positions = corpus["matched"], corpus["places"]
    if matched:
        yield column_table(_MATCHED, matched)
    else:
        yield "No habit was met often enough to be put right."
    if not positions["texts"]:
        yield f"No text has {positions['fewest_sentences']} sentences."
        return
    yield (
        f"{column_table(_POSITIONS, positions['rows'])}\n\nOf {positions['texts']:,} texts with "
        f"{positions['fewest_sentences']} sentences or more; by chance any one sentence is the "
        f"highest in {100 * positions['highest_by_chance']:.1f} %."
    )


def _signed_cell(value: Mapping[str, float]) -> str:
    return f"{signed(value['value'])} ({signed(value['low'])} to {signed(value['high'])})"


def analysis_figures(report: Row) -> dict[str, Figure]:
    """Frequent words of each corpus and lift by category, by name of the figure."""
    corpora = {_short_name(corpus): corpus for corpus in report["corpora"]}
    figures = {
        f"top-words-{name}": _top_words_figure(corpus["top"]["words"])
        for name, corpus in corpora.items()
        if corpus["top"]["words"]
    }
    return figures | {"lift": _lift_figure({n: c["categories"] for n, c in corpora.items()})}


def stability_figures(report: Row) -> dict[str, Figure]:
    """Histograms of Kendall's tau for each corpus, by name of the figure."""
    return {
        f"kendall-tau-{_short_name(corpus)}": _tau_figure(corpus["against"], report["edges"])
        for corpus in report["corpora"]
    }


def _short_name(corpus: Row) -> str:
    """The name of a corpus or file without its suffixes."""
    return str(corpus["name"]).partition(".")[0]


def _top_words_figure(words: Sequence[Row]) -> Figure:
    """Share of each word among the five most attended of all texts, in two columns."""
    shown = words[:_TOP_DRAWN]
    half = (len(shown) + 1) // 2
    with drawing(7.2, 0.2 * half + 0.8) as (figure, axes):
        axes.remove()
        for column, part in zip(figure.subplots(1, 2), (shown[:half], shown[half:]), strict=True):
            rows = range(len(part))
            column.barh(rows, [100 * row["share"] for row in part], color=COLOURS[0], lw=0)
            column.set_yticks(
                list(rows), [_drawable(row["word"]) for row in part], parse_math=False
            )
            column.set_ylim(half - 0.5, -0.5)
            column.set_xlabel("% of the five of each text")
        return figure


def _drawable(word: str) -> str:
    """The word with question marks for characters that the font lacks."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    font = get_font(findfont(FontProperties()))
    return "".join(char if font.get_char_index(ord(char)) else "?" for char in visible(word))


def _lift_figure(corpora: Mapping[str, Sequence[Row]]) -> Figure:
    """Attention to each category over the mean of the text, with 95 % intervals."""
    from matplotlib.ticker import FixedLocator

    names: dict[str, float] = {}
    for rows in corpora.values():
        for row in rows:
            if row["tokens"] >= _FEWEST:
                names.setdefault(row["name"], row["lift"]["value"])
    order = {name: i for i, name in enumerate(sorted(names, key=lambda name: names[name]))}
    with drawing(7.2, 0.24 * len(order) + 1.0) as (figure, axes):
        for i, (corpus, rows) in enumerate(corpora.items()):
            shown = [row for row in rows if row["name"] in order and row["tokens"] >= _FEWEST]
            x = [row["lift"]["value"] for row in shown]
            around = [
                [row["lift"]["value"] - row["lift"]["low"] for row in shown],
                [row["lift"]["high"] - row["lift"]["value"] for row in shown],
            ]
            y = [order[row["name"]] + 0.3 * (i - (len(corpora) - 1) / 2) for row in shown]
            style: dict[str, Any] = {"color": COLOURS[i % 8], "fmt": MARKERS[i % 8], "ms": 4}
            axes.errorbar(x, y, xerr=around, lw=1, label=corpus, **style)
        axes.axvline(1, color="#999999", lw=0.8)
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(FixedLocator([0.25, 0.5, 1, 2, 4, 8, 16]))
        axes.xaxis.set_major_formatter("{x:g}")
        axes.minorticks_off()
        axes.set_yticks(list(order.values()), list(order))
        axes.set_xlabel("attention over the mean of the text")
        if len(corpora) > 1:
            axes.legend(frameon=False, loc="lower right")
        return figure


def _tau_figure(against: Sequence[Row], edges: Sequence[float]) -> Figure:
    """A histogram over texts for each compared model; the paper's means are in the grey area."""
    with drawing(2.1 * len(against) + 0.5, 2.4) as (figure, axes):
        axes.remove()
        panels = figure.subplots(1, len(against), sharex=True, sharey=True, squeeze=False)[0]
        for panel, one in zip(panels, against, strict=True):
            counts = one["words"].get("histogram", [0] * (len(edges) - 1))
            panel.stairs(counts, edges, fill=True, color=COLOURS[0])
            title = f"{_drawable(one['name'])}\n{_measured(one['words'], _SPREAD)}"
            panel.set_title(title, fontsize=9, parse_math=False)
            panel.axvspan(*_PAPER_TAU, color="#cccccc", lw=0)
            panel.set_xlim(0, 1)
            panel.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
            panel.set_xlabel("Kendall's tau")
        panels[0].set_ylabel("texts")
        return figure
