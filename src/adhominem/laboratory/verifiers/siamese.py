"""AdHominem and HRSN as methods that can be trained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from adhominem.instrument.neural import NeuralVerifier
from adhominem.instrument.text.settings import PAPER
from adhominem.instrument.text.vocabulary import Vocabulary
from adhominem.instrument.verifier import ModelState
from adhominem.laboratory.network.build import arrays_of, describe_network
from adhominem.laboratory.network.model import SiameseNetwork
from adhominem.laboratory.training.config import TrainingConfig
from adhominem.laboratory.verifiers.base import TrainableVerifier
from adhominem.records import Pair


class SiameseVerifier(TrainableVerifier, NeuralVerifier):
    """A Siamese network that is trained by `fit`, or taken from a run by `set_network`.

    network     "adhominem" or "hrsn"
    sizes       sizes of its layers; the paper's by default
    training    settings of the training
    """

    def __init__(
        self,
        *,
        network: str = "adhominem",
        sizes: dict[str, Any] | None = None,
        training: TrainingConfig = TrainingConfig(),
        max_words: int = PAPER.max_words,
        max_characters: int = PAPER.max_characters,
        min_word_count: int = PAPER.min_word_count,
        min_character_count: int = PAPER.min_character_count,
        seed: int = 1,
    ) -> None:
        super().__init__()
        self.network = network
        self.sizes = sizes or {}
        self.training = training
        self.max_words = max_words
        self.max_characters = max_characters
        self.max_lines = training.max_lines
        self.min_word_count = min_word_count
        self.min_character_count = min_character_count
        self.seed = seed
        if training.objective == "pairs":
            self.tau_s, self.tau_d = training.tau_s, training.tau_d

    def set_network(self, network: SiameseNetwork, vocabulary: Vocabulary) -> None:
        """Takes a trained network with its vocabulary."""
        described = describe_network(network)
        self.network, self.sizes = described["kind"], described["sizes"]
        self.vocabulary_ = vocabulary
        self.set_arrays(arrays_of(network))

    def state(self) -> ModelState:
        self._settings = {"training": asdict(self.training), "seed": self.seed}
        return super().state()

    def restore(self, state: ModelState) -> None:
        super().restore(state)
        self.training = TrainingConfig(**state.settings["training"])
        self.seed = state.settings["seed"]

    def _fit(self, train: Sequence[Pair], dev: Sequence[Pair]) -> None:
        from adhominem.laboratory.training.fit import fit_network

        self.set_network(
            *fit_network(
                train,
                dev,
                kind=self.network,
                sizes=self.sizes,
                config=self.training,
                text={"max_words": self.max_words, "max_characters": self.max_characters},
                min_word_count=self.min_word_count,
                min_character_count=self.min_character_count,
                seed=self.seed,
            )
        )
