"""Documents to features without gradients, several times as fast as the plain forward pass.

Three things about the data make it so. The characters of a word and the input half of the LSTM
gates depend on the word type alone: they are worked out once per type and looked up per token.
Lines have one of few lengths: lines of equal length are run together, so there is no padding to
compute. And the sentence level, with a fifteenth of the steps, is the model's own code.
Cost is linear in tokens, memory in the documents of one block.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from adhominem.network.batches import (
    Chunks,
    Collator,
    EncodedCorpus,
    LineRanges,
    cut_documents,
    pad_characters,
)
from adhominem.network.model import AdHominem, SiameseNetwork, run_lstm
from adhominem.network.ragged import read_ragged
from adhominem.network.ragged_batches import RaggedCollator
from adhominem.network.threads import one_thread

Floats = npt.NDArray[np.float32]
_BLOCK = 1024  # stretches of lines whose words are looked up together
_BATCH = 64  # stretches of lines in one run of the sentence level


@dataclass(frozen=True, slots=True)
class Features:
    """Features per document; attention per token and per line of the corpus, where there is one.

    A document read in several stretches has the mean of their features, each by its share of the
    tokens, brought back to length 1 where the network's are; its sentence attention is shared out
    likewise, so it sums to 1 over the document. A document without tokens has features of NaN.
    """

    features: Floats  # (n_documents, D_f)
    word_attention: Floats | None  # (n_tokens,)
    sentence_attention: Floats | None  # (n_lines,)


@dataclass(frozen=True, slots=True)
class Gates:
    """W_ih x + b of both directions for every word type, each (U, 4 D_s)."""

    forward: Tensor
    backward: Tensor


@dataclass(frozen=True, slots=True)
class Lines:
    sentences: Tensor  # (L, 2 D_s)
    attention: Floats  # (n_tokens,)


@dataclass(frozen=True, slots=True)
class Stretches:
    features: Tensor  # (B, D_f)
    sentence_attention: Floats  # (B, T_s), exactly 0 on padding


@torch.inference_mode()
def encode_documents(
    network: SiameseNetwork, corpus: EncodedCorpus, *, max_lines: int = 40
) -> Features:
    chunks = cut_documents(corpus, max_lines)
    was_training = network.training
    network.eval()
    word_attention: Floats | None
    sentence_attention: Floats | None
    device = next(network.parameters()).device.type
    if isinstance(network, AdHominem) and device == "cpu":
        y, word_attention, sentence_attention = _read_fast(network, corpus, chunks.ranges)
    elif device == "cuda":
        y, word_attention, sentence_attention = _read_ragged(network, corpus, chunks.ranges)
    else:
        y, word_attention, sentence_attention = _read_plain(network, corpus, chunks.ranges)
    network.train(was_training)
    features = np.full((len(corpus.documents) - 1, y.shape[1]), np.nan, dtype=np.float64)
    features[chunks.owner] = 0
    np.add.at(features, chunks.owner, y * chunks.share[:, None])
    if network.has_unit_length:
        features = unit_length(features)
    if sentence_attention is not None:
        sentence_attention = sentence_attention * _share_of_lines(corpus, chunks)
    return Features(features.astype(np.float32), word_attention, sentence_attention)


def unit_length(features: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Rows of length 1; a row of zeros stays one."""
    lengths = np.linalg.norm(features, axis=-1, keepdims=True)
    scaled: npt.NDArray[Any] = features / np.where(lengths == 0, 1, lengths)
    return scaled


def _share_of_lines(corpus: EncodedCorpus, chunks: Chunks) -> Floats:
    share = np.zeros(len(corpus.lines) - 1, dtype=np.float32)
    for first, count, part in zip(
        chunks.ranges.first, chunks.ranges.count, chunks.share, strict=True
    ):
        share[first : first + count] = part
    return share


def _read_plain(
    network: SiameseNetwork, corpus: EncodedCorpus, ranges: LineRanges
) -> tuple[Floats, Floats | None, Floats | None]:
    """Batches of stretches of similar length through the network as it is."""
    collator = Collator(corpus, next(network.parameters()).device)
    width = network.config.D_f or network.config.D_d
    features = np.zeros((len(ranges), width), dtype=np.float32)
    words = np.zeros(len(corpus.tokens), dtype=np.float32)
    sentences = np.zeros(len(corpus.lines) - 1, dtype=np.float32)
    attends = isinstance(network, AdHominem)  # said even where there is nothing to read
    for part in _batches(np.argsort(ranges.count, kind="stable"), 4 * _BATCH):
        batch = collator.batch(LineRanges(ranges.first[part], ranges.count[part]))
        output = network(batch)
        features[part] = output.features.cpu().numpy()
        if not attends:
            continue
        lines = _places(ranges.first[part], ranges.count[part])
        sentences[lines] = _unpad(output.sentence_attention, batch.document_lengths)
        tokens = _places(corpus.lines[lines], np.diff(corpus.lines)[lines])
        words[tokens] = _unpad(output.word_attention, batch.line_lengths)
    return features, words if attends else None, sentences if attends else None


