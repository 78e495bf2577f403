"""Would numbers of fewer bits pay in the encoder? Times of products, and changes of scores.

    python benchmarks/precision.py dev/hotels.pairs.jsonl.gz -o results/benchmark-precision.json

The base installation multiplies with NumPy. The products that the encoder spends its time on, with
the sizes of the shipped model and on one thread as the encoder has them, are made in turn of

    float32  as they are
    float16  NumPy's half precision
    int8     bytes, summed up in 32 bits
    stored   float32 by weights that are stored as bytes and multiplied by scales before each use

NumPy has no bfloat16. Then the matrices of the shipped network are rounded and what pairs of texts
score is compared. States and inputs stay as they are, so real products of few bits would change
scores at least about as much.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from timing import best_times, machine, new_parser, write_json

import adhominem
from adhominem.arrays import Floats, Singles
from adhominem.instrument.network.cores import one_blas_thread
from adhominem.instrument.neural import NeuralVerifier
from adhominem.laboratory.evaluation.answers import draw, read_labelled
from adhominem.laboratory.evaluation.evaluate import describe_model
from adhominem.records import Pair

# Rows, inputs, outputs of one direction: a step of a tile of lines, the gates of word types.
PRODUCTS = {"step of 480 lines": (480, 128, 512), "gates of 2048 words": (2048, 380, 512)}
LIMIT = 0.01  # of a change of log10 LR


def main() -> None:
    parser = new_parser(__doc__, "results/benchmark-precision.json")
    parser.add_argument("files", type=Path, nargs="+", help="files of labelled pairs")
    parser.add_argument("--pairs", type=int, default=400, help="of each file")
    parser.add_argument("--rounds", type=int, default=5, help="the best of so many counts")
    options = parser.parse_args()
    conditions = machine()
    with one_blas_thread():
        times = {name: time_products(*shape, options.rounds) for name, shape in PRODUCTS.items()}
    pairs = [p for file in options.files for p in draw(read_labelled(file), options.pairs, seed=1)]
    verifier = adhominem.load()
    assert isinstance(verifier, NeuralVerifier)
    write_json(
        options.output,
        {
            "benchmark": "precision",
            "model": describe_model(verifier),
            "machine": conditions,
            "numpy": np.__version__,
            "microseconds": times,
            "files": [file.name for file in options.files],
            "pairs": len(pairs),
            "limit": LIMIT,
            "change of log10 LR": compare_scores(verifier, pairs),
        },
    )


def time_products(n: int, inputs: int, outputs: int, rounds: int) -> dict[str, float]:
    """Microseconds of a product of (n, inputs) and (inputs, outputs) in each way."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((n, inputs)).astype(np.float32)
    weights = rng.standard_normal((inputs, outputs)).astype(np.float32)
    halves = x.astype(np.float16), weights.astype(np.float16)
    scales = np.abs(weights).max(axis=0) / np.float32(127)
    stored = np.rint(weights / scales).astype(np.int8)
    small = np.rint(x * (127 / np.abs(x).max())).astype(np.int8)
    ways: dict[str, Callable[[], object]] = {
        "float32": lambda: x @ weights,
        "float16": lambda: halves[0] @ halves[1],
        "int8": lambda: np.matmul(small, stored, dtype=np.int32),
        "stored": lambda: x @ (stored * scales),
    }
    return {way: round(1e6 * s, 1) for way, s in best_times(ways, rounds=rounds).items()}


def to_bfloat16(array: Singles) -> Singles:
    """The nearest numbers of eight significant bits, as float32."""
    bits = np.ascontiguousarray(array).view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16)
    return (rounded << np.uint32(16)).astype(np.uint32).view(np.float32)


def to_bytes(array: Singles) -> Singles:
    """The nearest multiples of a 127th of the largest number of each row."""
    rows = array.reshape(len(array), -1)
    scales = np.abs(rows).max(axis=1, keepdims=True) / np.float32(127)
    scales[scales == 0] = 1  # a row of zeros, the padding
    rounded: Singles = (np.rint(rows / scales) * scales).reshape(array.shape)
    return rounded


ROUNDED: dict[str, Callable[[Singles], Singles]] = {
    "float16": lambda array: array.astype(np.float16).astype(np.float32),
    "bfloat16": to_bfloat16,
    "int8": to_bytes,
}


def compare_scores(verifier: NeuralVerifier, pairs: list[Pair]) -> dict[str, dict[str, float]]:
    """How far log10 LR moves when the network's matrices are rounded; the word vectors are bytes
    already and stay."""
    before = llrs(verifier, pairs)
    found = {}
    for name, rounded in ROUNDED.items():
        other = copy(verifier)
        arrays: dict[str, npt.NDArray[Any]] = dict(verifier.arrays_)
        for key, array in arrays.items():
            if not key.startswith("words.") and array.ndim > 1:
                arrays[key] = rounded(np.asarray(array, np.float32))
        other.set_arrays(arrays)
        change = np.abs(llrs(other, pairs) - before)
        found[name] = {
            "median": float(np.median(change)),
            "largest": float(change.max()),
            "share_beyond_limit": float((change > LIMIT).mean()),
        }
    return found


def llrs(verifier: NeuralVerifier, pairs: list[Pair]) -> Floats:
    """log10 LR of each pair, 0 where it is not judged."""
    return np.array([decision.llr for decision in verifier.decide(pairs)])


if __name__ == "__main__":
    main()
