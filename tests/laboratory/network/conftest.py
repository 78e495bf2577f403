"""Documents as nested lists, which a slow loop can read, and the `Encoded` corpus they make."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
import torch

from adhominem.instrument.text.encode import Encoded, offsets
from adhominem.laboratory.network.model import SiameseNetwork

Word = tuple[int, tuple[int, ...]]  # its number in the vocabulary, the numbers of its characters
Document = list[list[Word]]

N_WORDS, N_CHARACTERS, LONGEST = 30, 12, 7


def _write(line_lengths: Sequence[Sequence[int]], seed: int) -> list[Document]:
    """Random documents with these lines; words recur, and one in eight has no characters."""
    rng = np.random.default_rng(seed)

    def word() -> Word:
        number = int(rng.integers(1, N_WORDS))
        spelling = np.random.default_rng([seed, number]).integers(1, N_CHARACTERS, LONGEST)
        return number, tuple(int(c) for c in spelling[: number % (LONGEST + 1)])

    return [[[word() for _ in range(n)] for n in lengths] for lengths in line_lengths]


def _encode(documents: Sequence[Document]) -> Encoded:
    lines = [line for document in documents for line in document]
    types = sorted({word for line in lines for word in line})
    return Encoded(
        type_words=np.array([number for number, _ in types], dtype=np.int32),
        type_characters=np.array([c for _, word in types for c in word], dtype=np.int32),
        type_starts=offsets([len(word) for _, word in types]),
        tokens=np.array([types.index(word) for line in lines for word in line], dtype=np.int32),
        lines=offsets([len(line) for line in lines]),
        documents=offsets([len(document) for document in documents]),
    )


def _roughen(network: SiameseNetwork, seed: int = 0) -> SiameseNetwork:
    """Every weight and bias becomes one that matters, so attention is far from even."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            parameter += 0.5 * torch.randn(parameter.shape, generator=generator)
            if name in ("words.weight", "characters.embedding.weight"):
                parameter[0] = 0
    return network


@pytest.fixture(scope="session")
def write() -> Callable[[Sequence[Sequence[int]], int], list[Document]]:
    return _write


@pytest.fixture(scope="session")
def encode() -> Callable[[Sequence[Document]], Encoded]:
    return _encode


@pytest.fixture(scope="session")
def roughen() -> Callable[..., SiameseNetwork]:
    return _roughen


@pytest.fixture(scope="session")
def sizes() -> dict[str, int]:
    """All different, so that no two can be mistaken for each other."""
    return {
        "n_words": N_WORDS,
        "n_characters": N_CHARACTERS,
        "D_c": 3,
        "D_r": 8,
        "h": 4,
        "D_w": 9,
        "D_s": 5,
        "D_d": 6,
        "D_a": 7,
        "D_f": 10,
    }
