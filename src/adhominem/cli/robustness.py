"""adhominem model robustness: a model on edited texts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adhominem.cli.options import AsJson, Force, JsonOutput, ModelArgument, print_report


def robustness(
    model: ModelArgument,
    pairs: Annotated[list[Path], typer.Argument(help="Labelled pairs (.jsonl, .gz, .xz).")],
    most: Annotated[
        int | None, typer.Option(min=1, help="Most pairs of a file, evenly spread over it.")
    ] = None,
    output: JsonOutput = None,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Measure a model on edited texts. Edits the left text of every pair in several ways.

    \b
    Examples:
      adhominem model robustness adhominem pairs.jsonl.gz hidden.jsonl.gz --most 500
      adhominem model robustness runs/paper/model pairs.jsonl -o results/robustness.json
    """
    from adhominem import load
    from adhominem.cli.progress import Bar
    from adhominem.files import check_writable
    from adhominem.laboratory.evaluation.robustness import measure_robustness_files
    from adhominem.laboratory.report import robustness_text

    check_writable(output, force=force)
    with Bar("editing") as bar:
        report = measure_robustness_files(load(model), pairs, most=most, progress=bar.update)
    command = " ".join(["adhominem robustness", model, *map(str, pairs)])
    command += "" if most is None else f" --most {most}"
    report = {"command": command, **report}
    print_report(report, robustness_text, as_json=as_json, output=output)
