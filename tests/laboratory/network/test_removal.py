"""Features without some words against a slow loop that writes the documents anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem.instrument.network.removal import Removal, Remover
from adhominem.instrument.network.stretches import cut_documents
from adhominem.instrument.text.encode import Encoded
from adhominem.laboratory.network import build_network, numpy_network
from adhominem.laboratory.network.encoder import encode_documents

Word = tuple[int, tuple[int, ...]]
Document = list[list[Word]]
Write = Callable[[Sequence[Sequence[int]], int], list[Document]]
Encode = Callable[[Sequence[Document]], Encoded]
Cut = list[list[tuple[int, int]]]  # lines of the stretches of each document
UNKNOWN: Word = (1, ())

# Lines hold a word and a marker at least.
side_lengths = st.lists(st.lists(st.integers(2, 5), max_size=7), min_size=1, max_size=3).filter(any)
removals = st.sampled_from(["delete", "unknown"])


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "unit length"])
def network(request: pytest.FixtureRequest, sizes: dict[str, Any], roughen: Any) -> Any:
    return roughen(build_network("adhominem", {**sizes, "unit_length": request.param}, seed=3))


def slowly(
    network: Any,
    encode: Encode,
    documents: Sequence[Document],
    kept: Sequence[bool],
    removal: str,
    cut: Cut,
) -> np.ndarray:
    """Stretch by stretch, each through the network's own forward pass."""
    places = iter(kept)
    features, n_words = [], []
    for document, stretches in zip(documents, cut, strict=True):
        written: list[list[Word]] = []
        for line in document:
            flags = [next(places) for _ in line[:-1]]
            if removal == "unknown":
                words = [w if f else UNKNOWN for w, f in zip(line, flags, strict=False)]
            else:
                words = [w for w, f in zip(line, flags, strict=False) if f]
            written.append([*words, line[-1]] if words else [])
        parts, tokens = [], []
        for begin, end in stretches:
            lines = [line for line in written[begin:end] if line]
            if lines:
                parts.append(encode_documents(network, encode([lines])).features[0])
                tokens.append(sum(map(len, lines)))
        if parts:
            mean = np.average(np.stack(parts), axis=0, weights=tokens)
            features.append(_unit(mean) if network.has_unit_length else mean)
            n_words.append(sum(len(line) - 1 for line in written if line))
    if not features:
        return np.full(network.config.D_f, np.nan)
    side = np.average(np.stack(features), axis=0, weights=n_words)
    return _unit(side) if network.has_unit_length else side


def _unit(row: np.ndarray) -> np.ndarray:
    return row / np.linalg.norm(row)


def cut_of(corpus: Encoded, max_lines: int) -> Cut:
    chunks = cut_documents(corpus, max_lines)
    cut: Cut = [[] for _ in range(corpus.n_documents)]
    for owner, first, count in zip(
        chunks.owner, chunks.ranges.first, chunks.ranges.count, strict=True
    ):
        begin = int(first - corpus.documents[owner])
        cut[owner].append((begin, begin + int(count)))
    return cut


@settings(max_examples=40)
@given(side_lengths, st.integers(0, 99), st.integers(1, 4), removals)
def test_any_words_taken_away(
    network: Any,
    write: Write,
    encode: Encode,
    lengths: list[list[int]],
    seed: int,
    max_lines: int,
    removal: Removal,
) -> None:
    documents = write(lengths, seed)
    corpus = encode(documents)
    reader = Remover(numpy_network(network), corpus, max_lines=max_lines)
    rng = np.random.default_rng(seed)
    kept = rng.random((6, reader.n_words)) < rng.random((6, 1))
    kept[0], kept[1] = True, False
    found = reader.features(kept, removal)
    cut = cut_of(corpus, max_lines)
    for row, flags in zip(found, kept, strict=True):
        expected = slowly(network, encode, documents, flags, removal, cut)
        np.testing.assert_allclose(row, expected, atol=1e-5)


@settings(max_examples=25)
@given(side_lengths, st.integers(0, 99), st.integers(1, 4), removals)
def test_each_word_taken_away(
    network: Any,
    write: Write,
    encode: Encode,
    lengths: list[list[int]],
    seed: int,
    max_lines: int,
    removal: Removal,
) -> None:
    reader = Remover(numpy_network(network), encode(write(lengths, seed)), max_lines=max_lines)
    each = reader.features_without_each(removal)
    kept = ~np.eye(reader.n_words, dtype=bool)
    np.testing.assert_allclose(each, reader.features(kept, removal), atol=1e-6)


def test_with_all_words_it_is_the_encoder(network: Any, write: Write, encode: Encode) -> None:
    corpus = encode(write([[3, 6, 2, 4, 5]], 1))
    reader = Remover(numpy_network(network), corpus, max_lines=2)
    whole = reader.features(np.ones((1, reader.n_words), dtype=bool))
    expected = encode_documents(network, corpus, max_lines=2).features
    np.testing.assert_allclose(whole, expected, atol=1e-6)


def test_every_distinct_line_and_stretch_is_read_once(
    network: Any, write: Write, encode: Encode, monkeypatch: pytest.MonkeyPatch
) -> None:
    from adhominem.instrument.network import removal

    corpus = encode(write([[4, 4, 4, 4]], 1))
    reader = Remover(numpy_network(network), corpus, max_lines=2)
    sequences: list[int] = []
    read_tiles = removal.read_tiles

    def count(layer: Any, gates: Any, items: Any, offsets: Any) -> Any:
        sequences.append(len(offsets) - 1)
        return read_tiles(layer, gates, items, offsets)

    monkeypatch.setattr(removal, "read_tiles", count)
    reader.features_without_each()
    # Two whole lines in each of two stretches; then, in each stretch, six words, each out of its
    # line.
    assert sequences == [2, 1, 2, 1, 8, 6, 8, 6]
