"""Documents a second from integers to features: `encode_documents` against three other ways.

    plain   batches of 64 documents in the given order, padded to the longest document and line,
            characters convolved for every token, nn.LSTM over the padding (benchmarks/plain.py)
    packed  the same batches through the network's own forward pass: packed sequences, every
            distinct word of the batch convolved once
    torch   gate tables by word type, lines of equal length, in torch (benchmarks/torch_encoder.py)
    fast    `adhominem.instrument.network.encoder.encode_documents`, in NumPy

All four have the same weights, read the same stretches of lines, run in the same process in turn
with the same threads, and must give the same features. Needs no data; `--corpus` reads real texts.

Then the share of the machine's peak that `fast` reaches, with the published sizes and with those of
the shipped model: the operations that the network needs once every distinct word is read once, a
second, over those of a product of two large matrices in NumPy, measured in the same run.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from documents import describe, encode_corpus, make_documents, read_documents
from plain import PlainAdHominem, PlainCollator
from timing import best_times, machine, new_parser, write_json
from torch_encoder import encode_with_torch

from adhominem.instrument.network.encoder import encode_documents
from adhominem.instrument.network.stretches import LineRanges, cut_documents
from adhominem.instrument.text.encode import Encoded
from adhominem.instrument.text.tokenised import Tokenised
from adhominem.laboratory.network import numpy_network
from adhominem.laboratory.network.batches import Collator
from adhominem.laboratory.network.model import AdHominem

Floats = npt.NDArray[np.float32]
BATCH = 64
MAX_LINES = 40
SIZES: dict[str, dict[str, int]] = {  # of the networks whose share of the peak is measured
    "published": {},
    "shipped": {"D_c": 20, "D_r": 80, "D_s": 128, "D_d": 128, "D_a": 64, "D_f": 128},
}


def encode_plain(network: PlainAdHominem, corpus: Encoded) -> Floats:
    collator = PlainCollator(corpus)
    return _in_batches(corpus, lambda ranges: network(collator.batch(ranges)))


def encode_packed(network: AdHominem, corpus: Encoded) -> Floats:
    collator = Collator(corpus, torch.device("cpu"))
    return _in_batches(corpus, lambda ranges: network(collator.batch(ranges).padded()).features)


def encode_fast(network: AdHominem, corpus: Encoded) -> Floats:
    return encode_documents(numpy_network(network), corpus, max_lines=MAX_LINES).features


@torch.inference_mode()
def _in_batches(corpus: Encoded, read: Callable[[LineRanges], torch.Tensor]) -> Floats:
    """A long document is the mean of its stretches, as in `encode_documents`."""
    chunks = cut_documents(corpus, MAX_LINES)
    first, count = chunks.ranges.first, chunks.ranges.count
    y = torch.cat(
        [
            read(LineRanges(first[i : i + BATCH], count[i : i + BATCH]))
            for i in range(0, len(first), BATCH)
        ]
    ).numpy()
    return chunks.average(y, corpus.n_documents).astype(np.float32)


def operations(network: AdHominem, corpus: Encoded) -> int:
    """Additions and multiplications of the matrix products that the network needs for a corpus if
    every distinct word is read once; exponentials and the like are left out."""
    c = network.config
    types, tokens = len(corpus.type_words), len(corpus.tokens)
    lines, stretches = len(corpus.lines) - 1, len(cut_documents(corpus, MAX_LINES).owner)
    products = len(corpus.type_characters) * c.h * c.D_c * c.D_r
    products += types * 2 * (c.D_w + c.D_r) * 4 * c.D_s
    products += tokens * (2 * c.D_s * 4 * c.D_s + 2 * c.D_s * c.D_a + c.D_a)
    products += lines * (2 * 2 * c.D_s * 4 * c.D_d + 2 * c.D_d * 4 * c.D_d)
    products += lines * (2 * c.D_d * c.D_a + c.D_a) + stretches * 2 * c.D_d * c.D_f
    return 2 * products


def share_of_peak(texts: Tokenised, sizes: dict[str, int], rounds: int) -> dict[str, float]:
    """What `fast` reaches of the machine's peak with a network of some sizes."""
    n = 2048
    square = np.random.default_rng(0).random((n, n), dtype=np.float32)
    corpus, network = encode_corpus(texts, **sizes)
    seconds = best_times(
        {
            "product": lambda: square @ square,
            "torch": lambda: encode_with_torch(network, corpus),
            "fast": lambda: encode_fast(network, corpus),
        },
        rounds=rounds,
    )
    own, peak = operations(network, corpus), 2 * n**3 / seconds["product"]
    return {
        "megaflop_per_document": round(own / corpus.n_documents / 1e6, 2),
        "gigaflops": round(own / seconds["fast"] / 1e9, 1),
        "peak_gigaflops": round(peak / 1e9, 1),
        "share_of_peak": round(own / seconds["fast"] / peak, 3),
        "documents_per_second": round(corpus.n_documents / seconds["fast"], 1),
        "fast_over_torch": round(seconds["torch"] / seconds["fast"], 2),
    }


