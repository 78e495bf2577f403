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
from pathlib import Path

import typer
from pyarrow import parquet
from typer.testing import CliRunner

from adhominem.cli.app import app
from adhominem.report.adaptation import STATES
from adhominem.report.adaptation_figure import adaptation_figure
from adhominem.report.analysis_figures import analysis_figures, stability_figures
from adhominem.report.analysis_text import analysis_text, stability_text
from adhominem.report.comparison import as_markdown
from adhominem.report.faithfulness_table import faithfulness_table
from adhominem.report.figures import save_figures
from adhominem.report.robustness import robustness_text
from adhominem.report.table import evaluation_table

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "results"
MODEL = ROOT / "src" / "adhominem" / "network" / "model.py"


def hotels_table() -> str:
    return evaluation_table(json.loads((RESULTS / "shipped-test.json").read_text())["hotels"])


def paper_recipe_table() -> str:
    """AdHominem and its predecessor on the same pairs of hotel reviews, then AdHominem by cell."""
    names = {"AdHominem": "hotels-test.json", "HRSN": "hrsn-test.json"}
    reports = {
        name: json.loads((RESULTS / file).read_text())["hotels"] for name, file in names.items()
    }
    lines = [
        "| network | pairs | error % (95 % interval) | AUC | hard half: AUC | Cllr |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for name, report in reports.items():
        error = report["intervals"]["error"]
        low, high = (100 * error[end] for end in ("low", "high"))
        lines.append(
            f"| {name} | {report['pairs']:,} "
            f"| {100 * report['error']:.1f} ({low:.1f} to {high:.1f}) "
            f"| {report['auc']:.3f} | {report['hard_half']['auc']:.3f} | {report['cllr']:.3f} |"
        )
    return "\n".join([*lines, "", evaluation_table(reports["AdHominem"])])


def second_opinion_table() -> str:
    """The network and a character n-gram verifier, alone and together, on development pairs."""
    report = json.loads((RESULTS / "second-opinion.json").read_text())
    lines = ["| judged by | error % | AUC |", "|---|--:|--:|"]
    for name, figures in report["figures"].items():
        lines.append(f"| {name} | {100 * figures['error']:.1f} | {figures['auc']:.3f} |")
    return "\n".join([*lines, "", f"{report['pairs']:,} pairs of {report['corpus']}."])


_SHORT = ("hotels", "blogs", "blogs, genre given", "reddit", "imdb", "amazon", "pan", "ebg")


def genres_table(names: Sequence[str] | None = None) -> str:
    """The shipped model on every kind of text it was measured on, or on some."""
    reports = json.loads((RESULTS / "shipped-test.json").read_text())
    others = json.loads((RESULTS / "other-genres.json").read_text())
    reports |= {name: report for name, report in others.items() if name != "model"}
    lines = [
        "| texts | pairs | error % | AUC | Cllr | undecided % | reliable: share % | error % |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name in names or reports:
        report = reports[name]
        sure = report["high_reliability"]
        wrong = "-" if sure["error"] is None else f"{100 * sure['error']:.1f}"
        lines.append(
            f"| {name} | {report['pairs']:,} | {100 * report['error']:.1f} | {report['auc']:.3f} | "
            f"{report['cllr']:.3f} | {100 * report['undecided'] / report['pairs']:.1f} | "
            f"{100 * sure['share']:.1f} | {wrong} |"
        )
    return "\n".join(lines)


def attempts_table() -> str:
    """What was tried for the shipped model, by development authors."""
    runs = json.loads((RESULTS / "shipped-attempts.json").read_text())["runs"]
    lines = [
        "| run | features | temperature | words | widths | batch | teachers % | epochs | "
        "error % on hotels | blogs | Reddit | IMDb | Amazon |",
        "|---|---|--:|---|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for run in runs:
        network, training = run["settings"]["network"], run["settings"]["training"]
        found = run.get("common_draw", run["best_by_genre"])
        genres = ("hotels", "blogs", "reddit", "imdb", "amazon")
        errors = [f"{100 * found[genre]:.1f}" if genre in found else "-" for genre in genres]
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
    lines = [
        "| texts | authors | test pairs | error % as it was | calibrated anew | adapted | "
        "Cllr as it was | adapted | seconds |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, file in _ADAPTED.items():
        report = json.loads((RESULTS / f"{file}.json").read_text())
        for authors, row in report["authors"].items():
            errors = [f"{100 * row[state]['error']:.1f}" for state in STATES]
            costs = [f"{row[state]['cllr']:.2f}" for state in ("before", "after")]
            cells = [name, authors, str(row["after"]["pairs"]), *errors, *costs]
            lines.append(f"| {' | '.join(cells)} | {row['seconds']} |")
    return "\n".join(lines)


def speed_table() -> str:
    encoding = json.loads((RESULTS / "benchmark-encoding.json").read_text())
    step = json.loads((RESULTS / "benchmark-training-step.json").read_text())
    gpu = json.loads((RESULTS / "training-step-h200.json").read_text())
    on_gpu = gpu["experiments"]["shipped"]["pairs_per_second"]["replayed"]
    start = json.loads((RESULTS / "benchmark-startup.json").read_text())
    batch, case, search, serving = (
        json.loads((RESULTS / f"benchmark-{name}.json").read_text())
        for name in ("batch", "case", "search", "serving")
    )
    rows = [
        (
            "encoding, against the plain padded network",
            f"{encoding['fast_over_plain']:.1f} times",
        ),
        (
            "a training step, against the plain padded network",
            f"{step['ours_over_plain']:.1f} times",
        ),
        (
            f"pairs a second in training the shipped model, one {gpu['machine']['gpu']}",
            f"{round(on_gpu, -3):,.0f}",
        ),
        ("`adhominem --help`", f"{start['help_seconds']:.2f} s"),
        ("`adhominem verify a.txt b.txt`, cold", f"{start['verify_seconds']:.1f} s"),
        ("of which importing torch", f"{start['import_torch_seconds']:.1f} s"),
        ("its memory", f"{start['verify_megabytes']:.0f} MB"),
        ("texts a second in batches, raw text to score", f"{batch['documents_per_second']:.0f}"),
        (f"a case of {case['texts']} texts, {case['pairs']:,} pairs", f"{case['seconds']:.1f} s"),
        (
            f"the nearest of {search['candidates']:,} candidates",
            f"{search['search_seconds']['median']:.1f} s",
        ),
        (
            f"the workbench, {serving['rate']:.0f} pairs a second: 95 % are answered within",
            f"{serving['steady']['p95']:.1f} s",
        ),
    ]
    return "\n".join(["| | |", "|---|--:|", *(f"| {name} | {value} |" for name, value in rows)])


def faithfulness_part() -> str:
    """How faithful the explanations of the shipped model are, and how that was measured."""
    report = json.loads((RESULTS / "faithfulness.json").read_text())
    files = ", ".join(f"{part['pairs']:,} of `{part['name']}`" for part in report["files"])
    return (
        f"The shipped model on {report['pairs']:,} development pairs ({files}), whose evidence is "
        f"{report['evidence']['value']:.2f} in the mean:\n\n"
        f"```text\n{report['command']}\n```\n\n{faithfulness_table(report)}"
    )


def lift_part() -> str:
    """What the shipped model looks at."""
    report = json.loads((RESULTS / "lift.json").read_text())
    return f"```text\n{report['command']}\n```\n\n{analysis_text(report)}"


def stability_part() -> str:
    """How far the networks of a cross-validation look at the same words."""
    report = json.loads((RESULTS / "stability.json").read_text())
    return f"```text\n{report['command']}\n```\n\n{stability_text(report)}"


def robustness_part() -> str:
    """What edits and disguise do to the shipped model."""
    report = json.loads((RESULTS / "robustness.json").read_text())
    return f"```text\n{report['command']}\n```\n\n{robustness_text(report)}"


def draw_figures() -> None:
    """The figures of docs/images/. They are not compared with what is there: another version of
    matplotlib draws the same figures with other bytes."""
    lift = json.loads((RESULTS / "lift.json").read_text())
    stability = json.loads((RESULTS / "stability.json").read_text())
    figures = analysis_figures(lift) | stability_figures(stability)
    page = (ROOT / "docs" / "reference" / "attention.md").read_text(encoding="utf-8")
    shown = {name: figure for name, figure in figures.items() if f"images/{name}.svg" in page}
    reports = {
        name: json.loads((RESULTS / f"{file}.json").read_text()) for name, file in _ADAPTED.items()
    }
    shown["adaptation"] = adaptation_figure(reports)
    save_figures(shown, ROOT / "docs" / "images", ["svg"])


def equations_table() -> str:
    """Where each equation of the paper stands in model.py."""
    places = [
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
    lines = MODEL.read_text(encoding="utf-8").splitlines()
    rows = []
    for equation, what, anchor in places:
        number = next(n for n, line in enumerate(lines, 1) if anchor in line)
        rows.append(
            f"| {equation} | {what} | [`network/model.py`, line {number}]"
            f"(../../src/adhominem/network/model.py#L{number}) |"
        )
    return "\n".join(["| equation | what | where |", "|---|---|---|", *rows])


def comparison(name: str) -> str:
    """Both tables of the paper and what goes with them, for one corpus."""
    return as_markdown(json.loads((RESULTS / f"{name}.json").read_text()))


def pairs_line(name: str) -> str:
    """How many pairs a corpus gave, where it had fewer than were asked for."""
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
    found = json.loads((RESULTS / "language.json").read_text())
    english, others = found["english"], found["other_languages"]
    below = sum(row["below"] for row in english.values())
    texts = sum(row["texts"] for row in english.values())
    medians = [row["median"] for row in english.values()]
    return (
        f"   In {len(english)} English corpora the median share is {min(medians):.0%} to "
        f"{max(medians):.0%}, and {below} of {texts:,} texts are below the limit; the examples of "
        f"{len(others)} other languages have {max(others.values()):.0%} at most."
    )


def methods_speed_table() -> str:
    methods = json.loads((RESULTS / "benchmark-verifiers.json").read_text())["methods"]
    rows = [
        f"| {name} | {row['pairs_per_second']:,.0f} | {row['fit_seconds']:.1f} s |"
        for name, row in sorted(methods.items(), key=lambda item: -item[1]["pairs_per_second"])
    ]
    return "\n".join(["| method | pairs/s | fit on 400 pairs |", "|---|--:|--:|", *rows])


def corpus_table() -> str:
    benchmark = json.loads((RESULTS / "benchmark-corpus.json").read_text())
    rows = [
        f"| {size['reviews']:,} | {size['build_seconds']:,.0f} s | "
        f"{size['build_reviews_per_second']:,} | {size['speed_against_spacy']:.0%} | "
        f"{size['peak_megabytes']:,} MB |"
        for size in benchmark["sizes"].values()
    ]
    head = "| reviews | time | reviews/s | speed against bare spaCy | peak memory, all processes |"
    return "\n".join([head, "|--:|--:|--:|--:|--:|", *rows])


def case_line() -> str:
    found = json.loads((RESULTS / "benchmark-case.json").read_text())
    return (
        f"{found['texts']:,} texts of 265 tokens ({found['pairs']:,} pairs) take "
        f"{found['seconds']:.0f} s on {found['machine']['cores']} cores, once the model is loaded."
    )


def search_line() -> str:
    found = json.loads((RESULTS / "benchmark-search.json").read_text())
    return (
        f"Among {found['candidates']:,} candidates a search takes "
        f"{found['search_seconds']['median']:.1f} s on a machine of {found['machine']['cores']} "
        f"cores, and the index {found['megabytes_on_disk']:,} MB on disk; "
        f"{found['indexing']['texts_per_second']:,.0f} texts of 265 tokens are indexed in a second."
    )


def command_help() -> str:
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
    def fill(match: re.Match[str]) -> str:
        name = match[1]
        return f"<!-- begin {name} -->\n{PARTS[name]()}\n{match[2]}<!-- end {name} -->"

    pattern = r"<!-- begin (\w+) -->\n(?:.*?\n)?( *)<!-- end \1 -->"
    return re.sub(pattern, fill, text, flags=re.DOTALL)


def drifted(*, write: bool) -> list[Path]:
    """Files whose generated parts are not what they should be."""
    found = []
    for path in sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]):
        old = path.read_text(encoding="utf-8")
        new = generate(old)
        if new != old:
            found.append(path)
            if write:
                path.write_text(new, encoding="utf-8")
    return found


if __name__ == "__main__":
    check = "--check" in sys.argv
    if not check:
        draw_figures()
    for changed in drifted(write=not check):
        print(f"{'drifted' if check else 'written'}: {changed.relative_to(ROOT)}")
        if check:
            sys.exit(1)
