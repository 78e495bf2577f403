"""adhominem verify: two texts, or every pair of a file."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from adhominem.cli import options
from adhominem.cli.options import AlsoLeft, AlsoRight, AsJson, Encoding, Force, Genre, Model


def verify(
    left: Annotated[
        Path | None, typer.Argument(help="A text file, or - for standard input.")
    ] = None,
    right: Annotated[Path | None, typer.Argument(help="The other text file.")] = None,
    also_left: AlsoLeft = None,
    also_right: AlsoRight = None,
    pairs: Annotated[
        Path | None,
        typer.Option(
            help='Many pairs: lines {"id", "left", "right"}, plain, .gz or .xz; - for standard '
            "input."
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="File for the answers to --pairs.")
    ] = None,
    model: Model = None,
    genre: Genre = None,
    encoding: Encoding = "utf-8",
    keep_quoted: options.KeepQuoted = False,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Say whether one author wrote both texts. Prints verdict and strength of evidence.

    \b
    Examples:
      adhominem verify known.txt questioned.txt
      adhominem verify known1.txt questioned.txt --also-left known2.txt --json
      adhominem verify post1.txt post2.txt --genre blogs
      adhominem verify --pairs pairs.jsonl.gz -o answers.jsonl
      cat pairs.jsonl | adhominem verify --pairs -
    """
    if pairs is not None:
        if left is not None or right is not None:
            raise typer.BadParameter("give either two texts or --pairs, not both")
        if genre is not None:
            raise typer.BadParameter('--genre is for two texts: each pair has its own "genre"')
        from adhominem.cli.batch import answer_file

        answer_file(pairs, output, model=model, force=force)
        return
    if left is None or right is None:
        raise typer.BadParameter("two texts are needed: adhominem verify LEFT RIGHT")
    lefts = options.read_side(left, also_left, encoding=encoding, keep_quoted=keep_quoted)
    rights = options.read_side(right, also_right, encoding=encoding, keep_quoted=keep_quoted)
    with options.without_collection():
        from adhominem import load

        decision = load(model).verify(lefts, rights, genre=genre)
    if as_json:
        from adhominem.instrument.report.as_json import decision_dict

        print(json.dumps(decision_dict(decision), indent=2))
    else:
        from adhominem.instrument.report.terminal import decision_text

        print(decision_text(decision, colour=sys.stdout.isatty()), end="")
