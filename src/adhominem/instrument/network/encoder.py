"""The encoder in NumPy: documents to features.

The vector of a word and its share of the LSTM gates depend on the word alone; they are computed
once for every distinct word and looked up for each token. Tiles of lines, then of stretches, are
read in parallel. Cost is linear in tokens, memory in the documents of one block.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from adhominem.arrays import Booleans, Integers, Singles
from adhominem.instrument.network.cores import n_cores, one_blas_thread, run_blocks
from adhominem.instrument.network.layer import Layer, Sequences, read_sequences
from adhominem.instrument.network.stretches import cut_documents
from adhominem.instrument.network.weights import Network, unit_length
from adhominem.instrument.text.encode import Encoded
from adhominem.instrument.text.tokenised import take_ranges

_BLOCK = 1024  # stretches that share a gate table of words
_TILE = 480  # sequences that one core reads at a time; their gates fit in its cache
_TYPES = 2048  # rows of a gate table that one core computes at a time


@dataclass(frozen=True, slots=True)
class Features:
    """Features of documents and attention to tokens and lines; NaN for documents without tokens.
    Stretches of a document are averaged by tokens. Attention is None if the network has none.

    self_similarity   cosine of the features of the two halves of each stretch; NaN for documents of
                      single lines, None if the features of the network do not have unit length
    """

    features: Singles  # (n_documents, D_f)
    word_attention: Singles | None  # (n_tokens,)
    sentence_attention: Singles | None  # (n_lines,)
    self_similarity: Singles | None = None  # (n_documents,)


def encode_documents(network: Network, corpus: Encoded, *, max_lines: int = 40) -> Features:
    """Features and attention of every document of an encoded corpus."""
    stretches = cut_documents(corpus, max_lines)
    y = np.zeros((len(stretches.owner), network.n_features), np.float32)
    likeness = np.full(len(y), np.nan, np.float32)
    word_attention = np.zeros(len(corpus.tokens), np.float32)
    sentence_attention = np.zeros(len(corpus.lines) - 1, np.float32)
    bounds = np.append(stretches.ranges.first, len(corpus.lines) - 1)
    for start in range(0, len(y), _BLOCK):
        block = slice(start, min(start + _BLOCK, len(y)))
        lines = slice(int(bounds[block.start]), int(bounds[block.stop]))
        tokens = slice(int(corpus.lines[lines.start]), int(corpus.lines[lines.stop]))
        types, items = distinct(corpus.tokens[tokens], len(corpus.type_words))
        edges = corpus.lines[lines.start : lines.stop + 1] - tokens.start
        read = read_tiles(network.line_layer, word_gates(network, corpus, types), items, edges)
        edges, layer = bounds[block.start : block.stop + 1] - lines.start, network.document_layer
        numbers, gates = np.arange(len(read.vectors)), line_gates(layer, read.vectors)
        documents = read_tiles(layer, gates, numbers, edges)
        with one_blas_thread():
            y[block] = network.features(documents.vectors)
        if network.unit_length:
            halved, offsets = halve(edges, corpus.lines[lines.start : lines.stop + 1])
            halves = read_tiles(layer, gates, numbers[np.repeat(halved, np.diff(edges))], offsets)
            with one_blas_thread():
                pairs = network.features(halves.vectors).reshape(-1, 2, y.shape[1])
            likeness[block][halved] = (pairs[:, 0] * pairs[:, 1]).sum(axis=1)
        if read.attention is not None and documents.attention is not None:
            word_attention[tokens] = read.attention
            sentence_attention[lines] = documents.attention
    features = stretches.average(y, corpus.n_documents)
    if network.unit_length:
        features = unit_length(features)
    share = np.repeat(stretches.share, stretches.ranges.count).astype(np.float32)
    return Features(
        features.astype(np.float32),
        word_attention if network.has_attention else None,
        sentence_attention * share if network.has_attention else None,
        stretches.average_known(likeness, corpus.n_documents) if network.unit_length else None,
    )


def halve(edges: Integers, tokens: Integers) -> tuple[Booleans, Integers]:
    """Halve stretches at the end of a line, as near as possible to the middle of their tokens.
    Returns which stretches have two lines or more, and the offsets of the lines of their halves,
    counted without the other stretches.

    edges    offsets of the lines of each stretch
    tokens   offsets of the tokens of each line
    """
    begin, end = edges[:-1], edges[1:]
    middle = (tokens[begin] + tokens[end]) / 2
    cut = np.searchsorted(tokens, middle)
    cut -= middle - tokens[cut - 1] < tokens[cut] - middle
    halved = end - begin > 1
    cut = np.clip(cut, begin + 1, end - 1)[halved]
    lengths = np.stack([cut - begin[halved], end[halved] - cut], axis=1)
    return halved, np.append(0, np.cumsum(lengths))


def word_gates(network: Network, corpus: Encoded, types: Integers) -> Singles:
    """The gate table of these word types of a corpus."""

    def read(rows: slice) -> Singles:
        characters, starts = take_ranges(corpus.type_starts, types[rows])
        words = corpus.type_words[types[rows]]
        return network.word_gates(words, corpus.type_characters[characters], starts)

    return _gate_table(network.line_layer, len(types), read)


def line_gates(layer: Layer, vectors: Singles) -> Singles:
    """The gate table of lines, from their vectors."""
    return _gate_table(layer, len(vectors), lambda rows: layer.gates(vectors[rows]))


def _gate_table(layer: Layer, n: int, read: Callable[[slice], Singles]) -> Singles:
    """A gate table of n rows; `read` computes slices of them in parallel."""
    K, _, width = layer.recurrent.shape
    table = np.empty((K, n, width), np.float32)

    def fill(rows: slice) -> None:
        table[:, rows] = read(rows)

    run_blocks(fill, _slices(n, _TYPES))
    return table


def read_tiles(layer: Layer, gates: Singles, items: Integers, offsets: Integers) -> Sequences:
    """`read_sequences` in parallel; each tile has sequences of similar lengths."""
    vectors = np.empty((len(offsets) - 1, layer.width), np.float32)
    attention = np.empty(len(items), np.float32)
    order = np.argsort(-np.diff(offsets), kind="stable")

    def read(rows: slice) -> None:
        own, edges = take_ranges(offsets, order[rows])
        tile = read_sequences(layer, gates, items[own], edges)
        vectors[order[rows]] = tile.vectors
        if tile.attention is not None:
            attention[own] = tile.attention

    run_blocks(read, _slices(len(vectors), _TILE))
    return Sequences(vectors, attention if layer.attention else None)


def distinct(tokens: npt.NDArray[np.int32], n_types: int) -> tuple[Integers, Integers]:
    """The word types that occur, and for each token its position among them."""
    occurs = np.zeros(n_types, dtype=bool)
    occurs[tokens] = True
    return np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[tokens]


def _slices(n: int, size: int) -> list[slice]:
    """Slices of at most `size` that cover n; there is one for every core unless n is small."""
    size = max(16, min(size, -(-n // n_cores())))
    return [slice(start, min(start + size, n)) for start in range(0, n, size)]
