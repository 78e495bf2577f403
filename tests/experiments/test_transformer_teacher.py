"""The parts of the transformer teacher that need no transformer."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from transformer_teacher import LONGEST, Pieces, Reader, _case, _groups


@pytest.mark.parametrize(
    ("word", "case"), [("cat", 0), ("!!", 0), ("Cat", 1), ("I", 1), ("CAT", 2), ("iPhone", 3)]
)
def test_case_of_a_word(word: str, case: int) -> None:
    assert _case(word) == case


def test_groups_hold_all_lengths_in_turn_within_their_room() -> None:
    lengths = np.sort(np.random.default_rng(1).integers(1, 220, 300))
    groups = list(_groups(lengths, 1000))
    assert [i for group in groups for i in range(300)[group]] == list(range(300))
    for group in groups:
        own = lengths[group]
        assert len(own) == 1 or len(own) * own[-1] <= 1000


class Echo:
    """A teacher whose features are the pieces that it was given, and their cases."""

    def read(self, pieces: torch.Tensor, case: torch.Tensor) -> torch.Tensor:
        room = LONGEST - pieces.shape[1]
        return torch.cat([torch.nn.functional.pad(x, (0, room)) for x in (pieces, case)], dim=1)


def reader() -> Reader:
    """Word types 0 to 3: a marker without pieces, words of one, two and three pieces."""
    numbers = torch.tensor([[0, 0, 0], [5, 0, 0], [6, 7, 0], [8, 9, 10]])
    pieces = Pieces(numbers, torch.tensor([0, 1, 2, 0]), torch.tensor([0, 0, 1, 1]).bool(), 1, 2)
    found = Reader.__new__(Reader)
    found._tokens = torch.tensor([1, 2, 0, 3, 1, 3])
    found.edges = np.array([0, 3, 6])
    found._pieces, found._teacher, found._device = pieces, Echo(), "cpu"  # type: ignore[assignment]
    return found


def test_words_become_pieces_in_their_order() -> None:
    read = reader().read(np.array([[0, 3], [3, 3]]))
    texts = [[int(x) for x in row[:LONGEST] if x] for row in read]
    assert texts == [[1, 5, 6, 7], [1, 8, 9, 10, 5, 8, 9, 10]]
    assert read[0, LONGEST : LONGEST + 4].tolist() == [0, 1, 2, 2]


def test_only_content_words_are_hidden() -> None:
    for seed in range(20):
        read = reader().read(np.array([[3], [3]]), content_share=1.0, seed=seed)
        text = [int(x) for x in read[0, :LONGEST] if x]
        assert text[0] == 1 and 5 in text
        assert set(text) <= {1, 2, 5, 8, 9, 10}


def test_a_stretch_lies_within_its_document() -> None:
    rng = np.random.default_rng(2)
    for _ in range(50):
        start, count = reader().stretches(np.array([0, 1]), 0.35, rng)
        assert (start >= [0, 3]).all() and (start + count <= [3, 6]).all() and (count >= 2).all()
