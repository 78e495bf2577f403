"""adhominem analyse"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal

import typer

from adhominem.cli.options import AsJson, Force

EXAMPLES = """
Examples:

  adhominem analyse adhominem runs/corpora/hotels --texts 1000 --figures figures

  adhominem analyse adhominem hotels.pairs.jsonl.gz blogs.pairs.jsonl.gz -o results/lift.json

  adhominem analyse runs/folds/0 runs/corpora/hotels --fold 0 --against runs/folds/1
"""


def analyse(
    model: Annotated[str, typer.Argument(help="Model folder, or the name of a shipped model.")],
    corpora: Annotated[
        list[Path],
        typer.Argument(metavar="CORPUS...", help="Built corpora, or files of pairs of texts."),
    ],
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MODEL",
            help="Instead say how far this model looks at the same words. Repeat for more.",
        ),
    ] = None,
    texts: Annotated[int, typer.Option(min=1, help="Texts drawn out of each corpus.")] = 2000,
    split: Annotated[
        Literal["train", "dev", "test"], typer.Option(help="Authors of a built corpus.")
    ] = "test",
    fold: Annotated[
        int | None, typer.Option(min=0, help="Authors of one fold instead of a split.")
    ] = None,
    tagger: Annotated[
        str, typer.Option(help="Who tags parts of speech: our rules or a spaCy pipeline.")
    ] = "rules",
    seed: Annotated[int, typer.Option(help="Of the texts drawn.")] = 1,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write JSON here.")] = None,
    figures: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write figures here, as SVG and PNG.")
    ] = None,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Analyse what a network looks at: frequent words, linguistic categories, places, stability."""
    from adhominem import load
    from adhominem.cli.progress import Bar
    from adhominem.files import refuse_overwrite, write_whole
    from adhominem.laboratory.evaluation.analysis import analyse_corpora
    from adhominem.laboratory.evaluation.stability import compare_models
    from adhominem.laboratory.evaluation.text_samples import SampleSettings
    from adhominem.laboratory.report.analysis_figures import analysis_figures, stability_figures
    from adhominem.laboratory.report.analysis_text import analysis_text, stability_text
    from adhominem.laboratory.report.figures import save_figures

    if output is not None:
        refuse_overwrite(output, force=force)
    settings = SampleSettings(texts, seed, split, fold)
    with Bar("reading") as bar:
        if against:
            others = {Path(name).name: load(name) for name in against}
            report = compare_models(load(model), others, corpora, settings, progress=bar.update)
        else:
            report = analyse_corpora(load(model), corpora, settings, tagger, progress=bar.update)
    words = ["adhominem analyse", model, *map(str, corpora), f"--texts {texts} --seed {seed}"]
    if any(corpus.is_dir() for corpus in corpora):
        words.append(f"--split {split}" if fold is None else f"--fold {fold}")
    words += [f"--against {name}" for name in against] if against else [f"--tagger {tagger}"]
    report = {"command": " ".join(words), **report}
    text = json.dumps(report, indent=2, ensure_ascii=False)
    if output is not None:
        write_whole(output, text + "\n")
    if figures is not None:
        made = stability_figures(report) if against else analysis_figures(report)
        save_figures(made, figures)
    if as_json:
        print(text)
    else:
        print(stability_text(report) if against else analysis_text(report))
