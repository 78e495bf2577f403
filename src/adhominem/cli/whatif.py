"""adhominem whatif"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from adhominem.cli.options import AsJson, Encoding, Force, Genre, Model, check_output

EXAMPLES = """
Examples:

  adhominem whatif known.txt questioned.txt --replace cuz=because --replace w/=with

  adhominem whatif known.txt questioned.txt --attack --budget 5

  adhominem whatif known.txt questioned.txt --attack --side right -o whatif.html
"""


class Side(StrEnum):
    left = "left"
    right = "right"


def whatif(
    left: Annotated[Path, typer.Argument(help="A text file, or - for stdin.")],
    right: Annotated[Path, typer.Argument(help="The other text file.")],
    replace: Annotated[
        list[str] | None,
        typer.Option(metavar="OLD=NEW", help="Replace a whole word, case as given. Repeatable."),
    ] = None,
    attack: Annotated[
        bool, typer.Option("--attack", help="Search the fewest edits that move the verdict.")
    ] = False,
    budget: Annotated[int, typer.Option(min=1, max=100, help="Most edits of --attack.")] = 10,
    side: Annotated[Side, typer.Option(help="The text that is edited.")] = Side.left,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write a page (.html) or data (.json).")
    ] = None,
    model: Model = None,
    genre: Genre = None,
    encoding: Encoding = "utf-8",
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """What if one text were edited? Verdict, distance and heat map before and after."""
    words = _parse(replace or [])
    if bool(words) == attack:
        raise typer.BadParameter("give either --replace OLD=NEW or --attack")
    check_output(output, (".html", ".json"), force=force)
    from adhominem.files import write_whole
    from adhominem.instrument.text.read import read_text

    texts = {
        "left": read_text(left, encoding=encoding),
        "right": read_text(right, encoding=encoding),
    }
    from adhominem import load
    from adhominem.instrument.explain import whatif as question
    from adhominem.instrument.linguistics.rewrites import replacements
    from adhominem.instrument.report.whatif import render_what_if

    edits = replacements(texts[side], words) if words else ()
    verifier = load(model)
    found = (
        question.attack(
            *(verifier, texts["left"], texts["right"]),
            side=side.value,
            budget=budget,
            genre=genre,
        )
        if attack
        else question.what_if(
            *(verifier, texts["left"], texts["right"], edits, side.value), genre=genre
        )
    )
    if output is not None:
        write_whole(output, render_what_if(found, form=output.suffix[1:]))
        print(output)
        return
    print(render_what_if(found, form="json" if as_json else "text"))


def _parse(given: list[str]) -> dict[str, str]:
    words = {}
    for one in given:
        old, equals, new = one.partition("=")
        if not old or not equals:
            raise typer.BadParameter(f"--replace wants OLD=NEW, not '{one}'")
        words[old] = new
    return words
