"""AdHominem and HRSN as methods that can be trained."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from adhominem.arrays import Integers
from adhominem.errors import InputError
from adhominem.instrument.neural import NeuralVerifier
from adhominem.instrument.text.encode import encode
from adhominem.instrument.text.settings import PAPER, TextSettings
from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.text.vocabulary import Vocabulary
from adhominem.laboratory.corpus.pairs import PairTable
from adhominem.laboratory.network import arrays_of, build_network, describe_network
from adhominem.laboratory.network.model import SiameseNetwork
from adhominem.laboratory.training import TrainingConfig, loop
from adhominem.laboratory.training.data import TrainingData
from adhominem.laboratory.verifiers import TrainableVerifier
from adhominem.records import Pair


class SiameseVerifier(TrainableVerifier, NeuralVerifier):
    """A Siamese network that is trained by `fit`, or taken from a run by `set_network`.

    network     "adhominem" or "hrsn"
    sizes       sizes of its layers; the paper's by default
    training    settings of the training
    text        settings of the text that it reads
    """

    def __init__(
        self,
        *,
        network: str = "adhominem",
        sizes: dict[str, Any] | None = None,
        training: TrainingConfig = TrainingConfig(),
        text: TextSettings = PAPER,
        seed: int = 1,
    ) -> None:
        super().__init__()
        self.network, self.sizes = network, sizes or {}
        self.training, self.text, self.seed = training, text, seed
        self.max_words, self.max_characters = text.max_words, text.max_characters
        self.max_lines = training.max_lines
        self._settings = {"training": asdict(training), "seed": seed}
        if training.objective == "pairs":
            self.tau_s, self.tau_d = training.tau_s, training.tau_d

    def set_network(self, network: SiameseNetwork, vocabulary: Vocabulary) -> None:
        """Takes a trained network with its vocabulary."""
        described = describe_network(network)
        self.network, self.sizes = described["kind"], described["sizes"]
        self.vocabulary_ = vocabulary
        self.set_arrays(arrays_of(network))

    def _fit(self, train: Sequence[Pair], dev: Sequence[Pair]) -> None:
        """Trains on the same pairs in every epoch; texts of one side are read as one text."""
        numbers: dict[str, int] = {}
        learnt = _table(train, numbers)
        n_learnt = len(numbers)
        measured = _table(dev, numbers)
        tokenised = tokenise(numbers)
        learnt = _readable(learnt, tokenised.n_tokens, "training")
        measured = _readable(measured, tokenised.n_tokens, "development")
        vocabulary = Vocabulary.fit(
            tokenised.select(np.arange(n_learnt)).counts(),
            min_word_count=self.text.min_word_count,
            min_character_count=self.text.min_character_count,
        )
        corpus = encode(tokenised, vocabulary, self.max_words, self.max_characters)

        def draw(epoch: int) -> PairTable:
            rng = np.random.default_rng([self.seed, epoch])
            return learnt.select(rng.permutation(len(learnt)))

        sizes = {"n_words": vocabulary.n_words, "n_characters": vocabulary.n_characters}
        network = build_network(self.network, {**self.sizes, **sizes}, seed=self.seed)
        optimiser, state = loop.make_optimiser(network, self.training), loop.TrainingState()
        data = TrainingData(corpus, draw, {"": measured})
        for _ in loop.train(network, optimiser, data, self.training, state, seed=self.seed):
            pass
        network.load_state_dict({**network.state_dict(), **state.best})
        self.set_network(network.eval(), vocabulary)


def _table(pairs: Sequence[Pair], numbers: dict[str, int]) -> PairTable:
    """The pairs as numbers of texts; new texts get the next numbers."""
    sides = [pair.left for pair in pairs] + [pair.right for pair in pairs]
    texts = ["\n\n".join(document.text for document in side) for side in sides]
    left, right = np.split(np.array([numbers.setdefault(t, len(numbers)) for t in texts]), 2)
    return PairTable(left, right, np.array([bool(pair.same_author) for pair in pairs]), None)


def _readable(pairs: PairTable, n_tokens: Integers, name: str) -> PairTable:
    """The pairs with words on both sides."""
    readable = (n_tokens[pairs.left] > 0) & (n_tokens[pairs.right] > 0)
    if not readable.any():
        raise InputError(f"no {name} pair has words on both sides: give texts to compare")
    return pairs.select(readable)
