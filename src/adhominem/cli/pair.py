"""adhominem verify, explain, whatif: two texts, or every pair of a file."""

import json
import sys
from pathlib import Path
from typing import Literal

import typer
from typer import Option

from adhominem.cli import options
from adhominem.cli.options import Judge, Machines, Sides, Stated
from adhominem.instrument.explain import BUDGET, MAX_BUDGET


def verify(
    *,
    sides: Sides,
    pairs: Path | None = Option(
        None, help='Pairs: JSON lines {"id", "left", "right"}, plain, .gz, .xz or - (stdin).'
    ),
    output: Path | None = Option(None, "-o", "--output", help="File for the answers to --pairs."),
    strict: bool = Option(False, help="Stop --pairs at the first bad line."),
    machines: Machines,
    judge: Judge,
    as_json: options.AsJson = False,
    force: options.Force = False,
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
        if sides != Sides():
            raise typer.BadParameter("give either two texts or --pairs, not both")
        if judge.genre is not None:
            raise typer.BadParameter('--genre is for two texts: each pair has its own "genre"')
        from adhominem.cli.batch import answer_file

        answer_file(pairs, output, judge, machines, strict=strict, force=force)
        return
    left, right = map(judge.documents, sides.files)
    with options.without_collection():
        decision = judge.verifier().verify(left, right, genre=judge.genre)
    if as_json:
        from adhominem.instrument.report.as_json import decision_dict

        print(json.dumps(decision_dict(decision), indent=2))
    else:
        from adhominem.instrument.report.terminal import decision_text

        print(decision_text(decision, colour=sys.stdout.isatty()), end="")


def explain(
    *,
    sides: Sides,
    output: options.ReportOutput = None,
    stated: Stated,
    judge: Judge,
    as_json: options.AsJson = False,
    force: options.Force = False,
) -> None:
    """Show which words and sentences the decision rests on.

    \b
    Examples:
      adhominem explain known.txt questioned.txt
      adhominem explain known.txt questioned.txt -o report.html
      adhominem explain --known a.txt --known b.txt --questioned c.txt -o report.pdf --case 17/26
      adhominem explain known.txt questioned.txt -o bundle.zip
    """
    options.check_output(output, options.REPORTS, force=force, has_reference=bool(judge.reference))
    left, right = map(judge.documents, sides.files)
    with options.without_collection():
        from adhominem.bench.case.bundle import pair_bundle
        from adhominem.instrument.report.render import render

        verifier = judge.verifier()
    if output is not None and output.suffix == ".zip":
        decision = verifier.verify(left, right, genre=judge.genre)
        one, other = ([document.text for document in side] for side in (left, right))
        options.write_report(output, pair_bundle(one, other, decision, genre=judge.genre))
        return
    explanation = verifier.explain_texts(left, right, genre=judge.genre)
    if output is not None:
        names = (tuple(document.id or "" for document in side) for side in (left, right))
        form = "json" if output.suffix == ".json" else "html"
        options.write_report(output, render(explanation, form=form, cover=stated.cover(*names)))
        return
    form = "json" if as_json else "terminal" if sys.stdout.isatty() else "text"
    print(render(explanation, form=form))


def whatif(
    *,
    sides: Sides,
    replace: list[str] | None = Option(
        None, metavar="OLD=NEW", help="Replace a whole word; case matters. Repeatable."
    ),
    attack: bool = Option(False, help="Search for the fewest edits that change the verdict."),
    budget: int = Option(BUDGET, min=1, max=MAX_BUDGET, help="Most habits that --attack edits."),
    side: Literal["known", "questioned", "left", "right"] = Option(
        "known", help="The text to edit; left is known, right is questioned."
    ),
    output: Path | None = Option(None, "-o", "--output", help="Write a report (.html, .json)."),
    judge: Judge,
    as_json: options.AsJson = False,
    force: options.Force = False,
) -> None:
    """Show how edits of one text change the decision.

    \b
    Examples:
      adhominem whatif known.txt questioned.txt --replace cuz=because --replace w/=with
      adhominem whatif known.txt questioned.txt --attack --budget 5
      adhominem whatif known.txt questioned.txt --attack --side questioned -o whatif.html
    """
    from adhominem.instrument.explain import whatif as what_if
    from adhominem.instrument.linguistics.rewrites import replacements
    from adhominem.instrument.report.render import render_what_if

    words = {}
    for given in replace or []:
        old, equals, new = given.partition("=")
        if not old or not equals:
            raise typer.BadParameter(f"--replace wants OLD=NEW, not '{given}'")
        words[old] = new
    if bool(words) == attack:
        raise typer.BadParameter("give either --replace OLD=NEW or --attack")
    options.check_output(output, (".html", ".json"), force=force)
    left, right = map(judge.texts, sides.files)
    which = "left" if side in ("known", "left") else "right"
    edits = replacements((left if which == "left" else right)[0], words) if words else ()
    asked = (judge.verifier(), left, right)
    if attack:
        result = what_if.attack(*asked, side=which, budget=budget, genre=judge.genre)
    else:
        result = what_if.what_if(*asked, edits, which, genre=judge.genre)
    if output is not None:
        options.write_report(output, render_what_if(result, form=output.suffix[1:]))
    else:
        print(render_what_if(result, form="json" if as_json else "text"))
