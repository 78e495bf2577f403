"""adhominem robustness"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from adhominem.cli.options import AsJson, Force

EXAMPLES = """
Examples:

  adhominem robustness adhominem pairs.jsonl.gz --most 500

  adhominem robustness runs/paper/model pairs.jsonl -o results/robustness.json
"""


def robustness(
    model: Annotated[str, typer.Argument(help="Model folder, or the name of a shipped model.")],
    pairs: Annotated[Path, typer.Argument(help="Labelled pairs (.jsonl, .gz, .xz).")],
    most: Annotated[
        int | None, typer.Option(min=1, help="Use so many pairs at most, evenly spread.")
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write JSON here.")] = None,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Measure a model while the left text of every pair is edited, one kind of edit at a time."""
    from dataclasses import asdict

    from adhominem import load
    from adhominem.cli.progress import Bar
    from adhominem.evaluation.on_pairs import describe_source, read_labelled
    from adhominem.evaluation.robustness import measure_robustness
    from adhominem.files import refuse_overwrite, write_whole
    from adhominem.report.robustness import robustness_table

    if output is not None:
        refuse_overwrite(output, force=force)
    labelled = read_labelled(pairs)
    if most is not None and most < len(labelled):
        labelled = [labelled[i * len(labelled) // most] for i in range(most)]
    verifier = load(model)
    with Bar("editing") as bar:
        rows = measure_robustness(verifier, labelled, progress=bar.update)
    report = {**describe_source(verifier, pairs), "edits": [asdict(row) for row in rows]}
    text = json.dumps(report, indent=2)
    if output is not None:
        write_whole(output, text + "\n")
    print(text if as_json else robustness_table(rows))
