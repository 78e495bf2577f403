"""Koppel and Winter's own task: are two snippets of 500 words from blogs by one author?

    python experiments/koppel_winter.py blogs.parquet -o results/koppel-winter.json

After Koppel & Winter (2014), "Determining if two documents are written by the same author". A pair
has the first words of one blog and the last words of the same or another blog; no author is in two
pairs, half of the pairs have one author. Training pairs, which give the impostors, development
pairs, which give the threshold, and test pairs have different authors. Everything is drawn anew
for each seed.

Ours: the published pairs are not available. The blogs are those of a parquet file with the columns
`author` and `text`, posts in their order, and both snippets of an author come from different posts.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from pyarrow import parquet

from adhominem.files import write_whole
from adhominem.laboratory.evaluation.answers import Answers, judge
from adhominem.laboratory.evaluation.evaluate import evaluate
from adhominem.laboratory.verifiers import new_method
from adhominem.records import Document, Pair

PAIRS = {"test": 500, "dev": 500, "train": 1000}
N_WORDS = 500
# Accuracy in the paper, by the method here that is nearest to the one there.
PUBLISHED = {
    "imposters": ("imposters, drawn from blogs", 0.874),
    "feature-difference": ("linear support vector machine on differences", 0.798),
    "pan-distance": ("cosine", 0.706),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("blogs", type=Path, help="parquet with author and text")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3, 4])
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    snippets = read_snippets(arguments.blogs)
    parts: dict[str, list[Answers]] = {method: [] for method in PUBLISHED}
    for seed in arguments.seeds:
        pairs = draw_pairs(snippets, seed)
        for method, own in parts.items():
            verifier = new_method(method, {}).fit(pairs["train"], pairs["dev"])
            own.append(judge(verifier, pairs["test"]))
    report = {
        "authors": len(snippets),
        "words": N_WORDS,
        "pairs": PAIRS,
        "seeds": arguments.seeds,
        "methods": {method: _figures(method, own) for method, own in parts.items()},
    }
    write_whole(arguments.output, json.dumps(report, indent=2) + "\n")
    print(json.dumps(report["methods"], indent=2))


def read_snippets(path: Path) -> list[tuple[Document, Document]]:
    """The first and the last words of each author who has enough, from different posts."""
    table = parquet.read_table(path, columns=["author", "text"])
    posts: dict[str, list[list[str]]] = defaultdict(list)
    for author, text in zip(*(column.to_pylist() for column in table.columns), strict=True):
        posts[author].append(text.split())
    snippets = []
    for author, own in posts.items():
        length, first = 0, 0
        while length < N_WORDS and first < len(own):
            length, first = length + len(own[first]), first + 1
        start = [word for post in own[:first] for word in post]
        end = [word for post in own[first:] for word in post]
        if min(len(start), len(end)) >= N_WORDS:
            texts = " ".join(start[:N_WORDS]), " ".join(end[-N_WORDS:])
            snippets.append((Document(texts[0], author), Document(texts[1], author)))
    return snippets


def draw_pairs(snippets: Sequence[tuple[Document, Document]], seed: int) -> dict[str, list[Pair]]:
    """Pairs of each part; an author is in one pair only."""
    waiting = iter(np.random.default_rng(seed).permutation(len(snippets)).tolist())
    drawn: dict[str, list[Pair]] = {}
    for part, size in PAIRS.items():
        drawn[part] = []
        for number in range(size):
            same = number % 2 == 0
            left = next(waiting)
            right = left if same else next(waiting)
            sides = (snippets[left][0],), (snippets[right][1],)
            drawn[part].append(Pair(*sides, same_author=same, id=f"{part}-{seed}-{number}"))
    return drawn


def _figures(method: str, parts: Sequence[Answers]) -> dict[str, object]:
    whole = evaluate(Answers.join(list(parts)))
    name, accuracy = PUBLISHED[method]
    return {
        "accuracy": 1 - whole["error"],
        "accuracy_by_seed": [1 - evaluate(part)["error"] for part in parts],
        "auc": whole["auc"],
        "published": {"method": name, "accuracy": accuracy},
    }


if __name__ == "__main__":
    main()
