"""What a character n-gram verifier would add to a network, on development pairs.

    python experiments/second_opinion.py adhominem runs/corpora/hotels \\
        runs/shipped/prepared/dev/hotels.pairs.jsonl.gz -o results/second-opinion.json

The n-gram verifier is fitted on pairs of the corpus's training authors. Both similarities, and with
each the length of the shorter side, go into a logistic regression; errors and AUC are of ten folds
of the development pairs, so that no pair is judged by a regression that has seen it.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_predict
from sklearn.preprocessing import StandardScaler

import adhominem
from adhominem.files import write_whole
from adhominem.laboratory.corpus.store import Corpus
from adhominem.laboratory.evaluation.answers import read_labelled
from adhominem.laboratory.verifiers.feature_difference import FeatureDifference
from adhominem.records import Document, Pair

Floats = npt.NDArray[np.float64]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("pairs", type=Path, help="labelled development pairs of the same corpus")
    parser.add_argument("--each", type=int, default=8000, help="training pairs of each cell")
    parser.add_argument("--most", type=int, default=1500, help="n-grams of each length")
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    dev = read_labelled(arguments.pairs)
    ngrams = FeatureDifference(most=arguments.most, C=3e-4)
    ngrams.fit(_training_pairs(arguments.corpus, arguments.each), dev)
    similarities = {
        "network": adhominem.load(arguments.model).compare(dev).similarity,
        "n-grams": ngrams.compare(dev).similarity,
    }
    columns = {name: _columns(similarity, dev) for name, similarity in similarities.items()}
    columns["both"] = np.hstack([*columns.values()])
    same = np.array([bool(pair.same_author) for pair in dev])
    report = {
        "model": arguments.model,
        "corpus": arguments.corpus.name,
        "training_pairs": 4 * arguments.each,
        "ngrams_of_each_length": arguments.most,
        "pairs": len(dev),
        "figures": {name: _figures(table, same) for name, table in columns.items()},
    }
    print(json.dumps(report["figures"], indent=1))
    write_whole(arguments.output, json.dumps(report, indent=2) + "\n")


def _training_pairs(folder: Path, each: int) -> list[Pair]:
    corpus = Corpus.open(folder)
    labels = corpus.labels
    table = labels.draw(labels.indices("train"), seed=1, epoch=0).at_most(each)
    return corpus.pairs(table, prefix="train")


def _columns(similarity: Floats, pairs: list[Pair]) -> Floats:
    """The similarity, the length of the shorter side, and their product."""
    x = np.nan_to_num(similarity, nan=float(np.nanmedian(similarity)))
    length = np.log([min(_length(pair.left), _length(pair.right)) for pair in pairs])
    standard = StandardScaler().fit_transform(np.column_stack([x, length]))
    return np.column_stack([standard, standard[:, 0] * standard[:, 1]])


def _length(side: tuple[Document, ...]) -> int:
    return sum(len(document.text) for document in side)


def _figures(columns: Floats, same: npt.NDArray[np.bool_]) -> dict[str, float]:
    odds = cross_val_predict(LogisticRegression(), columns, same, cv=10, method="decision_function")
    return {
        "error": round(float(np.mean((odds > 0) != same)), 4),
        "auc": round(float(roc_auc_score(same, odds)), 4),
    }


if __name__ == "__main__":
    main()
