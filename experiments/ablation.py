"""What each part of the evidence brings: errors of development authors with the part left out.

    python experiments/ablation.py --measured runs/views --unseen runs/unseen \
        --corpora runs/corpora -o results/ablation.json

Every kind is judged by a fusion that was fitted on the other kinds. It is measured with the network
that has never seen it, too (experiments/unseen/), read as the nearest kind that this network knows,
and again as that of 300 reference texts. The sums of known kinds have no part here, since they need
the kind itself (experiments/mixture.py). Errors are those of single texts, means over kinds.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from fit_views import measure_pairs, read_pairs
from fuse_views import fit_fusion, fuse
from measure_pairs import DEV, Network, load_kinds, pairs_of, unseen_networks, without
from views import SINGLE

import adhominem
from adhominem.arrays import Floats
from adhominem.instrument.evidence.calibration import Covariates
from adhominem.instrument.neural import NeuralVerifier
from adhominem.instrument.views.kinds import CHECKED_TOKENS, PARTS, Kinds
from adhominem.instrument.views.views import Views
from adhominem.laboratory.calibration.fit import LabelledPairs
from adhominem.laboratory.evaluation.measures import auc, cllr
from adhominem.records import Pair

CONDITIONS = ("kind not stated", "kind stated", "unknown kind", "reference texts")
EVEN = "weights of features"  # left out: every feature weighs the same
LIKENESS = "likeness to itself"  # left out: every pair has the same
NORM = "how marked a style is"  # likewise
FADING = "different kinds count less"  # left out: all pairs count in full
STATED = CONDITIONS[1]  # where all pairs count in full


@dataclass(frozen=True)
class Measured:
    """Pairs of one kind in one condition, with the learnt weights of features and without."""

    weighted: LabelledPairs
    even: LabelledPairs


Rows = dict[str, Measured]  # by condition


def measure(network: Network, other: Network | None, corpora: Path, n: int, kind: str) -> Rows:
    """The pairs of one kind in every condition; `other` has never seen the kind."""
    pairs = pairs_of(corpora, DEV, n, kind)
    found = _measure(network.load(network.kinds), pairs, (network.kinds,) * 2, CONDITIONS[:2])
    if other is not None:
        kinds = without(other.kinds, other.unseen), other.kinds
        found |= _measure(other.load(other.kinds), pairs, kinds, CONDITIONS[2:])
    print(kind, flush=True)
    return found


def _measure(
    network: NeuralVerifier, pairs: list[Pair], kinds: tuple[Kinds, Kinds], names: tuple[str, ...]
) -> Rows:
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


def leave_out(measured: Measured, part: str | None) -> LabelledPairs:
    """The pairs without one part of the evidence."""
    pairs = measured.even if part == EVEN else measured.weighted
    covariates = pairs.covariates
    if part == LIKENESS:
        covariates = covariates._replace(self_similarity=np.zeros(len(pairs.same)))
    if part == NORM:
        covariates = covariates._replace(norm=np.ones(len(pairs.same)))
    kept = [i for i, name in enumerate(PARTS) if name != part]
    return LabelledPairs(pairs.similarity[:, kept], pairs.same, covariates)


def judge(
    kinds: Mapping[str, LabelledPairs], names: tuple[str, ...], *, stated: bool
) -> dict[str, Floats]:
    """Error, AUC and Cllr of the single texts of each kind, by the other kinds."""
    figures = {}
    for kind, pairs in kinds.items():
        others = [own for name, own in kinds.items() if name != kind]
        figures[kind] = figures_of(fuse(pairs, fit_fusion(others, names, stated=stated)), pairs)
    return figures


def figures_of(llr: Floats, pairs: LabelledPairs) -> Floats:
    """Error, AUC and Cllr of the single texts of one kind."""
    covariates: Covariates = pairs.covariates
    length, stretches = np.asarray(covariates.length), np.asarray(covariates.stretches)
    single = (length >= CHECKED_TOKENS) & (stretches < SINGLE)
    llr, same = llr[single], pairs.same[single]
    error = float(np.mean(np.where(llr == 0, 0.5, (llr > 0) != same)))  # half if nothing counts
    return np.array([error, auc(llr, same), cllr(llr, same)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--measured", type=Path, required=True, help="folder of the fitted model")
    parser.add_argument("--unseen", type=Path, required=True, help="folder of the further runs")
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=600, help="development pairs of a kind")
    parser.add_argument("-o", "--output", type=Path, required=True)
    args = parser.parse_args()
    model = args.measured / "model"
    identity = adhominem.load(model).identity
    network = Network(model, None, load_kinds(args.measured))
    others = {}
    for number, other in enumerate(unseen_networks(model, args.unseen, network.kinds), 1):
        own = replace(other, kinds=load_kinds(args.measured / "networks" / str(number)))
        others |= dict.fromkeys(other.unseen, own)
    names = network.kinds.names
    with ProcessPoolExecutor(2) as pool:
        jobs = [
            pool.submit(measure, network, others.get(name), args.corpora, args.pairs, name)
            for name in names
        ]
        found = {name: job.result() for name, job in zip(names, jobs, strict=True)}
    rows: dict[str, Any] = {}
    for condition in CONDITIONS:
        own = {name: kinds[condition] for name, kinds in found.items() if condition in kinds}
        stated = condition == STATED
        for left_out in (None, *PARTS, EVEN, LIKENESS, NORM, *([] if stated else [FADING])):
            chosen = {name: leave_out(pairs, left_out) for name, pairs in own.items()}
            names_left = tuple(name for name in PARTS if name != left_out)
            figures = judge(chosen, names_left, stated=stated or left_out == FADING)
            error, area, cost = np.mean(list(figures.values()), axis=0)
            row = {"kinds": len(figures), "error": error, "auc": area, "cllr": cost}
            rows.setdefault(condition, {})[left_out or "nothing"] = row
            print(condition, left_out, f"{100 * error:.1f} {area:.3f} {cost:.3f}", flush=True)
    assert identity is not None
    content = {"model": asdict(identity), "left out": rows}
    args.output.write_text(json.dumps(content, indent=1) + "\n")


if __name__ == "__main__":
    main()
