"""Fits the evidence of a model with views on the development pairs that were measured.

    python experiments/views.py --network runs/shipped/model --measured runs/views --version 9

`experiments/measure_pairs.py` has measured the pairs. Each condition gets its own weights of the
views and its own calibration: the kind of text is stated, given by reference texts, or neither.
Reference texts: fitted on kinds that the network had never seen. Neither: fitted on known kinds
and, with a weight of UNSEEN_SHARE, on never-seen kinds; a mixture of this sum and those of known
kinds judges the pairs. Stated: fitted on known kinds, and for each of them once more; a model that
has views already keeps this part. Writes the folder model.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import numpy as np
from fit_views import limit_kinds
from fuse_views import (
    calibrate_groups,
    calibrate_kinds,
    fit_fusion,
    fuse,
    known_fusions,
    mixed_far,
    mixed_near,
)
from measure_pairs import Measured, left_out, load_kinds, load_network

from adhominem.instrument.views.kinds import CHECKED_TOKENS, PARTS, REFERENCE, Kinds
from adhominem.instrument.views.views import CONDITIONS, STATED, UNSTATED, Views

SINGLE = 1.5  # stretches of a pair of single texts, at most
UNSEEN_SHARE = 0.3  # of never-seen kinds in the evidence of kinds that are not stated


def limited(kinds: Kinds, measured: Mapping[str, Measured]) -> Kinds:
    """The kinds with limits, held against single texts, which vary more than several together."""
    covariates = {name: pairs.unstated.covariates for name, pairs in measured.items()}
    long = {
        name: np.repeat((own.length >= CHECKED_TOKENS) & (own.stretches < SINGLE), 2)
        for name, own in covariates.items()
    }
    return limit_kinds(kinds, {name: own.surprise for name, own in measured.items()}, long)


def read_measured(folder: Path) -> dict[str, Measured]:
    """The measured pairs of each kind."""
    return {path.stem: Measured.load(path) for path in sorted(folder.glob("*.npz"))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--network", type=Path, required=True, help="model folder")
    parser.add_argument("--measured", type=Path, required=True, help="folder of measured pairs")
    parser.add_argument("--min-voice", type=float, default=-0.3, help="see Limits")
    parser.add_argument("--model", default="adhominem")
    parser.add_argument("--version", required=True)
    args = parser.parse_args()
    known, unseen = (read_measured(args.measured / name) for name in ("measured", "unseen"))
    near, far = ([own.unstated for own in group.values()] for group in (known, unseen))
    referring = [own.stated for own in unseen.values()]
    fusions = {
        REFERENCE: fit_fusion(referring, PARTS, stated=False),
        UNSTATED: fit_fusion([*near, *far], PARTS, stated=False),
    }
    referred = [(fuse(pairs, fusions[REFERENCE]), pairs) for pairs in referring]
    for_reference = calibrate_groups([(1.0, referred)], referred)
    kinds = load_kinds(args.measured)
    network = load_network(args.network)
    if network.views_ is not None:
        fusions = {**network.views_.fusions, **fusions}
    else:
        kinds = limited(kinds, known)
        fusions[STATED] = fit_fusion([own.stated for own in known.values()], PARTS)
        stated = {name: own.stated for name, own in known.items()}
        own = calibrate_kinds(stated, fusions[STATED])
        fusions |= {name: fusion for name, (fusion, _) in own.items()}
        network.calibrations_ = {name: calibration for name, (_, calibration) in own.items()}
    network.set_views(Views(kinds, fusions, for_reference, args.min_voice))
    known_to = known_fusions(fusions, kinds.names, left_out().values())
    mixed = mixed_near(known, kinds.names, fusions[STATED], fusions[UNSTATED])
    mixed_unseen = mixed_far(unseen, known_to, fusions[UNSTATED])
    shares = [(1 - UNSEEN_SHARE, mixed), (UNSEEN_SHARE, mixed_unseen)]
    network.calibration_ = calibrate_groups(shares, mixed_unseen)
    card = (args.network / "README.md").read_text(encoding="utf-8")
    target = args.measured / "model"
    network.save(target, name=args.model, version=args.version, card=card)
    for condition in CONDITIONS:
        print(condition, json.dumps(asdict(fusions[condition])))
    for name, one in {None: network.calibration_, REFERENCE: for_reference}.items():
        print(name, one)


if __name__ == "__main__":
    main()
