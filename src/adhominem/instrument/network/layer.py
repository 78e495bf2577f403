"""A recurrent layer over sequences of any length, in NumPy.

Equations (3) to (6) of the paper: an LSTM in one or two directions, and attention over its states.
Sequences are sorted by decreasing length, so the sequences that reach step t are the first ones and
nothing is padded.

BLAS takes other code paths for few rows and for remainders of its kernels, which differ in the last
bit. Products therefore have a multiple of 48 rows, at least 144: with OpenBLAS's AVX-512 kernels
the result for a sequence then has the same bits alone and among others.

The gates are stored in the order input, forget, output, cell. The first three are halved, because
sigmoid(x) = (tanh(x / 2) + 1) / 2: one call of tanh serves all four. States are kept doubled, and
the weights that multiply them are halved, which saves a pass over them.

Letters of the shapes: N sequences, M items of all sequences, K directions, D width of a direction,
R rows of the gate table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from adhominem.arrays import Integers, Singles

_HALF = np.float32(0.5)


def n_rows(n: int) -> int:
    """Number of rows that a product of n rows is padded to."""
    return max(144, -(-n // 48) * 48)


def product(x: Singles, weights: Singles) -> Singles:
    """`x @ weights`, padded so that BLAS takes the same code path for any number of rows."""
    padded = np.zeros((n_rows(len(x)), x.shape[1]), np.float32)
    padded[: len(x)] = x
    result: Singles = np.matmul(padded, weights)[..., : len(x), :]
    return result


@dataclass(frozen=True, slots=True)
class Attention:
    """u = tanh(W h + b), weight = softmax(v u)."""

    project: Singles  # (K, D, D_a), half of W
    bias: Singles  # (D_a,)
    v: Singles  # (D_a,)

    @classmethod
    def from_torch(cls, arrays: Mapping[str, Singles], name: str, n_directions: int) -> Self | None:
        """Rearrange the arrays of the attention with this name, if there is one."""
        if f"{name}.v.weight" not in arrays:
            return None
        bias, v = arrays[f"{name}.project.bias"], arrays[f"{name}.v.weight"][0]
        project = np.ascontiguousarray(arrays[f"{name}.project.weight"].T)
        return cls(_HALF * project.reshape(n_directions, -1, len(v)), bias, v)


@dataclass(frozen=True, slots=True)
class Layer:
    """Weights of an LSTM; without attention, a sequence is represented by its last state."""

    inputs: Singles  # (K, D_in, 4 D)
    bias: Singles  # (K, 1, 4 D)
    recurrent: Singles  # (K, D, 4 D)
    attention: Attention | None

    @classmethod
    def from_torch(cls, arrays: Mapping[str, Singles], lstm: str, attention: str) -> Self:
        """Rearrange the arrays of `torch.nn.LSTM` and of the attention with these names."""
        directions = [""] if f"{lstm}.weight_hh_l0_reverse" not in arrays else ["", "_reverse"]

        def gates(name: str) -> Singles:
            rows = np.stack([arrays[f"{lstm}.{name}_l0{end}"] for end in directions])
            i, f, g, o = np.split(rows, 4, axis=1)
            return np.concatenate([i / 2, f / 2, o / 2, g], axis=1).astype(np.float32)

        return cls(
            inputs=np.ascontiguousarray(gates("weight_ih").transpose(0, 2, 1)),
            bias=(gates("bias_ih") + gates("bias_hh"))[:, None],
            recurrent=_HALF * np.ascontiguousarray(gates("weight_hh").transpose(0, 2, 1)),
            attention=Attention.from_torch(arrays, attention, len(directions)),
        )

    @property
    def width(self) -> int:
        K, D = self.recurrent.shape[:2]
        return int(K * D)

    def gates(self, x: Singles) -> Singles:
        """The input's share of the gates, (K, R, 4 D), for inputs (R, D_in)."""
        table: Singles = product(x, self.inputs)
        table += self.bias
        return table


@dataclass(frozen=True, slots=True)
class Sequences:
    """A vector for each sequence, and the attention of each item within its sequence."""

    vectors: Singles  # (N, K D)
    attention: Singles | None  # (M,)


