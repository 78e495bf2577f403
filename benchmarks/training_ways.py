"""Ways to take one training step, for the benchmarks: what they read and how they read it.

plain   padded documents, characters of every token (benchmarks/plain.py); on a CPU only
packed  packed sequences, as on a CPU
ragged  no padding, as on a GPU; in half precision there
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from documents import describe, give_habits, make_documents
from plain import PlainAdHominem, PlainCollator
from torch import nn

from adhominem.instrument.text.encode import Encoded, encode
from adhominem.instrument.text.vocabulary import Vocabulary
from adhominem.laboratory.corpus.pairs import PairTable
from adhominem.laboratory.network import build_network, update_average
from adhominem.laboratory.network.encoder import FeatureExtractor, device_of
from adhominem.laboratory.network.model import AdHominem, distance, double_threshold_loss
from adhominem.laboratory.training import TrainingConfig
from adhominem.laboratory.training.data import TrainingData, draw_stretches
from adhominem.laboratory.training.loop import make_optimiser, set_rate, trained_parameters
from adhominem.laboratory.training.step import Stepper

_PRECISION = {True: torch.bfloat16, False: torch.float32}  # on a GPU and on a CPU
EXPERIMENTS = Path(__file__).parents[1] / "experiments"
_LEAST_WORDS = 40_000  # of the word table: as many as the shipped vocabulary has
_TEACHER = 640  # features of five teachers of width 128


@dataclass(frozen=True, slots=True)
class Setting:
    """The network and training of an experiment over made-up documents of known authors."""

    data: TrainingData
    sizes: dict[str, Any]
    config: TrainingConfig
    batches: list[PairTable]
    corpus: dict[str, float]

    def network(self, device: torch.device, **changes: Any) -> AdHominem:
        network = build_network("adhominem", {**self.sizes, **changes}, seed=0)
        assert isinstance(network, AdHominem)
        return network.to(device)


def make_setting(
    experiment: str, *, tokens: int, steps: int, seed: int, pairs: int | None = None
) -> Setting:
    """Batches of pairs; the "pairs" objective gets as many of different authors as of one."""
    settings = tomllib.loads((EXPERIMENTS / f"{experiment}.toml").read_text(encoding="utf-8"))
    training = settings["training"] | ({} if pairs is None else {"batch_pairs": pairs})
    config = TrainingConfig(**training)
    rng = np.random.default_rng(seed)
    n = config.batch_pairs * steps
    texts = give_habits(make_documents(2 * n, tokens, rng), rng)
    vocabulary = Vocabulary.fit(texts.counts())
    corpus = encode(texts, vocabulary)
    left = 2 * rng.permutation(n)
    same = np.ones(n, bool) if config.objective == "authors" else rng.random(n) < 0.5
    right = np.where(same, left, 2 * rng.integers(0, n, n)) + 1
    table = PairTable(left, right, (left // 2) == (right // 2), None)
    teacher = None
    if config.teacher_share:
        teacher = (rng.standard_normal((2 * n, _TEACHER)) / 8).astype(np.float16)
    sizes = {k: v for k, v in settings["network"].items() if k != "kind"}
    sizes |= {
        "n_words": max(_LEAST_WORDS, vocabulary.n_words),
        "n_characters": vocabulary.n_characters,
    }
    batches = [
        table.select(slice(i, i + config.batch_pairs)) for i in range(0, n, config.batch_pairs)
    ]
    data = TrainingData(corpus, lambda _: table, {}, teacher)
    return Setting(data, sizes, config, batches, describe(texts, corpus))


class Way:
    """The training loop's step, with one way to read."""

    def __init__(self, kind: str, setting: Setting, network: AdHominem) -> None:
        self.network, self._config, self._batches = network, setting.config, setting.batches
        self._optimiser = make_optimiser(network, setting.config)
        on_gpu = device_of(network).type == "cuda"
        extractor = FeatureExtractor(
            network,
            setting.data.corpus,
            precision=_PRECISION[on_gpu] if kind != "packed" else None,
            rounded=kind == "replayed" and on_gpu,
        )
        self._stepper = Stepper(
            network, self._optimiser, setting.data, setting.config, seed=0, extractor=extractor
        )
        self._reads_each = kind == "packed"
        self._parameters = trained_parameters(network)
        self._average: dict[str, torch.Tensor] = {}

    def step(self, number: int) -> torch.Tensor:
        batches, config = self._batches, self._config
        set_rate(self._optimiser, config, number)
        totals = self._stepper.take(batches[number % len(batches)], number)
        if config.average:
            update_average(self._average, self._parameters, config.average, number)
        if self._reads_each:
            totals.tolist()
        else:
            self._stepper.look_ahead(batches[(number + 1) % len(batches)], number + 1)
        return totals

    def steps(self, first: int, last: int) -> list[float]:
        """The mean loss of each."""
        totals = torch.stack([self.step(number) for number in range(first, last)])
        return [loss / self._config.batch_pairs for loss, _ in totals.tolist()]


class Plain:
    """The "pairs" objective alone."""

    def __init__(self, setting: Setting, network: AdHominem) -> None:
        self.network = PlainAdHominem.like(network)
        self._config, self._batches = setting.config, setting.batches
        self._trained = [p for p in self.network.parameters() if p.requires_grad]
        self._optimiser = torch.optim.Adam(self._trained, lr=setting.config.learning_rate)
        self._collator = PlainCollator(setting.data.corpus)
        self._corpus: Encoded = setting.data.corpus

    def step(self, number: int) -> float:
        config, pairs = self._config, self._batches[number % len(self._batches)]
        batch = self._collator.batch(draw_stretches(self._corpus, pairs, config, 0, number))
        masks = None
        if self.network.config.dropout:
            masks = self.network.draw_masks(batch, torch.Generator().manual_seed(number))
        self._optimiser.zero_grad(set_to_none=True)
        y = self.network(batch, masks)
        d = distance(y[0::2], y[1::2])
        same = torch.from_numpy(pairs.same_author)
        loss = double_threshold_loss(d, same, config.tau_s, config.tau_d).sum()
        (loss / len(pairs)).backward()
        nn.utils.clip_grad_norm_(self._trained, config.clip_norm)
        self._optimiser.step()
        return float(loss.detach())

    def steps(self, first: int, last: int) -> list[float]:
        return [self.step(number) / self._config.batch_pairs for number in range(first, last)]
