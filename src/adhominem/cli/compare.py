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

  adhominem compare runs/hotels/*/answers.parquet --scores results/hotels.parquet

  adhominem compare results/hotels.parquet --form latex -o tables.tex
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
    scores: Annotated[
        Path | None, typer.Option(help="Write all scores to one small file (.parquet).")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the resampled authors.", min=0)] = 0,
    force: Force = False,
) -> None:
    """Compare methods on the same pairs: both tables of the paper, intervals, differences."""
    from adhominem.errors import InputError
    from adhominem.files import refuse_overwrite, write_whole
    from adhominem.laboratory.evaluation.answer_files import (
        is_score_table,
        read_answers,
        read_score_table,
        write_score_table,
    )
    from adhominem.laboratory.evaluation.answers import Answers
    from adhominem.laboratory.evaluation.evaluate import compare_methods
    from adhominem.laboratory.report.evaluation_tables import FORMS

    if form not in _FORMS:
        raise typer.BadParameter(f"'{form}' is no form: {', '.join(_FORMS)} are")
    for path in (output, scores):
        if path is not None:
            refuse_overwrite(path, force=force)
    found: dict[str, Answers] = {}
    for path in answers:
        if is_score_table(path):
            parts = read_score_table(path)
        else:
            parts = {_name(path): read_answers(path, truth=truth)}
        if both := set(parts) & set(found):
            raise InputError(f"two answers are called '{min(both)}': give them different names")
        found |= parts
    if scores is not None:
        write_score_table(found, scores)
    comparison = compare_methods(found, seed=seed)
    text = json.dumps(comparison, indent=2) if form == "json" else FORMS[form](comparison)
    if output is None:
        print(text)
    else:
        write_whole(output, text.rstrip("\n") + "\n")
        print(output)


def _name(path: Path) -> str:
    """glad for glad.parquet, answers_glad.jsonl.gz and runs/hotels/glad/answers.parquet."""
    name = path.name.split(".")[0].removeprefix("answers_")
    return path.resolve().parent.name if name == "answers" else name
