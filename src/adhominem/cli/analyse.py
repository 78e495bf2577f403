"""adhominem model analyse: what the attention of a network rests on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adhominem.cli.options import (
    AsJson,
    Fold,
    Force,
    JsonOutput,
    ModelArgument,
    Split,
    print_report,
)


def analyse(
    model: ModelArgument,
    corpora: Annotated[
        list[Path],
        typer.Argument(metavar="CORPUS...", help="Built corpora, or files of pairs of texts."),
    ],
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MODEL",
            help="Measure instead how far this model attends to the same words. Repeatable.",
        ),
    ] = None,
    texts: Annotated[int, typer.Option(min=1, help="Number of texts drawn per corpus.")] = 2000,
    split: Split = "test",
    fold: Fold = None,
    tagger: Annotated[
        str, typer.Option(help="Part-of-speech tagger: rules, or the name of a spaCy pipeline.")
    ] = "rules",
    seed: Annotated[int, typer.Option(help="Seed of the texts drawn.")] = 1,
    output: JsonOutput = None,
    figures: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write figures here, as SVG and PNG.")
    ] = None,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Analyse the attention of a network. Frequent words, categories, positions, stability.

    \b
    Examples:
      adhominem model analyse adhominem runs/corpora/hotels --texts 1000 --figures figures
      adhominem model analyse adhominem hotels.pairs.jsonl.gz blogs.pairs.jsonl.gz -o lift.json
      adhominem model analyse runs/folds/0 runs/corpora/hotels --fold 0 --against runs/folds/1
    """
    from adhominem import load
    from adhominem.cli.progress import Bar
    from adhominem.files import check_writable
    from adhominem.laboratory.evaluation.analysis import analyse_corpora, compare_models
    from adhominem.laboratory.evaluation.text_samples import SampleSettings
    from adhominem.laboratory.report.analysis import (
        analysis_figures,
        analysis_text,
        stability_figures,
        stability_text,
    )
    from adhominem.laboratory.report.figures import save_figures

    check_writable(output, force=force)
    check_writable(figures and figures / "figure.svg", force=True)
    settings = SampleSettings(texts, seed, split, fold)
    command = ["adhominem analyse", model, *map(str, corpora), f"--texts {texts} --seed {seed}"]
    if any(corpus.is_dir() for corpus in corpora):
        command.append(f"--split {split}" if fold is None else f"--fold {fold}")
    with Bar("reading") as bar:
        if against:
            others = {Path(name).name: load(name) for name in against}
            report = compare_models(load(model), others, corpora, settings, progress=bar.update)
            command += [f"--against {name}" for name in against]
        else:
            report = analyse_corpora(load(model), corpora, settings, tagger, progress=bar.update)
            command.append(f"--tagger {tagger}")
    report = {"command": " ".join(command), **report}
    if figures is not None:
        save_figures(stability_figures(report) if against else analysis_figures(report), figures)
    as_text = stability_text if against else analysis_text
    print_report(report, as_text, as_json=as_json, output=output)
