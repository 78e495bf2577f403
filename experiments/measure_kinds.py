"""Measures a model with views on test authors of every kind of text, once.

    python experiments/measure_kinds.py --model runs/views/model --twin runs/views/twin \
        --corpora runs/corpora --pairs runs/kinds/prepared/test -o results/kinds.json

Every kind is measured with its kind not stated and stated; the kinds that the twin has never seen
also without and with 300 reference texts. The error rates that the model quotes are stored in it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from conditions import draw_pairs, reference_texts

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


def load(folder: Path) -> Remembering:
    network = adhominem.load(folder)
    network.__class__, network.known = Remembering, {}  # type: ignore[attr-defined]
    assert isinstance(network, Remembering)
    return network


def measure_kind(job: tuple[Path, Path, Path, Path, str, int, int]) -> dict[str, Any]:
    """Answers for one kind in every condition."""
    model, twin, corpora, folder, kind, n, n_conditions = job
    corpus = Corpus.open(corpora / kind)
    single = draw(read_labelled(folder / f"{kind}.pairs.jsonl.gz"), n, seed=SEED)
    varied = draw_pairs(corpus, TEST, n_conditions, SEED, kind)
    network = load(model)
    answers = {}
    for name, pairs in (("single", single), ("varied", varied)):
        told = [replace(pair, genre=kind) for pair in pairs]
        answers[name, "not stated"] = collect(
            pairs, network.decide([replace(p, genre=None) for p in pairs])
        )
        answers[name, "stated"] = collect(told, network.decide(told))
    other = load(twin)
    assert other.views_ is not None
    if kind not in other.views_.kinds.names:
        referring = other.with_reference(reference_texts(corpus, 300, SEED))
        for name, pairs in (("single", single), ("varied", varied)):
            plain = [replace(pair, genre=None) for pair in pairs]
            answers[name, "unknown kind"] = collect(plain, other.decide(plain))
            answers[name, "reference texts"] = collect(plain, referring.decide(plain))
    texts = [(max(len(p.left), 1), max(len(p.right), 1)) for p in varied]
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
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--twin", type=Path, required=True)
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--most", type=int, default=300, help="single-text pairs of a kind")
    parser.add_argument("--varied", type=int, default=400, help="pairs of other lengths and sizes")
    parser.add_argument("-o", "--output", type=Path, required=True)
    args = parser.parse_args()
    names = sorted(path.name for path in args.corpora.iterdir())
    sizes = {n: 3 * args.most if n in OLD else args.most for n in names}
    jobs = [
        (args.model, args.twin, args.corpora, args.pairs, n, sizes[n], args.varied) for n in names
    ]
    with ProcessPoolExecutor(2) as pool:
        found = {}
        for name, result in zip(names, pool.map(measure_kind, jobs), strict=True):
            found[name] = result
            print(name, flush=True)
    conditions = sorted({c for r in found.values() for _, c in r["answers"]})
    report: dict[str, Any] = {"model": asdict(adhominem.load(args.model).identity)}
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
            "by words": _by_words(found, condition),
            "by texts": _by_texts(found, condition),
        }
    args.output.write_text(json.dumps(report, indent=1) + "\n")
    network = adhominem.load(args.model)
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
    card = (args.model / "README.md").read_text()
    network.save(args.model, name=identity.name, version=identity.version, card=card)
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
