"""Gives a trained network views and calibrations, and measures test authors once.

    python experiments/views.py --network runs/gpu/model-kinds --twin runs/gpu/model-left-out \
        --corpora runs/corpora --left-out indology_list,... -o runs/views/model

The twin is the same network trained without the left-out kinds. It says what holds for kinds that a
network has never seen, with and without reference texts.
"""

from __future__ import annotations

import argparse
import json
import pickle
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

import adhominem
from adhominem.instrument.neural import NeuralVerifier
from adhominem.instrument.views.kinds import CHECKED_TOKENS, PARTS, Kinds
from adhominem.instrument.views.views import Views
from adhominem.laboratory.calibration.conditions import draw_pairs, reference_texts
from adhominem.laboratory.calibration.fuse import (
    Measured,
    calibrate_groups,
    calibrate_kind,
    fit_fusion,
)
from adhominem.laboratory.calibration.views import (
    fit_kinds,
    limit_kinds,
    measure_kinds,
    measure_pairs,
    read_pairs,
)
from adhominem.laboratory.corpus.store import Corpus
from adhominem.records import Pair

DEV = 1
N_REFERENCE = 300
SEED = 1
SINGLE = 1.5  # stretches of a pair of single texts, at most


def load_network(folder: Path, kinds: Kinds | None = None) -> NeuralVerifier:
    """The network of a model folder, with views that are not yet summed."""
    network = adhominem.load(folder)
    assert isinstance(network, NeuralVerifier)
    network.genres_ = None
    if kinds is not None:
        network.set_views(Views(kinds))
    return network


def dev_pairs(corpora: Path, kind: str, n: int) -> list[Pair]:
    return draw_pairs(Corpus.open(corpora / kind), DEV, n, SEED, kind)


def reference(corpora: Path, kind: str) -> list[str]:
    return reference_texts(Corpus.open(corpora / kind), N_REFERENCE, SEED)


def without(kinds: Kinds, names: set[str]) -> Kinds:
    """The kinds that are not named."""
    kept = [i for i, name in enumerate(kinds.names) if name not in names]
    return replace(
        kinds,
        names=tuple(kinds.names[i] for i in kept),
        labels=tuple(kinds.labels[i] for i in kept),
        centre=kinds.centre[kept],
        mean=kinds.mean[kept],
        deviation=kinds.deviation[kept],
        limits=tuple(kinds.limits[i] for i in kept),
    )


def measure(job: tuple[Path, Kinds, Path, str, int, set[str]]) -> list[tuple[Measured, Any]]:
    """Development pairs of one kind: the kind not stated, nor known if it is hidden; and stated."""
    folder, kinds, corpora, kind, n, hidden = job
    pairs = dev_pairs(corpora, kind, n)
    network = load_network(folder, without(kinds, hidden))
    read = read_pairs(network, pairs)
    unstated = measure_pairs(network, pairs, read, stated=False)
    network.set_views(Views(kinds))
    return [unstated, measure_pairs(network, pairs, read, stated=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--network", type=Path, required=True)
    parser.add_argument("--twin", type=Path, required=True)
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--left-out", required=True)
    parser.add_argument("--labels", type=Path, required=True, help="JSON: what each kind is")
    parser.add_argument("--pairs", type=int, default=900, help="development pairs of a kind")
    parser.add_argument("--more", type=int, default=4000, help="pairs of the largest corpora")
    parser.add_argument("--min-voice", type=float, default=-0.3, help="see Limits")
    parser.add_argument("--model", default="adhominem")
    parser.add_argument("--version", default="5")
    parser.add_argument("--twin-output", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True)
    args = parser.parse_args()
    args.measured = args.output.with_suffix(".measured")
    if not args.measured.exists():
        measure_all(args)
    fit(args)


def measure_all(args: argparse.Namespace) -> None:
    """Reads the development pairs of every kind with the network and, of the left-out kinds, with
    the twin."""
    names = sorted(path.name for path in args.corpora.iterdir())
    left_out = set(args.left_out.split(","))
    labels = json.loads(args.labels.read_text())
    with ProcessPoolExecutor(2) as pool:
        texts = dict(
            zip(names, pool.map(reference, [args.corpora] * len(names), names), strict=True)
        )
        kinds = fit_kinds(load_network(args.network), texts, labels)
        twin_kinds = measure_kinds(load_network(args.twin), kinds, texts)
        print("kinds", flush=True)
        sizes = {n: args.more if n in ("hotels", "blogs") else args.pairs for n in names}
        jobs = {
            ("near", "told", n): (args.network, kinds, args.corpora, n, sizes[n], set())
            for n in names
        } | {
            ("unknown", "reference", n): (
                *(args.twin, twin_kinds, args.corpora, n, args.pairs),
                left_out,
            )
            for n in left_out
        }
        found = {}
        for key, results in zip(jobs, pool.map(measure, jobs.values()), strict=True):
            for condition, result in zip(key[:2], results, strict=True):
                found[condition, key[-1]] = result
            print(*key, len(results[0][0].same), flush=True)
    args.measured.write_bytes(pickle.dumps((kinds, twin_kinds, found)))


def fit(args: argparse.Namespace) -> None:
    """Fits limits, fusion and calibrations on what was measured, and saves network and twin."""
    kinds, twin_kinds, found = pickle.loads(args.measured.read_bytes())
    near, told, unknown, reference = (
        {name: pairs for (condition, name), (pairs, _) in found.items() if condition == wanted}
        for wanted in ("near", "told", "unknown", "reference")
    )
    surprise = {name: rows for (condition, name), (_, rows) in found.items() if condition == "near"}
    # Single texts, which vary more than several together.
    long = {
        name: np.repeat((pairs.length >= CHECKED_TOKENS) & (pairs.stretches < SINGLE), 2)
        for name, pairs in near.items()
    }
    fusion = fit_fusion([*near.values(), *unknown.values()], PARTS)
    calibration = calibrate_groups(
        [list(near.values()), list(unknown.values())], fusion, list(unknown.values())
    )
    calibrations = {name: calibrate_kind(pairs, fusion) for name, pairs in told.items()}
    for_reference = calibrate_groups([list(reference.values())], fusion, list(reference.values()))
    card = (args.network / "README.md").read_text()
    twin_limited = without(limit_kinds(twin_kinds, surprise, long), set(unknown))
    for folder, own, target in (
        (args.network, limit_kinds(kinds, surprise, long), args.output),
        (args.twin, twin_limited, args.twin_output),
    ):
        network = load_network(folder, own)
        network.set_views(Views(own, fusion, for_reference, args.min_voice))
        network.calibration_, network.calibrations_ = calibration, calibrations
        network.save(target, name=args.model, version=args.version, card=card)
    print(json.dumps(asdict(fusion), indent=1))
    for name, one in {None: calibration, **calibrations, "reference": for_reference}.items():
        numbers = [one.slope, one.intercept, one.lowest, one.highest]
        print(name, *(f"{number:.2f}" for number in numbers), one.sure_same, one.sure_different)


if __name__ == "__main__":
    main()
