"""A recurrent layer over sequences of any length, in NumPy.

Equations (3) to (6) of the paper: an LSTM in one or two directions, and attention over its states.
Sequences are sorted by length, so step t concerns the first so many of them and nothing is padded.

BLAS takes other paths for few rows and for the rows that a kernel leaves over, and these differ in
the last bit. Products therefore have rows in multiples of 48 and at least 144: with OpenBLAS's
AVX-512 kernels a sequence then has the same bits alone and among others.

The gates are stored in the order input, forget, output, cell. The first three are halved, because
sigmoid(x) = (tanh(x / 2) + 1) / 2: one call of tanh serves all four.

Letters of the shapes: N sequences, M items of all sequences, K directions, D width of a direction,
R rows of the gate table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from adhominem.arrays import Integers, Singles


def n_rows(n: int) -> int:
    """Rows of a product for n rows of interest."""
    return max(144, -(-n // 48) * 48)


def product(x: Singles, weights: Singles) -> Singles:
    """`x @ weights`, on so many rows that BLAS takes its ordinary path."""
    padded = np.zeros((n_rows(len(x)), x.shape[1]), np.float32)
    padded[: len(x)] = x
    result: Singles = np.matmul(padded, weights)[..., : len(x), :]
    return result


@dataclass(frozen=True, slots=True)
class Attention:
    """u = tanh(W h + b), weight = softmax(v u)."""

    project: Singles  # (K D, D_a)
    bias: Singles  # (D_a,)
    v: Singles  # (D_a,)


@dataclass(frozen=True, slots=True)
class Layer:
    """Weights of an LSTM; without attention, a sequence is represented by its last state."""

    inputs: Singles  # (K, D_in, 4 D)
    bias: Singles  # (K, 1, 4 D)
    recurrent: Singles  # (K, D, 4 D)
    attention: Attention | None

    @classmethod
    def from_torch(cls, arrays: Mapping[str, Singles], lstm: str, attention: str) -> Self:
        """Rearranges the arrays of `torch.nn.LSTM` and of the attention with these names."""
        directions = [""] if f"{lstm}.weight_hh_l0_reverse" not in arrays else ["", "_reverse"]

        def gates(name: str) -> Singles:
            rows = np.stack([arrays[f"{lstm}.{name}_l0{end}"] for end in directions])
            i, f, g, o = np.split(rows, 4, axis=1)
            return np.concatenate([i / 2, f / 2, o / 2, g], axis=1).astype(np.float32)

        return cls(
            inputs=np.ascontiguousarray(gates("weight_ih").transpose(0, 2, 1)),
            bias=(gates("bias_ih") + gates("bias_hh"))[:, None],
            recurrent=np.ascontiguousarray(gates("weight_hh").transpose(0, 2, 1)),
            attention=Attention(
                np.ascontiguousarray(arrays[f"{attention}.project.weight"].T),
                arrays[f"{attention}.project.bias"],
                arrays[f"{attention}.v.weight"][0],
            )
            if f"{attention}.v.weight" in arrays
            else None,
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
    """Reads sequences of rows of a gate table.

    gates     the table that `Layer.gates` made, (K, R, 4 D)
    items     a row of the table for each item, (M,)
    offsets   sequence s has the items `offsets[s]:offsets[s + 1]`, at least one; (N + 1,)
    """
    steps = _Steps(offsets)
    K, D = layer.recurrent.shape[:2]
    n_all = n_rows(len(steps.order))
    h, c, scratch = np.zeros((3, K, n_all, D), np.float32)
    z, recurrent = np.empty((2, K, n_all, 4 * D), np.float32)
    states = np.empty((len(items), K * D), np.float32) if layer.attention else None
    for t, n in enumerate(steps.active):
        for k, at in enumerate(steps.items(t, n)[:K]):
            np.take(gates[k], items[at], axis=0, out=z[k, :n], mode="clip")
        if t:
            rows = n_rows(n)
            np.matmul(h[:, :rows], layer.recurrent, out=recurrent[:, :rows])
            z[:, :n] += recurrent[:, :n]
        _step(z[:, :n], h[:, :n], c[:, :n], scratch[:, :n])
        if states is not None:
            for k, at in enumerate(steps.items(t, n)[:K]):
                states[at, k * D : (k + 1) * D] = h[k, :n]
    if states is not None and layer.attention is not None:
        return _attend(layer.attention, states, steps, offsets)
    last = h[:, : len(steps.order)].transpose(1, 0, 2).reshape(-1, K * D)
    return Sequences(steps.unsorted(last), None)


class _Steps:
    """Sequences from the longest to the shortest: step t concerns the first `active[t]`."""

    def __init__(self, offsets: Integers) -> None:
        lengths = np.diff(offsets)
        self.order = np.argsort(-lengths, kind="stable")
        self._first, self._last = offsets[:-1][self.order], offsets[1:][self.order] - 1
        times = np.arange(lengths.max(initial=0))
        self.active: list[int] = np.searchsorted(-lengths[self.order], -times).tolist()

    def items(self, t: int, n: int) -> tuple[Integers, Integers]:
        """The items of step t, reading forwards and reading backwards."""
        return self._first[:n] + t, self._last[:n] - t

    def unsorted(self, rows: Singles) -> Singles:
        """Rows of the sorted sequences in the order of `offsets`."""
        result = np.empty_like(rows)
        result[self.order] = rows
        return result


def _step(z: Singles, h: Singles, c: Singles, scratch: Singles) -> None:
    """One step of the LSTM in place: c = f c + i g, h = o tanh(c)."""
    D = h.shape[-1]
    np.tanh(z, out=z)
    z[..., : 3 * D] += 1  # twice the sigmoids
    i, f, o, g = (z[..., j * D : (j + 1) * D] for j in range(4))
    np.multiply(i, g, out=scratch)
    np.multiply(c, f, out=c)
    c += scratch
    c *= 0.5
    np.tanh(c, out=h)
    np.multiply(h, o, out=h)
    h *= 0.5


def _attend(attention: Attention, states: Singles, steps: _Steps, offsets: Integers) -> Sequences:
    u = product(states, attention.project)
    u += attention.bias
    np.tanh(u, out=u)
    u *= attention.v
    scores = u.sum(axis=1)
    starts, lengths = offsets[:-1], np.diff(offsets)
    if len(starts):
        scores -= np.repeat(np.maximum.reduceat(scores, starts), lengths)
        np.exp(scores, out=scores)
        scores /= np.repeat(np.add.reduceat(scores, starts), lengths)
    vectors = np.zeros((len(starts), states.shape[1]), np.float32)
    for t, n in enumerate(steps.active):
        at = steps.items(t, n)[0]
        vectors[:n] += states[at] * scores[at, None]
    return Sequences(steps.unsorted(vectors), scores)
