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
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Measure a model on labelled pairs: error per cell, AUC, and at high reliability."""
    from adhominem import load
    from adhominem.cli.progress import Bar
    from adhominem.evaluation.on_pairs import evaluate_file
    from adhominem.files import refuse_overwrite, write_whole
    from adhominem.report.table import evaluation_table

    if output is not None:
        refuse_overwrite(output, force=force)
    with Bar("judging") as bar:
        report = evaluate_file(load(model), pairs, progress=bar.update)
    text = json.dumps(report, indent=2)
    if output is not None:
        write_whole(output, text + "\n")
    print(text if as_json else evaluation_table(report))
