"""adhominem model train: an experiment file to a run folder."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated, Literal

import typer

from adhominem.cli.options import Device, Vectors


def train(
    experiment: Annotated[Path, typer.Argument(help="Experiment file (TOML).")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Run folder.")],
    corpus: Annotated[
        list[Path] | None,
        typer.Option(
            help="Corpus folder, or documents with authors (see corpus build). Repeat to train on "
            "several genres."
        ),
    ] = None,
    unseen: Annotated[
        list[Path] | None,
        typer.Option(
            help="Corpus of another genre, not for training: it calibrates the answers on texts "
            "of unknown genre. Repeatable."
        ),
    ] = None,
    vectors: Vectors = None,
    teacher: Annotated[
        list[Path] | None,
        typer.Option(help="Run folder of a trained network to learn from (teacher_share)."),
    ] = None,
    prepared: Annotated[
        Path | None,
        typer.Option(
            help="Run folder whose prepared corpora, pairs and word vectors are used, instead of "
            "preparing them again."
        ),
    ] = None,
    device: Device = "cpu",
    workers: Annotated[int, typer.Option(help="Number of processes that tokenise.", min=1)] = 2,
    until: Annotated[
        Literal["prepared", "trained", "finished"], typer.Option(help="Stop after this stage.")
    ] = "finished",
    force: Annotated[
        bool, typer.Option("--force", help="Remove an existing run folder and start again.")
    ] = False,
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

    from adhominem.cli.progress import Bar
    from adhominem.errors import ExperimentError
    from adhominem.laboratory.experiment import read_experiment
    from adhominem.laboratory.experiment import run as stages
    from adhominem.laboratory.experiment.finish import finish_stage
    from adhominem.laboratory.experiment.run import RunFolder, claim_folder
    from adhominem.laboratory.training import join_world

    if device == "cuda" and not torch.cuda.is_available():
        raise typer.BadParameter("no CUDA device is available: use --device cpu")
    if prepared and (corpus or unseen or vectors):
        raise typer.BadParameter(
            "--prepared includes corpora and vectors: leave out --corpus, --unseen and --vectors"
        )
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
                stages.prepare_stage(
                    settings,
                    run,
                    sources=corpus or [],
                    unseen=unseen or [],
                    vectors=vectors or [],
                    workers=workers,
                    progress=bar.stage,
                )
            stages.teach_stage(run, [RunFolder(path) for path in teacher or []], device=device)
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
