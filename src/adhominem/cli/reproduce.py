"""adhominem reproduce: compute a case bundle again."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from adhominem.cli.options import AsJson, Model


def reproduce(
    bundle: Annotated[Path, typer.Argument(help="A case bundle (.zip).")],
    model: Model = None,
    as_json: AsJson = False,
) -> None:
    """Compute a case bundle again and compare all numbers. Exit status 1 if any differ.

    \b
    Examples:
      adhominem reproduce bundle.zip
      adhominem reproduce bundle.zip --model models/letters
    """
    from adhominem import load
    from adhominem.bench.case.bundle import read_bundle_file
    from adhominem.bench.case.reproduce import reproduce as compute_again
    from adhominem.bench.case.reproduce import reproduction_text
    from adhominem.cli.progress import Bar
    from adhominem.instrument.model_folder import shipped_models

    opened = read_bundle_file(bundle)
    if model is None and opened.model is not None and opened.model.name in shipped_models():
        model = opened.model.name
    with Bar("reading") as bar:
        result = compute_again(opened, load(model), bar.update)
    if as_json:
        print(json.dumps({"same": result.is_same, **asdict(result)}, indent=2))
    else:
        print(reproduction_text(asdict(result)))
    if not result.is_same:
        raise typer.Exit(1)
