"""The forward pass in torch that the NumPy encoder is measured against.

Gate tables by word type, lines of equal length run together, blocks side by side on the cores; the
sentence level is the network's own code. Features only.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from adhominem.instrument.network.stretches import LineRanges, cut_documents
from adhominem.instrument.text.encode import Encoded
from adhominem.laboratory.network.batches import pad_characters
from adhominem.laboratory.network.model import AdHominem, run_lstm

_BLOCK = 1024  # stretches whose words are looked up together
_BATCH = 64  # stretches in one run of the sentence level


@torch.inference_mode()
def encode_with_torch(
    network: AdHominem, corpus: Encoded, *, max_lines: int = 40
) -> npt.NDArray[np.float64]:
    """Features of every document, NaN for one without tokens."""
    stretches = cut_documents(corpus, max_lines)
    y = _read_fast(network.eval(), corpus, stretches.ranges)
    return stretches.average(y, corpus.n_documents)


def _read_fast(network: AdHominem, corpus: Encoded, ranges: LineRanges) -> npt.NDArray[np.float32]:
    characters = torch.from_numpy(pad_characters(corpus))
    words = torch.from_numpy(corpus.type_words)
    features = torch.zeros(len(ranges), network.config.D_f)

    def read_block(block: npt.NDArray[np.int64]) -> None:
        first, end = ranges.first[block[0]], ranges.first[block[-1]] + ranges.count[block[-1]]
        line_starts = corpus.lines[first : end + 1]
        tokens = corpus.tokens[line_starts[0] : line_starts[-1]]
        types, rows = np.unique(tokens, return_inverse=True)
        gates = _input_gates(network, words[types], characters[types])
        sentences = _read_lines(
            network, gates, torch.from_numpy(rows), line_starts - line_starts[0]
        )
        for part in _batches(block[np.argsort(ranges.count[block], kind="stable")], _BATCH):
            counts = ranges.count[part]
            steps = np.minimum(np.arange(counts.max()), counts[:, None] - 1)
            lines = ranges.first[part][:, None] + steps - first  # (B, T_s)
            lengths = torch.from_numpy(counts)
            h = run_lstm(network.sentences_to_document, sentences[lines], lengths)
            present = torch.arange(lines.shape[1]) < lengths.unsqueeze(1)
            features[part] = network.features(network.sentence_attention(h, present)[1])

    share = -(-len(ranges) // torch.get_num_threads())
    _for_each(read_block, _batches(np.arange(len(ranges)), min(_BLOCK, max(_BATCH, share))))
    return features.numpy()


def _for_each(
    work: Callable[[npt.NDArray[np.int64]], None], blocks: list[npt.NDArray[np.int64]]
) -> None:
    n_threads = torch.get_num_threads()

    def alone(block: npt.NDArray[np.int64]) -> None:
        torch.set_num_threads(1)
        with torch.inference_mode():
            work(block)

    with ThreadPoolExecutor(n_threads) as pool:
        list(pool.map(alone, blocks))
    torch.set_num_threads(n_threads)


def _input_gates(network: AdHominem, words: Tensor, characters: Tensor) -> tuple[Tensor, Tensor]:
    x = torch.cat([network.words(words), network.characters(characters)], dim=1)
    forward, backward = (
        torch.addmm(b_ih + b_hh, x, w_ih.T)
        for w_ih, _, b_ih, b_hh in network.words_to_sentence.all_weights
    )
    return forward, backward


def _read_lines(
    network: AdHominem,
    gates: tuple[Tensor, Tensor],
    tokens: Tensor,
    line_starts: npt.NDArray[np.int64],
) -> Tensor:
    w_forward, w_backward = (weights[1] for weights in network.words_to_sentence.all_weights)
    D_s = network.config.D_s
    lengths = np.diff(line_starts)
    sentences = torch.empty(len(lengths), 2 * D_s)
    for length in np.unique(lengths):
        rows = np.flatnonzero(lengths == length)
        steps = tokens[(line_starts[rows][:, None] + np.arange(length)).T]  # (T, n)
        h = torch.empty(len(rows), int(length), 2 * D_s)
        order = range(int(length))
        _run_lstm(gates[0], w_forward, steps, h[:, :, :D_s], order=order)
        _run_lstm(gates[1], w_backward, steps, h[:, :, D_s:], order=order[::-1])
        u = _tanh_(network.word_attention.project(h))
        alpha = torch.softmax(network.word_attention.v(u).squeeze(-1), dim=1)  # (n, T)
        sentences[rows] = torch.bmm(alpha.unsqueeze(1), h).squeeze(1)
    return sentences


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