def read_sequences(layer: Layer, gates: Singles, items: Integers, offsets: Integers) -> Sequences:
    """Read sequences of rows of a gate table.

    gates     table made by `Layer.gates`, (K, R, 4 D)
    items     a row of the table for each item, (M,)
    offsets   sequence s has the items `offsets[s]:offsets[s + 1]`, at least one; (N + 1,)
    """
    steps = _Steps(offsets)
    K, D = layer.recurrent.shape[:2]
    states = _read(layer, gates, items, steps)
    if layer.attention is None:
        weights, vectors = None, _HALF * states[:, steps.last]
    else:
        weights = _softmax(_scores(layer.attention, states, steps), offsets)
        vectors = _weighted_sums(states, weights, steps)
    result = np.empty((len(steps.order), K * D), np.float32)
    result[steps.order] = vectors.transpose(1, 0, 2).reshape(-1, K * D)
    return Sequences(result, weights)


class _Steps:
    """The order in which items are read: step by step, at each step the longest sequence first."""

    def __init__(self, offsets: Integers) -> None:
        lengths = np.diff(offsets)
        self.order = np.argsort(-lengths, kind="stable")  # the longest sequence first
        lengths = lengths[self.order]
        times = np.arange(lengths.max(initial=0))
        active = np.searchsorted(-lengths, -times)  # number of sequences that reach each step
        ends = np.cumsum(active)
        starts = ends - active
        self.rows = [slice(*edges) for edges in zip(starts.tolist(), ends.tolist(), strict=True)]
        t = np.repeat(times, active)
        s = np.arange(len(t)) - np.repeat(starts, active)
        first, last = offsets[:-1][self.order], offsets[1:][self.order] - 1
        self.items = first[s] + t, last[s] - t  # item of each row, forwards and backwards
        self.last = starts[lengths - 1] + np.arange(len(lengths))  # row of each sequence's end


def _read(layer: Layer, gates: Singles, items: Integers, steps: _Steps) -> Singles:
    """Twice the state of each row, (K, M, D), followed by unused rows of padding."""
    K, D = layer.recurrent.shape[:2]
    n_all = n_rows(len(steps.order))
    states = np.zeros((K, n_rows(len(items) + n_rows(1)), D), np.float32)
    c, scratch = np.zeros((2, K, n_all, D), np.float32)
    z, recurrent = np.empty((2, K, n_all, 4 * D), np.float32)
    chosen = [np.take(items, own) for own in steps.items[:K]]
    before = 0
    for t, rows in enumerate(steps.rows):
        n = rows.stop - rows.start
        for k in range(K):
            np.take(gates[k], chosen[k][rows], axis=0, out=z[k, :n], mode="clip")
        if t:
            m = n_rows(n)
            np.matmul(states[:, before : before + m], layer.recurrent, out=recurrent[:, :m])
            z[:, :n] += recurrent[:, :n]
        _step(z[:, :n], states[:, rows], c[:, :n], scratch[:, :n])
        before = rows.start
    return states


def _step(z: Singles, h: Singles, c: Singles, scratch: Singles) -> None:
    """One step of the LSTM in place: c = f c + i g, h = 2 o tanh(c)."""
    D = h.shape[-1]
    np.tanh(z, out=z)
    z[..., : 3 * D] += 1  # twice the sigmoids
    i, f, o, g = (z[..., j * D : (j + 1) * D] for j in range(4))
    np.multiply(i, g, out=scratch)
    c *= f
    c += scratch
    c *= 0.5
    np.tanh(c, out=h)
    h *= o


def _scores(attention: Attention, states: Singles, steps: _Steps) -> Singles:
    """v tanh(W h + b) of each item."""
    u = np.tile(attention.bias, (len(steps.items[0]), 1))  # (M, D_a)
    row = np.empty(len(u), np.int64)
    for items, projected in zip(steps.items, np.matmul(states, attention.project), strict=False):
        row[items] = np.arange(len(row))
        u += projected[row]
    np.tanh(u, out=u)
    u *= attention.v
    scores: Singles = u.sum(axis=1)
    return scores


def _softmax(scores: Singles, offsets: Integers) -> Singles:
    """exp(score) over its sum within each sequence, in place."""
    starts, lengths = offsets[:-1], np.diff(offsets)
    if len(starts):
        scores -= np.repeat(np.maximum.reduceat(scores, starts), lengths)
        np.exp(scores, out=scores)
        scores /= np.repeat(np.add.reduceat(scores, starts), lengths)
    return scores


def _weighted_sums(states: Singles, weights: Singles, steps: _Steps) -> Singles:
    """The sum of the weighted states of each sequence, (K, N, D), in `steps.order`."""
    K, _, D = states.shape
    total, weighted = np.zeros((2, K, len(steps.order), D), np.float32)
    shares = _HALF * weights[np.stack(steps.items[:K])][..., None]
    for rows in steps.rows:
        n = rows.stop - rows.start
        np.multiply(states[:, rows], shares[:, rows], out=weighted[:, :n])
        total[:, :n] += weighted[:, :n]
    return total
