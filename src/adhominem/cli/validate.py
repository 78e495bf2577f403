"""adhominem validate: how a model does on pairs like those of a case."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from adhominem.cli import options
from adhominem.cli.options import AsJson, Force, Model


def validate(
    pairs: Annotated[Path, typer.Argument(help="Labelled pairs (.jsonl, .gz, .xz).")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Write the report (.html, .pdf, .json)."),
    ] = None,
    min_tokens: Annotated[int, typer.Option(min=0, help="Shortest side of a pair.")] = 0,
    max_tokens: Annotated[
        int | None, typer.Option(min=1, help="Shorter sides are below this.")
    ] = None,
    topics: Annotated[
        Literal["same", "different"] | None, typer.Option(help="Pairs of such topics only.")
    ] = None,
    title: options.Title = "",
    case: options.CaseName = "",
    examiner: options.Examiner = "",
    date: options.Date = "",
    model: Model = None,
    reference: options.Reference = None,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Validate a model on relevant pairs before casework. Errors both ways, Cllr, plots, limits.

    \b
    Examples:
      adhominem validate pairs.jsonl -o validation.html
      adhominem validate pairs.jsonl --min-tokens 100 --max-tokens 300 --topics different
    """
    from adhominem.cli.progress import Bar
    from adhominem.instrument.report.as_json import json_text
    from adhominem.instrument.report.cover import Cover
    from adhominem.instrument.report.plain_text import visible_lines
    from adhominem.laboratory.evaluation.answers import judge, read_labelled
    from adhominem.laboratory.evaluation.evaluate import describe_source
    from adhominem.laboratory.evaluation.validation import in_conditions
    from adhominem.laboratory.evaluation.validation import validate as validate_answers
    from adhominem.laboratory.report import validation_page, validation_text

    options.check_output(output, (".html", ".pdf", ".json"), force=force)
    labelled, verifier = read_labelled(pairs), options.load_verifier(model, reference)
    with Bar("judging") as bar:
        answers = judge(verifier, labelled, progress=bar.update)
    answers = in_conditions(answers, min_tokens, max_tokens, topics)
    chosen = {"tokens from": min_tokens, "tokens below": max_tokens, "topics": topics}
    conditions = {name: str(value) for name, value in chosen.items() if value}
    source = {**describe_source(verifier, pairs), "conditions": conditions}
    report = {**source, **validate_answers(answers)}
    if output is None:
        print(json_text(report) if as_json else visible_lines(validation_text(report)))
    elif output.suffix == ".json":
        options.write_report(output, json_text(report) + "\n")
    else:
        cover = Cover(title, case, examiner, date)
        options.write_report(output, validation_page(report, answers, cover))
