"""adhominem verify: two texts, or every pair of a file."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from adhominem.cli import options
from adhominem.cli.options import AsJson, Encoding, Force, Genre, Model


def verify(
    left: options.Left = None,
    right: options.Right = None,
    known: options.Known = None,
    questioned: options.Questioned = None,
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
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop --pairs at the first line that is no pair.")
    ] = False,
    workers: options.Workers = 1,
    cluster: options.Cluster = None,
    model: Model = None,
    genre: Genre = None,
    reference: options.Reference = None,
    encoding: Encoding = "utf-8",
    keep_quoted: options.KeepQuoted = False,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Say whether one author wrote both texts. Prints verdict and strength of evidence.

    \b
    Examples:
      adhominem verify known.txt questioned.txt
      adhominem verify --known letter1.txt --known letter2.txt --questioned note.txt --json
      adhominem verify post1.txt post2.txt --genre blogs
      adhominem verify mail1.eml mail2.eml --reference other-mails/
      adhominem verify --pairs pairs.jsonl.gz -o answers.jsonl --workers 4
      cat pairs.jsonl | adhominem verify --pairs -
    """
    if pairs is not None:
        if left or right or known or questioned:
            raise typer.BadParameter("give either two texts or --pairs, not both")
        if genre is not None:
            raise typer.BadParameter('--genre is for two texts: each pair has its own "genre"')
        from adhominem.cli.batch import answer_file

        answer_file(
            *(pairs, output),
            model=model,
            reference=reference,
            strict=strict,
            force=force,
            engine=(workers, cluster),
        )
        return
    files = options.side_files(left, right, known, questioned)
    lefts, rights = (
        options.read_side(side, encoding=encoding, keep_quoted=keep_quoted) for side in files
    )
    with options.without_collection():
        decision = options.load_verifier(model, reference, encoding=encoding).verify(
            lefts, rights, genre=genre
        )
    if as_json:
        from adhominem.instrument.report.as_json import decision_dict

        print(json.dumps(decision_dict(decision), indent=2))
    else:
        from adhominem.instrument.report.terminal import decision_text

        print(decision_text(decision, colour=sys.stdout.isatty()), end="")
