"""adhominem reproduce"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from adhominem.cli.options import AsJson, Model

EXAMPLES = """
Examples:

  adhominem reproduce bundle.zip

  adhominem reproduce bundle.zip --model models/letters
"""


def reproduce(
    bundle: Annotated[Path, typer.Argument(help="A case bundle (.zip).")],
    model: Model = None,
    as_json: AsJson = False,
) -> None:
    """Ask a bundle's question again and compare all numbers; exit 1 where they differ."""
    from dataclasses import asdict

    from adhominem.bench.case.unpack import read_bundle, read_file
    from adhominem.cli.progress import Bar

    opened = read_bundle(read_file(bundle), str(bundle))
    from adhominem import load
    from adhominem.bench.case.reproduce import reproduce as ask_again
    from adhominem.bench.case.reproduction_text import reproduction_text
    from adhominem.instrument.model_folder import shipped_models

    if model is None and opened.model is not None and opened.model.name in shipped_models():
        model = opened.model.name
    with Bar("reading") as bar:
        done = ask_again(opened, load(model), bar.update)
    if as_json:
        print(json.dumps({"same": done.is_same, **asdict(done)}, indent=2))
    else:
        print(reproduction_text(asdict(done)))
    if not done.is_same:
        raise typer.Exit(1)
