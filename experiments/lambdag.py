"""What LambdaG would add to the evidence of a model on long sides, on development authors.

    python experiments/lambdag.py adhominem --corpora runs/corpora -o results/lambdag.json

A side is made of as many texts of an author as are needed for 600, 1,200 or 2,400 tokens. Every
development author with two such sides gives a pair with himself and one with the next author of the
kind. LambdaG takes its reference authors from the training authors of the kind, with sides of the
same length. The log10 LR of the model, with the kind stated, and t of LambdaG go into logistic
regressions with weights of 0 and more, alone and together. Each half of the authors is judged by
the regressions of the other half; intervals come from drawing authors. Pairs that the model does
not judge are left out.
"""

from __future__ import annotations

import argparse
import json
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from measure_kinds import load

import adhominem
from adhominem.arrays import Booleans, Floats
from adhominem.files import write_whole
from adhominem.laboratory.corpus.store import Corpus
from adhominem.laboratory.evaluation.answers import Answers, collect
from adhominem.laboratory.evaluation.intervals import interval, resample
from adhominem.laboratory.verifiers.feature_difference import regress
from adhominem.laboratory.verifiers.lambda_g import LambdaG
from adhominem.records import Document, Pair

LENGTHS = (600, 1200, 2400)  # tokens of a side at least
FEWEST = {"train": 10, "dev": 4}  # authors of a kind
MOST = {"train": 200, "dev": 100}
SEED = 7
COLUMNS = {"model": [0], "LambdaG": [1], "both": [0, 1]}  # of `Measured.values`
MEASURES = ("error", "auc", "cllr")
Sides = list[tuple[tuple[Document, ...], tuple[Document, ...]]]  # two of each author


@dataclass(frozen=True, slots=True)
class Measured:
    """Pairs of one kind and length: the answers of the model, its log10 LR and t of LambdaG in two
    columns, and which half of the authors a pair is from."""

    answers: Answers
    values: Floats
    half: Booleans


def measure_kind(model: str, corpora: Path, kind: str) -> dict[int, Measured]:
    """The pairs of a kind by length of a side; none where it has too few authors."""
    corpus, verifier = Corpus.open(corpora / kind), load(Path(model))
    found = {}
    for length in LENGTHS:
        train, dev = (draw_sides(corpus, split, length) for split in ("train", "dev"))
        if len(train) < FEWEST["train"] or len(dev) < FEWEST["dev"]:
            continue
        halves = [[replace(p, genre=kind) for p in make_pairs(dev[i::2])] for i in (0, 1)]
        pairs = halves[0] + halves[1]
        method = LambdaG()
        method._fit(make_pairs(train))
        decisions = verifier.decide(pairs)
        # The sum of all terms is the LR before it is limited and before weak evidence becomes 0.
        ratios = [sum(t.llr for t in d.terms) if d.terms else np.nan for d in decisions]
        values = np.column_stack([ratios, method.compare(pairs).similarity])
        half = np.arange(len(pairs)) >= len(halves[0])
        judged = np.isfinite(values).all(axis=1)
        answers = collect(pairs, decisions).select(judged)
        found[length] = Measured(answers, values[judged], half[judged])
    return found


def draw_sides(corpus: Corpus, split: str, length: int) -> Sides:
    """Two sides of each author of a split who has enough tokens for both, of some if many have."""
    labels = corpus.labels
    n_tokens = np.array(corpus.label("n_tokens"))
    rows = labels.indices(split)
    rows = np.random.default_rng(SEED).permutation(rows[~labels.copied[rows]])
    sides: dict[int, list[list[int]]] = {}
    for row in rows.tolist():
        own = sides.setdefault(int(labels.authors[row]), [[]])
        if n_tokens[own[-1]].sum() >= length:
            own.append([])
        own[-1].append(row)
    able = [own for own in sides.values() if len(own) > 1 and n_tokens[own[1]].sum() >= length]
    chosen = [own[:2] for own in able[: MOST[split]]]
    wanted = [row for own in chosen for side in own for row in side]
    documents = corpus.documents(np.array(wanted, dtype=np.int64))
    return [
        (tuple(documents[row] for row in one), tuple(documents[row] for row in other))
        for one, other in chosen
    ]


def make_pairs(authors: Sides) -> list[Pair]:
    """Every author with himself and with the next one."""
    following = authors[1:] + authors[:1]
    same = [Pair(one, other, True) for one, other in authors]
    return same + [
        Pair(one, other, False) for (one, _), (_, other) in zip(authors, following, strict=True)
    ]


def judge_halves(values: Floats, same: Booleans, half: Booleans) -> tuple[Floats, list[Any]]:
    """log10 LRs of pairs in which each half is judged by the regression of the other half, and the
    weights of the columns in both regressions, for log10 LRs."""
    llr, weights = np.empty(len(values)), []
    for judged in (False, True):
        fitted = half != judged
        scale = values[fitted].std(axis=0)
        slopes, intercept = regress(-values[fitted] / scale, same[fitted], C=np.inf)
        weights.append((slopes / scale / np.log(10)).tolist())
        llr[~fitted] = values[~fitted] @ weights[-1] + intercept / np.log(10)
    return llr, weights


def summarise(found: list[Measured]) -> dict[str, Any]:
    """Figures over all kinds with intervals, and of both together minus the model alone."""
    answers = Answers.join([one.answers for one in found])
    values, half = (np.concatenate([getattr(o, n) for o in found]) for n in ("values", "half"))
    judged, weights = {}, {}
    for name, columns in COLUMNS.items():
        llr, weights[name] = judge_halves(values[:, columns], answers.same_author, half)
        judged[name] = replace(answers, llr=llr, score=1 / (1 + 10.0**-llr))
    drawn = resample(judged)
    gained = {m: interval(drawn["both"][m] - drawn["model"][m]) for m in MEASURES}
    return {
        "kinds": len(found),
        "authors": len(set(answers.authors.ravel())),
        "pairs": len(answers),
        "median_tokens": int(np.median(answers.tokens)),
        "weights": weights,
        "correlation": [
            float(np.corrcoef(values[answers.same_author == same].T)[0, 1])
            for same in (True, False)
        ],
        "figures": {n: {m: interval(own[m]) for m in MEASURES} for n, own in drawn.items()},
        "both minus model": gained,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    verifier = adhominem.load(arguments.model)
    built = {path.parent.name for path in arguments.corpora.glob("*/manifest.json")}
    kinds = sorted(built & set(verifier.kind_labels()))
    work = partial(measure_kind, arguments.model, arguments.corpora)
    with ProcessPoolExecutor(2) as pool:
        found = []
        for kind, own in zip(kinds, pool.map(work, kinds), strict=True):
            found.append(own)
            print(kind, {length: len(one.answers) for length, one in own.items()}, flush=True)
    report: dict[str, Any] = {"model": verifier.identity and verifier.identity.sha256}
    report["lengths"] = {}
    for length in LENGTHS:
        own = [one[length] for one in found if length in one]
        report["lengths"][length] = summarise(own)
        print(length, json.dumps(report["lengths"][length], indent=1))
    write_whole(arguments.output, json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
