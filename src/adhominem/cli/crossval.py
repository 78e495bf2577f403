"""adhominem bench crossval: one method on every author of a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adhominem.cli.options import AsJson, Device, Vectors, print_report


def crossval(
    experiment: Annotated[Path, typer.Argument(help="Experiment file (TOML).")],
    corpus: Annotated[Path, typer.Option(help="Corpus folder.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Run folder.")],
    vectors: Vectors = None,
    device: Device = "cpu",
    as_json: AsJson = False,
) -> None:
    """Cross-validate a method. After an interruption the same command continues.

    \b
    Examples:
      adhominem bench crossval experiments/hotels/glad.toml --corpus corpora/hotels -o runs/glad
      adhominem bench compare runs/*/answers.parquet
    """
    from adhominem.cli.progress import Bar
    from adhominem.laboratory.corpus.store import Corpus
    from adhominem.laboratory.experiment import read_experiment
    from adhominem.laboratory.experiment.cross_validation import cross_validate
    from adhominem.laboratory.report import evaluation_table

    settings = read_experiment(experiment)
    opened = Corpus.open(corpus)
    with Bar("fitting") as bar:
        report = cross_validate(
            settings, opened, output, device=device, vectors=vectors or [], progress=bar.stage
        )
    print_report(report, evaluation_table, as_json=as_json)
