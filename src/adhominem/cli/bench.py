"""adhominem bench crossval, bench compare, validate: compare methods, validate for a case."""

import json
from pathlib import Path
from typing import Literal

from typer import Argument, Option

from adhominem.cli import options
from adhominem.cli.options import Judge, Stated
from adhominem.cli.progress import Bar
from adhominem.instrument.report.plain_text import visible_lines


def crossval(
    experiment: Path = Argument(help="Experiment file (TOML)."),
    corpus: Path = Option(help="Corpus folder."),
    output: Path = Option(..., "-o", "--output", help="Run folder."),
    vectors: options.Vectors = None,
    device: options.Device = "cpu",
    as_json: options.AsJson = False,
) -> None:
    """Cross-validate a method. After an interruption the same command continues.

    \b
    Examples:
      adhominem bench crossval experiments/hotels/glad.toml --corpus corpora/hotels -o runs/glad
      adhominem bench compare runs/*/answers.parquet
    """
    from adhominem.laboratory.corpus.store import Corpus
    from adhominem.laboratory.experiment import read_experiment
    from adhominem.laboratory.experiment.cross_validation import cross_validate
    from adhominem.laboratory.report import evaluation_table

    asked = (read_experiment(experiment), Corpus.open(corpus), output)
    with Bar("fitting") as bar:
        report = cross_validate(*asked, device=device, vectors=vectors or [], progress=bar.stage)
    options.print_report(report, evaluation_table, as_json=as_json)


def compare(
    answers: list[Path] = Argument(help="Files of evaluate --answers, or PAN's with --truth."),
    truth: Path | None = Option(None, help="Truth file for PAN's answer files."),
    form: Literal["text", "json", "markdown", "latex", "html"] = Option("text", help="Format."),
    output: Path | None = Option(None, "-o", "--output", help="Write to this file."),
    scores: Path | None = Option(None, help="Write all scores to one small file (.parquet)."),
    replace: bool = Option(False, help="Later answers replace earlier ones of the same name."),
    seed: int = Option(0, help="Seed of the resampled authors.", min=0),
    force: options.Force = False,
) -> None:
    """Compare methods on the same pairs. Prints the paper's tables, intervals and differences.

    \b
    Examples:
      adhominem bench compare glad.parquet adhominem.parquet
      adhominem bench compare answers_a.jsonl answers_b.jsonl --truth truth.jsonl --form markdown
      adhominem bench compare runs/hotels/*/answers.parquet --scores results/hotels.parquet
      adhominem bench compare results/hotels.parquet --form latex -o tables.tex
    """
    from adhominem.errors import InputError
    from adhominem.files import check_writable, write_whole
    from adhominem.laboratory.evaluation import answer_files
    from adhominem.laboratory.evaluation.answers import Answers
    from adhominem.laboratory.evaluation.evaluate import compare_methods
    from adhominem.laboratory.report import comparison_tables

    check_writable(output, scores, force=force)
    by_method: dict[str, Answers] = {}
    for path in answers:
        if answer_files.is_score_table(path):
            methods = answer_files.read_score_table(path)
        else:
            methods = {_method(path): answer_files.read_answers(path, truth=truth)}
        if (both := set(methods) & set(by_method)) and not replace:
            problem = f"two answers are called '{min(both)}'"
            raise InputError(f"{problem}: give them different names, or --replace")
        by_method |= methods
    if scores is not None:
        answer_files.write_score_table(by_method, scores)
    found = compare_methods(by_method, seed=seed)
    text = json.dumps(found, indent=2) if form == "json" else comparison_tables(found, form)
    if output is None:
        print(visible_lines(text))
    else:
        write_whole(output, text.rstrip("\n") + "\n")
        print(output)


def _method(path: Path) -> str:
    """Name of a method: "glad" for glad.parquet, answers_glad.jsonl.gz, glad/answers.parquet."""
    name = path.name.split(".")[0].removeprefix("answers_")
    return path.resolve().parent.name if name == "answers" else name


def validate(
    *,
    pairs: Path = Argument(help="Labelled pairs (.jsonl, .gz, .xz)."),
    output: Path | None = Option(
        None, "-o", "--output", help="Write the report (.html, .pdf, .json)."
    ),
    min_tokens: int = Option(0, min=0, help="Fewest tokens of the shorter side."),
    max_tokens: int | None = Option(None, min=1, help="Shorter sides have fewer tokens than this."),
    topics: Literal["same", "different"] | None = Option(None, help="Only pairs on such topics."),
    stated: Stated,
    model: options.Model = None,
    reference: options.Reference = None,
    as_json: options.AsJson = False,
    force: options.Force = False,
) -> None:
    """Validate a model on relevant pairs before casework. Error rates, Cllr, plots and limits.

    \b
    Examples:
      adhominem validate pairs.jsonl -o validation.html
      adhominem validate pairs.jsonl --min-tokens 100 --max-tokens 300 --topics different
    """
    from adhominem.instrument.report.as_json import json_text
    from adhominem.laboratory.evaluation import validation
    from adhominem.laboratory.evaluation.answers import judge, read_labelled
    from adhominem.laboratory.evaluation.evaluate import describe_source
    from adhominem.laboratory.report import validation_page, validation_text

    options.check_output(output, (".html", ".pdf", ".json"), force=force)
    labelled, verifier = read_labelled(pairs), Judge(model, None, reference).verifier()
    with Bar("judging") as bar:
        answers = judge(verifier, labelled, progress=bar.update)
    answers = validation.in_conditions(answers, min_tokens, max_tokens, topics)
    chosen = {"tokens from": min_tokens, "tokens below": max_tokens, "topics": topics}
    conditions = {name: str(value) for name, value in chosen.items() if value}
    source = {**describe_source(verifier, pairs), "conditions": conditions}
    report = {**source, **validation.validate(answers)}
    if output is None:
        print(json_text(report) if as_json else visible_lines(validation_text(report)))
    elif output.suffix == ".json":
        options.write_report(output, json_text(report) + "\n")
    else:
        options.write_report(output, validation_page(report, answers, stated.cover()))
