"""adhominem explain"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from adhominem.cli.loading import load_for
from adhominem.cli.options import (
    AlsoLeft,
    AlsoRight,
    AsJson,
    Encoding,
    Force,
    Genre,
    Model,
    check_output,
    read_side,
)

EXAMPLES = """
Examples:

  adhominem explain known.txt questioned.txt

  adhominem explain known.txt questioned.txt -o report.html

  adhominem explain known.txt questioned.txt --json
"""


def explain(
    left: Annotated[Path, typer.Argument(help="A text file, or - for stdin.")],
    right: Annotated[Path, typer.Argument(help="The other text file.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write a page (.html) or data (.json).")
    ] = None,
    also_left: AlsoLeft = None,
    also_right: AlsoRight = None,
    model: Model = None,
    genre: Genre = None,
    encoding: Encoding = "utf-8",
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Show where the network looked: both texts with the weight of each word and sentence."""
    check_output(output, (".html", ".json"), force=force)
    texts = (
        read_side(left, also_left, encoding=encoding),
        read_side(right, also_right, encoding=encoding),
    )
    from adhominem.files import write_whole
    from adhominem.instrument.report.render import render

    explanation = load_for(texts, model).explain_texts(*texts, genre=genre)
    if output is not None:
        write_whole(output, render(explanation, form=output.suffix[1:]))
        print(output)
        return
    form = "json" if as_json else "terminal" if sys.stdout.isatty() else "text"
    print(render(explanation, form=form))
