"""Writes the generated parts of README.md and docs/ from results/ and from the command line.

    python docs/generate.py            writes
    python docs/generate.py --check    says what has drifted, and writes nothing

A generated part stands between `<!-- begin NAME -->` and `<!-- end NAME -->`.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import typer
from pyarrow import parquet
from typer.testing import CliRunner

from adhominem.cli.app import app
from adhominem.instrument.report.plain_text import markdown_table
from adhominem.laboratory.report.adaptation import STATES, adaptation_figure
from adhominem.laboratory.report.analysis import (
    analysis_figures,
    analysis_text,
    stability_figures,
    stability_text,
)
from adhominem.laboratory.report.evaluation_tables import (
    as_markdown,
    evaluation_table,
    faithfulness_table,
    robustness_text,
)
from adhominem.laboratory.report.figures import save_figures

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "results"
MODEL = "adhominem.laboratory.network.model"


def result(name: str) -> dict[str, Any]:
    """The content of a file in results/."""
    content: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    return content


def hotels_table() -> str:
    """The shipped model on hotel reviews, by cell."""
    return evaluation_table(result("shipped-test")["hotels"])


def paper_recipe_table() -> str:
    """AdHominem and its predecessor on the same pairs of hotel reviews, then AdHominem by cell."""
    reports = {
        name: result(file)["hotels"]
        for name, file in {"AdHominem": "hotels-test", "HRSN": "hrsn-test"}.items()
    }
    rows = []
    for name, report in reports.items():
        low, high = (100 * report["intervals"]["error"][end] for end in ("low", "high"))
        error = f"{100 * report['error']:.1f} ({low:.1f} to {high:.1f})"
        numbers = (report["auc"], report["hard_half"]["auc"], report["cllr"])
        rows.append([name, f"{report['pairs']:,}", error, *(f"{n:.3f}" for n in numbers)])
    head = ["network", "pairs", "error % (95 % interval)", "AUC", "hard half: AUC", "Cllr"]
    return f"{markdown_table(head, rows)}\n\n{evaluation_table(reports['AdHominem'])}"


def second_opinion_table() -> str:
    """The network and a character n-gram verifier, alone and together, on development pairs."""
    report = result("second-opinion")
    rows = [
        [name, f"{100 * figures['error']:.1f}", f"{figures['auc']:.3f}"]
        for name, figures in report["figures"].items()
    ]
    table = markdown_table(["judged by", "error %", "AUC"], rows)
    return f"{table}\n\n{report['pairs']:,} pairs of {report['corpus']}."


_SHORT = ("hotels", "blogs", "blogs, genre given", "reddit", "imdb", "amazon", "pan", "ebg")


def genres_table(names: Sequence[str] | None = None) -> str:
    """The shipped model on every kind of text it was measured on, or on some."""
    reports = result("shipped-test") | result("other-genres")
    reports.pop("model")
    rows = []
    for name in names or reports:
        report = reports[name]
        sure = report["high_reliability"]
        rows.append(
            [
                name,
                f"{report['pairs']:,}",
                f"{100 * report['error']:.1f}",
                f"{report['auc']:.3f}",
                f"{report['cllr']:.3f}",
                f"{100 * report['undecided'] / report['pairs']:.1f}",
                f"{100 * sure['share']:.1f}",
                "-" if sure["error"] is None else f"{100 * sure['error']:.1f}",
            ]
        )
    head = [
        "texts",
        "pairs",
        "error %",
        "AUC",
        "Cllr",
        "undecided %",
        "reliable: share %",
        "error %",
    ]
    return markdown_table(head, rows)


def attempts_table() -> str:
    """Runs before the shipped model, with errors on development authors."""
    runs = result("shipped-attempts")["runs"]
    lines = [
        "| run | features | temperature | words | widths | batch | teachers % | epochs | "
        "error % on hotels | blogs | Reddit | IMDb | Amazon |",
        "|---|---|--:|---|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for run in runs:
        network, training = run["settings"]["network"], run["settings"]["training"]
        measured = run.get("common_draw", run["best_by_genre"])
        genres = ("hotels", "blogs", "reddit", "imdb", "amazon")
        errors = [f"{100 * measured[genre]:.1f}" if genre in measured else "-" for genre in genres]
        cells = [
            run["name"],
            "of length 1" if network.get("unit_length") else "free",
            f"{training['temperature']:g}",
            "trained" if network.get("train_words") else "frozen",
            f"{network['D_s']}/{network.get('D_r', 20)}",
            str(training["batch_pairs"]),
            f"{100 * training.get('teacher_share', 0):.0f}",
            str(len(run["development_error"])),
            *errors,
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


_ADAPTED = {"film reviews": "adaptation-imdb", "blogs": "adaptation-blogs"}


def adaptation_table() -> str:
    """A model of hotel reviews, adapted to other kinds of text."""
    rows = []
    for name, file in _ADAPTED.items():
        for authors, row in result(file)["authors"].items():
            errors = [f"{100 * row[state]['error']:.1f}" for state in STATES]
            costs = [f"{row[state]['cllr']:.2f}" for state in ("before", "after")]
            pairs, seconds = str(row["after"]["pairs"]), str(row["seconds"])
            rows.append([name, authors, pairs, *errors, *costs, seconds])
    head = [
        *("texts", "authors", "test pairs", "error % as it was", "calibrated anew", "adapted"),
        *("Cllr as it was", "adapted", "seconds"),
    ]
    return markdown_table(head, rows)


def speed_table() -> str:
    """The measured times of every benchmark."""
    encoding, step, batch, case, search, serving = (
        result(f"benchmark-{name}")
        for name in ("encoding", "training-step", "batch", "case", "search", "serving")
    )
    gpu = result("training-step-h200")
    pairs_per_second = gpu["experiments"]["shipped"]["pairs_per_second"]["replayed"]
    start = result("house")
    rows = {
        "encoding, against the plain padded network": f"{encoding['fast_over_plain']:.1f} times",
        "a training step, against the plain padded network": f"{step['ours_over_plain']:.1f} times",
        f"pairs a second in training the shipped model, one {gpu['machine']['gpu']}": (
            f"{round(pairs_per_second, -3):,.0f}"
        ),
        "`adhominem --help`": f"{start['help_seconds']:.2f} s",
        "`adhominem verify a.txt b.txt`, cold": f"{start['verify_seconds']:.1f} s",
        "its memory": f"{start['verify_megabytes']:.0f} MB",
        "`import numpy, spacy`, for comparison": f"{start['import_numpy_spacy_seconds']:.1f} s",
        "texts a second in batches, raw text to score": f"{batch['documents_per_second']:.0f}",
        f"a case of {case['texts']} texts, {case['pairs']:,} pairs": f"{case['seconds']:.1f} s",
        f"the nearest of {search['candidates']:,} candidates": (
            f"{search['search_seconds']['median']:.1f} s"
        ),
        f"the workbench, {serving['rate']:.0f} pairs a second: 95 % are answered within": (
            f"{serving['steady']['p95']:.1f} s"
        ),
    }
    return markdown_table(["", ""], list(rows.items()))


def house_line() -> str:
    """Packages and size of a base installation."""
    base = result("house")["base_installation"]
    largest = ", ".join(f"{name} {size}" for name, size in list(base["largest"].items())[:3])
    return (
        f"A base installation has {base['packages']} packages and {base['megabytes']} MB "
        f"({largest} MB)."
    )


def faithfulness_part() -> str:
    """Faithfulness of the explanations of the shipped model, and the command that measured it."""
    report = result("faithfulness")
    files = ", ".join(f"{part['pairs']:,} of `{part['name']}`" for part in report["files"])
    return (
        f"The shipped model on {report['pairs']:,} development pairs ({files}), whose evidence is "
        f"{report['evidence']['value']:.2f} in the mean:\n\n"
        f"```text\n{report['command']}\n```\n\n{faithfulness_table(report)}"
    )


def lift_part() -> str:
    """Attention of the shipped model."""
    report = result("lift")
    return f"```text\n{report['command']}\n```\n\n{analysis_text(report)}"


def stability_part() -> str:
    """Agreement of the networks of a cross-validation about words."""
    report = result("stability")
    return f"```text\n{report['command']}\n```\n\n{stability_text(report)}"


def robustness_part() -> str:
    """Effect of edits and disguise on the shipped model."""
    report = result("robustness")
    return f"```text\n{report['command']}\n```\n\n{robustness_text(report)}"


def draw_figures() -> None:
    """The figures of docs/images/. They are not compared with what is there: another version of
    matplotlib draws the same figures with other bytes."""
    lift = result("lift")
    stability = result("stability")
    figures = analysis_figures(lift) | stability_figures(stability)
    page = (ROOT / "docs" / "reference" / "attention.md").read_text(encoding="utf-8")
    shown = {name: figure for name, figure in figures.items() if f"images/{name}.svg" in page}
    shown["adaptation"] = adaptation_figure({n: result(file) for n, file in _ADAPTED.items()})
    save_figures(shown, ROOT / "docs" / "images", ["svg"])


def equations_table() -> str:
    """Lines of model.py with the equations of the paper."""
    anchors = [
        ("(1), (2)", "characters to word: convolution, max over time", "class CharactersToWord"),
        ("(3)", "words to sentence: bidirectional LSTM", "# Equation (3)"),
        ("(4)", "word attention, sentence embedding", "# Equation (4)"),
        ("(5)", "sentences to document: bidirectional LSTM", "# Equation (5)"),
        ("(6)", "sentence attention, document embedding", "# Equation (6)"),
        ("(4), (6)", "the attention layer itself", "class Attention"),
        ("(7)", "metric layer, document features", "# Equation (7)"),
        ("(8)", "distance", "def distance"),
        ("(9), (10), (11)", "double-threshold loss", "def double_threshold_loss"),
        ("(12)", "product of both attentions", "def combined_attention"),
    ]
    spec = find_spec(MODEL)
    assert spec is not None and spec.origin is not None
    path = Path(spec.origin)
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = []
    for equation, what, anchor in anchors:
        number = next(n for n, line in enumerate(lines, 1) if anchor in line)
        link = f"../../{path.relative_to(ROOT).as_posix()}#L{number}"
        rows.append(f"| {equation} | {what} | [`model.py`, line {number}]({link}) |")
    return "\n".join(["| equation | what | where |", "|---|---|---|", *rows])


def comparison(name: str) -> str:
    """Both tables of the paper and what goes with them, for one corpus."""
    return as_markdown(result(name))


def pairs_line(name: str) -> str:
    """Number of test pairs of a corpus that has fewer than were asked for."""
    table = parquet.read_table(
        RESULTS / f"{name}.parquet", columns=["id", "same_author", "same_topic"]
    )
    ids, *truth = (column.to_pylist() for column in table.columns)
    cells = Counter(zip((pair.split("-")[1] for pair in ids), *truth, strict=True)).values()
    return (
        f"The corpus gave {min(cells):,} to {max(cells):,} test pairs of each cell per fold, "
        f"{table.num_rows:,} in all."
    )


def language_line() -> str:
    """Shares of function words in English corpora and in other languages."""
    report = result("language")
    english, others = report["english"], report["other_languages"]
    below = sum(row["below"] for row in english.values())
    texts = sum(row["texts"] for row in english.values())
    medians = [row["median"] for row in english.values()]
    return (
        f"   In {len(english)} English corpora the median share is {min(medians):.0%} to "
        f"{max(medians):.0%}, and {below} of {texts:,} texts are below the limit; the examples of "
        f"{len(others)} other languages have {max(others.values()):.0%} at most."
    )


def methods_speed_table() -> str:
    """Speed of the compared methods, fastest first."""
    methods = result("benchmark-verifiers")["methods"]
    rows = [
        [name, f"{row['pairs_per_second']:,.0f}", f"{row['fit_seconds']:.1f} s"]
        for name, row in sorted(methods.items(), key=lambda item: -item[1]["pairs_per_second"])
    ]
    return markdown_table(["method", "pairs/s", "fit on 400 pairs"], rows)


def corpus_table() -> str:
    """Time and memory of building a corpus, by size."""
    benchmark = result("benchmark-corpus")
    rows = [
        f"| {size['reviews']:,} | {size['build_seconds']:,.0f} s | "
        f"{size['build_reviews_per_second']:,} | {size['speed_against_spacy']:.0%} | "
        f"{size['peak_megabytes']:,} MB |"
        for size in benchmark["sizes"].values()
    ]
    head = "| reviews | time | reviews/s | speed against bare spaCy | peak memory, all processes |"
    return "\n".join([head, "|--:|--:|--:|--:|--:|", *rows])


def case_line() -> str:
    """Time of a case."""
    case = result("benchmark-case")
    return (
        f"{case['texts']:,} texts of 265 tokens ({case['pairs']:,} pairs) take "
        f"{case['seconds']:.0f} s on {case['machine']['cores']} cores, once the model is loaded."
    )


def search_line() -> str:
    """Time and space of a search."""
    search = result("benchmark-search")
    speed = search["indexing"]["texts_per_second"]
    return (
        f"Among {search['candidates']:,} candidates a search takes "
        f"{search['search_seconds']['median']:.1f} s on a machine of {search['machine']['cores']} "
        f"cores, and the index {search['megabytes_on_disk']:,} MB on disk; "
        f"{speed:,.0f} texts of 265 tokens are indexed in a second."
    )


def command_help() -> str:
    """The help page of every command."""
    runner = CliRunner(env={"COLUMNS": "100", "TERMINAL_WIDTH": "100"})
    verbs = []
    for verb, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        verbs += [verb, *(f"{verb} {inner}" for inner in getattr(command, "commands", {}))]
    parts = []
    for verb in ["", *verbs]:
        text = runner.invoke(app, [*verb.split(), "--help"], prog_name="adhominem").output
        parts.append(f"## adhominem {verb}".rstrip() + f"\n\n```text\n{text.strip()}\n```")
    return "\n\n".join(parts)


PARTS: dict[str, Callable[[], str]] = {
    "hotels": hotels_table,
    "paper_recipe": paper_recipe_table,
    "second_opinion": second_opinion_table,
    "genres": genres_table,
    "genres_short": lambda: genres_table(_SHORT),
    "attempts": attempts_table,
    "adaptation": adaptation_table,
    "house": house_line,
    "speed": speed_table,
    "corpus": corpus_table,
    "hotels_methods": lambda: comparison("hotels-table"),
    "blogs_pairs": lambda: pairs_line("blogs"),
    "blogs_methods": lambda: comparison("blogs-table"),
    "reddit_pairs": lambda: pairs_line("reddit"),
    "reddit_methods": lambda: comparison("reddit-table"),
    "pan20": lambda: comparison("pan20"),
    "pan15": lambda: comparison("pan15-table"),
    "pan14_essays": lambda: comparison("pan14-essays-table"),
    "pan14_novels": lambda: comparison("pan14-novels-table"),
    "methods_speed": methods_speed_table,
    "case_speed": case_line,
    "search_speed": search_line,
    "language": language_line,
    "faithfulness": faithfulness_part,
    "lift": lift_part,
    "stability": stability_part,
    "robustness": robustness_part,
    "equations": equations_table,
    "commands": command_help,
}


def generate(text: str) -> str:
    """The text of a page with its generated parts written anew."""

    def fill(match: re.Match[str]) -> str:
        name = match[1]
        return f"<!-- begin {name} -->\n{PARTS[name]()}\n{match[2]}<!-- end {name} -->"

    pattern = r"<!-- begin (\w+) -->\n(?:.*?\n)?( *)<!-- end \1 -->"
    return re.sub(pattern, fill, text, flags=re.DOTALL)


def drifted(*, write: bool) -> list[Path]:
    """Files whose generated parts are out of date; `write` brings them up to date."""
    changed = []
    for path in sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]):
        old = path.read_text(encoding="utf-8")
        new = generate(old)
        if new != old:
            changed.append(path)
            if write:
                path.write_text(new, encoding="utf-8")
    return changed


if __name__ == "__main__":
    check = "--check" in sys.argv
    if not check:
        draw_figures()
    for path in drifted(write=not check):
        print(f"{'drifted' if check else 'written'}: {path.relative_to(ROOT)}")
        if check:
            sys.exit(1)
