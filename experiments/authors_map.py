"""A map of texts by authors that a model has not seen, as in the paper's figure 4.

    python experiments/authors_map.py adhominem --corpus runs/corpora/hotels \\
        -o results/authors-map.json

Twenty test authors are drawn at random. Beside the points stands how often the nearest other text,
by the features themselves, is by the same author, and how often that would be by chance.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

import numpy as np

import adhominem
from adhominem.files import sha256, write_whole
from adhominem.instrument.feature_verifier import require_features
from adhominem.laboratory.corpus.store import MANIFEST
from adhominem.laboratory.evaluation.text_samples import sample_unseen_authors
from adhominem.laboratory.report.figures import map_points


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    network = require_features(adhominem.load(arguments.model), "{kind} has no features")
    texts, numbers = sample_unseen_authors(arguments.corpus)
    features, authors = network.features(texts), np.array(numbers)
    apart = np.linalg.norm(features[:, None] - features[None], axis=-1)
    np.fill_diagonal(apart, np.inf)
    same = authors[:, None] == authors[None]
    np.fill_diagonal(same, False)
    report = {
        "model": network.identity and asdict(network.identity),
        "corpus": {
            "name": arguments.corpus.name,
            "sha256": sha256(arguments.corpus / MANIFEST),
        },
        "texts": len(texts),
        "authors": len(set(numbers)),
        "nearest_by_same_author": float(np.mean(authors[apart.argmin(axis=1)] == authors)),
        "by_chance": float(same.sum() / (len(texts) * (len(texts) - 1))),
        "author": numbers,
        "points": map_points(features).round(2).tolist(),
    }
    write_whole(arguments.output, json.dumps(report) + "\n")


if __name__ == "__main__":
    main()
