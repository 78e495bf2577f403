"""Raw texts to scores by the shipped model, many at once.

    python benchmarks/batch.py -o results/benchmark-batch.json
    python benchmarks/batch.py pairs.jsonl.gz -o ...     the texts of these pairs

Without a file, texts of 265 tokens are made from a seed, as in verifiers.py. Each text is in one
pair; beside the whole way stand tokenising, and the same model without its views.
"""

from __future__ import annotations

from copy import copy
from pathlib import Path

import numpy as np
from timing import best_times, machine, new_parser, write_json
from verifiers import make_documents

import adhominem
from adhominem.instrument.neural import NeuralVerifier
from adhominem.instrument.text.tokenise import tokenise
from adhominem.laboratory.evaluation.answers import read_labelled
from adhominem.records import Pair

N_TEXTS = 8192


def main() -> None:
    parser = new_parser(__doc__)
    parser.add_argument("pairs", type=Path, nargs="?")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    texts = _texts(arguments.pairs)[:N_TEXTS]
    pairs = [Pair.of_texts(*both) for both in zip(texts[0::2], texts[1::2], strict=False)]
    verifier = adhominem.load()
    network = copy(verifier)
    assert isinstance(network, NeuralVerifier)
    network.views_ = None
    ways = {
        "tokenise": lambda: tokenise(texts),
        "network": lambda: network.decide(pairs),
        "decide": lambda: verifier.decide(pairs),
    }
    seconds = best_times(ways, rounds=arguments.rounds)
    report = {
        "benchmark": "batch",
        "machine": machine(),
        "texts": len(texts),
        "tokens_per_text": float(tokenise(texts).n_tokens.mean()),
        "documents_per_second": round(len(texts) / seconds["decide"], 1),
        "documents_per_second_network": round(len(texts) / seconds["network"], 1),
        "documents_per_second_tokenised": round(len(texts) / seconds["tokenise"], 1),
    }
    write_json(arguments.output, report)


def _texts(path: Path | None) -> list[str]:
    if path is None:
        documents = make_documents(N_TEXTS // 4, np.random.default_rng(1))
        return [document.text for document in documents]
    pairs = read_labelled(path)
    return list(dict.fromkeys(d.text for pair in pairs for d in (*pair.left, *pair.right)))


if __name__ == "__main__":
    main()
