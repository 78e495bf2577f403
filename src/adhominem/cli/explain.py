"""adhominem explain: the words and sentences behind a decision."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from adhominem.cli import options
from adhominem.cli.options import AsJson, Encoding, Force, Genre, Model


def explain(
    left: options.Left = None,
    right: options.Right = None,
    known: options.Known = None,
    questioned: options.Questioned = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", help="Write a report (.html, .pdf, .json) or a bundle (.zip)."
        ),
    ] = None,
    title: options.Title = "",
    case: options.CaseName = "",
    examiner: options.Examiner = "",
    date: options.Date = "",
    model: Model = None,
    genre: Genre = None,
    reference: options.Reference = None,
    encoding: Encoding = "utf-8",
    keep_quoted: options.KeepQuoted = False,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Show which words and sentences the decision rests on.

    \b
    Examples:
      adhominem explain known.txt questioned.txt
      adhominem explain known.txt questioned.txt -o report.html
      adhominem explain --known a.txt --known b.txt --questioned c.txt -o report.pdf --case 17/26
      adhominem explain known.txt questioned.txt -o bundle.zip
    """
    endings = (".html", ".pdf", ".json", ".zip")
    options.check_output(output, endings, force=force, has_reference=bool(reference))
    files = options.side_files(left, right, known, questioned)
    lefts, rights = (
        options.read_side(side, encoding=encoding, keep_quoted=keep_quoted) for side in files
    )
    with options.without_collection():
        from adhominem.bench.case.bundle import pair_bundle
        from adhominem.instrument.report.cover import Cover
        from adhominem.instrument.report.render import render

        verifier = options.load_verifier(model, reference, encoding=encoding)
    if output is not None and output.suffix == ".zip":
        decision = verifier.verify(lefts, rights, genre=genre)
        one, other = ([document.text for document in side] for side in (lefts, rights))
        options.write_report(output, pair_bundle(one, other, decision, genre=genre))
        return
    explanation = verifier.explain_texts(lefts, rights, genre=genre)
    if output is not None:
        names = (tuple(document.id or "" for document in side) for side in (lefts, rights))
        cover = Cover(title, case, examiner, date, *names)
        form = "json" if output.suffix == ".json" else "html"
        options.write_report(output, render(explanation, form=form, cover=cover))
        return
    form = "json" if as_json else "terminal" if sys.stdout.isatty() else "text"
    print(render(explanation, form=form))
