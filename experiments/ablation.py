"""What each part of the evidence brings: errors of development authors with the part left out.

    python experiments/ablation.py --measured runs/views --unseen runs/unseen \
        --corpora runs/corpora -o results/ablation.json

Every kind is judged by a fusion that was fitted on the other kinds. It is measured with the network
that has never seen it, too (experiments/unseen/), read as the nearest kind that this network knows,
and again as that of 300 reference texts. What the mixture with the sums of known kinds brings is
measured apart, since it needs the kind itself: each half of the pairs is judged by what the other
half taught. Errors are those of single texts, means over kinds.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from fit_views import measure_pairs, read_pairs
from fuse_views import fit_fusion, fit_own, fuse, mixed_far, mixed_near
from measure_pairs import DEV, Network, left_out, load_kinds, pairs_of, unseen_networks, without
from measure_pairs import Measured as MeasuredPairs
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
    """Pairs of one kind in one condition, with the learnt weights of features and without, and the
    surprise of their sides."""

    weighted: LabelledPairs
    even: LabelledPairs
    surprise: Floats


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
            both.append(measure_pairs(network, pairs, read, stated=stated))
        (weighted, surprise), (even, _) = both
        found[name] = Measured(weighted, even, surprise)
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
    """Error, AUC and Cllr of single texts."""
    covariates: Covariates = pairs.covariates
    length, stretches = np.asarray(covariates.length), np.asarray(covariates.stretches)
    single = (length >= CHECKED_TOKENS) & (stretches < SINGLE)
    llr, same = llr[single], pairs.same[single]
    error = float(np.mean(np.where(llr == 0, 0.5, (llr > 0) != same)))  # half if nothing counts
    return np.array([error, auc(llr, same), cllr(llr, same)])


def mean_row(figures: Collection[Floats]) -> dict[str, Any]:
    """The means over kinds as a row of JSON."""
    error, area, cost = np.mean(list(figures), axis=0).tolist()
    return {"kinds": len(figures), "error": error, "auc": area, "cllr": cost}


def mixtures(found: Mapping[str, Rows], names: Sequence[str]) -> dict[str, Any]:
    """The figures of pairs of known and of never-seen kinds that are not stated, with the sums of
    known kinds and by the sum for all kinds alone."""
    groups = []
    for unstated, stated in (CONDITIONS[:2], CONDITIONS[2:]):
        own = {
            name: MeasuredPairs(rows[unstated].weighted, rows[stated].weighted, shown.surprise)
            for name, rows in found.items()
            if (shown := rows.get(unstated))
        }
        groups.append(own)
    near, far = groups
    everything = [own.unstated for group in groups for own in group.values()]
    rest = fit_fusion(everything, PARTS, stated=False)
    stated_fusion = fit_fusion([own.stated for own in near.values()], PARTS)
    own = {name: fit_own(kind.stated, stated_fusion) for name, kind in near.items()}
    known = {
        name: [own[other] for other in names if other not in never_seen]
        for never_seen in left_out().values()
        for name in never_seen
    }
    judged = mixed_near(near, names, stated_fusion, rest), mixed_far(far, known, rest)
    return {
        condition: {
            "with": mean_row([figures_of(*pairs) for pairs in with_known]),
            "without": mean_row([figures_of(fuse(p, rest), p) for _, p in with_known]),
        }
        for condition, with_known in zip(CONDITIONS[::2], judged, strict=True)
    }


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
        for part in (None, *PARTS, EVEN, LIKENESS, NORM, *([] if stated else [FADING])):
            chosen = {name: leave_out(pairs, part) for name, pairs in own.items()}
            names_left = tuple(name for name in PARTS if name != part)
            figures = judge(chosen, names_left, stated=stated or part == FADING)
            row = mean_row(figures.values())
            rows.setdefault(condition, {})[part or "nothing"] = row
            print(condition, part, row, flush=True)
    assert identity is not None
    content = {"model": asdict(identity), "left out": rows, "known kinds": mixtures(found, names)}
    args.output.write_text(json.dumps(content, indent=1) + "\n")


if __name__ == "__main__":
    main()
