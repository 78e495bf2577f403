"""Charts as SVG, drawn by matplotlib; same numbers, same bytes."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from adhominem.instrument.report.palette import LIGHT, Rgb

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def histogram_chart(counts: Sequence[float], edges: Sequence[float], *, label: str) -> str:
    with drawing(5.2, 3.2) as (figure, axes):
        widths = [b - a for a, b in pairwise(edges)]
        axes.bar(edges[:-1], counts, width=widths, align="edge", color=_hex(LIGHT.blue), lw=0)
        axes.set_xlabel(label)
        axes.set_ylabel("documents")
        _thousands(axes, "y")
        return _svg(figure)


def documents_per_author_chart(counts: Mapping[Any, int]) -> str:
    """Both axes logarithmic: few authors have many documents."""
    with drawing(5.2, 3.2) as (figure, axes):
        sizes = [int(n) for n in counts]
        axes.plot(sizes, list(counts.values()), "o", ms=4, color=_hex(LIGHT.red), alpha=0.8)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("documents of an author")
        axes.set_ylabel("authors")
        _thousands(axes, "x")
        _thousands(axes, "y")
        return _svg(figure)


def funnel_chart(steps: Sequence[Mapping[str, Any]]) -> str:
    """What is left after each step, and what it took away behind it."""
    with drawing(9.0, 0.42 * len(steps) + 0.7) as (figure, axes):
        places = range(len(steps))
        before = [step["left"] + max(step["removed"], 0) for step in steps]
        axes.barh(places, before, color=_hex(LIGHT.line), lw=0)
        axes.barh(places, [step["left"] for step in steps], color=_hex(LIGHT.blue), lw=0)
        axes.set_yticks(list(places), [step["step"] for step in steps])
        axes.invert_yaxis()
        top = max([1, *before])
        for place, step, total in zip(places, steps, before, strict=True):
            text = f"{step['left']:,}"
            if step["removed"]:
                text += f"  (−{step['removed']:,})" if step["removed"] > 0 else ""
            axes.text(total + top * 0.01, place, text, va="center", fontsize=9)
        axes.set_xlim(0, top * 1.28)
        axes.set_xticks([])
        axes.spines["bottom"].set_visible(False)
        return _svg(figure)


@contextmanager
def drawing(width: float, height: float) -> Iterator[tuple[Figure, Axes]]:
    """An empty pair of axes in our style."""
    import matplotlib
    from matplotlib.figure import Figure

    style: dict[Any, Any] = {
        "svg.hashsalt": "adhominem",
        "svg.fonttype": "path",
        "font.size": 10,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.edgecolor": _hex(LIGHT.muted),
        "text.color": _hex(LIGHT.ink),
        "axes.labelcolor": _hex(LIGHT.ink),
        "xtick.color": _hex(LIGHT.muted),
        "ytick.color": _hex(LIGHT.ink),
    }
    with matplotlib.rc_context(style):
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure, figure.subplots()


def _thousands(axes: Axes, axis: str) -> None:
    from matplotlib.ticker import FuncFormatter, NullFormatter

    target = axes.xaxis if axis == "x" else axes.yaxis
    target.set_minor_formatter(NullFormatter())
    target.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))


def _svg(figure: Figure) -> str:
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None}, transparent=True)
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", buffer.getvalue(), flags=re.DOTALL)
    return text[text.index("<svg") :]


def _hex(colour: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
