"""adhominem faithfulness"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from adhominem.cli.options import AsJson, Force

EXAMPLES = """
Examples:

  adhominem faithfulness adhominem hotels.pairs.jsonl.gz blogs.pairs.jsonl.gz --pairs 100

  adhominem faithfulness runs/mine/model pairs.jsonl -o results/faithfulness.json --store
"""


def faithfulness(
    model: Annotated[str, typer.Argument(help="Model folder, or the name of a shipped model.")],
    pairs: Annotated[list[Path], typer.Argument(help="Pairs of texts (.jsonl, .gz, .xz).")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write JSON here.")] = None,
    most: Annotated[
        int, typer.Option("--pairs", min=1, help="Pairs drawn out of each file.")
    ] = 200,
    seed: Annotated[int, typer.Option(help="Of the pairs drawn and of random rankings.")] = 1,
    store: Annotated[
        bool, typer.Option("--store", help="Let the model quote the figures in its reports.")
    ] = False,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Test explanations: does the decision change when the words that they name are taken away?"""
    from adhominem import load
    from adhominem.cli.progress import Bar
    from adhominem.files import refuse_overwrite, write_whole
    from adhominem.instrument.model_folder import store_faithfulness
    from adhominem.laboratory.evaluation.faithfulness import (
        faithfulness_rows,
        measure_faithfulness,
    )
    from adhominem.laboratory.report.faithfulness import faithfulness_table

    if output is not None:
        refuse_overwrite(output, force=force)
    with Bar("taking words away") as bar:
        report = measure_faithfulness(load(model), pairs, most=most, seed=seed, progress=bar.update)
    files = " ".join(map(str, pairs))
    command = f"adhominem faithfulness {model} {files} --pairs {most} --seed {seed}"
    text = json.dumps({"command": command, **report}, indent=2)
    if output is not None:
        write_whole(output, text + "\n")
    if store:
        store_faithfulness(model, faithfulness_rows(report))
    print(text if as_json else faithfulness_table(report))
