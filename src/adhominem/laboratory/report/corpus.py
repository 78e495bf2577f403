"""Descriptions of a corpus: as text, and as one self-contained page without scripts, everything
escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from markupsafe import Markup

from adhominem.instrument.report.html import environment, showable
from adhominem.instrument.report.palette import LIGHT
from adhominem.instrument.report.plain_text import visible
from adhominem.laboratory.report.evaluation_tables import aligned
from adhominem.laboratory.report.figures import drawing, hex_colour, svg_element

Row = tuple[str, str]


_SUMMARY = (
    ("documents", "{documents[total]:,}"),
    ("authors", "{authors[total]:,}"),
    (
        "documents of an author",
        "{documents_per_author[mean]:.1f} ± {documents_per_author[deviation]:.1f}, "
        "at most {documents_per_author[most]:.0f}",
    ),
    (
        "tokens of a document",
        "{tokens[mean]:.0f} ± {tokens[deviation]:.0f}, {tokens[least]:.0f} to {tokens[most]:,.0f}",
    ),
    ("tokens", "{tokens[total]:,}"),
    (
        "word types of training authors",
        "{vocabulary[words]:,}, {vocabulary[words_kept]:,} of them {cuts[min_word_count]} times or "
        "more",
    ),
    (
        "character types",
        "{vocabulary[characters]:,}, {vocabulary[characters_kept]:,} of them "
        "{cuts[min_character_count]} times or more",
    ),
)
_LEAKS = (
    ("authors in two splits", "{overlap[splits]:,}"),
    ("authors in two folds", "{overlap[folds]:,}"),
    (
        "documents that two authors share",
        "{shared_texts[documents]:,} in {shared_texts[pairs]:,} pairs, "
        "{shared_texts[pairs_across_splits]:,} of them across splits (never paired)",
    ),
    ("documents with a signature", "{signatures[documents]:,} by {signatures[authors]:,} authors"),
    ("documents that quote", "{quotations[documents]:,}"),
    ("sentences of many authors", "{boilerplate[sentences]:,}"),
)


def funnel_text(manifest: Mapping[str, Any]) -> str:
    """Documents left after each step of the build, totals, rejected lines and warnings."""
    documents, authors = manifest["documents"]["total"], manifest["authors"]["total"]
    lines = [_funnel(manifest["funnel"]), "", f"{documents:,} documents by {authors:,} authors"]
    lines += [f"  rejected, {reason}: {n:,}" for reason, n in manifest["rejected"].items()]
    lines += [f"warning: {visible(warning)}" for warning in manifest["warnings"]]
    return "\n".join(lines)


def describe_text(description: Mapping[str, Any]) -> str:
    """The whole description of a corpus."""
    parts = [
        f"Corpus {visible(description['name'])}",
        _table(_summary_rows(description)),
        "Pairs of one epoch\n" + _table(_pair_rows(description["pairs"])),
        "From lines to documents\n" + _funnel(description["funnel"]),
        "Leaks\n" + _table(_leak_rows(description["leaks"])),
    ]
    for title, examples in _leak_examples(description["leaks"]).items():
        if examples:
            lines = [f"  {visible(text)[:70]}  ({visible(where)})" for text, where in examples[:5]]
            parts.append("\n".join([title, *lines]))
    if description["warnings"]:
        parts.append("\n".join(f"warning: {visible(w)}" for w in description["warnings"]))
    return "\n\n".join(parts)


def _summary_rows(description: Mapping[str, Any]) -> list[Row]:
    """Counts as in the paper's paragraph on its corpus."""
    by_split = [
        (f"{split} documents, authors", f"{{documents[{split}]:,}}, {{authors[{split}]:,}}")
        for split in ("train", "dev", "test")
    ]
    topics = "{topics[total]:,}" if description["topics"]["total"] else "none"
    rows = [*_SUMMARY, ("topics", topics), *by_split]
    return [(name, pattern.format_map(description)) for name, pattern in rows]


def _pair_rows(pairs: Mapping[str, Mapping[str, int] | None]) -> list[Row]:
    """Number of pairs of each split and cell."""
    rows = []
    for split, cells in pairs.items():
        if cells is None:
            rows.append((split, "none can be made"))
            continue
        rows += [(f"{split}, {cell}", f"{n:,}") for cell, n in cells.items()]
    return rows


def _leak_rows(leaks: Mapping[str, Any]) -> list[Row]:
    """Counts of what may give an author away."""
    return [(name, pattern.format_map(leaks)) for name, pattern in _LEAKS]


def _leak_examples(leaks: Mapping[str, Any]) -> dict[str, list[Row]]:
    """Examples of each kind of leak, by title."""
    return {
        "Signatures": [
            (e["sentence"], f"{e['documents']:,} documents")
            for e in leaks["signatures"]["examples"]
        ],
        "Sentences of many authors": [
            (e["sentence"], f"{e['authors']:,} authors") for e in leaks["boilerplate"]["examples"]
        ],
        "Texts of two authors": [
            (e["text"], f"{e['left']}, {e['right']}") for e in leaks["shared_texts"]["examples"]
        ],
    }


def _funnel(steps: Sequence[Mapping[str, Any]]) -> str:
    """A line for each step; a step that splits lines has added texts, with a plus sign."""
    numbers = [(step["step"], step["removed"], step["left"]) for step in steps]
    rows = [(s, f"+{-n:,}" if n < 0 else f"{n:,}", f"{left:,}") for s, n, left in numbers]
    return aligned([("", "removed", "left"), *rows])


def _table(rows: Sequence[Row]) -> str:
    width = max((len(name) for name, _ in rows), default=0)
    return "\n".join(f"{name:{width}}  {value}" for name, value in rows)


def corpus_page(description: Mapping[str, Any]) -> str:
    """The page of a corpus, from its description."""
    template = environment("adhominem.laboratory.report").get_template("corpus.html.jinja")
    page = template.render(
        name=description["name"],
        warnings=description["warnings"],
        summary=_summary_rows(description),
        pairs=_pair_rows(description["pairs"]),
        leaks=_leak_rows(description["leaks"]),
        examples=_leak_examples(description["leaks"]),
        rejected=description["rejected"],
        topics=description["topics"]["largest"],
        sources=description["sources"],
        tokens_chart=_tokens_chart(description["tokens"]["histogram"]),
        authors_chart=_authors_chart(description["documents_per_author"]["counts"]),
        funnel_chart=_funnel_chart(description["funnel"]),
    )
    return showable(page)


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


def _funnel_chart(steps: Sequence[Mapping[str, Any]]) -> Markup:
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
