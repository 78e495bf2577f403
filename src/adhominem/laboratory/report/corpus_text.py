"""Descriptions of a corpus as text, and the rows that its page shows too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adhominem.instrument.report.plain_text import visible

Row = tuple[str, str]


def funnel_text(manifest: Mapping[str, Any]) -> str:
    """Documents left after each step of the build, totals, rejected lines and warnings."""
    documents, authors = manifest["documents"]["total"], manifest["authors"]["total"]
    lines = _funnel(manifest["funnel"])
    lines += ["", f"{documents:,} documents by {authors:,} authors"]
    lines += [f"  rejected, {reason}: {n:,}" for reason, n in manifest["rejected"].items()]
    lines += [f"warning: {visible(warning)}" for warning in manifest["warnings"]]
    return "\n".join(lines)


def describe_text(description: Mapping[str, Any]) -> str:
    """The whole description of a corpus."""
    parts = [
        f"Corpus {visible(description['name'])}",
        _table(summary_rows(description)),
        "Pairs of one epoch\n" + _table(pair_rows(description["pairs"])),
        "From lines to documents\n" + "\n".join(_funnel(description["funnel"])),
        "Leaks\n" + _table(leak_rows(description["leaks"])) + _examples(description["leaks"]),
    ]
    if description["warnings"]:
        parts.append("\n".join(f"warning: {visible(w)}" for w in description["warnings"]))
    return "\n\n".join(parts)


def summary_rows(description: Mapping[str, Any]) -> list[Row]:
    """Counts as in the paper's paragraph on its corpus."""
    tokens, per_author = description["tokens"], description["documents_per_author"]
    words, topics, cuts = description["vocabulary"], description["topics"], description["cuts"]
    documents, authors = description["documents"], description["authors"]
    return [
        ("documents", f"{documents['total']:,}"),
        ("authors", f"{authors['total']:,}"),
        (
            "documents of an author",
            f"{per_author['mean']:.1f} ± {per_author['deviation']:.1f}, "
            f"at most {per_author['most']:.0f}",
        ),
        (
            "tokens of a document",
            f"{tokens['mean']:.0f} ± {tokens['deviation']:.0f}, "
            f"{tokens['least']:.0f} to {tokens['most']:,.0f}",
        ),
        ("tokens", f"{tokens['total']:,}"),
        (
            "word types of training authors",
            f"{words['words']:,}, {words['words_kept']:,} of them {cuts['min_word_count']} times "
            "or more",
        ),
        (
            "character types",
            f"{words['characters']:,}, {words['characters_kept']:,} of them "
            f"{cuts['min_character_count']} times or more",
        ),
        ("topics", f"{topics['total']:,}" if topics["total"] else "none"),
        *(
            (f"{split} documents, authors", f"{documents[split]:,}, {authors[split]:,}")
            for split in ("train", "dev", "test")
        ),
    ]


def pair_rows(pairs: Mapping[str, Mapping[str, int] | None]) -> list[Row]:
    """Number of pairs of each split and cell."""
    rows = []
    for split, cells in pairs.items():
        if cells is None:
            rows.append((split, "none can be made"))
            continue
        rows += [(f"{split}, {cell}", f"{n:,}") for cell, n in cells.items()]
    return rows


def leak_rows(leaks: Mapping[str, Any]) -> list[Row]:
    """Counts of what may give an author away."""
    shared, overlap = leaks["shared_texts"], leaks["overlap"]
    return [
        ("authors in two splits", f"{overlap['splits']:,}"),
        ("authors in two folds", f"{overlap['folds']:,}"),
        (
            "documents that two authors share",
            f"{shared['documents']:,} in {shared['pairs']:,} pairs, "
            f"{shared['pairs_across_splits']:,} of them across splits (never paired)",
        ),
        (
            "documents with a signature",
            f"{leaks['signatures']['documents']:,} by {leaks['signatures']['authors']:,} authors",
        ),
        ("documents that quote", f"{leaks['quotations']['documents']:,}"),
        ("sentences of many authors", f"{leaks['boilerplate']['sentences']:,}"),
    ]


def leak_examples(leaks: Mapping[str, Any]) -> dict[str, list[Row]]:
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


def _examples(leaks: Mapping[str, Any]) -> str:
    lines = []
    for title, rows in leak_examples(leaks).items():
        if rows:
            lines.append(f"\n\n{title}")
            lines += [f"\n  {visible(text)[:70]}  ({visible(where)})" for text, where in rows[:5]]
    return "".join(lines)


def _funnel(steps: Sequence[Mapping[str, Any]]) -> list[str]:
    width = max(len(step["step"]) for step in steps)
    lines = [f"{'':{width}}  {'removed':>11}  {'left':>11}"]
    lines += [
        f"{step['step']:{width}}  {_removed(step['removed']):>11}  {step['left']:>11,}"
        for step in steps
    ]
    return lines


def _removed(n: int) -> str:
    """The number removed, or with a plus sign the number added by a step that splits lines."""
    return f"{n:,}" if n >= 0 else f"+{-n:,}"


def _table(rows: Sequence[Row]) -> str:
    width = max((len(name) for name, _ in rows), default=0)
    return "\n".join(f"{name:{width}}  {value}" for name, value in rows)
