"""The NumPy encoder against the network's own forward pass in torch, on corpora of any shape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem.instrument.network import encoder
from adhominem.instrument.network.encoder import Features
from adhominem.instrument.network.stretches import LineRanges, cut_documents
from adhominem.instrument.text.encode import Encoded
from adhominem.laboratory.network import build_network
from adhominem.laboratory.network.batches import Collator
from adhominem.laboratory.network.encoder import encode_documents, encode_ragged
from adhominem.laboratory.network.hrsn import HRSN
from adhominem.laboratory.network.model import SiameseNetwork

Word = tuple[int, tuple[int, ...]]
Document = list[list[Word]]
Write = Callable[[Sequence[Sequence[int]], int], list[Document]]
Encode = Callable[[Sequence[Document]], Encoded]
Roughen = Callable[..., SiameseNetwork]

line_lengths = st.lists(st.lists(st.integers(1, 6), max_size=9), max_size=6)
seeds = st.integers(0, 99)
LENGTHS = [[3, 6, 1], [], [1], [5], [2, 2, 2, 7, 1, 4, 2], [], [1, 9], [4, 3, 3, 1]]


@pytest.fixture(scope="session")
def network(sizes: dict[str, int], roughen: Roughen) -> SiameseNetwork:
    return roughen(build_network("adhominem", sizes, seed=3))


@pytest.fixture(scope="session")
def hrsn(sizes: dict[str, int], roughen: Roughen) -> SiameseNetwork:
    kept = {k: sizes[k] for k in ("n_words", "n_characters", "D_w", "D_s", "D_d")}
    return roughen(build_network("hrsn", {**kept, "D_f": 0}, seed=3))


def read_plainly(network: SiameseNetwork, corpus: Encoded, ranges: LineRanges) -> Any:
    """Each stretch in a batch of its own: features, word attention, sentence attention."""
    collator = Collator(corpus, torch.device("cpu"))
    features, words, sentences = [np.zeros((0, network.n_features))], [], []
    for i in range(len(ranges)):
        batch = collator.batch(LineRanges(ranges.first[[i]], ranges.count[[i]])).padded()
        with torch.no_grad():
            output = network.eval()(batch)
        features.append(output.features.numpy())
        if output.word_attention is not None and output.sentence_attention is not None:
            rows = zip(output.word_attention, batch.line_lengths.tolist(), strict=True)
            words += [row[:length].numpy() for row, length in rows]
            sentences.append(output.sentence_attention[0].numpy())
    if isinstance(network, HRSN):
        return np.concatenate(features), None, None
    none = [np.zeros(0)]
    return tuple(np.concatenate(part) for part in (features, none + words, none + sentences))


def encode_plainly(network: SiameseNetwork, corpus: Encoded, max_lines: int) -> Features:
    """The network's own forward pass over the stretches, put together with a loop."""
    chunks = cut_documents(corpus, max_lines)
    y, words, sentences = read_plainly(network, corpus, chunks.ranges)
    features = np.full((corpus.n_documents, y.shape[1]), np.nan)
    for i, (first, count) in enumerate(zip(chunks.ranges.first, chunks.ranges.count, strict=True)):
        d = chunks.owner[i]
        whole = corpus.lines[corpus.documents[d + 1]] - corpus.lines[corpus.documents[d]]
        share = (corpus.lines[first + count] - corpus.lines[first]) / whole
        features[d] = np.nan_to_num(features[d]) + share * y[i]
        if sentences is not None:
            sentences[first : first + count] *= share
    return Features(features, words, sentences)


def check_same(one: Features, other: Features, tolerance: float = 1e-5) -> None:
    np.testing.assert_allclose(one.features, other.features, atol=tolerance)
    for name in ("word_attention", "sentence_attention"):
        a, b = getattr(one, name), getattr(other, name)
        assert (a is None) == (b is None)
        if a is not None:
            np.testing.assert_allclose(a, b, atol=tolerance)


@settings(max_examples=60)
@given(line_lengths, seeds, st.integers(1, 6), st.integers(1, 7), st.integers(1, 4))
def test_fast_equals_plain(
    network: SiameseNetwork,
    write: Write,
    encode: Encode,
    lengths: list[list[int]],
    seed: int,
    max_lines: int,
    block: int,
    batch: int,
) -> None:
    corpus = encode(write(lengths, seed))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encoder, "_BLOCK", block)
        patch.setattr(encoder, "_TILE", batch)
        patch.setattr(encoder, "_TYPES", batch)
        fast = encode_documents(network, corpus, max_lines=max_lines)
        check_same(fast, encode_plainly(network, corpus, max_lines))


def test_fast_equals_plain_with_published_sizes(write: Write, encode: Encode) -> None:
    network = build_network("adhominem", {"n_words": 30, "n_characters": 12}, seed=1)
    lengths = np.random.default_rng(0).integers(1, 20, (70, 12)).tolist()
    corpus = encode(write(lengths, 0))
    check_same(encode_documents(network, corpus), encode_plainly(network, corpus, 40))


