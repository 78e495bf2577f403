"""Descriptions of a corpus: as text and as a self-contained HTML page."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from markupsafe import Markup

from adhominem.instrument.report.html import showable
from adhominem.instrument.report.palette import LIGHT
from adhominem.laboratory.report import Row, render
from adhominem.laboratory.report.figures import drawing, hex_colour, svg_element

# Kinds of leak: title, key of the examples, field to show, and a note on each example.
_LEAKS = (
    ("Signatures", "signatures", "sentence", "{documents:,} documents"),
    ("Sentences of many authors", "boilerplate", "sentence", "{authors:,} authors"),
    ("Texts of two authors", "shared_texts", "text", "{left}, {right}"),
)


def funnel_text(manifest: Row) -> str:
    """Documents left after each step of the build, totals, rejected lines and warnings."""
    return render("funnel.text", **manifest, funnel_rows=_funnel_rows(manifest["funnel"]))


def describe_text(description: Row) -> str:
    """The whole description of a corpus."""
    return render("corpus.text", **_rows(description))


def corpus_page(description: Row) -> str:
    """The page of a corpus, from its description."""
    charts = {
        "tokens_chart": _tokens_chart(description["tokens"]["histogram"]),
        "authors_chart": _authors_chart(description["documents_per_author"]["counts"]),
        "funnel_chart": _funnel_chart(description["funnel"]),
    }
    return showable(render("corpus.html", **_rows(description), **charts))


def _rows(description: Row) -> dict[str, Any]:
    """The description, with table rows for pairs, funnel and examples of leaks."""
    leaks = {name: part.get("examples", []) for name, part in description["leaks"].items()}
    return {
        **description,
        "pair_rows": [
            (f"{split}, {cell}", f"{n:,}") if cells else (split, "none can be made")
            for split, cells in description["pairs"].items()
            for cell, n in (cells or {"": 0}).items()
        ],
        "funnel_rows": _funnel_rows(description["funnel"]),
        "leak_examples": {
            title: [(example[shown], count.format_map(example)) for example in leaks[name]]
            for title, name, shown, count in _LEAKS
        },
    }


def _funnel_rows(steps: Sequence[Row]) -> list[tuple[str, str, str]]:
    """A row for each step; steps that split lines add texts, shown with a plus sign."""
    rows = [("", "removed", "left")]
    for step in steps:
        n = step["removed"]
        rows.append((step["step"], f"+{-n:,}" if n < 0 else f"{n:,}", f"{step['left']:,}"))
    return rows


def _tokens_chart(histogram: Mapping[str, Sequence[float]]) -> Markup:
    """Number of documents by number of tokens."""
    with drawing(5.2, 3.2) as (figure, axes):
        edges = histogram["edges"]
        widths = [b - a for a, b in pairwise(edges)]
        look: dict[str, Any] = {"align": "edge", "color": hex_colour(LIGHT.blue), "lw": 0}
        axes.bar(edges[:-1], histogram["counts"], width=widths, **look)
        axes.set_xlabel("tokens")
        axes.set_ylabel("documents")
        axes.yaxis.set_major_formatter("{x:,.0f}")
        return svg_element(figure, transparent=True)


def _authors_chart(counts: Mapping[Any, int]) -> Markup:
    """Number of authors by number of documents, on logarithmic axes."""
    with drawing(5.2, 3.2) as (figure, axes):
        sizes = [int(n) for n in counts]
        axes.plot(sizes, list(counts.values()), "o", ms=4, color=hex_colour(LIGHT.red), alpha=0.8)
        axes.set(xscale="log", yscale="log", xlabel="documents of an author", ylabel="authors")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_minor_formatter("")
            axis.set_major_formatter("{x:,.0f}")
        return svg_element(figure, transparent=True)


def _funnel_chart(steps: Sequence[Row]) -> Markup:
    """Documents left after each step and, in grey, those it removed."""
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
            text += f"  (−{step['removed']:,})" if step["removed"] > 0 else ""
            axes.text(total + top * 0.01, row, text, va="center", fontsize=9)
        axes.set_xlim(0, top * 1.28)
        axes.set_xticks([])
        axes.spines["bottom"].set_visible(False)
        return svg_element(figure, transparent=True)
