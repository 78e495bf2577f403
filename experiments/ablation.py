"""What each part of the evidence brings: errors of development authors with the part left out.

    python experiments/ablation.py --model runs/views/model --twin runs/views/twin \
        --corpora runs/corpora -o results/ablation.json

Every kind is judged by a fusion that was fitted on the other kinds. Kinds that the twin has never
seen are measured with the twin, read as the nearest kind that it knows, and again as that of 300
reference texts. Errors are those of single texts, means over kinds.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from fit_views import measure_pairs, read_pairs
from fuse_views import fit_fusion, fuse
from views import DEV, SINGLE, load_network, pairs_of, reference_of

import adhominem
from adhominem.arrays import Floats
from adhominem.instrument.evidence.calibration import Covariates
from adhominem.instrument.neural import NeuralVerifier
from adhominem.instrument.views.kinds import CHECKED_TOKENS, PARTS, REFERENCE, Kinds
from adhominem.instrument.views.views import Views
from adhominem.laboratory.calibration.fit import LabelledPairs
from adhominem.laboratory.evaluation.measures import auc, cllr
from adhominem.records import Pair

CONDITIONS = ("kind not stated", "kind stated", "unknown kind", "reference texts")
EVEN = "weights of features"  # left out: every feature weighs the same


@dataclass(frozen=True)
class Measured:
    """Pairs of one kind in one condition, with the learnt weights of features and without."""

    weighted: LabelledPairs
    even: LabelledPairs


def measure(model: Path, twin: Path, corpora: Path, n: int, kind: str) -> dict[str, Measured]:
    pairs = pairs_of(corpora, DEV, n, kind)
    network, other = load_network(model), load_network(twin)
    assert network.views_ is not None and other.views_ is not None
    kinds = network.views_.kinds
    found = _measure(network, pairs, (kinds, kinds), CONDITIONS[:2])
    known = other.views_.kinds
    if kind not in known.names:
        referring = other.with_reference(reference_of(corpora, kind))
        assert referring.views_ is not None
        told = [replace(pair, genre=REFERENCE) for pair in pairs]
        found |= _measure(other, told, (known, referring.views_.kinds), CONDITIONS[2:])
    return found


def _measure(
    network: NeuralVerifier, pairs: list[Pair], kinds: tuple[Kinds, Kinds], names: tuple[str, ...]
) -> dict[str, Measured]:
    """The pairs with their kind not stated and stated, by the given kinds."""
    read = read_pairs(network, pairs)
    found = {}
    for name, own, stated in zip(names, kinds, (False, True), strict=True):
        both = []
        for weighed in (own, replace(own, weight=np.ones_like(own.weight))):
            network.set_views(Views(weighed))
            both.append(measure_pairs(network, pairs, read, stated=stated)[0])
        found[name] = Measured(*both)
    return found


def select(pairs: LabelledPairs, parts: list[int]) -> LabelledPairs:
    return LabelledPairs(pairs.similarity[:, parts], pairs.same, pairs.covariates)


def judge(kinds: Mapping[str, LabelledPairs], names: tuple[str, ...]) -> dict[str, Floats]:
    """Error, AUC and Cllr of the single texts of each kind, by the other kinds."""
    figures = {}
    for kind, pairs in kinds.items():
        fusion = fit_fusion([own for name, own in kinds.items() if name != kind], names)
        covariates: Covariates = pairs.covariates
        length, stretches = np.asarray(covariates.length), np.asarray(covariates.stretches)
        single = (length >= CHECKED_TOKENS) & (stretches < SINGLE)
        llr, same = fuse(pairs, fusion)[single], pairs.same[single]
        error = float(np.mean((llr > 0) != same))
        figures[kind] = np.array([error, auc(llr, same), cllr(llr, same)])
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--twin", type=Path, required=True)
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=600, help="development pairs of a kind")
    parser.add_argument("-o", "--output", type=Path, required=True)
    args = parser.parse_args()
    network = adhominem.load(args.model)
    names = sorted(path.name for path in args.corpora.iterdir())
    with ProcessPoolExecutor(2) as pool:
        work = partial(measure, args.model, args.twin, args.corpora, args.pairs)
        found = dict(zip(names, pool.map(work, names), strict=True))
    rows: dict[str, Any] = {}
    for condition in CONDITIONS:
        own = {name: kinds[condition] for name, kinds in found.items() if condition in kinds}
        everything = list(range(len(PARTS)))
        for left_out in (None, EVEN, *PARTS):
            parts = [i for i in everything if PARTS[i] != left_out]
            chosen = {
                name: select(pairs.even if left_out == EVEN else pairs.weighted, parts)
                for name, pairs in own.items()
            }
            figures = judge(chosen, tuple(PARTS[i] for i in parts))
            error, area, cost = np.mean(list(figures.values()), axis=0)
            row = {"kinds": len(figures), "error": error, "auc": area, "cllr": cost}
            rows.setdefault(condition, {})[left_out or "nothing"] = row
            print(condition, left_out, f"{100 * error:.1f} {area:.3f} {cost:.3f}", flush=True)
    assert network.identity is not None
    content = {"model": asdict(network.identity), "left out": rows}
    args.output.write_text(json.dumps(content, indent=1) + "\n")


if __name__ == "__main__":
    main()
