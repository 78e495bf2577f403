"""adhominem model faithfulness: are the words of an explanation those that matter?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adhominem.cli.options import AsJson, Force, JsonOutput, ModelArgument, print_report


def faithfulness(
    model: ModelArgument,
    pairs: Annotated[list[Path], typer.Argument(help="Pairs of texts (.jsonl, .gz, .xz).")],
    output: JsonOutput = None,
    most: Annotated[
        int, typer.Option("--pairs", min=1, help="Number of pairs drawn from each file.")
    ] = 200,
    seed: Annotated[int, typer.Option(help="Seed of the pairs and of random rankings.")] = 1,
    store: Annotated[
        bool, typer.Option("--store", help="Store the figures in the model, for its reports.")
    ] = False,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Test explanations by removing, exchanging and swapping the words they name.

    \b
    Examples:
      adhominem model faithfulness adhominem hotels.pairs.jsonl.gz blogs.pairs.jsonl.gz --pairs 100
      adhominem model faithfulness runs/mine/model pairs.jsonl -o results/faithfulness.json --store
    """
    from adhominem import load
    from adhominem.cli.progress import Bar
    from adhominem.files import check_writable
    from adhominem.instrument.model_folder import model_path, store_faithfulness
    from adhominem.laboratory.evaluation.faithfulness import (
        faithfulness_rows,
        measure_faithfulness,
    )
    from adhominem.laboratory.report import faithfulness_table

    check_writable(output, force=force)
    check_writable(model_path(model) / "model.json" if store else None, force=True)
    with Bar("removing words") as bar:
        report = measure_faithfulness(load(model), pairs, most=most, seed=seed, progress=bar.update)
    if store:
        store_faithfulness(model, faithfulness_rows(report))
    files = " ".join(map(str, pairs))
    command = f"adhominem model faithfulness {model} {files} --pairs {most} --seed {seed}"
    report = {"command": command, **report}
    print_report(report, faithfulness_table, as_json=as_json, output=output)
