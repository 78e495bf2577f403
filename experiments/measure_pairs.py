"""Measures development pairs of every kind of text, for experiments/views.py to fit on.

    python experiments/measure_pairs.py --network runs/shipped/model --unseen runs/unseen \
        --corpora runs/corpora -o runs/views

The network knows every kind but amazon. Six further networks (experiments/unseen/) each left other
kinds out: they say what holds for kinds that a network has never seen, with and without reference
texts. Writes the views (kinds.json, kinds.npz), measured/KIND.npz and unseen/KIND.npz. A file that
is there is not measured again.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from conditions import draw_pairs, reference_texts
from feature_weights import Unusual, fit_weights, read_unusual
from fit_views import fit_kinds, measure_kinds, measure_pairs, read_pairs
from safetensors.numpy import load_file

import adhominem
from adhominem.arrays import Floats
from adhominem.files import whole_file, write_whole
from adhominem.instrument.evidence.calibration import Covariates
from adhominem.instrument.neural import NeuralVerifier
from adhominem.instrument.views.kinds import Kinds, near_kinds
from adhominem.instrument.views.views import Views
from adhominem.laboratory.calibration.fit import LabelledPairs
from adhominem.laboratory.corpus.store import Corpus
from adhominem.laboratory.experiment import read_experiment
from adhominem.records import Pair

LABELS = Path(__file__).with_name("kind_labels.json")
UNSEEN = Path(__file__).with_name("unseen")
TRAIN, DEV = 0, 1
N_REFERENCE = 300
N_LEARNT = 1200  # pairs of training authors of a kind, half of them by one author
SEED = 1
# Pairs of kinds in which reliable answers are looked for; hotels have thousands of authors.
LARGE = {"hotels": 40_000, "blogs": 16_000, "imdb": 16_000}
UNLEARNT = ("amazon",)  # for calibration only
WEIGHTS = ".safetensors"
BEST = "best."  # begins the names of the best weights in a checkpoint


@dataclass(frozen=True)
class Measured:
    """The development pairs of one kind as one network sees them, the kind not stated and stated;
    `surprise` has a row for each side."""

    unstated: LabelledPairs
    stated: LabelledPairs
    surprise: Floats

    def common(self) -> Floats:
        """The probabilities that both sides of a pair are of each kind, (pairs, kinds)."""
        common: Floats = near_kinds(self.surprise).reshape(len(self.unstated.same), 2, -1).prod(1)
        return common

    def save(self, path: Path) -> None:
        arrays: dict[str, Any] = {"surprise": self.surprise}
        for name, own in (("unstated", self.unstated), ("stated", self.stated)):
            arrays[f"{name}.similarity"], arrays[f"{name}.same"] = own.similarity, own.same
            arrays[f"{name}.covariates"] = np.stack([np.asarray(c) for c in own.covariates])
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as file:
            np.savez(file, **arrays)

    @classmethod
    def load(cls, path: Path) -> Measured:
        with np.load(path) as arrays:
            unstated, stated = (
                LabelledPairs(
                    arrays[f"{name}.similarity"],
                    arrays[f"{name}.same"],
                    Covariates(*arrays[f"{name}.covariates"]),
                )
                for name in ("unstated", "stated")
            )
            return cls(unstated, stated, arrays["surprise"])


@dataclass(frozen=True)
class Network:
    """A trained network: its folder, other weights in place of its own, its kinds, and those of
    them that it has never seen."""

    folder: Path
    weights: Path | None
    kinds: Kinds
    unseen: frozenset[str] = frozenset()

    def load(self, kinds: Kinds) -> NeuralVerifier:
        """The network with views that are not summed yet."""
        network = load_network(self.folder, self.weights)
        network.set_views(Views(kinds))
        return network


def load_network(folder: Path, weights: Path | None = None) -> NeuralVerifier:
    """The network of a model folder; its trained weights may be those of a checkpoint."""
    network = adhominem.load(folder)
    assert isinstance(network, NeuralVerifier)
    network.genres_ = None
    if weights is not None:
        saved = load_file(weights)
        best = {
            name[len(BEST) :]: weight.astype(np.float32)
            for name, weight in saved.items()
            if name.startswith(BEST)
        }
        network.set_arrays({**network.arrays_, **best})
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


def save_kinds(kinds: Kinds, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / "kinds.json", json.dumps(kinds.to_dict()))
    with whole_file(folder / "kinds.npz") as file:
        np.savez(file, **kinds.arrays())


def load_kinds(folder: Path) -> Kinds:
    with np.load(folder / "kinds.npz") as arrays:
        return Kinds.from_dict(json.loads((folder / "kinds.json").read_text()), dict(arrays))


def pairs_of(corpora: Path, split: int, n: int, kind: str) -> list[Pair]:
    return draw_pairs(Corpus.open(corpora / kind), split, n, SEED, kind)


def unusual_of(kinds: Kinds, corpora: Path, kind: str) -> Unusual:
    return read_unusual(kinds, kind, pairs_of(corpora, TRAIN, N_LEARNT, kind))


def reference_of(corpora: Path, kind: str) -> list[str]:
    return reference_texts(Corpus.open(corpora / kind), N_REFERENCE, SEED)


def measure(network: Network, corpora: Path, n: int, folder: Path, kind: str) -> None:
    """Measure the pairs of one kind and write them."""
    path = folder / f"{kind}.npz"
    if path.exists():
        return
    pairs = pairs_of(corpora, DEV, n, kind)
    verifier = network.load(without(network.kinds, network.unseen))
    read = read_pairs(verifier, pairs)
    unstated, surprise = measure_pairs(verifier, pairs, read, stated=False)
    stated, _ = measure_pairs(network.load(network.kinds), pairs, read, stated=True)
    Measured(unstated, stated, surprise).save(path)
    print(folder.name, kind, len(unstated.same), flush=True)


def describe_unseen(
    network: Network,
    texts: Mapping[str, Sequence[str]],
    learnt: Mapping[str, Unusual],
    folder: Path,
) -> Network:
    """A network that left kinds out, with statistics by its own features, and weights of features
    that know nothing of those kinds; they are written to the folder."""
    if not (folder / "kinds.npz").exists():
        own = measure_kinds(load_network(network.folder, network.weights), network.kinds, texts)
        others = [unusual for name, unusual in learnt.items() if name not in network.unseen]
        save_kinds(fit_weights(own, others, seed=SEED), folder)
    return replace(network, kinds=load_kinds(folder))


def left_out() -> dict[str, frozenset[str]]:
    """The kinds that each of the further networks has never seen, by the name of its experiment."""
    return {
        path.stem: frozenset(read_experiment(path).training.left_out)
        for path in sorted(UNSEEN.glob("*.toml"))
    }


def unseen_networks(folder: Path, runs: Path, kinds: Kinds) -> list[Network]:
    """The networks that left kinds out, with the kinds of the network in the model folder. `runs`
    has their run folders or, like experiments/unseen, their weights alone."""
    networks = []
    for stem, unseen in left_out().items():
        checkpoint, alone = (
            runs / stem / "checkpoint.safetensors",
            runs / f"{stem}{WEIGHTS}",
        )
        weights = checkpoint if checkpoint.exists() else alone
        networks.append(Network(folder, weights, kinds, unseen))
    return networks


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--network", type=Path, required=True, help="model folder")
    parser.add_argument("--unseen", type=Path, required=True, help="folder of the further runs")
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=900, help="development pairs of a kind")
    parser.add_argument("-o", "--output", type=Path, required=True)
    args = parser.parse_args()
    torch.set_num_threads(1)  # steps are small: threads would wait for each other
    names = sorted(path.name for path in args.corpora.iterdir())
    network = load_network(args.network)
    with ProcessPoolExecutor(2) as pool:
        texts = dict(zip(names, pool.map(partial(reference_of, args.corpora), names), strict=True))
        labels = json.loads(LABELS.read_text(encoding="utf-8"))
        # A model that has views keeps its kinds, so that evidence can be fitted again alone.
        kinds = network.views_.kinds if network.views_ else fit_kinds(network, texts, labels)
        learnt = [name for name in names if name not in UNLEARNT]
        rows = pool.map(partial(unusual_of, kinds, args.corpora), learnt)
        unusual = dict(zip(learnt, rows, strict=True))
        if network.views_ is None:
            kinds = fit_weights(kinds, list(unusual.values()), seed=SEED)
        save_kinds(kinds, args.output)
        print("kinds are described", flush=True)
        work = []
        known = Network(args.network, None, kinds)
        for name in names:
            n, folder = LARGE.get(name, args.pairs), args.output / "measured"
            work.append(pool.submit(measure, known, args.corpora, n, folder, name))
        for number, other in enumerate(unseen_networks(args.network, args.unseen, kinds), 1):
            target = args.output / "networks" / str(number)
            other = describe_unseen(other, texts, unusual, target)
            print("network", number, "is described", flush=True)
            for name in sorted(other.unseen):
                folder = args.output / "unseen"
                work.append(pool.submit(measure, other, args.corpora, args.pairs, folder, name))
        for job in work:
            job.result()


if __name__ == "__main__":
    main()
