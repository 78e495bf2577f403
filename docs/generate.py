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
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import typer
from matplotlib.figure import Figure
from pyarrow import parquet
from typer.testing import CliRunner

from adhominem.cli.app import app
from adhominem.instrument.report.plain_text import markdown_table
from adhominem.laboratory.experiment import PairSettings, read_experiment
from adhominem.laboratory.report import (
    STATES,
    analysis,
    comparison_tables,
    evaluation_table,
    faithfulness_table,
    robustness_text,
)
from adhominem.laboratory.report.figures import COLOURS, MARKERS, drawing, map_figure, save_figures

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "results"
MODEL = "adhominem.laboratory.network.model"
LABELS: dict[str, str] = json.loads((ROOT / "experiments" / "kind_labels.json").read_text())


Row = Mapping[str, Any]
Columns = Iterable[tuple[str, str | Callable[[Row], str]]]


def column_table(columns: Columns, rows: Iterable[Row]) -> str:
    """A Markdown table. A column has a heading, and a format string or a function for its cells;
    percentages stand without their sign, which the heading has."""
    columns = list(columns)
    cells = [
        [
            cell.format_map(row).removesuffix("%") if isinstance(cell, str) else cell(row)
            for _, cell in columns
        ]
        for row in rows
    ]
    return markdown_table([heading for heading, _ in columns], cells)


def result(name: str) -> dict[str, Any]:
    """The content of a file in results/."""
    content: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    return content


def label(kind: str) -> str:
    """A kind of text in words, with the name that commands take."""
    return f"{LABELS[kind]} (`{kind}`)"


def paper_recipe_table() -> str:
    """AdHominem and its predecessor on the same pairs of hotel reviews, then AdHominem by cell."""
    reports = {"AdHominem": result("hotels-test")["hotels"], "HRSN": result("hrsn-test")["hotels"]}
    columns: Columns = (
        ("network", "{name}"),
        ("pairs", "{pairs:,}"),
        (
            "error % (95 % interval)",
            lambda row: "{:.1f} ({:.1f} to {:.1f})".format(
                *(100 * row["intervals"]["error"][end] for end in ("value", "low", "high"))
            ),
        ),
        ("AUC", "{auc:.3f}"),
        ("hard half: AUC", "{hard_half[auc]:.3f}"),
        ("Cllr", "{cllr:.3f}"),
    )
    rows = [{"name": name, **report} for name, report in reports.items()]
    return f"{column_table(columns, rows)}\n\n{evaluation_table(reports['AdHominem'])}"


def second_opinion_table() -> str:
    """The network and a character n-gram verifier, alone and together, on development pairs."""
    report = result("second-opinion")
    columns = (("judged by", "{name}"), ("error %", "{error:.1%}"), ("AUC", "{auc:.3f}"))
    rows = [{"name": name, **figures} for name, figures in report["figures"].items()]
    return f"{column_table(columns, rows)}\n\n{report['pairs']:,} pairs of {report['corpus']}."


def long_sides_table() -> str:
    """The shipped model and LambdaG on long sides, alone and together, by tokens of a side."""
    judges = {"model": "the shipped model", "LambdaG": "LambdaG", "both": "both"}
    rows = []
    for length, report in result("lambdag")["lengths"].items():
        amount = [f"{int(length):,}", *(f"{report[n]:,}" for n in ("kinds", "authors", "pairs"))]
        for key, name in judges.items():
            rows.append([*amount, name, *_intervals(report["figures"][key])])
        rows.append([*amount, "both minus the model", *_intervals(report["both minus model"])])
    heads = ["tokens of a side", "kinds", "authors", "pairs", "judged by"]
    return markdown_table([*heads, "error %", "AUC", "Cllr"], rows)


def _intervals(figures: Row) -> list[str]:
    """Error in percent, AUC and Cllr, each with the ends of its interval."""
    return [
        "{:.{digits}f} ({:.{digits}f} to {:.{digits}f})".format(
            *(scale * figures[name][end] for end in ("value", "low", "high")), digits=digits
        )
        for name, scale, digits in (("error", 100, 1), ("auc", 1, 3), ("cllr", 1, 3))
    ]


