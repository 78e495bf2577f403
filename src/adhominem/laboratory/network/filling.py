"""Batches filled up to one of few sizes, so that kernels are recorded once and launched again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Filling:
    """What follows the true documents: the lines of each further document and the tokens of each
    further line, which may be none."""

    documents: Integers
    lines: Integers

    @property
    def n_tokens(self) -> int:
        return int(self.lines.sum())


NO_FILLING = Filling(np.zeros(0, np.int64), np.zeros(0, np.int64))


def fill_up(
    n_documents: int, n_lines: int, n_tokens: int, max_lines: int, max_tokens: int
) -> Filling:
    """What is missing to round numbers of tokens, lines and documents."""
    tokens = round_up(n_tokens) - n_tokens
    lines = round_up(n_lines + -(-tokens // max_tokens)) - n_lines
    documents = round_up(n_documents + -(-lines // max_lines)) - n_documents
    return Filling(_shares(lines, documents, max_lines), _shares(tokens, lines, max_tokens))


def round_up(n: int) -> int:
    """The next of sizes that grow by an eighth at most."""
    unit = 1 << max(0, n.bit_length() - 4)
    return -(-n // unit) * unit


def _shares(total: int, n: int, most: int) -> Integers:
    """n numbers up to `most` that add up to `total`, the large ones first."""
    return np.clip(total - most * np.arange(n, dtype=np.int64), 0, most)
