"""Figures of an evaluation, one file each, as SVG and PNG.

Okabe and Ito's colours, which colour-blind readers can tell apart, and a line style of its own for
each method, so that print without colour can be read too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from adhominem.laboratory.report.charts import drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = npt.NDArray[np.float64]
Booleans = npt.NDArray[np.bool_]
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c6d31")
STYLES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (8, 3)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
Curves = Mapping[str, tuple[Sequence[float], Sequence[float]]]


def save_figures(
    figures: Mapping[str, Figure], folder: Path, endings: Sequence[str] = ("svg", "png")
) -> list[Path]:
    import matplotlib

    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    with matplotlib.rc_context({"svg.hashsalt": "adhominem"}):
        for name, figure in figures.items():
            for ending in endings:
                path = folder / f"{name}.{ending}"
                about: dict[str, Any] = {"Date": None} if ending == "svg" else {"Software": None}
                figure.savefig(path, dpi=160, metadata=about)
                paths.append(path)
    return paths


def roc_figure(curves: Curves) -> Figure:
    """False against true positive rate."""

    def draw(axes: Axes) -> None:
        axes.plot([0, 1], [0, 1], color="#999999", lw=0.8)
        _lines(axes, curves)
        axes.set_xlabel("different authors taken for one")
        axes.set_ylabel("same authors recognised")
        axes.set_aspect("equal")
        _as_percent(axes)

    return _figure(draw, 5.0, 5.0)


def reliability_figure(bins: Mapping[str, Sequence[Mapping[str, float]]]) -> Figure:
    """What the score says against what is true."""

    def draw(axes: Axes) -> None:
        axes.plot([0, 1], [0, 1], color="#999999", lw=0.8)
        for i, (name, rows) in enumerate(bins.items()):
            x, y = [row["score"] for row in rows], [row["same"] for row in rows]
            axes.plot(x, y, marker=MARKERS[i % 8], ms=5, label=name, **_look(i))
        axes.set_xlabel("score")
        axes.set_ylabel("share of pairs by one author")
        axes.set_aspect("equal")
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1)
        axes.legend(frameon=False)

    return _figure(draw, 5.0, 5.0)


def tippett_figure(llr: Mapping[str, Floats], same_author: Booleans) -> Figure:
    """Share of the pairs with at least this likelihood ratio, for both kinds of pairs."""

    def draw(axes: Axes) -> None:
        for i, (name, values) in enumerate(llr.items()):
            for same, width in ((True, 1.8), (False, 1.0)):
                ordered = np.sort(values[same_author == same])
                share = 1 - np.arange(len(ordered)) / max(len(ordered), 1)
                kind = "one author" if same else "different authors"
                look = _look(i) | {"lw": width}
                axes.step(ordered, share, where="post", label=f"{name}, {kind}", **look)
        axes.axvline(0, color="#999999", lw=0.8)
        axes.set_xlabel("log10 likelihood ratio")
        axes.set_ylabel("share of the pairs with at least that")
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
        axes.legend(frameon=False, fontsize=8)

    return _figure(draw, 6.4, 4.2)


def length_figure(bands: Mapping[str, Sequence[Mapping[str, Any]]]) -> Figure:
    """Error against the length of the shorter text."""

    def draw(axes: Axes) -> None:
        labels: dict[int, str] = {}
        for i, (name, rows) in enumerate(bands.items()):
            shown = [row for row in rows if row["pairs"] >= 20]
            x = [row["from"] for row in shown]
            labels |= {
                row["from"]: f"{row['from']}-{row['to']}" if row["to"] else f"{row['from']}+"
                for row in shown
            }
            place = {start: n for n, start in enumerate(sorted(labels))}
            errors = [row["error"] for row in shown]
            marker = MARKERS[i % 8]
            axes.plot([place[s] for s in x], errors, marker=marker, ms=5, label=name, **_look(i))
        starts = sorted(labels)
        axes.set_xticks(range(len(starts)), [labels[start] for start in starts])
        axes.set_xlabel("tokens of the shorter text")
        axes.set_ylabel("error")
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
        axes.legend(frameon=False)

    return _figure(draw, 6.4, 4.0)


def tsne_figure(places: Floats, authors: Sequence[int]) -> Figure:
    """Documents of unseen authors on a plane; colour and shape say who wrote them."""
    numbers = np.asarray(authors)

    def draw(axes: Axes) -> None:
        for author in np.unique(numbers):
            chosen = places[numbers == author]
            axes.scatter(
                chosen[:, 0],
                chosen[:, 1],
                s=16,
                color=COLOURS[author % 8],
                marker=MARKERS[(author + author // 8) % 8],
                alpha=0.85,
                linewidths=0,
            )
        axes.set_xticks([])
        axes.set_yticks([])
        axes.set_aspect("equal")

    return _figure(draw, 6.0, 6.0)


def project(features: npt.NDArray[np.float32], *, seed: int = 0) -> Floats:
    """t-SNE of document features."""
    from sklearn.manifold import TSNE

    perplexity = min(30, max(2, (len(features) - 1) // 3))
    plane = TSNE(perplexity=perplexity, init="pca", random_state=seed).fit_transform(features)
    return np.asarray(plane, dtype=np.float64)


def _figure(draw: Callable[[Axes], None], width: float, height: float) -> Figure:
    with drawing(width, height) as (figure, axes):
        draw(axes)
        return figure


def _lines(axes: Axes, curves: Curves) -> None:
    for i, (name, (x, y)) in enumerate(curves.items()):
        axes.plot(x, y, label=name, **_look(i))
    axes.legend(frameon=False, loc="lower right")


def _look(i: int) -> dict[str, Any]:
    return {"color": COLOURS[i % 8], "linestyle": STYLES[i % 8], "lw": 1.6}


def _as_percent(axes: Axes) -> None:
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: f"{value:.0%}")