_SHORT = ("hotels", "imdb", "blogs", "amazon", "fcc_gitter", "gbadev_forum", "cypherpunks_list")
_SHORT += ("jekyll_blogs", "novels", "reddit")
_UNSEEN_SHORT = ("blogs", "fcc_gitter", "gbadev_forum", "indology_list", "jekyll_blogs", "imdb")
_UNSEEN_SHORT += ("pan_fanfic", "lds_talks", "senate_press")
_GENRES: Columns = (
    ("texts", "{name}"),
    ("pairs", "{pairs:,}"),
    ("error % (95 % interval)", lambda row: _with_interval(row["stated"])),
    ("AUC", "{stated[auc]:.3f}"),
    ("Cllr", "{stated[cllr]:.3f}"),
    ("kind not stated: error %", lambda row: f"{100 * row['error']:.1f}"),
    ("AUC", "{auc:.3f}"),
    ("Cllr", "{cllr:.3f}"),
)
_NEVER_SEEN: Columns = (
    ("kind that the network never saw", "{name}"),
    ("pairs", "{pairs:,}"),
    ("error % (95 % interval)", lambda row: _with_interval(row)),
    ("AUC", "{auc:.3f}"),
    ("Cllr", "{cllr:.3f}"),
    ("with 300 reference texts: error %", lambda row: f"{100 * row['reference']['error']:.1f}"),
    ("AUC", "{reference[auc]:.3f}"),
    ("Cllr", "{reference[cllr]:.3f}"),
)
_VERDICTS = ("same", "different")
_OTHER: Columns = (
    ("texts", "{name}"),
    ("pairs", "{pairs:,}"),
    ("error %", "{error:.1%}"),
    ("AUC", "{auc:.3f}"),
    ("Cllr", "{cllr:.3f}"),
    ("undecided %", lambda row: _undecided(row)),
    ("own reference: error %", lambda row: _own(row, "{error:.1%}")),
    ("AUC", lambda row: _own(row, "{auc:.3f}")),
    ("Cllr", lambda row: _own(row, "{cllr:.3f}")),
    ("undecided %", lambda row: _undecided(row.get("own_reference"))),
)


def _own(row: Row, form: str) -> str:
    return form.format(**row["own_reference"]) if "own_reference" in row else "-"


def _undecided(row: Row | None) -> str:
    return "-" if row is None else f"{100 * row['undecided'] / row['pairs']:.1f}"


def _with_interval(row: dict[str, Any]) -> str:
    return "{:.1f} ({:.1f} to {:.1f})".format(*(100 * row[k] for k in ("error", "low", "high")))


def genres_table(names: Sequence[str] | None = None) -> str:
    """The shipped model on test authors of every kind of text, or of some, and the mean."""
    report = result("kinds")
    stated, plain = report["stated"], report["not stated"]
    rows = [
        {"name": label(name), "stated": stated["kinds"][name], **plain["kinds"][name]}
        for name in names or stated["kinds"]
    ]
    means = [
        f"error {100 * row['error']:.1f} %, AUC {row['auc']:.3f}, Cllr {row['cllr']:.3f}"
        for row in (stated["mean"], plain["mean"])
    ]
    mean = f"Mean of all {len(stated['kinds'])} kinds: {means[0]}; kind not stated: {means[1]}."
    return f"{column_table(_GENRES, rows)}\n\n{mean}"


def never_seen_table(names: Sequence[str] | None = None) -> str:
    """Kinds as ones that the network has never seen, without and with reference texts, and the
    means of all."""
    conditions = {name: result("kinds")[name] for name in ("unknown kind", "reference texts")}
    plain, reference = conditions.values()
    rows = [
        {"name": label(name), "reference": reference["kinds"][name], **plain["kinds"][name]}
        for name in names or plain["kinds"]
    ]
    means = [
        f"{name}: error {100 * row['error']:.1f} %, AUC {row['auc']:.3f}, Cllr {row['cllr']:.3f} "
        f"(above 1 in {len(own['misleading'])} of them), two authors called one "
        f"{row['false_same']:.0%}, one called two {row['false_different']:.0%}"
        for name, own in conditions.items()
        for row in [own["mean"]]
    ]
    mean = f"Means of all {len(plain['kinds'])}; {'; '.join(means)}."
    return f"{column_table(_NEVER_SEEN, rows)}\n\n{mean}"


