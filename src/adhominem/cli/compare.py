"""adhominem bench compare: several methods on the same pairs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal

import typer

from adhominem.cli.options import Force


def compare(
    answers: Annotated[
        list[Path],
        typer.Argument(help="Answer files: of evaluate --answers, or PAN's with --truth."),
    ],
    truth: Annotated[Path | None, typer.Option(help="Truth file for PAN's answer files.")] = None,
    form: Annotated[
        Literal["text", "json", "markdown", "latex", "html"], typer.Option(help="Output format.")
    ] = "text",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write to this file.")
    ] = None,
    scores: Annotated[
        Path | None, typer.Option(help="Write all scores to one small file (.parquet).")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the resampled authors.", min=0)] = 0,
    force: Force = False,
) -> None:
    """Compare methods on the same pairs. Both tables of the paper, intervals, differences.

    \b
    Examples:
      adhominem bench compare glad.parquet adhominem.parquet
      adhominem bench compare answers_a.jsonl answers_b.jsonl --truth truth.jsonl --form markdown
      adhominem bench compare runs/hotels/*/answers.parquet --scores results/hotels.parquet
      adhominem bench compare results/hotels.parquet --form latex -o tables.tex
    """
    from adhominem.errors import InputError
    from adhominem.files import check_writable, write_whole
    from adhominem.instrument.report.plain_text import visible_lines
    from adhominem.laboratory.evaluation.answer_files import (
        is_score_table,
        read_answers,
        read_score_table,
        write_score_table,
    )
    from adhominem.laboratory.evaluation.answers import Answers
    from adhominem.laboratory.evaluation.evaluate import compare_methods
    from adhominem.laboratory.report import comparison_tables

    check_writable(output, scores, force=force)
    by_method: dict[str, Answers] = {}
    for path in answers:
        if is_score_table(path):
            methods = read_score_table(path)
        else:
            methods = {_method(path): read_answers(path, truth=truth)}
        if both := set(methods) & set(by_method):
            raise InputError(f"two answers are called '{min(both)}': give them different names")
        by_method |= methods
    if scores is not None:
        write_score_table(by_method, scores)
    comparison = compare_methods(by_method, seed=seed)
    text = (
        json.dumps(comparison, indent=2) if form == "json" else comparison_tables(comparison, form)
    )
    if output is None:
        print(visible_lines(text))
    else:
        write_whole(output, text.rstrip("\n") + "\n")
        print(output)


def _method(path: Path) -> str:
    """glad for glad.parquet, answers_glad.jsonl.gz and runs/hotels/glad/answers.parquet."""
    name = path.name.split(".")[0].removeprefix("answers_")
    return path.resolve().parent.name if name == "answers" else name
