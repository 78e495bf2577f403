"""How many pairs a second each compared method scores, on one machine in one run.

    python benchmarks/verifiers.py -o results/benchmark-verifiers.json
    python benchmarks/verifiers.py pairs.jsonl.gz -o ...     labelled pairs
    python benchmarks/verifiers.py reviews.parquet -o ...    columns author and text

Every method of the registry but the network (see training_step.py and encoding.py) is fitted on
400 pairs and scores 200 others, whose texts it has not seen. Without a file, texts of 265 tokens
are made from a seed: words as frequent as in prose, of which every author favours some.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from timing import best_times, machine, new_parser, write_json

from adhominem.instrument.model_folder import VERIFIERS, verifier_class
from adhominem.instrument.pair_files import open_lines, read_pairs
from adhominem.instrument.text.tokenise import tokenise
from adhominem.records import Document, Pair

N_TRAIN, N_DEV, N_SCORED = 400, 100, 200
COMMON = (  # noqa: SIM905
    "the and to was a of in we for it is were i with very on at that had room not our hotel "
    "this but as from they have there are you be so all which would one an or staff my"
).split()
LETTERS = np.array(list("etaoinshrdlcumwfgypbvkjxqz"))


def make_text(rng: np.random.Generator, words: np.ndarray, weights: np.ndarray) -> str:
    """265 tokens in sentences of 14 words or so."""
    text, left = [], 265
    while left > 0:
        n = min(left, int(rng.integers(8, 21)))
        drawn = rng.choice(words, max(n - 2, 1), p=weights).tolist()
        drawn[len(drawn) // 2] += ","
        text.append(" ".join(drawn).capitalize() + rng.choice([".", ".", ".", "!"]))
        left -= n
    return " ".join(text)


def make_documents(n_authors: int, rng: np.random.Generator) -> list[Document]:
    """Four texts for each author."""
    spelt = ["".join(rng.choice(LETTERS, rng.integers(3, 11))) for _ in range(8000)]
    words = np.array(COMMON + spelt)
    frequency = np.arange(1, len(words) + 1) ** -1.1
    documents = []
    for author in range(n_authors):
        weights = frequency * rng.lognormal(0, 0.5, len(words))
        weights /= weights.sum()
        documents += [
            Document(make_text(rng, words, weights), author=f"author{author}") for _ in range(4)
        ]
    return documents


def read_documents(path: Path, n_authors: int, rng: np.random.Generator) -> list[Document]:
    """Four texts of each of some authors who wrote as many."""
    from pyarrow import parquet

    table = parquet.read_table(path, columns=["author", "text"])
    texts_of: dict[str, list[str]] = defaultdict(list)
    for author, text in zip(*(table.column(i).to_pylist() for i in (0, 1)), strict=True):
        texts_of[author].append(text)
    able = sorted(author for author, texts in texts_of.items() if len(texts) >= 4)
    chosen = [able[i] for i in rng.permutation(len(able))[:n_authors]]
    return [Document(text, author=a) for a in chosen for text in texts_of[a][:4]]


def make_pairs(documents: list[Document]) -> Iterator[Pair]:
    """Of each author a pair of their own texts and one with the next author, no text twice."""
    authors = [documents[i : i + 4] for i in range(0, len(documents) - 3, 4)]
    for one, other in pairwise(authors):
        yield Pair((one[0],), (one[1],), True)
        yield Pair((one[2],), (other[3],), False)


def load_pairs(path: Path | None, rng: np.random.Generator) -> list[Pair]:
    n_authors = (N_TRAIN + N_DEV + N_SCORED) // 2 + 3
    if path is None:
        return list(make_pairs(make_documents(n_authors, rng)))
    if path.suffix == ".parquet":
        return list(make_pairs(read_documents(path, n_authors, rng)))
    with open_lines(path) as lines:
        return [pair for pair in read_pairs(lines, path.name) if isinstance(pair, Pair)]


def split(pairs: list[Pair]) -> tuple[list[Pair], list[Pair], list[Pair]]:
    """Pairs to learn from, to calibrate on and to score; the first two share no author."""
    scored, rest = pairs[:N_SCORED], pairs[N_SCORED:]
    train = rest[:N_TRAIN]
    known = {d.author for pair in train for d in (*pair.left, *pair.right)} - {None}
    dev = [
        pair
        for pair in rest[N_TRAIN:]
        if not any(d.author in known for d in (*pair.left, *pair.right))
    ]
    if len(train) < N_TRAIN or len({pair.same_author for pair in dev[:N_DEV]} - {None}) < 2:
        raise SystemExit(f"{len(pairs)} pairs are too few: {N_SCORED + N_TRAIN + N_DEV} are needed")
    return train, dev[:N_DEV], scored


def measure(kind: str, pairs: tuple[list[Pair], list[Pair], list[Pair]]) -> dict[str, float]:
    train, dev, scored = pairs
    began = time.perf_counter()
    verifier = verifier_class(kind)().fit(train, dev)
    fitted = time.perf_counter() - began
    seconds = best_times({kind: lambda: verifier.score(scored)}, rounds=2)[kind]
    return {"pairs_per_second": round(len(scored) / seconds, 1), "fit_seconds": round(fitted, 2)}


def main() -> None:
    parser = new_parser(__doc__)
    parser.add_argument("data", type=Path, nargs="?", help="pairs as JSON lines, or a parquet file")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    pairs = split(load_pairs(arguments.data, np.random.default_rng(arguments.seed)))
    texts = [d.text for pair in pairs[2] for d in (*pair.left, *pair.right)]
    tokens = float(tokenise(texts).n_tokens.mean())
    report: dict[str, Any] = {
        "machine": machine(),
        "data": str(arguments.data or "generated"),
        "tokens_per_text": round(tokens, 1),
        "methods": {},
    }
    for kind in sorted(set(VERIFIERS) - {"neural"}):
        report["methods"][kind] = found = measure(kind, pairs)
        print(f"{kind:20} {found['pairs_per_second']:8.1f} pairs/s", flush=True)
    write_json(arguments.output, report)


if __name__ == "__main__":
    main()
