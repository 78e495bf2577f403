"""An analysis of attention as Markdown, for terminals and pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from adhominem.instrument.report.plain_text import markdown_code, markdown_table
from adhominem.instrument.report.wording import signed
from adhominem.laboratory.report.evaluation_tables import interval_cell

_TOP_SHOWN = 20
_PAPER_DEFINITELY = "0.13 %"
_PAPER_TAU = "0.836 to 0.853 with deviations of 0.014 to 0.017"
_GROUPS = (
    ("linguistic category", "categories"),
    ("part of speech", "parts_of_speech"),
    ("kind of word", "kinds"),
    ("vocabulary", "vocabulary"),
)


def analysis_text(report: Mapping[str, Any]) -> str:
    """Summary and tables of every sample of texts."""
    parts: list[str] = []
    for corpus in report["corpora"]:
        parts += [f"### {corpus['name']}", _summary(corpus), *_tables(corpus, report["tagger"])]
    return "\n\n".join(parts)


def stability_text(report: Mapping[str, Any]) -> str:
    """Tables of the agreement of models about the words they attend to."""
    parts = []
    for corpus in report["corpora"]:
        rows = [_agreement(one) for one in corpus["against"]]
        head = [
            *("against", "texts", "tau of words", "p < .05 %", "p ≤ .01 %"),
            *("empty places counted", "tau of sentences", "p < .05 %"),
        ]
        parts += [f"### {_source(corpus)}", markdown_table(head, rows)]
    return "\n\n".join([*parts, f"Mean and deviation over texts. The paper has {_PAPER_TAU}."])


def _agreement(one: Mapping[str, Any]) -> list[str]:
    words, padded, sentences = one["words"], one["padded_words"], one["sentences"]
    if not words["texts"]:
        return [one["name"], "0", *["-"] * 6]
    return [
        one["name"],
        f"{words['texts']:,}",
        _spread(words),
        f"{100 * words['below_05']:.1f}",
        f"{100 * words['below_01']:.1f}",
        _spread(padded),
        _spread(sentences) if sentences["texts"] else "-",
        f"{100 * sentences['below_05']:.1f}" if sentences["texts"] else "-",
    ]


def _spread(part: Mapping[str, Any]) -> str:
    return f"{part['mean']:.3f} ± {part['deviation']:.3f}"


def _source(corpus: Mapping[str, Any]) -> str:
    part = f", fold {corpus['fold']}" if "fold" in corpus else ""
    part += f", {corpus['split']} authors" if "split" in corpus else ""
    return f"{corpus['name']}{part}"


def _summary(corpus: Mapping[str, Any]) -> str:
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
    lines += [_misspelt(row) for row in corpus["matched"] if row["name"] == "misspelt word"]
    lines += [
        f"The last sentence has {interval_cell(row['lift'])} times the mean attention of its text "
        f"and is the highest in {100 * row['highest']:.1f} % of texts, by chance in "
        f"{100 * corpus['places']['highest_by_chance']:.1f} % (the paper: “frequently marked”)."
        for row in corpus["places"]["rows"]
        if row["name"] == "last sentence" and corpus["places"]["texts"]
    ]
    return "\n".join(lines)


def _misspelt(row: Mapping[str, Any]) -> str:
    return (
        f"A misspelt word has {row['before']['value']:.2f} times the mean weight of its text, the "
        f"same word spelt right {row['after']['value']:.2f}: {_signed_cell(row['difference'])}."
    )


def _tables(corpus: Mapping[str, Any], tagger: str) -> Iterator[str]:
    head = ["among the five most attended", "times", "share %", "of its occurrences %"]
    yield markdown_table(head, [_top(row) for row in corpus["top"]["words"][:_TOP_SHOWN]])
    for title, name in _GROUPS:
        by = f" by {tagger}" if name == "parts_of_speech" else ""
        head = [title + by, "tokens", "of all %", "of the five highest %", "lift (95 %)"]
        yield markdown_table(head, [_lift(row) for row in corpus[name]])
    yield _matched(corpus["matched"])
    yield _positions(corpus["places"])


def _top(row: Mapping[str, Any]) -> list[str]:
    shares = (f"{100 * row['share']:.2f}", f"{100 * row['chosen']:.0f}")
    return [markdown_code(row["word"]), f"{row['times']:,}", *shares]


def _lift(row: Mapping[str, Any]) -> list[str]:
    shares = (f"{100 * row['share']:.2f}", f"{100 * row['top_share']:.2f}")
    return [row["name"], f"{row['tokens']:,}", *shares, interval_cell(row["lift"])]


def _matched(rows: Sequence[Mapping[str, Any]]) -> str:
    head = [
        *("put right in the same text", "places", "attention before", "after"),
        *("difference (95 %)", "before is more, %", "its sentence, difference (95 %)"),
    ]
    cells = [
        [
            row["name"],
            f"{row['matches']:,}",
            f"{row['before']['value']:.2f}",
            f"{row['after']['value']:.2f}",
            _signed_cell(row["difference"]),
            f"{100 * row['attended_more']['value']:.0f}",
            _signed_cell(row["sentence_difference"]),
        ]
        for row in rows
    ]
    return (
        markdown_table(head, cells) if cells else "No habit was met often enough to be put right."
    )


def _positions(positions: Mapping[str, Any]) -> str:
    if not positions["texts"]:
        return f"No text has {positions['fewest_sentences']} sentences."
    rows = [
        [row["name"], interval_cell(row["lift"]), f"{100 * row['highest']:.1f}"]
        for row in positions["rows"]
    ]
    head = ["place of the sentence", "lift (95 %)", "highest of its text, %"]
    return (
        markdown_table(head, rows) + f"\n\nOf {positions['texts']:,} texts with "
        f"{positions['fewest_sentences']} sentences or more; by chance any one sentence is the "
        f"highest in {100 * positions['highest_by_chance']:.1f} %."
    )


def _signed_cell(value: Mapping[str, float]) -> str:
    return f"{signed(value['value'])} ({signed(value['low'])} to {signed(value['high'])})"
