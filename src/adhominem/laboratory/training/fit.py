"""Training from labelled pairs in memory, for `Verifier.fit`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from adhominem.arrays import Integers
from adhominem.errors import InputError
from adhominem.instrument.text.encode import encode
from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.text.vocabulary import Vocabulary
from adhominem.laboratory.corpus.pairs import PairTable
from adhominem.laboratory.network.build import build_network
from adhominem.laboratory.network.model import SiameseNetwork
from adhominem.laboratory.training.config import TrainingConfig
from adhominem.laboratory.training.data import TrainingData
from adhominem.laboratory.training.loop import TrainingState, make_optimiser, train
from adhominem.records import Document, Pair


def fit_network(
    train_pairs: Sequence[Pair],
    dev_pairs: Sequence[Pair],
    *,
    kind: str,
    sizes: dict[str, Any],
    config: TrainingConfig,
    text: dict[str, int],
    min_word_count: int,
    min_character_count: int,
    seed: int,
) -> tuple[SiameseNetwork, Vocabulary]:
    """Train a network on the same pairs in every epoch, in an order given by (seed, epoch); return
    it with its vocabulary. A side of several documents is read as one text."""
    numbers: dict[str, int] = {}
    training = _table(train_pairs, numbers)
    n_training = len(numbers)
    dev = _table(dev_pairs, numbers)
    tokenised = tokenise(numbers)
    training = _readable(training, tokenised.n_tokens, "training")
    dev = _readable(dev, tokenised.n_tokens, "development")
    vocabulary = Vocabulary.fit(
        tokenised.select(np.arange(n_training)).counts(),
        min_word_count=min_word_count,
        min_character_count=min_character_count,
    )

    def draw(epoch: int) -> PairTable:
        return training.select(np.random.default_rng([seed, epoch]).permutation(len(training)))

    network = build_network(
        kind,
        {**sizes, "n_words": vocabulary.n_words, "n_characters": vocabulary.n_characters},
        seed=seed,
    )
    state = TrainingState()
    data = TrainingData(encode(tokenised, vocabulary, **text), draw, {"": dev})
    for _ in train(network, make_optimiser(network, config), data, config, state, seed=seed):
        pass
    network.load_state_dict({**network.state_dict(), **state.best})
    return network.eval(), vocabulary


def _table(pairs: Sequence[Pair], numbers: dict[str, int]) -> PairTable:
    """The pairs as numbers of texts; new texts get the next numbers."""
    left = [numbers.setdefault(_text(pair.left), len(numbers)) for pair in pairs]
    right = [numbers.setdefault(_text(pair.right), len(numbers)) for pair in pairs]
    same = [bool(pair.same_author) for pair in pairs]
    return PairTable(
        np.array(left, np.int64), np.array(right, np.int64), np.array(same, bool), None
    )


def _readable(pairs: PairTable, n_tokens: Integers, name: str) -> PairTable:
    """The pairs with words on both sides."""
    readable = (n_tokens[pairs.left] > 0) & (n_tokens[pairs.right] > 0)
    if not readable.any():
        raise InputError(f"no {name} pair has words on both sides: give texts to compare")
    return pairs.select(readable)


def _text(side: Sequence[Document]) -> str:
    return "\n\n".join(document.text for document in side)
