"""The compared methods on PAN's problems of 2013 to 2015, in five turns over the problems.

    python experiments/pan_problems.py pan15_en_train -o results/pan15.parquet

The folder holds `pairs.jsonl.gz` (id, known, unknown) and `truth.jsonl` (id, same). In each turn a
fifth of the problems is for testing, the next for calibration, the others for training. Every
score goes to a table of which `adhominem bench compare` makes the figures.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

from adhominem.instrument.model_folder import VERIFIERS, verifier_class
from adhominem.instrument.pair_files import open_lines
from adhominem.laboratory.corpus.readers.pan import read_problem, read_truth
from adhominem.laboratory.evaluation.answer_files import write_score_table
from adhominem.laboratory.evaluation.answers import Answers, judge
from adhominem.lines import iterate_lines
from adhominem.records import Document, Pair
from adhominem.rows import parse_object

FOLDS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--methods", nargs="+", default=[n for n in VERIFIERS if n != "neural"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    problems = read_problems(arguments.folder)
    order = np.random.default_rng(arguments.seed).permutation(len(problems))
    turn = np.empty(len(problems), dtype=int)
    turn[order] = np.arange(len(problems)) % FOLDS
    answers = {}
    for method in arguments.methods:
        parts = []
        for fold in range(FOLDS):
            place = (turn - fold) % FOLDS
            test, dev, train = (
                [problems[i] for i in np.flatnonzero(chosen)]
                for chosen in (place == 0, place == 1, place > 1)
            )
            named = [Pair(p.left, p.right, p.same_author, id=f"fold-{fold}-{p.id}") for p in test]
            parts.append(judge(verifier_class(method)().fit(train, dev), named))
        answers[method] = Answers.join(parts)
        error = float(np.mean(1 - (answers[method].score > 0.5) == answers[method].same_author))
        print(f"{method}: about {error:.1%} wrong", file=sys.stderr)
    write_score_table(answers, arguments.output)


def read_problems(folder: Path) -> list[Pair]:
    """Known texts on the left, the unknown one on the right."""
    truth = read_truth(folder / "truth.jsonl")
    problems = []
    with open_lines(folder / "pairs.jsonl.gz") as lines:
        for line in iterate_lines(lines):
            record = parse_object(line.data)
            name = str(record["id"])
            documents = [Document(f.text, f.author) for f in read_problem(record, 0, truth)]
            known, unknown = tuple(documents[:-1]), tuple(documents[-1:])
            problems.append(Pair(known, unknown, truth[name]["same"], id=name))
    return problems


if __name__ == "__main__":
    main()
