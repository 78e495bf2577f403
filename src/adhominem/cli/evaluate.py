"""adhominem evaluate"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from adhominem.cli.options import AsJson, Force

EXAMPLES = """
Examples:

  adhominem evaluate runs/paper/model runs/paper/prepared/test.pairs.jsonl.gz

  adhominem evaluate adhominem pairs.jsonl -o results/mine.json
"""


def evaluate(
    model: Annotated[str, typer.Argument(help="Model folder, or the name of a shipped model.")],
    pairs: Annotated[Path, typer.Argument(help="Labelled pairs (.jsonl, .gz, .xz).")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write JSON here.")] = None,
    answers: Annotated[
        Path | None, typer.Option(help="Write the answer to every pair here (.parquet).")
    ] = None,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Measure a model on labelled pairs: error per cell, AUC, and at high reliability."""
    from adhominem import load
    from adhominem.cli.progress import Bar
    from adhominem.evaluation.answer_files import write_answers
    from adhominem.evaluation.evaluate import evaluate as evaluate_answers
    from adhominem.evaluation.on_pairs import describe_source, judge, read_labelled
    from adhominem.files import refuse_overwrite, write_whole
    from adhominem.report.table import evaluation_table

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
    text = json.dumps(report, indent=2)
    if output is not None:
        write_whole(output, text + "\n")
    print(text if as_json else evaluation_table(report))
