"""adhominem whatif: the decision before and after edits of one text."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from adhominem.cli import options
from adhominem.cli.options import AsJson, Encoding, Force, Genre, Model
from adhominem.instrument.explain import BUDGET, MAX_BUDGET


def whatif(
    left: options.Left = None,
    right: options.Right = None,
    known: options.Known = None,
    questioned: options.Questioned = None,
    replace: Annotated[
        list[str] | None,
        typer.Option(metavar="OLD=NEW", help="Replace a whole word; case matters. Repeatable."),
    ] = None,
    attack: Annotated[
        bool, typer.Option("--attack", help="Search for the fewest edits that move the verdict.")
    ] = False,
    budget: Annotated[
        int, typer.Option(min=1, max=MAX_BUDGET, help="Most habits that --attack undoes.")
    ] = BUDGET,
    side: Annotated[
        Literal["known", "questioned", "left", "right"],
        typer.Option(help="The text to edit; left is known, right is questioned."),
    ] = "known",
    output: options.PageOutput = None,
    model: Model = None,
    genre: Genre = None,
    reference: options.Reference = None,
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
      adhominem whatif known.txt questioned.txt --attack --side questioned -o whatif.html
    """
    from adhominem.files import write_whole
    from adhominem.instrument.explain import whatif as what_if
    from adhominem.instrument.linguistics.rewrites import replacements
    from adhominem.instrument.report.render import render_what_if

    words = dict(_replacement(given) for given in replace or [])
    if bool(words) == attack:
        raise typer.BadParameter("give either --replace OLD=NEW or --attack")
    options.check_output(output, (".html", ".json"), force=force)
    files = options.side_files(left, right, known, questioned)
    lefts, rights = (
        options.read_plain(one, encoding=encoding, keep_quoted=keep_quoted) for one in files
    )
    which = "left" if side in ("known", "left") else "right"
    edits = replacements((lefts if which == "left" else rights)[0], words) if words else ()
    asked = (options.load_verifier(model, reference, encoding=encoding), lefts, rights)
    if attack:
        result = what_if.attack(*asked, side=which, budget=budget, genre=genre)
    else:
        result = what_if.what_if(*asked, edits, which, genre=genre)
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
