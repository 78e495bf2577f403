"""Figures of an evaluation, and the style of all figures.

Colours are those of Okabe and Ito, distinct for colour-blind readers; line styles and markers keep
prints without colour readable. Equal numbers give equal bytes.
"""

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from markupsafe import Markup

from adhominem.arrays import Floats, Singles
from adhominem.files import whole_file
from adhominem.instrument.report.palette import LIGHT, Rgb
from adhominem.laboratory.evaluation.answers import Answers
from adhominem.laboratory.evaluation.evaluate import evaluate
from adhominem.laboratory.evaluation.measures import cross_entropy, recalibrated, reliability, roc

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c6d31")
STYLES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (8, 3)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
_GREY = "#999999"
_SAME_BYTES: dict[Any, Any] = {"svg.hashsalt": "adhominem"}
_FEWEST = 20  # length bands with fewer pairs are not drawn


def save_figures(
    figures: "Mapping[str, Figure]", folder: Path, endings: Sequence[str] = ("svg", "png")
) -> list[Path]:
    """Writes each figure in every format; returns the paths."""
    import matplotlib

    paths = []
    with matplotlib.rc_context(_SAME_BYTES):
        for name, figure in figures.items():
            for ending in endings:
                path = folder / f"{name}.{ending}"
                about: dict[str, Any] = {"Date": None} if ending == "svg" else {"Software": None}
                with whole_file(path) as file:
                    figure.savefig(file, format=ending, dpi=160, metadata=about)
                paths.append(path)
    return paths


def svg_element(figure: "Figure", *, transparent: bool = False) -> Markup:
    """A figure as an SVG element, not escaped: it contains numbers and fixed words only."""
    import matplotlib

    buffer = io.StringIO()
    with matplotlib.rc_context(_SAME_BYTES):
        figure.savefig(buffer, format="svg", metadata={"Date": None}, transparent=transparent)
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", buffer.getvalue(), flags=re.DOTALL)
    return Markup(text[text.index("<svg") :])


def evaluation_figures(answers: Mapping[str, Answers]) -> "dict[str, Figure]":
    """ROC, reliability diagram, Tippett plot and error by length of one or more methods."""
    return {
        "roc": _roc_figure(answers),
        "reliability": _reliability_figure(answers),
        "tippett": tippett_figure(answers),
        "length": _length_figure(answers),
    }


def _roc_figure(answers: Mapping[str, Answers]) -> "Figure":
    """False against true positive rate."""
    with drawing(5.0, 5.0) as (figure, axes):
        axes.plot([0, 1], [0, 1], color=_GREY, lw=0.8)
        for i, (name, own) in enumerate(answers.items()):
            axes.plot(*roc(own.score, own.same_author), label=name, **_look(i))
        axes.legend(frameon=False, loc="lower right")
        axes.set(xlabel="different authors taken for one", ylabel="same authors recognised")
        axes.set_aspect("equal")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter("{x:.0%}")
        return figure


def _reliability_figure(answers: Mapping[str, Answers]) -> "Figure":
    """Score against the share of same-author pairs."""
    with drawing(5.0, 5.0) as (figure, axes):
        axes.plot([0, 1], [0, 1], color=_GREY, lw=0.8)
        for i, (name, own) in enumerate(answers.items()):
            bins = reliability(own.score, own.same_author)
            x, y = [row["score"] for row in bins], [row["same"] for row in bins]
            axes.plot(x, y, marker=MARKERS[i % 8], ms=5, label=name, **_look(i))
        axes.set(xlabel="score", ylabel="share of pairs by one author", xlim=(0, 1), ylim=(0, 1))
        axes.set_aspect("equal")
        axes.legend(frameon=False)
        return figure


def tippett_figure(answers: Mapping[str, Answers]) -> "Figure":
    """Tippett plot: share of same- and different-author pairs with at least each LR."""
    with drawing(6.4, 4.2) as (figure, axes):
        for i, (name, own) in enumerate(answers.items()):
            for same, kind, width in ((True, "one author", 1.8), (False, "different authors", 1.0)):
                ordered = np.sort(own.llr[own.same_author == same])
                share = 1 - np.arange(len(ordered)) / max(len(ordered), 1)
                look = _look(i) | {"lw": width, "label": f"{name}, {kind}"}
                axes.step(ordered, share, where="post", **look)
        axes.axvline(0, color=_GREY, lw=0.8)
        axes.set(xlabel="log10 likelihood ratio", ylabel="share of the pairs with at least that")
        axes.yaxis.set_major_formatter("{x:.0%}")
        axes.legend(frameon=False, fontsize=8)
        return figure