@pytest.mark.parametrize("max_lines", [2, 40])
def test_features_of_length_one(
    sizes: dict[str, int], roughen: Roughen, write: Write, encode: Encode, max_lines: int
) -> None:
    """The direction is that of the mean over the stretches, each itself of length one."""
    network = roughen(build_network("adhominem", {**sizes, "unit_length": True}, seed=3))
    corpus = encode(write(LENGTHS, 1))
    features = encode_documents(network, corpus, max_lines=max_lines).features
    plain = encode_plainly(network, corpus, max_lines).features
    read = ~np.isnan(plain[:, 0])  # not so a document without lines
    for row, mean in zip(features[read], plain[read], strict=True):
        assert np.linalg.norm(row) == pytest.approx(1, abs=1e-5)
        np.testing.assert_allclose(row, mean / np.linalg.norm(mean), atol=1e-5)


@settings(max_examples=30)
@given(line_lengths, seeds, st.integers(1, 6), st.integers(1, 7))
def test_self_similarity_is_that_of_the_halves_read_alone(
    sizes: dict[str, int],
    roughen: Roughen,
    write: Write,
    encode: Encode,
    lengths: list[list[int]],
    seed: int,
    max_lines: int,
    block: int,
) -> None:
    """Every stretch is cut between the lines nearest to its middle; the mean is by tokens."""
    network = roughen(build_network("adhominem", {**sizes, "unit_length": True}, seed=3))
    documents = write(lengths, seed)
    corpus = encode(documents)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encoder, "_BLOCK", block)
        found = encode_documents(network, corpus, max_lines=max_lines).self_similarity
    assert found is not None
    sums, weights = np.zeros((2, len(documents)))
    chunks = cut_documents(corpus, max_lines)
    for owner, first, count in zip(
        chunks.owner, chunks.ranges.first, chunks.ranges.count, strict=True
    ):
        start = int(first - corpus.documents[owner])
        stretch = documents[owner][start : start + int(count)]
        if len(stretch) < 2:
            continue
        ends = np.cumsum([len(line) for line in stretch])
        cut = min(range(1, len(stretch)), key=lambda i: (abs(2 * ends[i - 1] - ends[-1]), -i))
        halves = encode_documents(network, encode([stretch[:cut], stretch[cut:]])).features
        sums[owner] += ends[-1] * float((halves[0] * halves[1]).sum())
        weights[owner] += ends[-1]
    for value, total, weight in zip(found, sums, weights, strict=True):
        assert np.isnan(value) if not weight else value == pytest.approx(total / weight, abs=1e-5)


def test_the_path_of_a_gpu_reads_the_same(
    network: SiameseNetwork, hrsn: SiameseNetwork, write: Write, encode: Encode
) -> None:
    """In single precision, on the CPU."""
    corpus = encode(write(LENGTHS, 1))
    for one in (network, hrsn):
        expected = encode_documents(one, corpus, max_lines=3).features
        features = encode_ragged(one, corpus, max_lines=3, precision=torch.float32)
        np.testing.assert_allclose(features, expected, atol=1e-5)


@settings(max_examples=30)
@given(line_lengths, seeds, st.integers(1, 6))
def test_attention_sums_to_one_over_lines_and_documents(
    network: SiameseNetwork,
    write: Write,
    encode: Encode,
    lengths: list[list[int]],
    seed: int,
    max_lines: int,
) -> None:
    corpus = encode(write(lengths, seed))
    result = encode_documents(network, corpus, max_lines=max_lines)
    assert result.word_attention is not None
    assert result.sentence_attention is not None
    assert len(result.word_attention) == len(corpus.tokens)
    assert len(result.sentence_attention) == len(corpus.lines) - 1
    for start, end in zip(corpus.lines[:-1], corpus.lines[1:], strict=True):
        assert result.word_attention[start:end].sum() == pytest.approx(1, abs=1e-5)
    for start, end in zip(corpus.documents[:-1], corpus.documents[1:], strict=True):
        if end > start:
            assert result.sentence_attention[start:end].sum() == pytest.approx(1, abs=1e-5)


def test_a_long_document_is_the_mean_of_its_stretches_by_their_tokens(
    network: SiameseNetwork, write: Write, encode: Encode
) -> None:
    [document] = write([[6, 5, 1, 2, 1]], 4)
    parts = [document[:2], document[2:]]
    whole = encode_documents(network, encode([document]), max_lines=3)
    halves = encode_documents(network, encode(parts), max_lines=3)
    expected = (11 * halves.features[0] + 4 * halves.features[1]) / 15
    np.testing.assert_allclose(whole.features[0], expected, atol=1e-6)
    assert whole.sentence_attention is not None
    assert whole.sentence_attention[:2].sum() == pytest.approx(11 / 15, abs=1e-6)
    uncut = encode_documents(network, encode([document]), max_lines=5).features
    assert np.abs(uncut - whole.features).max() > 1e-3