def transformer_line() -> str:
    """A pretrained transformer as a teacher, and a pupil of it, on development pairs."""
    teacher, history = result("transformer-teacher"), result("transformer-pupil")
    names = ("hotels", "blogs", "imdb", "reddit")
    areas = [
        ", ".join(f"{report['dev_aucs'][name]:.3f}" for name in names)
        for report in (teacher, history[-1])
    ]
    steps = sum(record["steps"] for record in history)
    return (
        f"AUC on development pairs of hotels, blogs, film reviews and Reddit: {areas[0]} of "
        f"the transformer after {teacher['steps']:,} steps, {areas[1]} of a pupil after {steps:,}."
    )


def conditions_table(part: str) -> str:
    """The errors on pairs of all kinds by words or by texts of the smaller side."""
    columns: Columns = (
        (part, lambda row: f"{row['from']:,} to {row['to']:,}".replace(" to 1,000,000,000", " on")),
        ("pairs", "{pairs:,}"),
        ("error %", "{error:.1%}"),
        ("AUC", lambda row: "-" if row["auc"] is None else f"{row['auc']:.3f}"),
        ("Cllr", lambda row: "-" if row["cllr"] is None else f"{row['cllr']:.3f}"),
        ("two authors called one %", lambda row: _share(row["false_same"])),
        ("one called two %", lambda row: _share(row["false_different"])),
    )
    rows = [row for row in result("kinds")["not stated"][f"by {part}"] if row["pairs"] >= 50]
    return column_table(columns, rows)


def ablation_table() -> str:
    """Errors on development authors with one part of the evidence left out."""
    rows = result("ablation")["left out"]
    heads = ["left out", *(f"{name}: error %, Cllr" for name in rows)]
    parts = next(iter(rows.values()))
    cells = [
        [
            part,
            *(
                f"{100 * own[part]['error']:.1f}, {own[part]['cllr']:.3f}" if part in own else "-"
                for own in rows.values()
            ),
        ]
        for part in parts
    ]
    return markdown_table(heads, cells)


def mixture_table() -> str:
    """What the sums of known kinds bring where the kind is not stated."""
    columns: Columns = (
        ("", "{name}"),
        ("judged by", "{judge}"),
        ("error %", "{error:.1%}"),
        ("AUC", "{auc:.3f}"),
        ("Cllr", "{cllr:.3f}"),
    )
    report = result("mixture")
    rows = [
        {"name": condition, "judge": judge, **figures}
        for condition, judges in report.items()
        if condition != "model"
        for judge, figures in judges.items()
    ]
    return column_table(columns, rows)


def all_hotels_line() -> str:
    """All test pairs of hotel reviews, four cells of equal size."""
    report = result("hotels-all-pairs")
    reliable, hard = report["high_reliability"], report["hard_half"]
    return (
        f"All {report['pairs']:,} test pairs of hotels: error {100 * report['error']:.1f} %, "
        f"AUC {report['auc']:.3f}, Cllr {report['cllr']:.3f}; "
        f"{100 * reliable['share']:.0f} % are answered reliably, "
        f"{100 * reliable['error']:.2f} % of these wrongly. Hard half (one author on two cities, "
        f"two authors on one): error {100 * hard['error']:.1f} %, AUC {hard['auc']:.3f}."
    )


def voices_line() -> str:
    """How often a side of several texts is said to have several authors."""
    one, several = (result("voices")[name] for name in ("one author", "several authors"))
    return (
        f"On development authors it refuses {100 * several['refused']:.0f} % of "
        f"{several['sides']:,} piles of four to eight texts by as many authors, and "
        f"{100 * one['refused']:.1f} % of {one['sides']:,} sides by one author."
    )


