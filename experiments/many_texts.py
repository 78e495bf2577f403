"""How far trends with the number of texts hold beyond the data, on development authors.

    python experiments/many_texts.py adhominem --corpora runs/corpora -o results/many-texts.json

Few development authors have more than 15 whole texts for a side, so the views are fitted on no
more. Messages and passages give sides of up to 50. They are too few and too unlike to fit by, but
they show how far the fitted trends hold: verdicts are measured with trends that end at 1 to 3.3
times the number of texts in the data. BEYOND (src/adhominem/instrument/evidence/fusion.py) is the
one with the lowest mean Cllr.
"""

from __future__ import annotations

import argparse
import json
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from measure_kinds import figures, load
from voices import BUNDLED, CONDITIONS, DEV, MESSAGES, PASSAGES, divide, pair_up

import adhominem
from adhominem.files import write_whole
from adhominem.instrument.evidence import fusion
from adhominem.instrument.neural import NeuralVerifier
from adhominem.laboratory.corpus.store import Corpus
from adhominem.laboratory.evaluation.answers import Answers, collect
from adhominem.records import Pair

NUMBERS = (16, 24, 32, 50)
BEYOND = (1.0, 1.5, 2.0, 2.7, 3.3)

Condition = tuple[str, int, str, float]


def measure(model: Path, corpora: Path, kind: str) -> dict[Condition, Answers]:
    """Answers by what a text is, number of texts, whether the kind is stated, and BEYOND."""
    verifier = load(model)
    unit = MESSAGES if kind in BUNDLED else PASSAGES
    halves = list(divide(Corpus.open(corpora / kind), unit, DEV))
    answers = {}
    for n, condition, beyond in product(NUMBERS, CONDITIONS, BEYOND):
        able = [own for own in halves if min(map(len, own)) >= n]
        if len(able) < 2:
            continue
        fusion.BEYOND = beyond
        genre = kind if condition == "stated" else None
        told = [Pair(p.left, p.right, p.same_author, genre=genre) for p in pair_up(able, n)]
        answers[unit, n, condition, beyond] = collect(told, verifier.decide(told))
    return answers


def summarise(found: list[dict[Condition, Answers]]) -> list[dict[str, Any]]:
    """Figures over all kinds, a row for each condition."""
    rows = []
    for unit, n, condition, beyond in product((MESSAGES, PASSAGES), NUMBERS, CONDITIONS, BEYOND):
        key = unit, n, condition, beyond
        own = [one[key] for one in found if key in one]
        row = {"texts are": unit, "texts": n, "kind": condition, "beyond": beyond}
        rows.append(row | {"kinds": len(own)} | figures(Answers.join(own)))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True)
    args = parser.parse_args()
    verifier = adhominem.load(args.model)
    assert isinstance(verifier, NeuralVerifier) and verifier.views_ is not None
    kinds = list(verifier.views_.kinds.names)
    with ProcessPoolExecutor(2) as pool:
        rows = summarise(list(pool.map(partial(measure, args.model, args.corpora), kinds)))
    means = {
        str(beyond): float(np.mean([row["cllr"] for row in rows if row["beyond"] == beyond]))
        for beyond in BEYOND
    }
    report = {
        "model": verifier.identity and verifier.identity.sha256,
        "mean cllr": means,
        "chosen": float(min(means, key=lambda beyond: means[beyond])),
        "conditions": rows,
    }
    write_whole(args.output, json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
