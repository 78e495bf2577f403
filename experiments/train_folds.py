"""Trains the folds of a bundle side by side in processes that share a GPU.

    python experiments/train_folds.py runs/bundle runs/trained --together 8 --seconds 560 \\
        --back OUT

Needs torch, NumPy, safetensors and, on a GPU, Triton. Each run has its checkpoint and history in
its folder below the second argument, where the same command goes on after an interruption; what
`place_folds.py` has put there goes on as well. After so many seconds all processes stop. `--back`
gets the state of all runs in few archives, and a log. A run that fails is begun again after the
others, from its last epoch.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tarfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, TextIO

import folds_bundle as bundle
import numpy as np
import torch

from adhominem.files import write_whole
from adhominem.instrument.text.encode import encode
from adhominem.instrument.text.vocabulary import Vocabulary
from adhominem.laboratory.corpus.labels import Labels
from adhominem.laboratory.experiment import Experiment, stored_experiment
from adhominem.laboratory.experiment.word_vectors import combine, load_vectors
from adhominem.laboratory.network import build_network
from adhominem.laboratory.training import checkpoint, loop
from adhominem.laboratory.training.data import TrainingData

ARCHIVES = 6
_TRIALS = 3  # of a run that fails
_DEV_SEED = 1  # as for every run


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bundle", type=Path)
    parser.add_argument("folder", type=Path, help="folder of the runs")
    parser.add_argument("--device", default="cuda", choices=("cpu", "cuda"))
    parser.add_argument("--together", type=int, default=8, help="processes side by side")
    parser.add_argument("--seconds", type=float, default=560)
    parser.add_argument("--epochs", type=int, help="end each run after so many, for a trial")
    parser.add_argument("--back", type=Path, required=True, help="folder of what is to come back")
    arguments = parser.parse_args()
    deadline = time.time() + arguments.seconds
    arguments.back.mkdir(parents=True, exist_ok=True)
    log = (arguments.back / "log.txt").open("a", buffering=1)
    texts = arguments.folder / "texts"
    if not (texts / "vectors.vec").exists():
        unpack(arguments.bundle, texts)
        say(log, "unpacked")
    runs = json.loads((texts / "runs.json").read_text())
    options = texts, arguments.folder, arguments.device, deadline, arguments.epochs
    failures = supervise(runs, options, arguments.together, deadline, log)
    send_back(arguments.folder, [run["folder"] for run in runs], arguments.back)
    say(log, "\n".join(standings(arguments.folder, runs)))
    return min(failures, 1)


def unpack(source: Path, target: Path) -> None:
    """Write what the processes of the runs read."""
    target.mkdir(parents=True, exist_ok=True)
    texts, labels = bundle.read_texts(source)
    for name in ("tokens", "sentences", "documents"):
        np.save(target / f"{name}.npy", getattr(texts, name))
    np.savez(target / "labels.npz", **asdict(labels))
    runs, vocabularies = bundle.read_runs(source, texts.types)
    words = [(own.words, own.characters) for own in vocabularies]
    (target / "words.json").write_text(json.dumps({"types": texts.types, "vocabularies": words}))
    (target / "runs.json").write_text(json.dumps(runs))
    bundle.unpack_vectors(source, target / "vectors.vec")


def supervise(
    runs: list[dict[str, Any]],
    options: tuple[Any, ...],
    together: int,
    deadline: float,
    log: TextIO,
) -> int:
    """Train all runs, the first first; return the number of those that failed every time."""
    waiting, working = list(runs), dict[str, tuple[BaseProcess, dict[str, Any]]]()
    trials, failed, shown = Counter[str](), 0, time.time()
    context = get_context("spawn")
    while (waiting or working) and time.time() < deadline + 10:
        while waiting and len(working) < together and time.time() < deadline:
            run = waiting.pop(0)
            process = context.Process(target=work, args=(run, *options))
            process.start()
            working[run["folder"]] = process, run
        time.sleep(0.5)
        for folder, (process, run) in list(working.items()):
            if process.is_alive():
                continue
            del working[folder]
            if process.exitcode == 0:
                continue
            trials[folder] += 1
            say(log, f"{folder} ended with {process.exitcode}:\n{complaint(options[1] / folder)}")
            if trials[folder] < _TRIALS:
                waiting.append(run)  # after the others
            else:
                failed += 1
        if trials.total() >= together and not any(options[1].glob("*/*/*/standing.json")):
            say(log, "every run fails")
            break
        if time.time() - shown > 30:
            shown = time.time()
            say(log, "\n".join(standings(options[1], runs)))
    for process, _ in working.values():
        process.terminate()
    return failed


def work(run: dict[str, Any], texts: Path, folder: Path, device: str, *limits: Any) -> None:
    """The process of one run."""
    own = folder / run["folder"]
    own.mkdir(parents=True, exist_ok=True)
    write_whole(own / "experiment.json", json.dumps(run["experiment"]))
    try:
        train(stored_experiment(own / "experiment.json"), run, texts, own, device, *limits)
    except Exception:
        (own / "complaint.txt").write_text(traceback.format_exc())
        sys.exit(1)


def train(
    experiment: Experiment,
    run: dict[str, Any],
    texts: Path,
    own: Path,
    device: str,
    deadline: float,
    most_epochs: int | None,
) -> None:
    """Train until the end, the deadline, or so many epochs; checkpoint and history of each epoch
    stay in the folder of the run."""
    if device == "cuda":
        torch.set_float32_matmul_precision("high")  # as in every training on a GPU
    words = json.loads((texts / "words.json").read_text())
    spelled, characters = words["vocabularies"][run["vocabulary"]]
    vocabulary = Vocabulary(tuple(spelled), characters)
    arrays = {name: np.load(texts / f"{name}.npy") for name in ("tokens", "sentences", "documents")}
    nowhere = np.zeros(0, dtype=np.int32)
    corpus = encode(
        bundle.Tokenised(tuple(words["types"]), starts=nowhere, ends=nowhere, **arrays),
        vocabulary,
        max_words=experiment.text.max_words,
        max_characters=experiment.text.max_characters,
    )
    with np.load(texts / "labels.npz") as stored:
        labels = Labels(**stored).for_fold(experiment.fold or 0)
    seed, config = experiment.seed, experiment.training
    vectors = combine([load_vectors(texts / "vectors.vec", vocabulary.words, seed=seed)])
    sizes = {key: value for key, value in experiment.network.items() if key != "kind"}
    sizes |= {"n_words": vocabulary.n_words, "n_characters": vocabulary.n_characters}
    matrix = vectors.matrix.astype(np.float16)  # as a run folder has them
    kind = experiment.network.get("kind", "adhominem")
    network = build_network(kind, sizes, word_vectors=matrix, seed=seed).to(device)
    optimiser, state = loop.make_optimiser(network, config), loop.TrainingState()
    if (own / "checkpoint.safetensors").exists():
        state = checkpoint.load_checkpoint(own / "checkpoint.safetensors", network, optimiser)
    training = labels.indices("train", 0)
    data = TrainingData(
        corpus,
        draw=lambda epoch: labels.draw(training, seed=seed, epoch=epoch),
        dev={run["corpus"]: labels.draw(labels.indices("dev", 0), seed=_DEV_SEED, epoch=0)},
    )
    for step in loop.train(network, optimiser, data, config, state, seed=seed):
        if step.record:
            checkpoint.save_checkpoint(own / "checkpoint.safetensors", network, optimiser, state)
            history = [asdict(record) for record in state.history]
            write_whole(own / "history.json", json.dumps(history, indent=2) + "\n")
            used = torch.cuda.max_memory_reserved() / 2**30 if device == "cuda" else 0.0
            standing = {"gigabytes": round(used, 1), "ended": loop.is_finished(state, config)}
            write_whole(own / "standing.json", json.dumps(standing))
            if most_epochs and state.epoch >= most_epochs:
                return
        if time.time() > deadline:
            return


def standings(folder: Path, runs: list[dict[str, Any]]) -> Iterator[str]:
    """A line for each run that has ended an epoch."""
    for run in runs:
        own = folder / run["folder"]
        if not (own / "standing.json").exists():
            continue
        errors = [record["dev_error"] for record in json.loads((own / "history.json").read_text())]
        rate = json.loads((own / "history.json").read_text())[-1]["pairs_per_second"]
        standing = json.loads((own / "standing.json").read_text())
        yield (
            f"{run['folder']:<28} {len(errors):>4} epochs, last {errors[-1]:.4f}, "
            f"best {min(errors):.4f} after {errors.index(min(errors)) + 1}, {rate:,.0f} pairs/s, "
            f"{standing['gigabytes']} GiB{', ended' if standing['ended'] else ''}"
        )


def send_back(folder: Path, runs: list[str], target: Path) -> None:
    """Put the state of the runs in few archives, each of which has every so manieth run."""
    for number in range(ARCHIVES):
        chosen = [own for own in runs[number::ARCHIVES] if (folder / own / "history.json").exists()]
        if not chosen:
            continue
        with tarfile.open(target / f"folds-{number}.tar", "w") as archive:
            for own in chosen:
                for name in ("checkpoint.safetensors", "history.json", "standing.json"):
                    archive.add(folder / own / name, arcname=f"{own}/{name}")


def complaint(own: Path) -> str:
    path = own / "complaint.txt"
    return path.read_text() if path.exists() else "without a word"


def say(log: TextIO, text: str) -> None:
    line = f"[{time.strftime('%H:%M:%S')}, load {os.getloadavg()[0]:.0f}] {text}\n"
    log.write(line)
    sys.stdout.write(line)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
