"""adhominem explain"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

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
    also_left: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Another text by the author of LEFT. Repeat for more."),
    ] = None,
    also_right: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Another text by the author of RIGHT.")
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="Model folder or name; the shipped one by default.")
    ] = None,
    encoding: Annotated[str, typer.Option(help="Encoding of the text files.")] = "utf-8",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the output file.")] = False,
) -> None:
    """Show where the network looked: both texts with the weight of each word and sentence."""
    from adhominem.files import refuse_overwrite, write_whole
    from adhominem.text.read import read_text

    if output is not None:
        if output.suffix not in (".html", ".json"):
            raise typer.BadParameter(f"{output.name} must end in .html or .json")
        refuse_overwrite(output, force=force)
    texts = [
        [read_text(path, encoding=encoding) for path in (first, *(others or []))]
        for first, others in ((left, also_left), (right, also_right))
    ]
    from adhominem import load
    from adhominem.report.render import render

    explanation = load(model).explain_texts(*texts)
    if output is not None:
        write_whole(output, render(explanation, form=output.suffix[1:]))
        print(output)
        return
    form = "json" if as_json else "terminal" if sys.stdout.isatty() else "text"
    print(render(explanation, form=form))
