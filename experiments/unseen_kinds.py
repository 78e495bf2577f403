"""Measures kinds of text that a network has never seen, every kind but hotel reviews in its turn.

    python experiments/unseen_kinds.py --networks runs/unseen --corpora runs/corpora \
        --pairs runs/shipped/prepared/test -o results/unseen.json

Six networks (experiments/unseen/) each left other kinds out. For each kind, the network that left
it out takes the place of the shipped one, without the statistics of the kinds that it left out, and
judges single texts of test authors: the kind not stated, and with 300 reference texts. Weights of
the views and calibrations are those of the shipped model.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from conditions import reference_texts
from fit_views import measure_kinds
from measure_kinds import figures
from safetensors.numpy import load_file
from views import without

import adhominem
from adhominem.instrument.neural import NeuralVerifier
from adhominem.laboratory.corpus.store import Corpus
from adhominem.laboratory.evaluation.answers import collect, draw, read_labelled
from adhominem.laboratory.experiment import read_experiment

UNSEEN = Path(__file__).with_name("unseen")
N_REFERENCE = 300
SEED = 2
BEST = "best."  # of the names of the best weights in a checkpoint
MEANS = ("error", "auc", "cllr", "false_same", "false_different")


def load_unseen(checkpoint: Path, corpora: Path, left_out: Sequence[str]) -> NeuralVerifier:
    """The shipped model with other weights, which knows nothing of the kinds that are left out."""
    saved = load_file(checkpoint)
    best = {name[len(BEST) :]: a for name, a in saved.items() if name.startswith(BEST)}
    verifier = adhominem.load()
    assert isinstance(verifier, NeuralVerifier) and verifier.views_ is not None
    verifier.set_arrays({**verifier.arrays_, **best})
    kinds = without(verifier.views_.kinds, frozenset(left_out))
    texts = {n: reference_texts(Corpus.open(corpora / n), N_REFERENCE, 1) for n in kinds.names}
    verifier.set_views(replace(verifier.views_, kinds=measure_kinds(verifier, kinds, texts)))
    return verifier


def measure(job: tuple[Path, Path, Path, Path, int]) -> dict[str, dict[str, Any]]:
    """Figures of the kinds that one network left out, by kind and condition."""
    experiment, networks, corpora, folder, most = job
    left_out = read_experiment(experiment).training.left_out
    verifier = load_unseen(networks / experiment.stem / "checkpoint.safetensors", corpora, left_out)
    rows = {}
    for kind in left_out:
        pairs = draw(read_labelled(folder / f"{kind}.pairs.jsonl.gz"), most, seed=SEED)
        pairs = [replace(pair, genre=None) for pair in pairs]
        texts = reference_texts(Corpus.open(corpora / kind), N_REFERENCE, SEED)
        rows[kind] = {
            "unknown kind": figures(collect(pairs, verifier.decide(pairs))),
            "reference texts": figures(
                collect(pairs, verifier.with_reference(texts).decide(pairs))
            ),
        }
        print(kind, flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--networks", type=Path, required=True, help="folder of their runs")
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--most", type=int, default=300, help="pairs of a kind")
    parser.add_argument("-o", "--output", type=Path, required=True)
    args = parser.parse_args()
    jobs = [
        (path, args.networks, args.corpora, args.pairs, args.most)
        for path in sorted(UNSEEN.glob("*.toml"))
    ]
    with ProcessPoolExecutor(2) as pool:
        kinds = {kind: row for rows in pool.map(measure, jobs) for kind, row in rows.items()}
    conditions = ("unknown kind", "reference texts")
    report = {
        "model": asdict(adhominem.load().identity),
        "kinds": dict(sorted(kinds.items())),
        "mean": {
            c: {key: float(np.mean([row[c][key] for row in kinds.values()])) for key in MEANS}
            for c in conditions
        },
        "misleading": {
            c: sorted(k for k, row in kinds.items() if row[c]["cllr"] > 1) for c in conditions
        },
    }
    args.output.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
