"""adhominem case, reproduce: compare many texts with each other, reproduce a case bundle."""

import json
from dataclasses import asdict
from pathlib import Path

import typer
from typer import Argument, Option

from adhominem.cli import options
from adhominem.cli.options import Judge, Stated
from adhominem.cli.progress import Bar


def case(
    *,
    folder: Path = Argument(help="Folder with the texts."),
    questioned: str | None = Option(
        None, metavar="NAME", help="Rank the other authors as authors of this text."
    ),
    output: options.ReportOutput = None,
    pairs: Path | None = Option(
        None, metavar="FILE", help="Write the answers to all pairs (.parquet, .jsonl)."
    ),
    stated: Stated,
    own_reference: bool = Option(
        False,
        help="Take the other texts of the case as reference texts of each pair: for 50 or more "
        "texts of one kind by many authors.",
    ),
    judge: Judge,
    as_json: options.AsJson = False,
    force: options.Force = False,
) -> None:
    """Compare every two of many texts. Shows groups, links and who wrote a questioned text.

    \b
    Examples:
      adhominem case texts/
      adhominem case texts/ --questioned note.txt -o case.html
      adhominem case texts/ -o case.zip
      adhominem case texts/ -o case.html --pairs pairs.parquet
      adhominem case forum-posts/ --own-reference

    A file in the folder is a text of unknown author; a subfolder holds the texts of one author:
    texts/note.txt, texts/smith/letter1.txt, texts/smith/letter2.txt.
    """
    from adhominem.bench.case.bundle import case_bundle
    from adhominem.bench.case.page import case_page, case_text
    from adhominem.bench.case.pairs import FORMS, write_pairs
    from adhominem.bench.case.study import case_dict, study
    from adhominem.bench.case.texts import check_texts, read_folder
    from adhominem.instrument.report.plain_text import visible
    from adhominem.instrument.report.render import ranking_text

    if own_reference and (judge.reference or judge.genre):
        raise typer.BadParameter("give --own-reference, --reference or --genre, not two of them")
    referring = own_reference or bool(judge.reference)
    options.check_output(output, options.REPORTS, force=force, has_reference=referring)
    options.check_output(pairs, FORMS, force=force)
    texts, notes = read_folder(folder, **judge.reading)
    options.print_notes(notes)
    check_texts(texts, questioned)
    with Bar("comparing") as bar:
        asked = (judge.verifier(), texts, questioned, bar.update)
        result = study(*asked, genre=judge.genre, own_reference=own_reference)
    if pairs is not None:
        write_pairs(result.names, result.evidence, pairs)
    shown, pairs_file = case_dict(result.drawn()), None if pairs is None else pairs.name
    if output is None:
        print(json.dumps(case_dict(result)) if as_json else case_text(shown, pairs_file))
        if result.ranking is not None and not as_json:
            print(f"\nWho wrote {visible(str(questioned))}?\n{ranking_text(result.ranking)}")
    elif output.suffix == ".zip":
        options.write_report(output, case_bundle(result))
    elif output.suffix == ".json":
        options.write_report(output, json.dumps(case_dict(result), allow_nan=False) + "\n")
    else:
        options.write_report(output, case_page(shown, stated.cover(), pairs_file))


def reproduce(
    bundle: Path = Argument(help="A case bundle (.zip)."),
    model: options.Model = None,
    as_json: options.AsJson = False,
) -> None:
    """Recompute a case bundle and compare all numbers. Exit status 1 if any differ.

    \b
    Examples:
      adhominem reproduce bundle.zip
      adhominem reproduce bundle.zip --model models/letters
    """
    from adhominem import load
    from adhominem.bench.case import reproduce as again
    from adhominem.bench.case.bundle import read_bundle_file
    from adhominem.instrument.model_folder import shipped_models

    opened = read_bundle_file(bundle)
    if model is None and opened.model is not None and opened.model.name in shipped_models():
        model = opened.model.name
    with Bar("reading") as bar:
        result = again.reproduce(opened, load(model), bar.update)
    if as_json:
        print(json.dumps({"same": result.is_same, **asdict(result)}, indent=2))
    else:
        print(again.reproduction_text(asdict(result)))
    if not result.is_same:
        raise typer.Exit(1)
