"""adhominem model list, model show: the shipped models and their cards."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from adhominem.cli.options import AsJson


def models(
    name: Annotated[str | None, typer.Argument(help="Show the card of this model.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the shipped models, or show the card of one.

    \b
    Examples:
      adhominem model list
      adhominem model show adhominem
    """
    from adhominem.instrument.model_folder import describe_model, shipped_models
    from adhominem.instrument.report.plain_text import visible_lines

    if name is not None:
        description, card = describe_model(name)
        print(json.dumps(description, indent=2) if as_json else visible_lines(card))
        return
    descriptions = [describe_model(shipped)[0] for shipped in shipped_models()]
    if as_json:
        print(json.dumps(descriptions, indent=2))
        return
    for d in descriptions:
        genres = ", ".join(d["labels"].get(name, name) for name in d["calibrations"])
        print(
            f"{d['name']}  version {d['version']}  {d['kind']}  {d['megabytes']:.1f} MB"
            + (f"  genres: {genres}" if genres else "")
        )
