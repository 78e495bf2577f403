"""GLAD on PAN's English problems, by cross-validation, beside what its authors reached in 2015.

    python experiments/glad_pan.py pan15_en_train pan14_en_essays_train pan14_en_novels_train \
        -o results/glad-pan.json

After Huerlimann et al. (2015), whose program has stratified cross-validation in ten turns. In each
turn nine tenths of the problems are for training and the decision value, which is above 0 for one
author, is the answer; all turns of a draw make one AUC. As in the competition the score is AUC
times c@1; as no problem is left open, c@1 is the share of right answers. The turns are drawn ten
times, first without regard to texts, then such that problems which share a text are in one turn.
Intervals come from drawing groups of problems that share texts.

Ours: the test problems are not available. Published is the score on those of 2015, each with one
known text.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pan_problems import read_problems
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from adhominem.arrays import Booleans, Floats, Integers
from adhominem.files import write_whole
from adhominem.laboratory.evaluation.intervals import interval
from adhominem.laboratory.verifiers import Texts
from adhominem.laboratory.verifiers.glad import Glad
from adhominem.records import Pair

FOLDS, DRAWS, ROUNDS = 10, 10, 500
METHOD = Glad()
TURNS = {"any problems": StratifiedKFold, "shared texts together": StratifiedGroupKFold}
# Final score on the 500 English test problems of 2015, in two digits as it is quoted second-hand.
PUBLISHED = {"pan15_en_train": 0.41}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", type=Path, nargs="+", help="pairs.jsonl.gz, truth.jsonl in each")
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    report = {folder.name: measure(read_problems(folder)) for folder in arguments.folders}
    for name, score in PUBLISHED.items():
        if name in report:
            report[name]["published"] = score
    write_whole(arguments.output, json.dumps(report, indent=1) + "\n")
    print(json.dumps(report, indent=1))


def measure(problems: Sequence[Pair]) -> dict[str, Any]:
    """Figures by the way in which turns are drawn; the second needs enough groups of problems."""
    same = np.array([bool(problem.same_author) for problem in problems])
    groups = group_problems(problems)
    n_groups = int(groups.max()) + 1
    report: dict[str, Any] = {
        "problems": len(problems),
        "known_texts": float(np.mean([len(problem.left) for problem in problems])),
        "groups_that_share_texts": n_groups,
        "draws": DRAWS,
    }
    features = METHOD._measure_sides(Texts(problems))[0]
    for name, kind in TURNS.items():
        if kind is StratifiedGroupKFold and n_groups < FOLDS:
            continue
        values = []
        for seed in range(DRAWS):
            turns = kind(FOLDS, shuffle=True, random_state=seed)
            together = groups if kind is StratifiedGroupKFold else None
            values.append(judge_turns(features, same, turns.split(features, same, together)))
        report[name] = figures(np.array(values), same, groups)
    return report


def group_problems(problems: Sequence[Pair]) -> Integers:
    """The number of each problem's group: problems that share a text, directly or by others."""
    numbers: dict[str, int] = {}
    cells = [
        (row, numbers.setdefault(document.text, len(numbers)))
        for row, problem in enumerate(problems)
        for document in (*problem.left, *problem.right)
    ]
    rows, columns = zip(*cells, strict=True)
    texts = csr_array((np.ones(len(rows)), (rows, columns)))
    return np.asarray(connected_components(texts @ texts.T, directed=False)[1])


def judge_turns(
    features: Floats, same: Booleans, turns: Iterable[tuple[Integers, Integers]]
) -> Floats:
    """The decision value of every problem, by a machine trained on those of other turns."""
    values = np.empty(len(same))
    for train, test in turns:
        machine = make_pipeline(StandardScaler(), SVC(C=METHOD.cost, gamma=METHOD.gamma))
        values[test] = machine.fit(features[train], same[train]).decision_function(features[test])
    return values


def figures(values: Floats, same: Booleans, groups: Integers) -> dict[str, Any]:
    """Means over the draws (rows of `values`), with intervals by groups of problems."""
    rng = np.random.default_rng(0)
    members = [np.flatnonzero(groups == group) for group in range(int(groups.max()) + 1)]
    drawn = [_means(values, same)]
    while len(drawn) <= ROUNDS and len(members) > 1:
        chosen = np.concatenate([members[g] for g in rng.integers(len(members), size=len(members))])
        if 0 < same[chosen].sum() < len(chosen):
            drawn.append(_means(values[:, chosen], same[chosen]))
    columns = zip(("auc", "c_at_1", "score"), np.array(drawn).T, strict=True)
    return {
        name: interval(column) if len(drawn) > 1 else {"value": float(column[0])}
        for name, column in columns
    }


def _means(values: Floats, same: Booleans) -> Floats:
    """AUC, c@1 and their product, each the mean over the draws."""
    auc = np.array([roc_auc_score(same, row) for row in values])
    right = ((values > 0) == same).mean(axis=1)
    return np.array([auc.mean(), right.mean(), (auc * right).mean()])


if __name__ == "__main__":
    main()