def main() -> None:
    parser = new_parser(__doc__, "results/benchmark-encoding.json")
    parser.add_argument("--documents", type=int, default=2000)
    parser.add_argument("--tokens", type=int, default=265, help="mean tokens of a made document")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3, help="the best of so many counts")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--corpus", type=Path, help="real texts: a file with a column `text`")
    options = parser.parse_args()

    torch.set_num_threads(options.threads)
    rng = np.random.default_rng(options.seed)
    if options.corpus:
        texts = read_documents(options.corpus, options.documents, rng)
    else:
        texts = make_documents(options.documents, options.tokens, rng)
    corpus, network = encode_corpus(texts)
    plain = PlainAdHominem.like(network)
    conditions = machine()

    expected = encode_plain(plain, corpus)
    agreement = {
        "packed": float(np.abs(encode_packed(network, corpus) - expected).max()),
        "torch": float(np.abs(encode_with_torch(network, corpus) - expected).max()),
        "fast": float(np.abs(encode_fast(network, corpus) - expected).max()),
    }
    if max(agreement.values()) > 1e-4:
        raise SystemExit(f"the features differ: {agreement}")

    n = corpus.n_documents
    seconds = best_times(
        {
            "plain": lambda: encode_plain(plain, corpus),
            "packed": lambda: encode_packed(network, corpus),
            "torch": lambda: encode_with_torch(network, corpus),
            "fast": lambda: encode_fast(network, corpus),
        },
        rounds=options.rounds,
    )
    parts = {size: corpus.select(np.arange(size)) for size in (n // 4, n // 2, n)}
    growth = best_times(
        {str(size): lambda part=part: encode_fast(network, part) for size, part in parts.items()},
        rounds=options.rounds,
    )

    rates = {name: n / s for name, s in seconds.items()}
    print(f"{n} documents of {describe(texts, corpus)['tokens_per_document']} tokens")
    print(f"{'':8}{'documents/s':>12}{'fast is':>10}")
    for name, rate in rates.items():
        print(f"{name:8}{rate:12.0f}{rates['fast'] / rate:9.2f}x")
    print("fast, seconds for so many documents:", end=" ")
    print(", ".join(f"{size}: {s:.3f}" for size, s in growth.items()))

    write_json(
        options.output,
        {
            "benchmark": "encoding",
            "machine": conditions,
            "settings": {
                "corpus": options.corpus.name if options.corpus else "made",
                "seed": options.seed,
                "rounds": options.rounds,
                "batch": BATCH,
                "max_lines": MAX_LINES,
            },
            "corpus": describe(texts, corpus),
            "documents_per_second": {name: round(rate, 1) for name, rate in rates.items()},
            "fast_over_plain": round(rates["fast"] / rates["plain"], 2),
            "fast_over_packed": round(rates["fast"] / rates["packed"], 2),
            "fast_over_torch": round(rates["fast"] / rates["torch"], 2),
            "seconds_of_fast_by_documents": {k: round(s, 4) for k, s in growth.items()},
            "shares_of_peak": {
                name: share_of_peak(texts, sizes, options.rounds) for name, sizes in SIZES.items()
            },
            "largest_difference_of_features": {k: float(f"{v:.2g}") for k, v in agreement.items()},
        },
    )


if __name__ == "__main__":
    main()
