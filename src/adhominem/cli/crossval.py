"""adhominem crossval"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from adhominem.cli.options import AsJson

EXAMPLES = """
Examples:

  adhominem crossval experiments/hotels/glad.toml --corpus corpora/hotels -o runs/hotels/glad

  adhominem compare runs/hotels/*/answers.parquet
"""


def crossval(
    experiment: Annotated[Path, typer.Argument(help="Experiment file (TOML).")],
    corpus: Annotated[Path, typer.Option(help="Corpus folder.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Run folder.")],
    vectors: Annotated[
        list[Path] | None, typer.Option(help="Word vectors for a network. Repeat to join several.")
    ] = None,
    device: Annotated[str, typer.Option(help="cpu or cuda.")] = "cpu",
    as_json: AsJson = False,
) -> None:
    """Test a method on every author of a corpus in turns; goes on after an interruption."""
    from adhominem.cli.progress import Bar
    from adhominem.laboratory.corpus.store import Corpus
    from adhominem.laboratory.experiment.cross_validation import cross_validate
    from adhominem.laboratory.experiment.settings import read_experiment
    from adhominem.laboratory.report.evaluation_tables import evaluation_table

    settings = read_experiment(experiment)
    opened = Corpus.open(corpus)
    with Bar("fitting") as bar:
        report = cross_validate(
            settings, opened, output, device=device, vectors=vectors or [], progress=bar.stage
        )
    print(json.dumps(report, indent=2) if as_json else evaluation_table(report))
