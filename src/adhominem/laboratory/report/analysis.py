"""Reports on the attention of networks: Markdown and figures."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from adhominem.instrument.report.plain_text import visible
from adhominem.laboratory.report import Row, report_as
from adhominem.laboratory.report.figures import COLOURS, MARKERS, drawing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_TOP_DRAWN = 40
_FEWEST = 20  # categories with fewer tokens are not drawn
_PAPER_TAU = (0.836, 0.853)

analysis_text = report_as("analysis.md")
stability_text = report_as("stability.md")


def analysis_figures(report: Row) -> dict[str, "Figure"]:
    """Figures of frequent words of each corpus and of lift by category, by name."""
    corpora = {_short_name(corpus): corpus for corpus in report["corpora"]}
    figures = {
        f"top-words-{name}": _top_words_figure(corpus["top"]["words"])
        for name, corpus in corpora.items()
        if corpus["top"]["words"]
    }
    return figures | {"lift": _lift_figure({n: c["categories"] for n, c in corpora.items()})}


def stability_figures(report: Row) -> dict[str, "Figure"]:
    """Histograms of Kendall's tau for each corpus, by name."""
    return {
        f"kendall-tau-{_short_name(corpus)}": _tau_figure(corpus["against"], report["edges"])
        for corpus in report["corpora"]
    }


def _short_name(corpus: Row) -> str:
    """Name of a corpus or file without suffixes."""
    return str(corpus["name"]).partition(".")[0]


def _top_words_figure(words: Sequence[Row]) -> "Figure":
    """Share of each word among the five most attended words of all texts, in two columns."""
    shown = words[:_TOP_DRAWN]
    half = (len(shown) + 1) // 2
    with drawing(7.2, 0.2 * half + 0.8) as (figure, axes):
        axes.remove()
        for column, part in zip(figure.subplots(1, 2), (shown[:half], shown[half:]), strict=True):
            rows = range(len(part))
            column.barh(rows, [100 * row["share"] for row in part], color=COLOURS[0], lw=0)
            words_of_part = [_drawable(row["word"]) for row in part]
            column.set_yticks(list(rows), words_of_part, parse_math=False)
            column.set_ylim(half - 0.5, -0.5)
            column.set_xlabel("% of the five of each text")
        return figure


def _drawable(word: str) -> str:
    """The word with question marks for characters that the font lacks."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    font = get_font(findfont(FontProperties()))
    return "".join(char if font.get_char_index(ord(char)) else "?" for char in visible(word))


def _lift_figure(corpora: Mapping[str, Sequence[Row]]) -> "Figure":
    """Attention lift of each category with 95 % intervals."""
    from matplotlib.ticker import FixedLocator

    names: dict[str, float] = {}
    for rows in corpora.values():
        for row in rows:
            if row["tokens"] >= _FEWEST:
                names.setdefault(row["name"], row["lift"]["value"])
    order = {name: i for i, name in enumerate(sorted(names, key=lambda name: names[name]))}
    with drawing(7.2, 0.24 * len(order) + 1.0) as (figure, axes):
        for i, (corpus, rows) in enumerate(corpora.items()):
            shown = [row for row in rows if row["tokens"] >= _FEWEST]
            x, low, high = ([row["lift"][end] for row in shown] for end in ("value", "low", "high"))
            around = [np.subtract(x, low), np.subtract(high, x)]
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


def _tau_figure(against: Sequence[Row], edges: Sequence[float]) -> "Figure":
    """A histogram over texts for each compared model; the paper's means are shaded grey."""
    with drawing(2.1 * len(against) + 0.5, 2.4) as (figure, axes):
        axes.remove()
        panels = figure.subplots(1, len(against), sharex=True, sharey=True, squeeze=False)[0]
        for panel, one in zip(panels, against, strict=True):
            counts = one["words"].get("histogram", [0] * (len(edges) - 1))
            panel.stairs(counts, edges, fill=True, color=COLOURS[0])
            pattern = "{mean:.3f} ± {deviation:.3f}" if one["words"]["texts"] else "-"
            title = f"{_drawable(one['name'])}\n{pattern.format_map(one['words'])}"
            panel.set_title(title, fontsize=9, parse_math=False)
            panel.axvspan(*_PAPER_TAU, color="#cccccc", lw=0)
            panel.set_xlim(0, 1)
            panel.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
            panel.set_xlabel("Kendall's tau")
        panels[0].set_ylabel("texts")
        return figure
