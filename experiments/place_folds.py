"""Puts networks that were trained elsewhere into run folders, where a cross-validation goes on.

    python experiments/place_folds.py back/folds-*.tar -o runs/tables
    adhominem bench crossval experiments/compared/seed-3/hrsn.toml --corpus runs/corpora/hotels \\
        --vectors runs/vectors.vec -o runs/tables/hotels-3/hrsn

The archives are those of `train_folds.py`. A run that has as many epochs there already stays. With
`--scores results/hotels-seed-2.parquet`, folds of a stored table are not run again: their answers
go to the folders of its methods in the output.
"""

from __future__ import annotations

import argparse
import json
import tarfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from adhominem.files import write_whole

FILES = ("checkpoint.safetensors", "history.json", "standing.json")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("archives", nargs="*", type=Path)
    parser.add_argument("--scores", type=Path, help="score table whose folds are known")
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    for archive in arguments.archives:
        place(archive, arguments.output)
    if arguments.scores:
        place_answers(arguments.scores, arguments.output)


def place(archive: Path, target: Path) -> None:
    """Put the runs of an archive into their folders."""
    with tarfile.open(archive) as opened:
        found: dict[str, dict[str, bytes]] = {}
        for member in opened.getmembers():
            folder, _, name = member.name.rpartition("/")
            if name in FILES and ".." not in folder and not folder.startswith("/"):
                found.setdefault(folder, {})[name] = opened.extractfile(member).read()
    for folder, files in found.items():
        epochs, known = len(json.loads(files["history.json"])), target / folder / "history.json"
        if known.exists() and len(json.loads(known.read_text())) >= epochs:
            print(f"{folder}: nothing new")
            continue
        for name, content in files.items():
            write_whole(target / folder / name, content)
        ended = json.loads(files["standing.json"])["ended"]
        print(f"{folder}: {epochs} epochs, {'ended' if ended else 'not ended'}")


def place_answers(table: Path, target: Path) -> None:
    """Put the answers of each fold of a score table into the folders of its methods. Its authors
    are numbers, which get names that no author of another fold has."""
    from adhominem.laboratory.evaluation.answer_files import read_score_table, write_answers

    for method, answers in read_score_table(table).items():
        folds = np.array([name.split("-test-")[0] for name in answers.ids])
        authors = np.array([f"stored {name}" for name in answers.authors.ravel()], dtype=object)
        named = replace(answers, authors=authors.reshape(-1, 2))
        for fold in np.unique(folds):
            path = target / method / str(fold) / "answers.parquet"
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                write_answers(named.select(folds == fold), path)
                print(f"{path}: {int((folds == fold).sum())} answers")


if __name__ == "__main__":
    main()
