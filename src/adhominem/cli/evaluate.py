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
    from adhominem.instrument.feature_verifier import require_features
    from adhominem.laboratory.evaluation.text_samples import sample_unseen_authors
    from adhominem.laboratory.report.figures import evaluation_figures, map_figure, save_figures

    name = verifier.identity.name if verifier.identity else verifier.kind
    drawn = evaluation_figures({name: found})
    if corpus is not None:
        network = require_features(
            verifier, "{kind} has no document features to map: leave --corpus out"
        )
        texts, authors = sample_unseen_authors(corpus)
        drawn["tsne"] = map_figure(network.features(texts), authors)
    for path in save_figures(drawn, folder):
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
    from adhominem.laboratory.evaluation.answers import judge, read_labelled
    from adhominem.laboratory.evaluation.evaluate import describe_source
    from adhominem.laboratory.evaluation.evaluate import evaluate as evaluate_answers
    from adhominem.laboratory.report.evaluation_tables import evaluation_table

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