def cross_entropy_figure(answers: Answers) -> "Figure":
    """Empirical cross-entropy against prior odds: of the LRs, recalibrated, and of LR 1."""
    log_odds, same = np.linspace(-2.5, 2.5, 101), answers.same_author
    lines = {
        "the likelihood ratios": answers.llr,
        "recalibrated on these pairs": recalibrated(answers.llr, same),
        "no evidence (LR 1)": np.zeros(len(answers)),
    }
    with drawing(6.4, 4.0) as (figure, axes):
        for i, (name, llr) in enumerate(lines.items()):
            axes.plot(log_odds, cross_entropy(llr, same, log_odds), label=name, **_look(i))
        axes.set(xlabel="log10 of the prior odds", ylabel="empirical cross-entropy, bits")
        axes.set_ylim(bottom=0)
        axes.legend(frameon=False, fontsize=8)
        return figure


def _length_figure(answers: Mapping[str, Answers]) -> "Figure":
    """Error against the length of the shorter text."""
    with drawing(6.4, 4.0) as (figure, axes):
        labels: dict[int, str] = {}
        for i, (name, own) in enumerate(answers.items()):
            shown = [row for row in evaluate(own)["bands"] if row["pairs"] >= _FEWEST]
            for low, high in ((row["from"], row["to"]) for row in shown):
                labels[low] = f"{low}-{high}" if high else f"{low}+"
            position = {start: n for n, start in enumerate(sorted(labels))}
            x, errors = [position[row["from"]] for row in shown], [row["error"] for row in shown]
            axes.plot(x, errors, marker=MARKERS[i % 8], ms=5, label=name, **_look(i))
        axes.set_xticks(range(len(labels)), [labels[start] for start in sorted(labels)])
        axes.set(xlabel="tokens of the shorter text", ylabel="error")
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_formatter("{x:.0%}")
        axes.legend(frameon=False)
        return figure


def map_points(features: Singles) -> Floats:
    """t-SNE of the features of texts, (texts, 2)."""
    from sklearn.manifold import TSNE

    perplexity = min(30, max(2, (len(features) - 1) // 3))
    tsne = TSNE(perplexity=perplexity, init="pca", random_state=0)
    return np.asarray(tsne.fit_transform(features), dtype=np.float64)


def map_figure(points: Floats, authors: Sequence[int]) -> "Figure":
    """Scatter plot of texts; colour and marker show the author."""
    x, y = np.asarray(points).T
    numbers = np.asarray(authors)
    with drawing(6.0, 6.0) as (figure, axes):
        for author in np.unique(numbers):
            own, marker = numbers == author, MARKERS[(author + author // 8) % 8]
            look: dict[str, Any] = {"color": COLOURS[author % 8], "marker": marker}
            axes.scatter(x[own], y[own], s=16, alpha=0.85, linewidths=0, **look)
        axes.set(xticks=[], yticks=[])
        axes.set_aspect("equal")
        return figure


def _look(i: int) -> dict[str, Any]:
    return {"color": COLOURS[i % 8], "linestyle": STYLES[i % 8], "lw": 1.6}


@contextmanager
def drawing(width: float, height: float) -> "Iterator[tuple[Figure, Axes]]":
    """A figure of this size in inches and its empty axes, in the common style."""
    import matplotlib
    from matplotlib.figure import Figure

    style: dict[Any, Any] = {
        **_SAME_BYTES,
        "svg.fonttype": "path",
        "font.size": 10,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.edgecolor": hex_colour(LIGHT.muted),
        "text.color": hex_colour(LIGHT.ink),
        "axes.labelcolor": hex_colour(LIGHT.ink),
        "xtick.color": hex_colour(LIGHT.muted),
        "ytick.color": hex_colour(LIGHT.ink),
    }
    with matplotlib.rc_context(style):
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure, figure.subplots()


def hex_colour(colour: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
