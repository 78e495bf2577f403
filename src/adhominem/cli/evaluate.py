"""adhominem model evaluate: a model on labelled pairs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adhominem.cli.options import AsJson, Force, JsonOutput, ModelArgument, print_report

if TYPE_CHECKING:
    from adhominem.instrument.verifier import Verifier
    from adhominem.laboratory.evaluation.answers import Answers


def evaluate(
    model: ModelArgument,
    pairs: Annotated[Path, typer.Argument(help="Labelled pairs (.jsonl, .gz, .xz).")],
    output: JsonOutput = None,
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
    """Measure a model on labelled pairs. Error per cell, AUC, error at high reliability.

    \b
    Examples:
      adhominem model evaluate runs/paper/model runs/paper/prepared/test/hotels.pairs.jsonl.gz
      adhominem model evaluate adhominem pairs.jsonl -o results/mine.json
    """
    from adhominem import load
    from adhominem.cli.progress import Bar
    from adhominem.files import check_writable
    from adhominem.laboratory.evaluation.answer_files import write_answers
    from adhominem.laboratory.evaluation.answers import judge, read_labelled
    from adhominem.laboratory.evaluation.evaluate import describe_source
    from adhominem.laboratory.evaluation.evaluate import evaluate as evaluate_answers
    from adhominem.laboratory.report import evaluation_table

    check_writable(output, answers, force=force)
    check_writable(figures and figures / "figure.svg", force=True)
    labelled = read_labelled(pairs)
    verifier = load(model)
    with Bar("judging") as bar:
        given = judge(verifier, labelled, progress=bar.update)
    if answers is not None:
        write_answers(given, answers)
    if figures is not None:
        _draw(given, verifier, figures, corpus)
    report = {**describe_source(verifier, pairs), **evaluate_answers(given)}
    print_report(report, evaluation_table, as_json=as_json, output=output)


def _draw(answers: Answers, verifier: Verifier, folder: Path, corpus: Path | None) -> None:
    """Draw the figures of one model into a folder; with a corpus, also the map of its authors."""
    from adhominem.instrument.feature_verifier import require_features
    from adhominem.laboratory.evaluation.text_samples import sample_unseen_authors
    from adhominem.laboratory.report.figures import evaluation_figures, map_figure, save_figures

    name = verifier.identity.name if verifier.identity else verifier.kind
    drawn = evaluation_figures({name: answers})
    if corpus is not None:
        network = require_features(
            verifier, "{kind} has no document features to map: leave --corpus out"
        )
        texts, authors = sample_unseen_authors(corpus)
        drawn["tsne"] = map_figure(network.features(texts), authors)
    for path in save_figures(drawn, folder):
        if path.suffix == ".svg":
            print(path, file=sys.stderr)