def many_texts_table() -> str:
    """Sides of many texts by test authors, with the kind not stated and stated."""
    found = {(r["texts are"], r["texts"], r["kind"]): r for r in result("voices")["many texts"]}
    rows = [
        {**row, "stated": found[unit, n, "stated"]}
        for (unit, n, kind), row in found.items()
        if kind == "not stated" and row["pairs"]
    ]

    def reliable(row: dict[str, Any]) -> str:
        told = row["stated"]
        parts = [(told[f"reliable_{v}"], told[f"reliable_wrong_{v}"]) for v in _VERDICTS]
        return ", ".join(f"{round(n * (wrong or 0))} of {n}" for n, wrong in parts)

    columns: Columns = (
        ("a text is one of the", "{texts are}"),
        ("texts on each side", "{texts}"),
        ("kinds", "{kinds}"),
        ("authors", "{authors:,}"),
        ("pairs", "{pairs:,}"),
        ("AUC", "{auc:.3f}"),
        ("Cllr", "{cllr:.3f}"),
        ("two authors called one %", lambda row: _share(row["false_same"])),
        ("one called two %", lambda row: _share(row["false_different"])),
        ("kind stated: Cllr", "{stated[cllr]:.3f}"),
        ("reliable “same”, “different” wrong", reliable),
    )
    missing = [(unit, n) for (unit, n, kind), row in found.items() if not row["pairs"]]
    lacking = ", ".join(dict.fromkeys(f"{n} {unit}" for unit, n in missing))
    return column_table(columns, rows) + (
        f"\n\nNo two test authors of one kind have enough texts for {lacking} on each side."
        if lacking
        else ""
    )


def truth_table() -> str:
    """Faults of an earlier model: what an audit found, what is measured now, and the tests."""
    report = result("truth")
    columns: Columns = (
        ("fault", "{fault}"),
        ("before", "{before}"),
        ("now", "{now}"),
        ("tests", lambda row: ", ".join(f"`{name.rpartition('::')[2]}`" for name in row["tests"])),
    )
    return f"{report['source of the figures before']}\n\n{column_table(columns, report['faults'])}"


def other_table() -> str:
    """The shipped model on problems of PAN and on people who hide their style."""
    reports = result("other-genres")
    reports = {name: row for name, row in reports.items() if name not in ("model", "quoted")}
    return column_table(_OTHER, [{"name": name, **row} for name, row in reports.items()])


def plain_sentences() -> str:
    """How often the shipped model is wrong, in plain sentences."""
    kinds = result("kinds")["stated"]["kinds"]

    def one_in(name: str) -> str:
        return f"about 1 in {round(1 / kinds[name]['error'])}"

    worst = max(kinds, key=lambda name: kinds[name]["error"])
    return (
        f"Of two single texts of a few hundred words it judges {one_in('hotels')} pairs of hotel "
        f"reviews wrongly, {one_in('imdb')} of film reviews, {one_in('blogs')} of blogs, "
        f"{one_in('gbadev_forum')} of posts in a hobby forum, {one_in('cypherpunks_list')} of "
        f"mails to a list and {one_in('reddit')} of short Reddit comments; the worst of "
        f"{len(kinds)} kinds ({LABELS[worst]}) is hardly better than chance. More texts "
        "make it better."
    )