@pytest.mark.parametrize("kind", ["adhominem", "hrsn"])
def test_a_document_does_not_depend_on_the_others_of_the_call(
    kind: str, network: SiameseNetwork, hrsn: SiameseNetwork, write: Write, encode: Encode
) -> None:
    read_by = network if kind == "adhominem" else hrsn
    corpus = encode(write(LENGTHS, 2))
    together = encode_documents(read_by, corpus, max_lines=4)
    for chosen in [[d] for d in range(len(LENGTHS))] + [[7, 4, 0], [1, 6], [4, 4]]:
        part = corpus.select(np.array(chosen))
        apart = encode_documents(read_by, part, max_lines=4)
        np.testing.assert_allclose(apart.features, together.features[chosen], atol=1e-6)
        if kind == "adhominem":
            assert apart.word_attention is not None
            assert together.word_attention is not None
            tokens = np.concatenate(
                [np.arange(*corpus.lines[corpus.documents[[d, d + 1]]]) for d in chosen]
            )
            np.testing.assert_allclose(
                apart.word_attention, together.word_attention[tokens], atol=1e-6
            )


@pytest.mark.parametrize("kind", ["adhominem", "hrsn"])
def test_a_document_without_lines_has_no_features(
    kind: str, network: SiameseNetwork, hrsn: SiameseNetwork, write: Write, encode: Encode
) -> None:
    read_by = network if kind == "adhominem" else hrsn
    result = encode_documents(read_by, encode(write(LENGTHS, 2)))
    empty = [not lengths for lengths in LENGTHS]
    assert np.isnan(result.features).all(axis=1).tolist() == empty
    assert np.isnan(result.features).any(axis=1).tolist() == empty
    assert result.features.dtype == np.float32


@pytest.mark.parametrize("kind", ["adhominem", "hrsn"])
@pytest.mark.parametrize("lengths", [[], [[]], [[], []], [[3]], [[1]]])
def test_hardly_any_documents(
    kind: str,
    lengths: list[list[int]],
    network: SiameseNetwork,
    hrsn: SiameseNetwork,
    write: Write,
    encode: Encode,
) -> None:
    read_by = network if kind == "adhominem" else hrsn
    corpus = encode(write(lengths, 2))
    result = encode_documents(read_by, corpus)
    config = read_by.config
    assert result.features.shape == (len(lengths), config.D_f or config.D_d)
    check_same(result, encode_plainly(read_by, corpus, 40))


@settings(max_examples=25)
@given(line_lengths, seeds, st.integers(1, 6))
def test_hrsn_goes_through(
    hrsn: SiameseNetwork,
    write: Write,
    encode: Encode,
    lengths: list[list[int]],
    seed: int,
    max_lines: int,
) -> None:
    corpus = encode(write(lengths, seed))
    result = encode_documents(hrsn, corpus, max_lines=max_lines)
    check_same(result, encode_plainly(hrsn, corpus, max_lines))
    assert result.word_attention is result.sentence_attention is None


@pytest.mark.parametrize("training", [True, False])
def test_the_network_is_left_as_it_was(
    training: bool, network: SiameseNetwork, write: Write, encode: Encode
) -> None:
    network.train(training)
    before = {name: value.clone() for name, value in network.state_dict().items()}
    encode_documents(network, encode(write(LENGTHS, 2)))
    assert network.training == training
    assert all(torch.equal(before[name], value) for name, value in network.state_dict().items())
    assert all(parameter.grad is None for parameter in network.parameters())


@settings(max_examples=200)
@given(st.lists(st.lists(st.integers(1, 5), max_size=14), max_size=6), st.integers(1, 6))
def test_stretches_cover_every_line_once_and_are_as_few_as_possible(
    write: Write, encode: Encode, lengths: list[list[int]], max_lines: int
) -> None:
    corpus = encode(write(lengths, 0))
    chunks = cut_documents(corpus, max_lines)
    covered: dict[int, list[int]] = {d: [] for d in range(len(lengths))}
    shares = dict.fromkeys(covered, 0.0)
    sizes: dict[int, list[int]] = {d: [] for d in covered}
    for owner, first, count, share in zip(
        chunks.owner, chunks.ranges.first, chunks.ranges.count, chunks.share, strict=True
    ):
        covered[owner] += range(first, first + count)
        sizes[owner].append(int(count))
        shares[owner] += share
        n_tokens = corpus.lines[first + count] - corpus.lines[first]
        assert share == pytest.approx(n_tokens / sum(lengths[owner]))
    for d, document in enumerate(lengths):
        assert covered[d] == [*range(corpus.documents[d], corpus.documents[d + 1])]
        assert len(sizes[d]) == -(-len(document) // max_lines)
        assert all(1 <= size <= max_lines for size in sizes[d])
        if document:
            assert shares[d] == pytest.approx(1)
            assert max(sizes[d]) - min(sizes[d]) <= 1
