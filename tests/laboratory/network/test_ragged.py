"""Batches without padding against the packed ones, by features and gradients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from adhominem.instrument.network.stretches import LineRanges
from adhominem.instrument.text.encode import Encoded
from adhominem.instrument.text.vocabulary import RESERVED_WORDS
from adhominem.laboratory.network import batches, build_network
from adhominem.laboratory.network.batches import (
    Collator,
    Hiding,
    RaggedBatch,
    fill_up,
    pad_characters,
    round_up,
)
from adhominem.laboratory.network.model import Batch, SiameseNetwork
from adhominem.laboratory.network.ragged import read_ragged

CPU = torch.device("cpu")
LINES = [[3, 1, 5], [2], [7, 7, 1, 4, 2, 6], [1], [6, 5]]
NETWORKS = [
    ("adhominem", {}),
    ("adhominem", {"unit_length": True}),
    ("hrsn", {}),
    ("hrsn", {"D_f": 0}),
]


@pytest.fixture
def corpus(write: Callable[..., Any], encode: Callable[..., Encoded]) -> Encoded:
    return encode(write(LINES, 3))


@pytest.fixture
def new_network(
    sizes: dict[str, int], roughen: Callable[..., SiameseNetwork]
) -> Callable[..., SiameseNetwork]:
    def build(kind: str, **changes: Any) -> SiameseNetwork:
        own = {k: v for k, v in sizes.items() if kind == "adhominem" or k not in "D_c D_r h D_a"}
        own |= {"dropout": 0.3, "train_words": True, **changes}
        return roughen(build_network(kind, own, seed=1))

    return build


def whole(corpus: Encoded, documents: Sequence[int] | None = None) -> LineRanges:
    chosen = np.arange(corpus.n_documents) if documents is None else np.array(documents)
    first = corpus.documents[chosen]
    return LineRanges(first, corpus.documents[chosen + 1] - first)


def gradients(network: SiameseNetwork, features: torch.Tensor) -> dict[str, torch.Tensor]:
    network.zero_grad()
    weights = torch.linspace(-1, 1, features.numel()).view_as(features)
    (features * weights).sum().backward()
    return {name: p.grad.clone() for name, p in network.named_parameters() if p.grad is not None}


@pytest.mark.parametrize(("kind", "changes"), NETWORKS)
@pytest.mark.parametrize("masked", [True, False])
def test_features_and_gradients_are_those_of_packed_sequences(
    corpus: Encoded,
    new_network: Callable[..., SiameseNetwork],
    kind: str,
    changes: dict[str, Any],
    masked: bool,
) -> None:
    network = new_network(kind, **changes)
    ranges = whole(corpus)
    masks = None
    if masked:
        generator = torch.Generator().manual_seed(4)
        masks = network.draw_masks(int(ranges.count.sum()), len(ranges), generator)
    packed = network(Collator(corpus, CPU).batch(ranges).padded(), masks).features
    expected = gradients(network, packed)
    ragged = read_ragged(network, Collator(corpus, CPU).batch(ranges), masks).features
    found = gradients(network, ragged)
    torch.testing.assert_close(ragged, packed, rtol=1e-5, atol=1e-5)
    assert found.keys() == expected.keys()
    for name, gradient in expected.items():
        torch.testing.assert_close(found[name], gradient, rtol=1e-5, atol=1e-5, msg=name)


def test_attention_is_that_of_packed_sequences(
    corpus: Encoded, new_network: Callable[..., SiameseNetwork]
) -> None:
    network, ranges = new_network("adhominem"), whole(corpus)
    batch = Collator(corpus, CPU).batch(ranges).padded()
    packed = network(batch)
    ragged = read_ragged(network, Collator(corpus, CPU).batch(ranges))
    for padded, flat, lengths in (
        (packed.word_attention, ragged.word_attention, batch.line_lengths),
        (packed.sentence_attention, ragged.sentence_attention, batch.document_lengths),
    ):
        assert padded is not None and flat is not None
        present = torch.arange(padded.shape[1]) < lengths.unsqueeze(1)
        torch.testing.assert_close(flat, padded[present], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("kind", ["adhominem", "hrsn"])
def test_features_do_not_depend_on_batch_mates(
    corpus: Encoded, new_network: Callable[..., SiameseNetwork], kind: str
) -> None:
    network, collator = new_network(kind), Collator(corpus, CPU)
    together = read_ragged(network, collator.batch(whole(corpus))).features
    for document in range(corpus.n_documents):
        alone = read_ragged(network, collator.batch(whole(corpus, [document]))).features
        torch.testing.assert_close(alone[0], together[document], rtol=1e-5, atol=1e-6)


def slow_batch(corpus: Encoded, ranges: LineRanges) -> list[list[list[int]]]:
    """Vocabulary numbers of the documents, line by line."""
    return [
        [
            corpus.type_words[corpus.tokens[corpus.lines[n] : corpus.lines[n + 1]]].tolist()
            for n in range(first, first + count)
        ]
        for first, count in zip(ranges.first, ranges.count, strict=True)
    ]


def unravel(batch: RaggedBatch) -> list[list[list[int]]]:
    words = batch.words[batch.tokens].tolist()
    starts, documents = batch.lines.starts.tolist(), batch.documents.starts.tolist()
    lines = [words[a:b] for a, b in pairwise(starts)]
    return [lines[a:b] for a, b in pairwise(documents)]


def test_batches_are_those_of_a_slow_loop(corpus: Encoded) -> None:
    """Stretches of documents in any order, one of them twice."""
    ranges = LineRanges(np.array([7, 1, 4, 7, 3]), np.array([3, 2, 1, 1, 1]))
    batch = Collator(corpus, CPU).batch(ranges)
    assert unravel(batch) == slow_batch(corpus, ranges)
    assert len(batch.words.unique()) <= len(batch.words) <= len(batch.tokens)
    assert batch.lines.owner.tolist() == [
        i for i, n in enumerate(batch.lines.lengths.tolist()) for _ in range(n)
    ]
    assert batch.documents.owner.tolist() == [0, 0, 0, 1, 1, 2, 3, 4]


@pytest.mark.parametrize("hiding", [Hiding(0.3, 9), Hiding(0.1, 9, 0.9), Hiding(0.0, 9, 0.9)])
def test_hidden_tokens_are_those_of_a_slow_loop(
    corpus: Encoded, hiding: Hiding, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In both forms of a batch."""
    monkeypatch.setattr(batches, "_FREQUENT", 5)
    ranges = whole(corpus, [3, 0, 4, 2])
    spellings = pad_characters(corpus)
    expected = []
    for first, count in zip(ranges.first, ranges.count, strict=True):
        of_document = hiding.of_documents(torch.tensor([first]))
        for position in range(corpus.lines[first], corpus.lines[first + count]):
            word = int(corpus.type_words[corpus.tokens[position]])
            spelling = spellings[corpus.tokens[position]].tolist()
            is_content = any(spelling) and (word == 1 or word >= len(RESERVED_WORDS) + 5)
            token = torch.tensor([position]), torch.tensor([is_content])
            if hiding.of_tokens(*token, of_document):
                word, spelling = 1, [0] * len(spelling)
            expected.append((word, spelling))
    ragged = Collator(corpus, CPU).batch(ranges, hiding)
    padded = ragged.padded()
    present = torch.arange(padded.tokens.shape[1]) < padded.line_lengths.unsqueeze(1)
    assert _described(ragged, ragged.tokens) == expected
    assert _described(padded, padded.tokens[present]) == expected
    assert 0 < sum(word == 1 for word, _ in expected) < len(expected)