def _share(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"


def attempts_table() -> str:
    """Runs before the shipped model, with errors on development authors."""
    lines = [
        "| run | features | temperature | words | widths | batch | teachers % | epochs | "
        "error % on hotels | blogs | Reddit | IMDb | Amazon |",
        "|---|---|--:|---|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for run in result("shipped-attempts")["runs"]:
        network, training = run["settings"]["network"], run["settings"]["training"]
        measured = run.get("common_draw", run["best_by_genre"])
        cells = [
            run["name"],
            "of length 1" if network.get("unit_length") else "free",
            f"{training['temperature']:g}",
            "trained" if network.get("train_words") else "frozen",
            f"{network['D_s']}/{network.get('D_r', 20)}",
            str(training["batch_pairs"]),
            f"{100 * training.get('teacher_share', 0):.0f}",
            str(len(run["development_error"])),
            *(_share(measured.get(g)) for g in ("hotels", "blogs", "reddit", "imdb", "amazon")),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


_ADAPTED = {"film reviews": "adaptation-imdb", "blogs": "adaptation-blogs"}
_ADAPTATION: Columns = (
    ("texts", "{name}"),
    ("authors", "{authors}"),
    ("test pairs", "{after[pairs]}"),
    ("error % as it was", "{before[error]:.1%}"),
    ("calibrated anew", "{recalibrated[error]:.1%}"),
    ("adapted", "{after[error]:.1%}"),
    ("Cllr as it was", "{before[cllr]:.2f}"),
    ("adapted", "{after[cllr]:.2f}"),
    ("seconds", "{seconds}"),
)


def adaptation_table() -> str:
    """A model of hotel reviews, adapted to other kinds of text."""
    rows = [
        {"name": name, "authors": authors, **row}
        for name, file in _ADAPTED.items()
        for authors, row in result(file)["authors"].items()
    ]
    return column_table(_ADAPTATION, rows)


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
        "share of the machine's peak reached in encoding, published and shipped sizes": ", ".join(
            f"{100 * encoding['shares_of_peak'][sizes]['share_of_peak']:.0f} %"
            for sizes in ("published", "shipped")
        ),
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
        f"the nearest of {search['candidates']:,} candidates, in seconds of one core": (
            f"{search['core_seconds']:.0f} s"
        ),
        f"the workbench, {serving['rate']:.0f} pairs a second: 95 % are answered within": (
            f"{serving['steady']['p95']:.1f} s"
        ),
    }
    return markdown_table(["", ""], list(rows.items()))


def precision_line() -> str:
    """The operations of a document, and why the encoder computes in float32."""
    report, encoding = result("benchmark-precision"), result("benchmark-encoding")
    shares = [encoding["shares_of_peak"][sizes] for sizes in ("published", "shipped")]
    tokens = encoding["corpus"]["tokens_per_document"]
    needed = " and ".join(f"{own['megaflop_per_document']:.0f}" for own in shares)
    reached = " and ".join(f"{own['gigaflops']:.0f}" for own in shares)
    peaks = " and ".join(f"{own['peak_gigaflops']:.0f}" for own in shares)
    times, changes = report["microseconds"], report["change of log10 LR"]

    def slower(way: str) -> str:
        ratios = [own[way] / own["float32"] for own in times.values()]
        digits = 1 if max(ratios) < 10 else 0
        return f"{min(ratios):.{digits}f} to {max(ratios):.{digits}f}"

    largest = {name: f"{own['largest']:.4f}" for name, own in changes.items()}
    return (
        f"A document of {tokens:.0f} tokens takes {needed} megaflop with the published and the "
        f"shipped sizes; {encoding['machine']['cores']} cores reached {reached} gigaflops of the "
        f"{peaks} of a product of two large matrices. "
        "The encoder computes in float32: at its sizes NumPy's products take "
        f"{slower('float16')} times as long in half precision, {slower('int8')} times with bytes, "
        f"{slower('stored')} times with weights that are stored as bytes; it has no bfloat16. "
        f"Rounding the network's matrices moves log10 LR of {report['pairs']} development pairs by "
        f"at most {largest['float16']} (half precision), {largest['bfloat16']} (bfloat16) and "
        f"{largest['int8']} (bytes; {changes['int8']['share_beyond_limit']:.1%} of the pairs by "
        f"more than {report['limit']})."
    )


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
        f"{with_command('faithfulness', faithfulness_table)}"
    )


def with_command(name: str, text: Callable[[dict[str, Any]], str]) -> str:
    """A report as text, after the command that measured it."""
    report = result(name)
    return f"```text\n{report['command']}\n```\n\n{text(report)}"


def adaptation_figure() -> Figure:
    """Error by number of authors, a panel for each kind of text."""
    reports = {name: result(file) for name, file in _ADAPTED.items()}
    with drawing(3.4 * len(reports), 2.8) as (figure, axes):
        axes.remove()
        panels = figure.subplots(1, len(reports), squeeze=False, sharey=True)[0]
        for panel, (name, report) in zip(panels, reports.items(), strict=True):
            authors = [int(number) for number in report["authors"]]
            looks = zip(STATES.items(), COLOURS, MARKERS, strict=False)
            for (state, label), colour, marker in looks:
                errors = [100 * row[state]["error"] for row in report["authors"].values()]
                panel.plot(authors, errors, color=colour, marker=marker, label=label)
            panel.set(xscale="log", xlabel=f"authors ({name})", ylim=(0, 55))
            panel.set_xticks(authors, [f"{number:,}" for number in authors])
            panel.minorticks_off()
        panels[0].set_ylabel("error %")
        panels[-1].legend(frameon=False)
        return figure


def draw_figures() -> None:
    """The figures of docs/images/. They are not compared with what is there: another version of
    matplotlib draws the same figures with other bytes."""
    lift = result("lift")
    stability = result("stability")
    figures = analysis.analysis_figures(lift) | analysis.stability_figures(stability)
    page = (ROOT / "docs" / "reference" / "attention.md").read_text(encoding="utf-8")
    shown = {name: figure for name, figure in figures.items() if f"images/{name}.svg" in page}
    shown["adaptation"] = adaptation_figure()
    authors = result("authors-map")
    shown["unseen-authors"] = map_figure(np.array(authors["points"]), authors["author"])
    save_figures(shown, ROOT / "docs" / "images", ["svg"])


def authors_line() -> str:
    """What the map of unseen authors shows."""
    found = result("authors-map")
    return (
        f"{found['texts']} hotel reviews by {found['authors']} test authors. The nearest other "
        f"review, by the network's features, is by the same author for "
        f"{found['nearest_by_same_author']:.0%} of them; by chance it would be "
        f"{found['by_chance']:.0%}."
    )


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


def training_line() -> str:
    """How many training pairs each stylometric method has, by experiments/compared/, most first."""
    experiments = map(read_experiment, sorted((ROOT / "experiments" / "compared").glob("*.toml")))
    stylometric = [e for e in experiments if e.method not in ("neural", "chance")]
    usual = PairSettings().train
    more = sorted((e for e in stylometric if e.pairs.train > usual), key=lambda e: -e.pairs.train)
    listed = ", ".join(f"{e.pairs.train:,} for {e.name}" for e in more)
    draws = max(e.pairs.draws for e in more)
    return (
        f"Training pairs of each cell, at most: {listed}, in up to {draws} draws; {usual:,} for "
        "the other stylometric methods, in one draw."
    )


def koppel_winter_table() -> str:
    """Accuracy on Koppel and Winter's task beside the published one."""
    rows = [{"name": name, **row} for name, row in result("koppel-winter")["methods"].items()]
    columns: Columns = [
        ("method", "{name}"),
        ("accuracy %", "{accuracy:.1%}"),
        ("by draw %", lambda row: ", ".join(f"{100 * a:.1f}" for a in row["accuracy_by_seed"])),
        ("AUC", "{auc:.3f}"),
        ("in the paper", "{published[method]}"),
        ("accuracy %", "{published[accuracy]:.1%}"),
    ]
    return column_table(columns, rows)


def glad_pan_table() -> str:
    """GLAD by cross-validation on PAN's English problems, beside the published score."""
    names = {
        "pan15_en_train": "PAN 2015",
        "pan14_en_essays_train": "PAN 2014, essays",
        "pan14_en_novels_train": "PAN 2014, novels",
    }
    rows = []
    for folder, report in result("glad-pan").items():
        published = f"{report['published']:.2f}" if "published" in report else "-"
        for turns in ("any problems", "shared texts together"):
            if turns in report:
                cells = [_decimals(report[turns][name]) for name in ("auc", "c_at_1", "score")]
                rows.append([names[folder], f"{report['problems']}", turns, *cells, published])
    heads = ["problems", "number", "turns drawn from", "AUC", "c@1", "AUC times c@1"]
    return markdown_table([*heads, "published, on the test problems"], rows)


def _decimals(figure: Row) -> str:
    """A figure, with the ends of its interval if it has one."""
    ends = " ({low:.2f} to {high:.2f})".format_map(figure) if "low" in figure else ""
    return f"{figure['value']:.2f}{ends}"


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
    rows = [{"name": name, **row} for name, row in methods.items()]
    rows.sort(key=lambda row: -row["pairs_per_second"])
    columns = (
        ("method", "{name}"),
        ("pairs/s", "{pairs_per_second:,.0f}"),
        ("fit on 400 pairs", "{fit_seconds:.1f} s"),
    )
    return column_table(columns, rows)


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


def case_growth() -> str:
    """Time, memory and files of larger and larger cases."""
    rows = [
        f"| {row['texts']:,} | {row['pairs']:,} | {row['core_seconds']:,.0f} s | "
        f"{row['peak_megabytes']['written']:,} MB | {row['file_megabytes']['html']:.1f} MB |"
        for row in result("benchmark-case")["growth"]
    ]
    head = "| texts | pairs | processor time | peak memory | page |"
    return "\n".join([head, "|--:|--:|--:|--:|--:|", *rows])


def search_line() -> str:
    """Time and space of a search."""
    search = result("benchmark-search")
    seconds = search["search_seconds"]
    return (
        f"A search among {search['candidates']:,} candidates takes {search['core_seconds']:.0f} s "
        f"of one core; on a machine of {search['machine']['cores']} cores with other work (load "
        f"{search['machine']['load_before']:.0f}) half of the searches took "
        f"{seconds['median']:.0f} s or less, 95 % at most {seconds['p95']:.0f} s. The index has "
        f"{search['megabytes_on_disk']:,} MB on disk, {search['bytes_per_text']:,} bytes a text."
    )


def exactness_line() -> str:
    """What a byte a number costs, and why there is no approximate search."""
    search = result("benchmark-search")
    exact, stage = search["exactness"], search["first_stage"]
    share, recall = stage["shares"][-2], stage["recall_of_best_20"][-2]
    return (
        f"Of {exact['questioned']} texts sought among {exact['texts']:,} real ones, log10 LR "
        f"differed by {exact['largest_llr_error']:.3f} at most (evidence below 0.05 counts as "
        f"none, and may fall on either side), and {exact['same_best_20']:.1%} of the 20 best "
        "candidates were the same. A search that first looked at the numbers of the network alone "
        f"and weighed {share:.0%} of the candidates in full would find {recall:.0%} of the 20 "
        "best; so all are weighed."
    )


def index_table() -> str:
    """Speed, memory and size of an index made in shards, and of a search."""
    index, search, cluster = (
        result(name) for name in ("benchmark-indexing", "benchmark-search", "cluster")
    )
    memory, killed = index["megabytes_by_tenth_of_the_time"], index["killed"]
    indexed = f"texts indexed, of {index['tokens_per_text']} tokens"
    seconds = search["search_seconds"]
    peak = search["peak_megabytes"]
    rows = {
        indexed: f"{index['documents']:,} in {index['shards']} shards",
        "lines broken on purpose, all quarantined": f"{index['quarantined']:,}",
        "texts a second and core": f"{index['documents_per_second_and_core']:.0f}",
        "memory, second to last tenth of the time": f"{min(memory[1:])} to {max(memory[1:])} MB",
        "bytes a text": f"{index['bytes_per_text']:,}",
        f"killed after {killed['shards_done']} shards and run again": (
            "the same bytes" if killed["same_bytes"] else "other bytes"
        ),
        f"a Ray cluster of {cluster['nodes']} nodes on one machine": (
            "the same bytes" if cluster["same_bytes"] else "other bytes"
        ),
        f"a search among {search['candidates']:,} candidates": (
            f"{search['core_seconds']:.0f} s of one core"
        ),
        f"the same on {search['machine']['cores']} cores, half and 95 % within": (
            f"{seconds['median']:.0f} s and {seconds['p95']:.0f} s"
        ),
        "the most memory that the process had, searching": f"{peak['searching']:,} MB",
    }
    return markdown_table(["", ""], list(rows.items()))


def billion_table() -> str:
    """A billion texts on 100 machines, by what was measured on one."""
    index, search = result("benchmark-indexing"), result("benchmark-search")
    texts, machines, cores = 1_000_000_000, 100, 16
    hours = texts / index["documents_per_second_and_core"] / machines / cores / 3600
    terabytes = texts * index["bytes_per_text"] / 1e12
    seconds = search["core_seconds"] / search["candidates"] * texts / machines / cores
    rows = {
        "reading and indexing": f"{hours:.1f} hours",
        "the index": f"{terabytes:.1f} TB, {1000 * terabytes / machines:.0f} GB a machine",
        "one search, if each machine holds its part in memory": f"{seconds:.0f} s",
    }
    return markdown_table(["", ""], list(rows.items()))


def networks_table() -> str:
    """Errors of AdHominem and HRSN, and how many points more HRSN has."""
    names = {"hotels-seed-2": "hotels, second seed", "hotels-seed-3": "hotels, third seed"}
    rows = []
    for name, row in result("networks").items():
        more, errors, epochs = row["difference"], row["error"], row["epochs"]
        cells = [f"{100 * errors[method]:.2f}" for method in ("adhominem", "hrsn")]
        cells += [f"{min(epochs[m])} to {max(epochs[m])}" for m in ("adhominem", "hrsn")]
        interval = (
            f"{100 * more['value']:.2f} ({100 * more['low']:.2f} to {100 * more['high']:.2f})"
        )
        p = "< 0.001" if more["p"] < 0.001 else f"{more['p']:.3f}"
        pairs = f"{row['pairs']:,}"
        rows.append([names.get(name, name), str(row["folds"]), pairs, *cells, interval, p])
    head = ["corpus", "folds", "pairs", "AdHominem %", "HRSN %", "its epochs", "those of HRSN"]
    return markdown_table([*head, "HRSN errs more, in points", "p"], rows)


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
    "plain_sentences": plain_sentences,
    "never_seen": never_seen_table,
    "transformer": transformer_line,
    "never_seen_short": lambda: never_seen_table(_UNSEEN_SHORT),
    "by_words": lambda: conditions_table("words"),
    "by_texts": lambda: conditions_table("texts"),
    "ablation": ablation_table,
    "mixture": mixture_table,
    "all_hotels": all_hotels_line,
    "voices": voices_line,
    "many_texts": many_texts_table,
    "truth": truth_table,
    "other_texts": other_table,
    "paper_recipe": paper_recipe_table,
    "second_opinion": second_opinion_table,
    "long_sides": long_sides_table,
    "genres": genres_table,
    "unseen_authors": authors_line,
    "genres_short": lambda: genres_table(_SHORT),
    "attempts": attempts_table,
    "adaptation": adaptation_table,
    "house": house_line,
    "speed": speed_table,
    "precision": precision_line,
    "corpus": corpus_table,
    "hotels_methods": lambda: comparison_tables(result("hotels-table"), "markdown"),
    "networks": networks_table,
    "compared_training": training_line,
    "blogs_pairs": lambda: pairs_line("blogs"),
    "blogs_methods": lambda: comparison_tables(result("blogs-table"), "markdown"),
    "reddit_pairs": lambda: pairs_line("reddit"),
    "reddit_methods": lambda: comparison_tables(result("reddit-table"), "markdown"),
    "pan20": lambda: comparison_tables(result("pan20"), "markdown"),
    "pan15": lambda: comparison_tables(result("pan15-table"), "markdown"),
    "pan14_essays": lambda: comparison_tables(result("pan14-essays-table"), "markdown"),
    "pan14_novels": lambda: comparison_tables(result("pan14-novels-table"), "markdown"),
    "koppel_winter": koppel_winter_table,
    "glad_pan": glad_pan_table,
    "methods_speed": methods_speed_table,
    "case_speed": case_line,
    "case_growth": case_growth,
    "search_speed": search_line,
    "search_exactness": exactness_line,
    "index_measured": index_table,
    "billion": billion_table,
    "language": language_line,
    "faithfulness": faithfulness_part,
    "lift": lambda: with_command("lift", analysis.analysis_text),
    "stability": lambda: with_command("stability", analysis.stability_text),
    "stability_seeds": lambda: with_command("stability-seeds", analysis.stability_text),
    "robustness": lambda: with_command("robustness", robustness_text),
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
