"""Measures a model with views on test authors of every kind of text, once.

    python experiments/measure_kinds.py --measured runs/views --unseen runs/unseen \
        --corpora runs/corpora --pairs runs/shipped/prepared/test -o results/kinds.json

Every kind is measured with its kind not stated and stated. Every kind but hotel and product reviews
is measured as one that was never seen, too, without and with 300 reference texts: one of six
networks left it out (experiments/unseen/) and takes the place of the network, with weights of the
features that know nothing of it. The error rates that the model quotes are stored in it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from conditions import draw_pairs, reference_texts
from measure_pairs import Network, load_kinds, load_network, unseen_networks, without

import adhominem
from adhominem.instrument.network.side import ReadText
from adhominem.instrument.neural import NeuralVerifier
from adhominem.instrument.views.kinds import REFERENCE
from adhominem.laboratory.corpus.store import Corpus
from adhominem.laboratory.evaluation.answers import Answers, collect, draw, read_labelled
from adhominem.laboratory.evaluation.evaluate import error_interval, evaluate, track_records

TEST = 2
SEED = 2
OLD = ("hotels", "blogs", "imdb", "reddit")
CONDITIONS = {"words": (20, 25, 35, 50, 80, 120, 200, 400), "texts": (1, 2, 4, 8, 16, 50)}


class Remembering(NeuralVerifier):
    """A verifier that reads a text once, however often it is asked."""

    known: dict[str, ReadText]

    def read(self, texts: Any) -> list[ReadText]:
        new = [text for text in dict.fromkeys(texts) if text not in self.known]
        self.known |= zip(new, super().read(new), strict=True)
        return [self.known[text] for text in texts]


@dataclass(frozen=True)
class Job:
    """One kind to measure; `other` has never seen it, and `kinds` is the folder of its kinds."""

    kind: str
    model: Path
    corpora: Path
    pairs: Path
    most: int
    varied: int
    other: Network | None = None
    kinds: Path | None = None


def load(folder: Path) -> Remembering:
    network = adhominem.load(folder)
    network.__class__, network.known = Remembering, {}  # type: ignore[attr-defined]
    assert isinstance(network, Remembering)
    return network


def load_unseen(model: Path, other: Network, kinds: Path) -> Remembering:
    """The model with the weights of a network that has never seen some kinds, and without their
    statistics."""
    verifier = load(model)
    views = verifier.views_
    assert views is not None and other.weights is not None
    verifier.set_arrays(load_network(model, other.weights).arrays_)
    known = dict(zip(views.kinds.names, views.kinds.limits, strict=True))
    own = load_kinds(kinds)
    own = replace(own, limits=tuple(known[name] for name in own.names))
    verifier.set_views(replace(views, kinds=without(own, other.unseen)))
    return verifier


def measure_kind(job: Job) -> dict[str, Any]:
    """Answers for one kind in every condition."""
    corpus = Corpus.open(job.corpora / job.kind)
    single = draw(read_labelled(job.pairs / f"{job.kind}.pairs.jsonl.gz"), job.most, seed=SEED)
    varied = draw_pairs(corpus, TEST, job.varied, SEED, job.kind)
    network = load(job.model)
    answers = {}
    for name, pairs in (("single", single), ("varied", varied)):
        told = [replace(pair, genre=job.kind) for pair in pairs]
        answers[name, "not stated"] = collect(
            pairs, network.decide([replace(p, genre=None) for p in pairs])
        )
        answers[name, "stated"] = collect(told, network.decide(told))
    if job.other is not None and job.kinds is not None:
        other = load_unseen(job.model, job.other, job.kinds)
        referring = other.with_reference(reference_texts(corpus, 300, SEED))
        for name, pairs in (("single", single), ("varied", varied)):
            plain = [replace(pair, genre=None) for pair in pairs]
            answers[name, "unknown kind"] = collect(plain, other.decide(plain))
            answers[name, "reference texts"] = collect(plain, referring.decide(plain))
    texts = [(max(len(p.left), 1), max(len(p.right), 1)) for p in varied]
    print(job.kind, flush=True)
    return {"answers": answers, "texts": np.array(texts).min(axis=1) if texts else np.zeros(0)}


def figures(answers: Answers) -> dict[str, Any]:
    report = evaluate(answers)
    low, high = error_interval(answers)
    decided = ~answers.undecided
    wrong = (answers.llr > 0) != answers.same_author
    sure = answers.reliable
    return {
        **{key: report[key] for key in ("pairs", "undecided", "error", "auc", "cllr")},
        "low": low,
        "high": high,
        "false_same": _mean(wrong[decided & ~answers.same_author]),
        "false_different": _mean(wrong[decided & answers.same_author]),
        "reliable": float(sure.mean()),
        "reliable_same": int((sure & (answers.llr > 0)).sum()),
        "reliable_different": int((sure & (answers.llr < 0)).sum()),
        "reliable_wrong_same": _mean(wrong[sure & (answers.llr > 0)]),
        "reliable_wrong_different": _mean(wrong[sure & (answers.llr < 0)]),
    }


def _means(rows: Collection[dict[str, Any]]) -> dict[str, float]:
    keys = ("error", "auc", "cllr", "false_same", "false_different")
    return {key: float(np.mean([row[key] for row in rows])) for key in keys}


def _mean(values: Any) -> float | None:
    return float(values.mean()) if len(values) else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--measured", type=Path, required=True, help="folder of the fitted model")
    parser.add_argument("--unseen", type=Path, required=True, help="folder of the further runs")
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--most", type=int, default=300, help="single-text pairs of a kind")
    parser.add_argument("--varied", type=int, default=400, help="pairs of other lengths and sizes")
    parser.add_argument("-o", "--output", type=Path, required=True)
    args = parser.parse_args()
    model = args.measured / "model"
    others = unseen_networks(model, args.unseen, load_kinds(args.measured))
    owner = {kind: (i, other) for i, other in enumerate(others, 1) for kind in other.unseen}
    jobs = []
    for kind in sorted(path.name for path in args.corpora.iterdir()):
        most = 3 * args.most if kind in OLD else args.most
        job = Job(kind, model, args.corpora, args.pairs, most, args.varied)
        if kind in owner:
            number, other = owner[kind]
            folder = args.measured / "networks" / str(number)
            job = replace(job, other=other, kinds=folder)
        jobs.append(job)
    with ProcessPoolExecutor(2) as pool:
        found = dict(zip([job.kind for job in jobs], pool.map(measure_kind, jobs), strict=True))
    conditions = sorted({c for r in found.values() for _, c in r["answers"]})
    report: dict[str, Any] = {"model": asdict(adhominem.load(model).identity)}
    for condition in conditions:
        own = {
            n: r["answers"]["single", condition]
            for n, r in found.items()
            if ("single", condition) in r["answers"]
        }
        rows = {name: figures(answers) for name, answers in own.items()}
        new = [row for name, row in rows.items() if name not in (*OLD, "amazon")]
        report[condition] = {
            "kinds": rows,
            "mean": _means(rows.values()),
            "mean of the 32 new kinds": _means(new),
            "misleading": sorted(name for name, row in rows.items() if row["cllr"] > 1),
            "by words": _by_words(found, condition),
            "by texts": _by_texts(found, condition),
        }
    args.output.write_text(json.dumps(report, indent=1) + "\n")
    network = adhominem.load(model)
    records = []
    for name, result in found.items():
        both = Answers.join(
            [result["answers"]["single", "stated"], result["answers"]["varied", "stated"]]
        )
        records += track_records(both, name)
    for condition, genre in (("reference texts", REFERENCE), ("unknown kind", None)):
        own = [
            Answers.join([r["answers"][part, c] for part in ("single", "varied")])
            for r in found.values()
            for c in ((condition,) if genre else (condition, "not stated"))
            if ("single", c) in r["answers"]
        ]
        records += track_records(Answers.join(own), genre, own)
    network.track_record_ = tuple(records)
    identity = network.identity
    assert identity is not None
    card = (model / "README.md").read_text()
    network.save(model, name=identity.name, version=identity.version, card=card)
    report["model"] = asdict(network.identity)
    args.output.write_text(json.dumps(report, indent=1) + "\n")


def _by_words(found: dict[str, Any], condition: str) -> list[dict[str, Any]]:
    everything = [
        r["answers"]["varied", condition]
        for r in found.values()
        if ("varied", condition) in r["answers"]
    ]
    joined = Answers.join(everything)
    edges = CONDITIONS["words"]
    rows = []
    for low, high in zip(edges, (*edges[1:], 10**9), strict=True):
        chosen = joined.select((joined.tokens >= low) & (joined.tokens < high))
        rows.append({"from": low, "to": high, **figures(chosen)})
    return rows


def _by_texts(found: dict[str, Any], condition: str) -> list[dict[str, Any]]:
    own = [r for r in found.values() if ("varied", condition) in r["answers"]]
    joined = Answers.join([r["answers"]["varied", condition] for r in own])
    texts = np.concatenate([r["texts"] for r in own])
    edges = CONDITIONS["texts"]
    return [
        {"from": low, "to": high - 1, **figures(joined.select((texts >= low) & (texts < high)))}
        for low, high in zip(edges, (*edges[1:], 10**6), strict=True)
        if ((texts >= low) & (texts < high)).any()
    ]


if __name__ == "__main__":
    main()