def test_a_padded_batch_has_the_same_lines(corpus: Encoded) -> None:
    ranges = LineRanges(np.array([7, 1, 4, 7, 3]), np.array([3, 2, 1, 1, 1]))
    batch = Collator(corpus, CPU).batch(ranges).padded()
    documents = [
        [
            batch.words[batch.tokens[line, : batch.line_lengths[line]]].tolist()
            for line in lines[:count]
        ]
        for lines, count in zip(batch.lines, batch.document_lengths, strict=True)
    ]
    assert documents == slow_batch(corpus, ranges)
    assert batch.tokens.shape == (8, int(batch.line_lengths.max()))
    assert batch.lines.shape == (5, 3)


def _described(batch: Batch | RaggedBatch, tokens: torch.Tensor) -> list[tuple[int, list[int]]]:
    return list(zip(batch.words[tokens].tolist(), batch.characters[tokens].tolist(), strict=True))


@pytest.mark.parametrize("kind", ["adhominem", "hrsn"])
def test_what_fills_a_batch_up_changes_nothing(
    corpus: Encoded, new_network: Callable[..., SiameseNetwork], kind: str
) -> None:
    network, ranges = new_network(kind), whole(corpus, [2, 0, 4, 3, 1, 2, 2, 0, 4, 4])
    plain = Collator(corpus, CPU).batch(ranges)
    filled = Collator(corpus, CPU, rounded=True).batch(ranges)
    sizes = [len(filled.words), len(filled.tokens), filled.lines.n, filled.documents.n]
    assert all(round_up(size) == size for size in sizes)
    assert filled.documents.n > len(ranges) and len(filled.tokens) > len(plain.tokens)
    assert unravel(filled)[: len(ranges)] == unravel(plain)
    y = read_ragged(network, plain).features
    expected = gradients(network, y)
    z = read_ragged(network, filled).features[: len(ranges)]
    found = gradients(network, z)
    torch.testing.assert_close(z, y, rtol=1e-5, atol=1e-6)
    for name, gradient in expected.items():
        torch.testing.assert_close(found[name], gradient, rtol=1e-5, atol=1e-5, msg=name)


@given(
    st.integers(1, 5000),
    st.integers(1, 60),
    st.integers(1, 25),
    st.integers(0, 5),
    st.integers(1, 64),
)
def test_sizes_are_filled_up_exactly(
    n_documents: int, lines_each: int, max_tokens: int, spare: int, max_lines: int
) -> None:
    n_lines = n_documents * lines_each
    n_tokens = n_lines * max(1, max_tokens - spare)
    filling = fill_up(n_documents, n_lines, n_tokens, max_lines, max_tokens)
    for n, added in (
        (n_documents, len(filling.documents)),
        (n_lines, len(filling.lines)),
        (n_tokens, int(filling.lines.sum())),
    ):
        assert round_up(n + added) == n + added
    assert filling.lines.sum() <= n_tokens / 8
    assert filling.documents.sum() == len(filling.lines)
    assert filling.documents.max(initial=0) <= max_lines
    assert filling.lines.max(initial=0) <= max_tokens
