"""Gives a trained network views and calibrations, from development authors of every kind of text.

    python experiments/views.py --network runs/kinds/model --twin runs/kinds-left-out/model \
        --corpora runs/corpora --left-out indology_list ... -o runs/views

The twin is a network of the same sizes that was trained without the left-out kinds. It says what
holds for kinds that a network has never seen, with and without reference texts. Writes the folders
model and twin.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import torch
from conditions import draw_pairs, reference_texts
from feature_weights import Unusual, fit_weights, read_unusual
from fit_views import (
    fit_kinds,
    limit_kinds,
    measure_kinds,
    measure_pairs,
    read_pairs,
)
from fuse_views import calibrate_groups, calibrate_kind, fit_fusion

import adhominem
from adhominem.arrays import Floats
from adhominem.instrument.neural import NeuralVerifier
from adhominem.instrument.views.kinds import CHECKED_TOKENS, PARTS, Kinds
from adhominem.instrument.views.views import Views
from adhominem.laboratory.calibration.fit import LabelledPairs
from adhominem.laboratory.corpus.store import Corpus
from adhominem.records import Pair

LABELS = Path(__file__).with_name("kind_labels.json")
TRAIN, DEV = 0, 1
N_REFERENCE = 300
N_LEARNT = 1200  # pairs of training authors of a kind, half of them by one author
SEED = 1
SINGLE = 1.5  # stretches of a pair of single texts, at most
LARGE = ("hotels", "blogs", "imdb")  # kinds in which reliable answers are looked for
UNLEARNT = ("amazon",)  # for calibration only
UNKNOWN_SHARE = 0.4  # of never-seen kinds in the calibration of texts whose kind is not stated


@dataclass(frozen=True)
class Measured:
    """The development pairs of one kind as one network sees them, the kind not stated and stated;
    `surprise` has a row for each side."""

    unstated: LabelledPairs
    stated: LabelledPairs
    surprise: Floats


@dataclass(frozen=True)
class Network:
    """A network in its folder, its kinds, and those of them that it takes for unknown."""

    folder: Path
    kinds: Kinds
    hidden: frozenset[str] = frozenset()

    def load(self, kinds: Kinds | None = None) -> NeuralVerifier:
        """The network, with views that are not summed yet."""
        network = load_network(self.folder)
        network.set_views(Views(kinds or without(self.kinds, self.hidden)))
        return network


def load_network(folder: Path) -> NeuralVerifier:
    network = adhominem.load(folder)
    assert isinstance(network, NeuralVerifier)
    network.genres_ = None
    return network


def without(kinds: Kinds, names: frozenset[str]) -> Kinds:
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


def pairs_of(corpora: Path, split: int, n: int, kind: str) -> list[Pair]:
    return draw_pairs(Corpus.open(corpora / kind), split, n, SEED, kind)


def unusual_of(kinds: Kinds, corpora: Path, kind: str) -> Unusual:
    return read_unusual(kinds, kind, pairs_of(corpora, TRAIN, N_LEARNT, kind))


def reference_of(corpora: Path, kind: str) -> list[str]:
    return reference_texts(Corpus.open(corpora / kind), N_REFERENCE, SEED)


def measure(network: Network, corpora: Path, n: int, kind: str) -> Measured:
    pairs = pairs_of(corpora, DEV, n, kind)
    verifier = network.load()
    read = read_pairs(verifier, pairs)
    unstated, surprise = measure_pairs(verifier, pairs, read, stated=False)
    stated, _ = measure_pairs(network.load(network.kinds), pairs, read, stated=True)
    print(kind, len(unstated.same), flush=True)
    return Measured(unstated, stated, surprise)


def describe(args: argparse.Namespace, pool: ProcessPoolExecutor) -> tuple[Network, Network]:
    """The kinds of the network and of its twin: features, statistics and weights."""
    names = sorted(path.name for path in args.corpora.iterdir())
    left_out = frozenset(args.left_out)
    texts = dict(zip(names, pool.map(partial(reference_of, args.corpora), names), strict=True))
    labels = json.loads(LABELS.read_text(encoding="utf-8"))
    kinds = fit_kinds(load_network(args.network), texts, labels)
    twin_kinds = measure_kinds(load_network(args.twin), kinds, texts)
    learnt = [name for name in names if name not in UNLEARNT]
    unusual = list(pool.map(partial(unusual_of, kinds, args.corpora), learnt))
    kinds = fit_weights(kinds, unusual, seed=SEED)
    others = [own for name, own in zip(learnt, unusual, strict=True) if name not in left_out]
    twin_kinds = fit_weights(twin_kinds, others, seed=SEED)
    return Network(args.network, kinds), Network(args.twin, twin_kinds, left_out)


def limited(kinds: Kinds, measured: Mapping[str, Measured]) -> Kinds:
    """The kinds with limits, held against single texts, which vary more than several together."""
    covariates = {name: pairs.unstated.covariates for name, pairs in measured.items()}
    long = {
        name: np.repeat((own.length >= CHECKED_TOKENS) & (own.stretches < SINGLE), 2)
        for name, own in covariates.items()
    }
    return limit_kinds(kinds, {name: own.surprise for name, own in measured.items()}, long)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--network", type=Path, required=True)
    parser.add_argument("--twin", type=Path, required=True)
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--left-out", nargs="+", required=True)
    parser.add_argument("--pairs", type=int, default=900, help="development pairs of a kind")
    parser.add_argument("--more", type=int, default=8000, help="pairs of kinds with many authors")
    parser.add_argument("--min-voice", type=float, default=-0.3, help="see Limits")
    parser.add_argument("--model", default="adhominem")
    parser.add_argument("--version", required=True)
    parser.add_argument("-o", "--output", type=Path, required=True)
    args = parser.parse_args()
    torch.set_num_threads(1)  # steps are small: threads would wait for each other
    with ProcessPoolExecutor(2) as pool:
        network, twin = describe(args, pool)
        names, left_out = network.kinds.names, sorted(args.left_out)
        sizes = [args.more if name in LARGE else args.pairs for name in names]
        seen = pool.map(partial(measure, network, args.corpora), sizes, names)
        unseen = pool.map(partial(measure, twin, args.corpora, args.pairs), left_out)
        known = dict(zip(names, seen, strict=True))
        unknown = dict(zip(left_out, unseen, strict=True))
    near, far = ([own.unstated for own in group.values()] for group in (known, unknown))
    fusion = fit_fusion([*near, *far], PARTS)
    shares = [(1 - UNKNOWN_SHARE, near), (UNKNOWN_SHARE, far)]
    calibration = calibrate_groups(shares, fusion, far)
    calibrations = {name: calibrate_kind(own.stated, fusion) for name, own in known.items()}
    referring = [own.stated for own in unknown.values()]
    for_reference = calibrate_groups([(1.0, referring)], fusion, referring)
    for one, target in ((network, args.output / "model"), (twin, args.output / "twin")):
        kinds = without(limited(one.kinds, known), one.hidden)
        verifier = one.load(kinds)
        verifier.set_views(Views(kinds, fusion, for_reference, args.min_voice))
        verifier.calibration_, verifier.calibrations_ = calibration, calibrations
        card = (one.folder / "README.md").read_text(encoding="utf-8")
        verifier.save(target, name=args.model, version=args.version, card=card)
    print(json.dumps(asdict(fusion), indent=1))
    for name, one_calibration in {None: calibration, **calibrations}.items():
        print(name, one_calibration)


if __name__ == "__main__":
    main()
