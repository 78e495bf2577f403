from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from adhominem.instrument.text.encode import encode
from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.text.vocabulary import Vocabulary
from adhominem.laboratory.corpus.pairs import PairSampler, PairTable
from adhominem.laboratory.network import build_network
from adhominem.laboratory.network.model import SiameseNetwork
from adhominem.laboratory.training.data import TrainingData
from adhominem.records import Document

SIZES = {"D_c": 4, "D_r": 4, "D_w": 8, "D_s": 6, "D_d": 6, "D_a": 6, "D_f": 5, "train_words": True}
TRAINING = """
epochs = 6
batch_pairs = 7
learning_rate = 0.004
restart_steps = 30
patience = 100
checkpoint_steps = 2
"""

NewNetwork = Callable[..., SiameseNetwork]
Command = list[str]


@pytest.fixture(scope="session")
def reviews(corpora: ModuleType) -> list[Document]:
    made: list[Document] = corpora.make_reviews(44)
    return made


@pytest.fixture(scope="session")
def data(reviews: Sequence[Document]) -> TrainingData:
    """32 authors to train on, 12 to develop on."""
    _, authors = np.unique([str(r.author) for r in reviews], return_inverse=True)
    _, topics = np.unique([str(r.topic) for r in reviews], return_inverse=True)
    train, dev = np.flatnonzero(authors < 32), np.flatnonzero(authors >= 32)

    def draw(places: np.ndarray[Any, Any], epoch: int) -> PairTable:
        table = PairSampler(authors[places], topics[places], seed=1).draw(epoch)
        return PairTable(places[table.left], places[table.right], table.same_author, None)

    tokenised = tokenise(r.text for r in reviews)
    corpus = encode(tokenised, _vocabulary(tokenised.counts()))
    return TrainingData(corpus, lambda epoch: draw(train, epoch), {"": draw(dev, 0)})


def _vocabulary(counts: dict[str, int]) -> Vocabulary:
    return Vocabulary.fit(counts, min_word_count=2, min_character_count=2)


@pytest.fixture(scope="session")
def new_network(data: TrainingData) -> NewNetwork:
    """A small network for `data`: new_network(seed, kind, **sizes)."""

    def build(seed: int = 1, kind: str = "adhominem", **sizes: Any) -> SiameseNetwork:
        return build_network(
            kind,
            {
                "n_words": int(data.corpus.type_words.max()) + 1,
                "n_characters": int(data.corpus.type_characters.max()) + 1,
                **(SIZES if kind == "adhominem" else {"D_w": 8}),
                **sizes,
            },
            seed=seed,
        )

    return build


@pytest.fixture(scope="session")
def one_core() -> dict[str, str]:
    """The environment of a process of its own: the threads of two would fight for the cores."""
    environment = {k: v for k, v in os.environ.items() if k not in ("RANK", "WORLD_SIZE")}
    return environment | {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


@pytest.fixture(scope="session")
def experiment(tmp_path_factory: pytest.TempPathFactory, corpora: ModuleType) -> Command:
    """The arguments of `train` but for the run folder."""
    folder = tmp_path_factory.mktemp("experiment")
    corpus = corpora.save_reviews(corpora.make_reviews(60), folder / "reviews.jsonl")
    (folder / "tiny.toml").write_text(corpora.EXPERIMENT + TRAINING)
    return [
        *("-m", "adhominem", "model", "train", str(folder / "tiny.toml")),
        *("--corpus", str(corpus), "--until", "trained", "-o"),
    ]


@pytest.fixture(scope="session")
def finished_run(
    tmp_path_factory: pytest.TempPathFactory, experiment: Command, one_core: dict[str, str]
) -> Path:
    """A run that one process took to its end without a stop."""
    folder = tmp_path_factory.mktemp("finished") / "run"
    subprocess.run([sys.executable, *experiment, str(folder)], env=one_core, check=True)
    return folder
