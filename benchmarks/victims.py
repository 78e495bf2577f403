"""Small files of every kind that the package writes and reads again, made by its own commands."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Victim:
    """Files that are read as one thing. `read` returns what they mean, for comparison, and raises
    an error of the package where they are refused."""

    name: str
    files: tuple[Path, ...]
    read: Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Sources:
    """What the commands read: reviews, an experiment, pairs of texts and a folder of texts."""

    reviews: Path
    experiment: Path
    pairs: Path
    texts: Path


def adhominem(*arguments: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the command line in one thread; an error of it is not raised."""
    command = [sys.executable, "-m", "adhominem", *map(str, arguments)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", **options.pop("env", {})}
    return subprocess.run(
        command, capture_output=True, text=True, env=environment, check=False, **options
    )


def make_sources(folder: Path) -> Sources:
    """Sixty authors with habits, and files made from their texts."""
    corpora = load_corpora()
    documents = corpora.make_reviews(60)
    found = Sources(
        *(folder / name for name in ("reviews.jsonl", "tiny.toml", "pairs.jsonl", "texts"))
    )
    corpora.save_reviews(documents, found.reviews)
    training = "epochs = 3\nbatch_pairs = 16\ncheckpoint_steps = 4\n"
    found.experiment.write_text(corpora.EXPERIMENT + training)
    pairs = [
        {"id": str(i), "left": documents[i].text, "right": documents[-i - 1].text}
        for i in range(100)
    ]
    found.pairs.write_text("".join(json.dumps(pair) + "\n" for pair in pairs))
    for document in documents[:40]:
        place = found.texts / str(document.author)
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{document.topic}-{len(list(place.iterdir()))}.txt").write_text(document.text)
    return found


def load_corpora() -> ModuleType:
    """The made-up corpora of the tests."""
    path = ROOT / "tests" / "laboratory" / "training" / "corpora.py"
    spec = importlib.util.spec_from_file_location("corpora", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def make_victims(folder: Path) -> list[Victim]:
    """A corpus, a checkpoint, a model, an index and a bundle, all small."""
    import torch

    from adhominem import load
    from adhominem.bench.case.bundle import read_bundle_file
    from adhominem.bench.case.index import open_index
    from adhominem.instrument.model_folder import load_model
    from adhominem.laboratory.corpus.describe import describe_corpus
    from adhominem.laboratory.corpus.store import Corpus
    from adhominem.laboratory.training.checkpoint import _read

    sources = make_sources(folder)
    corpus, run, index, bundle = (folder / n for n in ("corpus", "run", "index", "case.zip"))
    for arguments in (
        ("corpus", "build", sources.reviews, "-o", corpus, "--min-tokens", "20"),
        ("model", "train", sources.experiment, "--corpus", corpus, "-o", run),
        ("index", sources.texts, "-o", index, "--model", run / "model"),
        ("case", sources.texts, "-o", bundle, "--model", run / "model"),
    ):
        done = adhominem(*arguments)
        if done.returncode:
            raise RuntimeError(done.stderr)
    verifier = load(run / "model")

    def read_model() -> Any:
        read = load_model(run / "model")
        return read.identity, read.calibration_, read.calibrations_, read.faithfulness_

    def read_index() -> Any:
        read = open_index(index, verifier)
        rows = [block.read(["name"]).to_pylist() for block in read.blocks]
        return [(v.tobytes(), str(s)) for v, s in (b.vectors() for b in read.blocks)], rows

    def read_corpus() -> Any:
        return json.dumps(describe_corpus(Corpus.open(corpus)), sort_keys=True)

    def read_checkpoint() -> Any:
        state, tensors = _read(run / "checkpoint.safetensors")
        flat = {n: t.reshape(-1).view(torch.uint8).numpy().tobytes() for n, t in tensors.items()}
        return str(state), flat

    def files(place: Path, *names: str) -> tuple[Path, ...]:
        return tuple(place / name for name in names)

    documents = tuple(sorted((corpus / "documents").iterdir()))
    return [
        Victim(
            "model",
            files(run / "model", "model.json", "vocabulary.json", "weights.safetensors"),
            read_model,
        ),
        Victim(
            "index",
            files(index, "index.json", "00000.parquet"),
            read_index,
        ),
        Victim(
            "corpus",
            (*files(corpus, "manifest.json", "labels.parquet", "copies.parquet"), *documents),
            read_corpus,
        ),
        Victim("checkpoint", files(run, "checkpoint.safetensors"), read_checkpoint),
        Victim("bundle", (bundle,), lambda: read_bundle_file(bundle)),
    ]
