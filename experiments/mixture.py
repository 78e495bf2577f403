"""What the sums of known kinds bring where the kind is not stated: errors of development authors.

    python experiments/mixture.py adhominem --measured runs/views -o results/mixture.json

The pairs are those that experiments/measure_pairs.py has measured. Pairs of known kinds are judged
by the mixture, each half with the sums of kinds that the other half taught, and by the sum for all
kinds alone. So are pairs of kinds that a network has never seen; there the sum for all kinds knows
nothing of the kind either. Either way of judging gets a calibration of its own for known and
never-seen kinds, as the model has one. Errors are those of single texts, means over kinds.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from ablation import figures_of
from fuse_views import (
    Judged,
    fit_fusion,
    fit_line,
    fit_own,
    fuse,
    known_fusions,
    mixed_far,
    mixed_near,
)
from measure_pairs import Measured, left_out, load_kinds
from views import UNSEEN_SHARE, read_measured

import adhominem
from adhominem.files import write_whole
from adhominem.instrument.evidence.calibration import Calibration
from adhominem.instrument.evidence.fusion import Fusion
from adhominem.instrument.views.kinds import PARTS

NAMES = ("error", "auc", "cllr")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("--measured", type=Path, required=True, help="folder of measured pairs")
    parser.add_argument("-o", "--output", type=Path, required=True)
    args = parser.parse_args()
    known, unseen = (read_measured(args.measured / name) for name in ("measured", "unseen"))
    names = load_kinds(args.measured).names
    stated = fit_fusion([kind.stated for kind in known.values()], PARTS)
    rest = fit_rest(known, unseen)
    near = mixed_near(known, names, stated, rest)
    near_alone = [(fuse(kind.unstated, rest), kind.unstated) for kind in known.values()]
    far, far_alone = judge_unseen(known, unseen, names, stated)
    rows: dict[str, Any] = {condition: {} for condition in ("kind not stated", "unknown kind")}
    for judge, groups in (("mixture", (near, far)), ("sum for all kinds", (near_alone, far_alone))):
        line = fit_line(zip((1 - UNSEEN_SHARE, UNSEEN_SHARE), groups, strict=True))
        for row, group in zip(rows.values(), groups, strict=True):
            row[judge] = mean_figures(line, group)
    identity = adhominem.load(args.model).identity
    assert identity is not None
    write_whole(args.output, json.dumps({"model": asdict(identity), **rows}, indent=1) + "\n")


def fit_rest(
    known: Mapping[str, Measured], unseen: Mapping[str, Measured], but: str | None = None
) -> Fusion:
    """The sum for all kinds but one."""
    groups = (group.items() for group in (known, unseen))
    pairs = [own.unstated for group in groups for name, own in group if name != but]
    return fit_fusion(pairs, PARTS, stated=False)


def judge_unseen(
    known: Mapping[str, Measured],
    unseen: Mapping[str, Measured],
    names: Sequence[str],
    stated: Fusion,
) -> tuple[list[Judged], list[Judged]]:
    """The pairs of never-seen kinds, judged by the mixture and by the sum for all other kinds."""
    own = {name: fit_own(kind.stated, stated) for name, kind in known.items()}
    mixed, alone = [], []
    known_to = known_fusions(own, names, left_out().values())
    for name, kind in unseen.items():
        rest = fit_rest(known, unseen, name)
        mixed += mixed_far({name: kind}, known_to, rest)
        alone.append((fuse(kind.unstated, rest), kind.unstated))
        print(name, flush=True)
    return mixed, alone


def mean_figures(line: Calibration, judged: Sequence[Judged]) -> dict[str, Any]:
    """The figures of calibrated pairs of each kind, means over kinds."""
    figures = [figures_of(line.line(values, pairs.covariates), pairs) for values, pairs in judged]
    means = np.mean(figures, axis=0).tolist()
    return {"kinds": len(judged)} | dict(zip(NAMES, means, strict=True))


if __name__ == "__main__":
    main()