def _read_ragged(
    network: SiameseNetwork,
    corpus: EncodedCorpus,
    ranges: LineRanges,
    dtype: torch.dtype = torch.bfloat16,
) -> tuple[Floats, Floats | None, Floats | None]:
    """As in training on a GPU: without padding, the LSTMs in half precision."""
    collator = RaggedCollator(corpus, next(network.parameters()).device)
    features = np.zeros((len(ranges), network.config.D_f or network.config.D_d), dtype=np.float32)
    words = np.zeros(len(corpus.tokens), dtype=np.float32)
    sentences = np.zeros(len(corpus.lines) - 1, dtype=np.float32)
    attends = isinstance(network, AdHominem)
    lengths = np.diff(corpus.lines)
    for part in _batches(np.argsort(ranges.count, kind="stable"), _BLOCK):
        output = read_ragged(
            network, collator.batch(LineRanges(ranges.first[part], ranges.count[part])), dtype=dtype
        )
        features[part] = output.features.cpu().numpy()
        if output.word_attention is None or output.sentence_attention is None:
            continue
        lines = _places(ranges.first[part], ranges.count[part])
        sentences[lines] = output.sentence_attention.cpu().numpy()
        tokens = _places(corpus.lines[lines], lengths[lines])
        words[tokens] = output.word_attention.cpu().numpy()
    return features, words if attends else None, sentences if attends else None


