"""Raw texts to scores by the shipped model, many at once.

    python benchmarks/batch.py -o results/benchmark-batch.json
    python benchmarks/batch.py pairs.jsonl.gz -o ...     the texts of these pairs

Without a file, texts of 265 tokens are made from a seed, as in verifiers.py. Each text is in one
pair; beside the whole way stand its two parts, tokenising and the network.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from timing import machine, write_json
from verifiers import make_documents

import adhominem
from adhominem.instrument.pair_files import open_lines, read_pairs
from adhominem.instrument.text.tokenise import tokenise
from adhominem.records import Pair

N_TEXTS = 8192


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs", type=Path, nargs="?")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    texts = _texts(arguments.pairs)[:N_TEXTS]
    pairs = [Pair.of_texts(*both) for both in zip(texts[0::2], texts[1::2], strict=False)]
    verifier = adhominem.load()
    verifier.decide(pairs[:50])
    whole, tokenising = [], []
    for _ in range(arguments.rounds):
        begun = time.perf_counter()
        tokens = tokenise(texts).n_tokens
        tokenising.append(time.perf_counter() - begun)
        begun = time.perf_counter()
        verifier.decide(pairs)
        whole.append(time.perf_counter() - begun)
    report = {
        "benchmark": "batch",
        "machine": machine(),
        "texts": len(texts),
        "tokens_per_text": float(np.mean(tokens)),
        "documents_per_second": round(len(texts) / min(whole), 1),
        "documents_per_second_tokenised": round(len(texts) / min(tokenising), 1),
    }
    write_json(arguments.output, report)


def _texts(path: Path | None) -> list[str]:
    if path is None:
        documents = make_documents(N_TEXTS // 4, np.random.default_rng(1))
        return [document.text for document in documents]
    with open_lines(path) as lines:
        pairs = [pair for pair in read_pairs(lines, str(path)) if isinstance(pair, Pair)]
    return list(dict.fromkeys(d.text for pair in pairs for d in (*pair.left, *pair.right)))


if __name__ == "__main__":
    main()
