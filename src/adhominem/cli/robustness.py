"""adhominem robustness"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from adhominem.cli.options import AsJson, Force

EXAMPLES = """
Examples:

  adhominem robustness adhominem pairs.jsonl.gz hidden.jsonl.gz --most 500

  adhominem robustness runs/paper/model pairs.jsonl -o results/robustness.json
"""


def robustness(
    model: Annotated[str, typer.Argument(help="Model folder, or the name of a shipped model.")],
    pairs: Annotated[list[Path], typer.Argument(help="Labelled pairs (.jsonl, .gz, .xz).")],
    most: Annotated[
        int | None, typer.Option(min=1, help="Use so many pairs of a file at most, evenly spread.")
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write JSON here.")] = None,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Measure a model while the left text of every pair is edited, one kind of edit at a time."""
    from adhominem import load
    from adhominem.cli.progress import Bar
    from adhominem.files import refuse_overwrite, write_whole
    from adhominem.laboratory.evaluation.robustness import measure_robustness_files
    from adhominem.laboratory.report.robustness import robustness_text

    if output is not None:
        refuse_overwrite(output, force=force)
    with Bar("editing") as bar:
        report = measure_robustness_files(load(model), pairs, most=most, progress=bar.update)
    command = " ".join(["adhominem robustness", model, *map(str, pairs)])
    command += "" if most is None else f" --most {most}"
    text = json.dumps({"command": command, **report}, indent=2)
    if output is not None:
        write_whole(output, text + "\n")
    print(text if as_json else robustness_text(report))
