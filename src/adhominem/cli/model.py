"""adhominem model list, show, train, adapt: models and how they are made."""

import json
import shutil
from pathlib import Path
from typing import Literal

import typer
from typer import Argument, Option

from adhominem.cli.options import AsJson, Device, Force, ModelArgument, Vectors, print_report
from adhominem.cli.progress import Bar
from adhominem.errors import ExperimentError, InputError


def models(
    name: str | None = Argument(None, help="Show the card of this model."), as_json: AsJson = False
) -> None:
    """List the shipped models, or show the card of one.

    \b
    Examples:
      adhominem model list
      adhominem model show adhominem
    """
    from adhominem.instrument.model_folder import describe_model, shipped_models
    from adhominem.instrument.report.plain_text import visible_lines

    names = shipped_models() if name is None else [name]
    descriptions = [describe_model(each) for each in names]
    if as_json:
        rows = [description for description, _ in descriptions]
        print(json.dumps(rows if name is None else rows[0], indent=2))
    elif name is not None:
        print(visible_lines(descriptions[0][1]))
    else:
        for d, _ in descriptions:
            genres = ", ".join(d["labels"].get(genre, genre) for genre in d["calibrations"])
            row = f"{d['name']}  version {d['version']}  {d['kind']}  {d['megabytes']:.1f} MB"
            print(row + (f"  genres: {genres}" if genres else ""))


def train(
    experiment: Path = Argument(help="Experiment file (TOML)."),
    output: Path = Option(..., "-o", "--output", help="Run folder."),
    corpus: list[Path] | None = Option(
        None,
        help="Corpus folder, or documents with authors as for corpus build. Repeat for each genre.",
    ),
    unseen: list[Path] | None = Option(
        None,
        help="Corpus of a genre not trained on, to calibrate unknown genres. Repeatable.",
    ),
    vectors: Vectors = None,
    teacher: list[Path] | None = Option(
        None,
        help="Run folder of a network to learn from (teacher_share), or .npy file of its document "
        "features. Repeatable.",
    ),
    prepared: Path | None = Option(
        None,
        help="Run folder from which to take prepared corpora, pairs and word vectors.",
    ),
    device: Device = "cpu",
    workers: int = Option(2, help="Number of processes that tokenise.", min=1),
    until: Literal["prepared", "trained", "finished"] = Option("finished", help="Last stage."),
    force: bool = Option(False, help="Remove an existing run folder and start again."),
) -> None:
    """Train a network from an experiment file. After an interruption the same command continues.

    \b
    Examples:
      adhominem model train experiments/smoke.toml --corpus reviews.jsonl -o runs/smoke
      adhominem model train experiments/paper.toml --corpus reviews.parquet --vectors glove.txt
        -o runs/paper --device cuda
      torchrun --nproc-per-node 2 -m adhominem model train experiments/paper.toml -o runs/paper
    """
    import torch

    from adhominem.laboratory.experiment import read_experiment
    from adhominem.laboratory.experiment import run as stages
    from adhominem.laboratory.experiment.finish import finish_stage
    from adhominem.laboratory.experiment.run import RunFolder, claim_folder
    from adhominem.laboratory.training import join_world

    if device == "cuda" and not torch.cuda.is_available():
        raise typer.BadParameter("no CUDA device is available: use --device cpu")
    if prepared and (corpus or unseen or vectors):
        raise typer.BadParameter("give either --prepared or --corpus, --unseen and --vectors")
    settings = read_experiment(experiment)
    run = RunFolder(output)
    with join_world(torch.device(device)) as world:
        if world.rank == 0:
            if force and output.exists():
                if not run.experiment.is_file():
                    raise ExperimentError(f"{output} is not a run folder: --force removes no other")
                shutil.rmtree(output)
            claim_folder(settings, run)
            if prepared:
                stages.borrow_stage(settings, run, RunFolder(prepared))
            with Bar("looking") as bar:
                given = {"sources": corpus or [], "unseen": unseen or [], "vectors": vectors or []}
                stages.prepare_stage(settings, run, **given, workers=workers, progress=bar.stage)
            stages.teach_stage(run, teacher or [], device=device)
        world.wait()
        if until == "prepared":
            return
        with Bar("training", enabled=world.rank == 0) as bar:
            stages.train_stage(settings, run, device=device, world=world, on_step=bar.step)
        if until == "trained" or world.rank > 0:
            return
    with Bar("testing") as bar:
        finish_stage(settings, run, progress=bar.update)
    print(run.model)


def adapt(
    model: ModelArgument,
    corpus: Path = Argument(help="Corpus folder of the new domain."),
    output: Path = Option(..., "-o", "--output", help="Folder for the new model."),
    name: str | None = Option(None, help="Name of the new model; default: that of its folder."),
    epochs: int = Option(15, help="Most epochs.", min=1),
    seed: int = Option(1, help="Seed of pairs and their order.", min=0),
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Adapt a network to a new domain with few authors. Reports errors before and after.

    \b
    Examples:
      adhominem corpus build letters/ -o corpus
      adhominem model adapt adhominem corpus -o models/letters
      adhominem verify a.txt b.txt --model models/letters
    """
    from adhominem import load
    from adhominem.files import check_writable, write_whole
    from adhominem.instrument.neural import NeuralVerifier
    from adhominem.laboratory.corpus.store import Corpus
    from adhominem.laboratory.experiment import adapt as adapting
    from adhominem.laboratory.report import adaptation_card, adaptation_text

    check_writable(output, force=force, folder_with="model.json")
    verifier = load(model)
    if not isinstance(verifier, NeuralVerifier):
        raise InputError(f"{model} is a {verifier.kind} model: only networks can be adapted")
    asked = (verifier, Corpus.open(corpus), adapting.AdaptSettings(epochs=epochs, seed=seed))
    with Bar("encoding") as bar:
        adapted, report = adapting.adapt(*asked, progress=bar.stage)
    assert verifier.identity is not None
    name = name or output.name
    card = adaptation_card(name, verifier.identity.name, corpus.name, report)
    adapted.save(output, name=name, version="1", card=card)
    write_whole(output / "adaptation.json", json.dumps(report, indent=2) + "\n")
    print_report(report, adaptation_text, as_json=as_json)
