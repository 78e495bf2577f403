"""adhominem whatif: the decision before and after edits of one text."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from adhominem.cli import options
from adhominem.cli.options import AsJson, Encoding, Force, Genre, Model


def whatif(
    left: options.Left,
    right: options.Right,
    replace: Annotated[
        list[str] | None,
        typer.Option(metavar="OLD=NEW", help="Replace a whole word; case matters. Repeatable."),
    ] = None,
    attack: Annotated[
        bool, typer.Option("--attack", help="Search for the fewest edits that move the verdict.")
    ] = False,
    budget: Annotated[int, typer.Option(min=1, max=100, help="Most edits of --attack.")] = 10,
    side: Annotated[Literal["left", "right"], typer.Option(help="The text to edit.")] = "left",
    output: options.PageOutput = None,
    model: Model = None,
    genre: Genre = None,
    encoding: Encoding = "utf-8",
    keep_quoted: options.KeepQuoted = False,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Show how edits of one text change the decision.

    \b
    Examples:
      adhominem whatif known.txt questioned.txt --replace cuz=because --replace w/=with
      adhominem whatif known.txt questioned.txt --attack --budget 5
      adhominem whatif known.txt questioned.txt --attack --side right -o whatif.html
    """
    from adhominem import load
    from adhominem.files import write_whole
    from adhominem.instrument.explain import whatif as what_if
    from adhominem.instrument.linguistics.rewrites import replacements
    from adhominem.instrument.report.render import render_what_if

    words = dict(_replacement(given) for given in replace or [])
    if bool(words) == attack:
        raise typer.BadParameter("give either --replace OLD=NEW or --attack")
    options.check_output(output, (".html", ".json"), force=force)
    one, other = (
        options.read_plain(path, encoding=encoding, keep_quoted=keep_quoted)
        for path in (left, right)
    )
    edits = replacements((other if side == "right" else one)[0], words) if words else ()
    asked = (load(model), one, other)
    if attack:
        result = what_if.attack(*asked, side=side, budget=budget, genre=genre)
    else:
        result = what_if.what_if(*asked, edits, side, genre=genre)
    if output is not None:
        write_whole(output, render_what_if(result, form=output.suffix[1:]))
        print(output)
        return
    print(render_what_if(result, form="json" if as_json else "text"))


def _replacement(given: str) -> tuple[str, str]:
    old, equals, new = given.partition("=")
    if not old or not equals:
        raise typer.BadParameter(f"--replace wants OLD=NEW, not '{given}'")
    return old, new