def _places(starts: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """starts[0], starts[0] + 1, ... for counts[0] places, then from starts[1]."""
    return np.arange(counts.sum()) + np.repeat(starts - np.cumsum(counts) + counts, counts)


def _unpad(values: Tensor, lengths: Tensor) -> Floats:
    present = torch.arange(values.shape[1]) < lengths.unsqueeze(1)
    unpadded: Floats = values.cpu()[present].numpy()
    return unpadded


def _read_fast(
    network: AdHominem, corpus: EncodedCorpus, ranges: LineRanges
) -> tuple[Floats, Floats, Floats]:
    characters = torch.from_numpy(pad_characters(corpus))
    words = torch.from_numpy(corpus.type_words)
    features = torch.zeros(len(ranges), network.config.D_f)
    word_attention = np.zeros(len(corpus.tokens), dtype=np.float32)
    sentence_attention = np.zeros(len(corpus.lines) - 1, dtype=np.float32)

    def read_block(block: npt.NDArray[np.int64]) -> None:
        """Blocks have lines of their own, so their results do not meet."""
        first, end = ranges.first[block[0]], ranges.first[block[-1]] + ranges.count[block[-1]]
        line_starts = corpus.lines[first : end + 1]
        tokens = corpus.tokens[line_starts[0] : line_starts[-1]]
        types, places = _distinct(tokens, len(words))
        gates = input_gates(network, words[types], characters[types])
        read = read_lines(network, gates, places, line_starts - line_starts[0])
        word_attention[line_starts[0] : line_starts[-1]] = read.attention
        for rows in _batches(block[np.argsort(ranges.count[block], kind="stable")], _BATCH):
            counts = ranges.count[rows]
            lines = ranges.first[rows][:, None] + np.minimum(
                np.arange(counts.max()), counts[:, None] - 1
            )  # (B, T_s)
            output = read_stretches(network, read.sentences[lines - first], counts)
            features[rows] = output.features
            present = np.arange(counts.max()) < counts[:, None]
            sentence_attention[lines[present]] = output.sentence_attention[present]

    share = -(-len(ranges) // torch.get_num_threads())
    _for_each(read_block, _batches(np.arange(len(ranges)), min(_BLOCK, max(_BATCH, share))))
    return features.numpy(), word_attention, sentence_attention


def _for_each(
    work: Callable[[npt.NDArray[np.int64]], None], blocks: list[npt.NDArray[np.int64]]
) -> None:
    """Several blocks side by side, each on one core: threads that share the many small steps of one
    block would wait for each other at every step, the longer the busier the machine is."""
    n_threads = torch.get_num_threads()
    if min(n_threads, len(blocks)) < 2:
        with one_thread():
            for block in blocks:
                work(block)
        return

    def alone(block: npt.NDArray[np.int64]) -> None:
        torch.set_num_threads(1)
        with torch.inference_mode():
            work(block)

    with ThreadPoolExecutor(n_threads) as pool:
        list(pool.map(alone, blocks))
    torch.set_num_threads(n_threads)


def _distinct(tokens: npt.NDArray[np.int32], n_types: int) -> tuple[Tensor, Tensor]:
    """The types that occur, and for each token its place among them."""
    occurs = np.zeros(n_types, dtype=bool)
    occurs[tokens] = True
    place = np.cumsum(occurs) - 1
    return torch.from_numpy(np.flatnonzero(occurs)), torch.from_numpy(place[tokens])


def input_gates(network: AdHominem, words: Tensor, characters: Tensor) -> Gates:
    """For each of these word types."""
    x = torch.cat([network.words(words), network.characters(characters)], dim=1)
    forward, backward = (
        torch.addmm(b_ih + b_hh, x, w_ih.T)
        for w_ih, _, b_ih, b_hh in network.words_to_sentence.all_weights
    )
    return Gates(forward, backward)


def read_lines(
    network: AdHominem, gates: Gates, tokens: Tensor, line_starts: npt.NDArray[np.int64]
) -> Lines:
    """Line l has the tokens `line_starts[l]:line_starts[l + 1]`, each a row of the gates."""
    w_forward, w_backward = (weights[1] for weights in network.words_to_sentence.all_weights)
    D_s = network.config.D_s
    lengths = np.diff(line_starts)
    sentences = torch.empty(len(lengths), 2 * D_s)
    attention = np.empty(len(tokens), dtype=np.float32)
    for length in np.unique(lengths):
        rows = np.flatnonzero(lengths == length)
        places = line_starts[rows][:, None] + np.arange(length)  # (n, T)
        steps = tokens[places.T]  # (T, n)
        h = torch.empty(len(rows), int(length), 2 * D_s)
        forward = range(int(length))
        _run_lstm(gates.forward, w_forward, steps, h[:, :, :D_s], order=forward)
        _run_lstm(gates.backward, w_backward, steps, h[:, :, D_s:], order=forward[::-1])
        u = _tanh_(network.word_attention.project(h))
        alpha = torch.softmax(network.word_attention.v(u).squeeze(-1), dim=1)  # (n, T)
        sentences[rows] = torch.bmm(alpha.unsqueeze(1), h).squeeze(1)
        attention[places] = alpha.numpy()
    return Lines(sentences, attention)


def read_stretches(
    network: AdHominem, sentences: Tensor, n_lines: npt.NDArray[np.int64]
) -> Stretches:
    """Equations (5) to (7) for sentence embeddings (B, T_s, 2 D_s), padded to the longest."""
    lengths = torch.from_numpy(n_lines)
    h = run_lstm(network.sentences_to_document, sentences, lengths)
    alpha, x_d = network.sentence_attention(
        h, torch.arange(sentences.shape[1]) < lengths.unsqueeze(1)
    )
    return Stretches(network.features(x_d), alpha.numpy())


def _run_lstm(
    gates: Tensor, weight_hh: Tensor, steps: Tensor, states: Tensor, *, order: range
) -> None:
    """One direction of the LSTM over lines of one length; writes the hidden states. In place, as
    the memory is what it waits for."""
    n, D_s = steps.shape[1], weight_hh.shape[1]
    h, c = torch.zeros(n, D_s), torch.zeros(n, D_s)
    total = torch.empty(n, 4 * D_s)
    i, f, g, o = total.chunk(4, dim=1)
    for t in order:
        torch.index_select(gates, 0, steps[t], out=total).addmm_(h, weight_hh.T)
        total[:, : 2 * D_s].sigmoid_()  # i and f
        c.mul_(f).addcmul_(i, _tanh_(g))
        _tanh_(h.copy_(c)).mul_(o.sigmoid_())
        states[:, t] = h


def _tanh_(x: Tensor) -> Tensor:
    """tanh x = 2 sigmoid(2 x) - 1, in place, in half the time of torch's own."""
    return x.mul_(2).sigmoid_().mul_(2).sub_(1)


def _batches(rows: npt.NDArray[np.int64], size: int) -> list[npt.NDArray[np.int64]]:
    return [rows[i : i + size] for i in range(0, len(rows), size)]
