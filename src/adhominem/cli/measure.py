"""adhominem model evaluate, faithfulness, robustness, analyse: measurements of a model."""

import sys
from pathlib import Path

from typer import Argument, Option

from adhominem.cli.options import Figures, Fold, ModelArgument, Split
from adhominem.cli.progress import Bar


def evaluate(
    *,
    model: ModelArgument,
    pairs: Path = Argument(help="Labelled pairs (.jsonl, .gz, .xz)."),
    answers: Path | None = Option(None, help="Write all answers to this file (.parquet)."),
    figures: Path | None = Option(
        None, help="Folder for figures: ROC, reliability, Tippett, length."
    ),
    corpus: Path | None = Option(None, help="Corpus, for a map of 20 of its test authors (t-SNE)."),
    out: Figures,
) -> None:
    """Measure a model on labelled pairs. Error per cell, AUC, error at high reliability.

    \b
    Examples:
      adhominem model evaluate runs/paper/model runs/paper/prepared/test/hotels.pairs.jsonl.gz
      adhominem model evaluate adhominem pairs.jsonl -o results/mine.json
    """
    from adhominem import load
    from adhominem.instrument.feature_verifier import require_features
    from adhominem.laboratory.evaluation import answer_files, text_samples
    from adhominem.laboratory.evaluation import evaluate as measures
    from adhominem.laboratory.evaluation.answers import judge, read_labelled
    from adhominem.laboratory.report import evaluation_table

    out.check(answers, folder=figures)
    labelled, verifier = read_labelled(pairs), load(model)
    with Bar("judging") as bar:
        given = judge(verifier, labelled, progress=bar.update)
    if answers is not None:
        answer_files.write_answers(given, answers)
    if figures is not None:
        from adhominem.laboratory.report import figures as drawings

        name = verifier.identity.name if verifier.identity else verifier.kind
        drawn = drawings.evaluation_figures({name: given})
        if corpus is not None:
            problem = "{kind} has no document features to map: leave --corpus out"
            network = require_features(verifier, problem)
            texts, authors = text_samples.sample_unseen_authors(corpus)
            points = drawings.map_points(network.features(texts))
            drawn["tsne"] = drawings.map_figure(points, authors)
        for path in drawings.save_figures(drawn, figures):
            if path.suffix == ".svg":
                print(path, file=sys.stderr)
    report = {**measures.describe_source(verifier, pairs), **measures.evaluate(given)}
    out.print(report, evaluation_table)


def faithfulness(
    *,
    model: ModelArgument,
    pairs: list[Path] = Argument(help="Pairs of texts (.jsonl, .gz, .xz)."),
    most: int = Option(200, "--pairs", min=1, help="Number of pairs drawn from each file."),
    seed: int = Option(1, help="Seed of the pairs and of random rankings."),
    store: bool = Option(False, help="Store the result in the model, for its reports."),
    out: Figures,
) -> None:
    """Test explanations by removing, exchanging and swapping the words they name.

    \b
    Examples:
      adhominem model faithfulness adhominem hotels.pairs.jsonl.gz blogs.pairs.jsonl.gz --pairs 100
      adhominem model faithfulness runs/mine/model pairs.jsonl -o results/faithfulness.json --store
    """
    from adhominem import load
    from adhominem.files import check_writable
    from adhominem.instrument.model_folder import model_path, store_faithfulness
    from adhominem.laboratory.evaluation.faithfulness import faithfulness_rows, measure_faithfulness
    from adhominem.laboratory.report import faithfulness_table

    out.check()
    check_writable(model_path(model) / "model.json" if store else None, force=True)
    with Bar("removing words") as bar:
        report = measure_faithfulness(load(model), pairs, most=most, seed=seed, progress=bar.update)
    if store:
        store_faithfulness(model, faithfulness_rows(report))
    files = " ".join(map(str, pairs))
    command = f"adhominem model faithfulness {model} {files} --pairs {most} --seed {seed}"
    out.print({"command": command, **report}, faithfulness_table)


def robustness(
    *,
    model: ModelArgument,
    pairs: list[Path] = Argument(help="Labelled pairs (.jsonl, .gz, .xz)."),
    most: int | None = Option(None, min=1, help="Most pairs per file, evenly spaced."),
    out: Figures,
) -> None:
    """Measure a model on edited texts. The left text of every pair is edited in several ways.

    \b
    Examples:
      adhominem model robustness adhominem pairs.jsonl.gz hidden.jsonl.gz --most 500
      adhominem model robustness runs/paper/model pairs.jsonl -o results/robustness.json
    """
    from adhominem import load
    from adhominem.laboratory.evaluation.robustness import measure_robustness_files
    from adhominem.laboratory.report import robustness_text

    out.check()
    with Bar("editing") as bar:
        report = measure_robustness_files(load(model), pairs, most=most, progress=bar.update)
    command = " ".join(["adhominem model robustness", model, *map(str, pairs)])
    command += "" if most is None else f" --most {most}"
    out.print({"command": command, **report}, robustness_text)


def analyse(
    *,
    model: ModelArgument,
    corpora: list[Path] = Argument(metavar="CORPUS...", help="Corpora or files of pairs."),
    against: list[str] | None = Option(
        None, metavar="MODEL", help="Compare the attention with that of this model. Repeatable."
    ),
    texts: int = Option(2000, min=1, help="Number of texts drawn per corpus."),
    split: Split = "test",
    fold: Fold = None,
    tagger: str = Option(
        "rules", help="Part-of-speech tagger: rules or the name of a spaCy pipeline."
    ),
    seed: int = Option(1, help="Seed of the texts drawn."),
    figures: Path | None = Option(None, metavar="FOLDER", help="Folder for figures (SVG and PNG)."),
    out: Figures,
) -> None:
    """Analyse the attention of a network. Frequent words, categories, positions, stability.

    \b
    Examples:
      adhominem model analyse adhominem runs/corpora/hotels --texts 1000 --figures figures
      adhominem model analyse adhominem hotels.pairs.jsonl.gz blogs.pairs.jsonl.gz -o lift.json
      adhominem model analyse runs/folds/0 runs/corpora/hotels --fold 0 --against runs/folds/1
    """
    from adhominem import load
    from adhominem.laboratory.evaluation.analysis import analyse_corpora, compare_models
    from adhominem.laboratory.evaluation.text_samples import SampleSettings
    from adhominem.laboratory.report import analysis
    from adhominem.laboratory.report.figures import save_figures

    out.check(folder=figures)
    settings = SampleSettings(texts, seed, split, fold)
    command = ["adhominem model analyse", model, *map(str, corpora)]
    command.append(f"--texts {texts} --seed {seed}")
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
        draw = analysis.stability_figures if against else analysis.analysis_figures
        save_figures(draw(report), figures)
    out.print(report, analysis.stability_text if against else analysis.analysis_text)
