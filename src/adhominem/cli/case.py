"""adhominem case: every two of many texts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from adhominem.cli import options
from adhominem.cli.options import AsJson, Encoding, Force, Genre, Model


def case(
    folder: Annotated[Path, typer.Argument(help="Folder with the texts.")],
    questioned: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Rank the other authors as authors of this text."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", help="Write a report (.html, .pdf), data (.json) or a bundle (.zip)."
        ),
    ] = None,
    title: options.Title = "",
    case_name: options.CaseName = "",
    examiner: options.Examiner = "",
    date: options.Date = "",
    model: Model = None,
    genre: Genre = None,
    reference: options.Reference = None,
    own_reference: Annotated[
        bool,
        typer.Option(
            "--own-reference",
            help="Take the other texts of the case as reference texts of each pair: for 50 or more "
            "texts of one kind by many authors.",
        ),
    ] = False,
    encoding: Encoding = "utf-8",
    keep_quoted: options.KeepQuoted = False,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Compare every two of many texts. Shows groups, links and who wrote a questioned text.

    \b
    Examples:
      adhominem case texts/
      adhominem case texts/ --questioned note.txt -o case.html
      adhominem case texts/ -o case.zip
      adhominem case forum-posts/ --own-reference

    A file in the folder is a text of unknown author; a subfolder holds the texts of one author:
    texts/note.txt, texts/smith/letter1.txt, texts/smith/letter2.txt.
    """
    from adhominem.bench.case.bundle import case_bundle
    from adhominem.bench.case.page import case_page, case_text
    from adhominem.bench.case.study import case_dict, study
    from adhominem.bench.case.texts import check_texts, read_folder
    from adhominem.cli.progress import Bar
    from adhominem.instrument.report.candidates import ranking_text
    from adhominem.instrument.report.cover import Cover
    from adhominem.instrument.report.plain_text import visible

    endings = (".html", ".pdf", ".json", ".zip")
    if own_reference and (reference or genre):
        raise typer.BadParameter("give --own-reference, --reference or --genre, not two of them")
    referring = own_reference or bool(reference)
    options.check_output(output, endings, force=force, has_reference=referring)
    texts, notes = read_folder(folder, encoding=encoding, keep_quoted=keep_quoted)
    options.print_notes(notes)
    check_texts(texts, questioned)
    with Bar("comparing") as bar:
        verifier = options.load_verifier(model, reference, encoding=encoding)
        result = study(
            verifier, texts, questioned, bar.update, genre=genre, own_reference=own_reference
        )
    content = case_dict(result)
    if output is None:
        print(json.dumps(content) if as_json else case_text(content))
        if result.ranking is not None and not as_json:
            print(f"\nWho wrote {visible(str(questioned))}?\n{ranking_text(result.ranking)}")
        return
    if output.suffix == ".zip":
        options.write_report(output, case_bundle(texts, result))
    elif output.suffix == ".json":
        options.write_report(output, json.dumps(content, allow_nan=False) + "\n")
    else:
        options.write_report(output, case_page(content, Cover(title, case_name, examiner, date)))
