"""A corpus as one self-contained page: no script, nothing from outside, everything escaped."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from adhominem.instrument.report.html import environment, showable
from adhominem.instrument.report.palette import LIGHT
from adhominem.laboratory.report.corpus_text import (
    leak_examples,
    leak_rows,
    pair_rows,
    summary_rows,
)
from adhominem.laboratory.report.figures import drawing, hex_colour

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def corpus_page(description: Mapping[str, Any]) -> str:
    """The page of a corpus, from its description."""
    histogram = description["tokens"]["histogram"]
    page = (
        environment("adhominem.laboratory.report")
        .get_template("corpus.html.jinja")
        .render(
            name=description["name"],
            warnings=description["warnings"],
            summary=summary_rows(description),
            pairs=pair_rows(description["pairs"]),
            leaks=leak_rows(description["leaks"]),
            examples=leak_examples(description["leaks"]),
            rejected=description["rejected"],
            topics=description["topics"]["largest"],
            sources=description["sources"],
            # Markup: charts hold numbers and fixed words only.
            tokens_chart=Markup(
                _histogram_chart(histogram["counts"], histogram["edges"], label="tokens")
            ),
            authors_chart=Markup(
                _documents_per_author_chart(description["documents_per_author"]["counts"])
            ),
            funnel_chart=Markup(_funnel_chart(description["funnel"])),
        )
    )
    return showable(page)


def _histogram_chart(counts: Sequence[float], edges: Sequence[float], *, label: str) -> str:
    """Number of documents in each interval, as SVG."""
    with drawing(5.2, 3.2) as (figure, axes):
        widths = [b - a for a, b in pairwise(edges)]
        axes.bar(edges[:-1], counts, width=widths, align="edge", color=hex_colour(LIGHT.blue), lw=0)
        axes.set_xlabel(label)
        axes.set_ylabel("documents")
        _thousands(axes, "y")
        return _svg(figure)


def _documents_per_author_chart(counts: Mapping[Any, int]) -> str:
    """Number of authors by number of documents, on logarithmic axes, as SVG."""
    with drawing(5.2, 3.2) as (figure, axes):
        sizes = [int(n) for n in counts]
        axes.plot(sizes, list(counts.values()), "o", ms=4, color=hex_colour(LIGHT.red), alpha=0.8)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("documents of an author")
        axes.set_ylabel("authors")
        _thousands(axes, "x")
        _thousands(axes, "y")
        return _svg(figure)


def _funnel_chart(steps: Sequence[Mapping[str, Any]]) -> str:
    """Documents left after each step and, in grey, those it removed, as SVG."""
    with drawing(9.0, 0.42 * len(steps) + 0.7) as (figure, axes):
        rows = range(len(steps))
        before = [step["left"] + max(step["removed"], 0) for step in steps]
        axes.barh(rows, before, color=hex_colour(LIGHT.line), lw=0)
        axes.barh(rows, [step["left"] for step in steps], color=hex_colour(LIGHT.blue), lw=0)
        axes.set_yticks(list(rows), [step["step"] for step in steps])
        axes.invert_yaxis()
        top = max([1, *before])
        for row, step, total in zip(rows, steps, before, strict=True):
            text = f"{step['left']:,}"
            if step["removed"]:
                text += f"  (−{step['removed']:,})" if step["removed"] > 0 else ""
            axes.text(total + top * 0.01, row, text, va="center", fontsize=9)
        axes.set_xlim(0, top * 1.28)
        axes.set_xticks([])
        axes.spines["bottom"].set_visible(False)
        return _svg(figure)


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
