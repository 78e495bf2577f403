"""adhominem evaluate"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adhominem.cli.options import AsJson, Force

if TYPE_CHECKING:
    from adhominem.instrument.verifier import Verifier
    from adhominem.laboratory.evaluation.answers import Answers

EXAMPLES = """
Examples:

  adhominem evaluate runs/paper/model runs/paper/prepared/test/hotels.pairs.jsonl.gz

  adhominem evaluate adhominem pairs.jsonl -o results/mine.json
"""


def _draw(found: Answers, verifier: Verifier, folder: Path, corpus: Path | None) -> None:
    from adhominem.laboratory.evaluation.curves import curves
    from adhominem.laboratory.report import figures

    name = verifier.identity.name if verifier.identity else verifier.kind
    shown = curves({name: found})
    drawn = {
        "roc": figures.roc_figure(shown["roc"]),
        "reliability": figures.reliability_figure(shown["reliability"]),
        "tippett": figures.tippett_figure(shown["tippett"], found.same_author),
        "length": figures.length_figure(shown["length"]),
    }
    if corpus is not None:
        from adhominem.laboratory.evaluation.unseen import features_of_unseen

        features, authors = features_of_unseen(verifier, corpus)
        drawn["tsne"] = figures.tsne_figure(figures.project(features), authors)
    for path in figures.save_figures(drawn, folder):
        if path.suffix == ".svg":
            print(path, file=sys.stderr)


def evaluate(
    model: Annotated[str, typer.Argument(help="Model folder, or the name of a shipped model.")],
    pairs: Annotated[Path, typer.Argument(help="Labelled pairs (.jsonl, .gz, .xz).")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write JSON here.")] = None,
    answers: Annotated[
        Path | None, typer.Option(help="Write the answer to every pair here (.parquet).")
    ] = None,
    figures: Annotated[
        Path | None, typer.Option(help="Folder for figures: ROC, reliability, Tippett, length.")
    ] = None,
    corpus: Annotated[
        Path | None, typer.Option(help="Corpus, for a map of 20 of its test authors (t-SNE).")
    ] = None,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Measure a model on labelled pairs: error per cell, AUC, and at high reliability."""
    from adhominem import load
    from adhominem.cli.progress import Bar
    from adhominem.files import refuse_overwrite, write_whole
    from adhominem.laboratory.evaluation.answer_files import write_answers
    from adhominem.laboratory.evaluation.evaluate import evaluate as evaluate_answers
    from adhominem.laboratory.evaluation.on_pairs import describe_source, judge, read_labelled
    from adhominem.laboratory.report.table import evaluation_table

    for path in (output, answers):
        if path is not None:
            refuse_overwrite(path, force=force)
    labelled = read_labelled(pairs)
    verifier = load(model)
    with Bar("judging") as bar:
        found = judge(verifier, labelled, progress=bar.update)
    if answers is not None:
        write_answers(found, answers)
    report = {**describe_source(verifier, pairs), **evaluate_answers(found)}
    if figures is not None:
        _draw(found, verifier, figures, corpus)
    text = json.dumps(report, indent=2)
    if output is not None:
        write_whole(output, text + "\n")
    print(text if as_json else evaluation_table(report))
