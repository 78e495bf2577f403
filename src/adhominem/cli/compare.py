"""adhominem compare"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from adhominem.cli.options import Force

EXAMPLES = """
Examples:

  adhominem compare glad.parquet adhominem.parquet

  adhominem compare answers_a.jsonl answers_b.jsonl --truth truth.jsonl --form markdown

  adhominem compare results/hotels/*.parquet --form latex -o tables.tex
"""
_FORMS = ("text", "json", "markdown", "latex", "html")


def compare(
    answers: Annotated[
        list[Path],
        typer.Argument(help="Files of answers: by evaluate --answers, or PAN's with --truth."),
    ],
    truth: Annotated[Path | None, typer.Option(help="Truth for PAN's answer files.")] = None,
    form: Annotated[str, typer.Option(help="text, json, markdown, latex or html.")] = "text",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write here.")] = None,
    seed: Annotated[int, typer.Option(help="Of the resampled authors.", min=0)] = 0,
    force: Force = False,
) -> None:
    """Compare methods on the same pairs: both tables of the paper, intervals, differences."""
    from adhominem.errors import InputError
    from adhominem.evaluation.answer_files import read_answers
    from adhominem.evaluation.comparison import compare_methods
    from adhominem.files import refuse_overwrite, write_whole
    from adhominem.report.comparison import FORMS

    if form not in _FORMS:
        raise typer.BadParameter(f"'{form}' is no form: {', '.join(_FORMS)} are")
    if output is not None:
        refuse_overwrite(output, force=force)
    found = {}
    for path in answers:
        name = path.name.split(".")[0].removeprefix("answers_")
        if name in found:
            raise InputError(f"two files are called '{name}': give them different names")
        found[name] = read_answers(path, truth=truth)
    comparison = compare_methods(found, seed=seed)
    text = json.dumps(comparison, indent=2) if form == "json" else FORMS[form](comparison)
    if output is None:
        print(text)
    else:
        write_whole(output, text.rstrip("\n") + "\n")
        print(output)
