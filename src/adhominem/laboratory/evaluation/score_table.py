"""The scores of many methods on the same pairs in one small file, from which every table can be
made again: one row per pair, two columns per method. The texts are not in it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow
from pyarrow import parquet

from adhominem.errors import InputError
from adhominem.files import whole_file
from adhominem.laboratory.evaluation.answers import Answers
from adhominem.laboratory.evaluation.comparison import align
from adhominem.laboratory.evaluation.measures import llr_of

_SCORE, _RELIABLE = "score: ", "reliable: "


def write_score_table(answers: Mapping[str, Answers], path: Path) -> None:
    aligned = align(answers)
    first = next(iter(aligned.values()))
    topic = first.same_topic
    authors, numbers = np.unique(first.authors.astype(str), return_inverse=True)
    del authors  # who they are is of no interest, that they are the same is
    numbers = numbers.reshape(-1, 2).astype(np.int32)
    columns = {
        "id": pyarrow.array(first.ids.tolist(), pyarrow.string()),
        "same_author": pyarrow.array(first.same_author),
        "same_topic": pyarrow.array(
            [None] * len(first) if topic is None else topic.tolist(), pyarrow.bool_()
        ),
        "left_author": pyarrow.array(numbers[:, 0]),
        "right_author": pyarrow.array(numbers[:, 1]),
        "tokens": pyarrow.array(first.tokens.astype(np.int32)),
    }
    for name, found in aligned.items():
        columns[_SCORE + name] = pyarrow.array(found.score.astype(np.float32))
        columns[_RELIABLE + name] = pyarrow.array(found.reliable)
    with whole_file(path) as file:
        parquet.write_table(pyarrow.table(columns), file, compression="zstd")


def is_score_table(path: Path) -> bool:
    try:
        return any(name.startswith(_SCORE) for name in parquet.read_schema(path).names)
    except (pyarrow.ArrowException, OSError):
        return False


def read_score_table(path: Path) -> dict[str, Answers]:
    table = parquet.read_table(path)
    names = [name.removeprefix(_SCORE) for name in table.column_names if name.startswith(_SCORE)]
    if not names:
        raise InputError(f"{path} holds no scores")
    topics = table.column("same_topic").to_pylist()
    authors = np.stack(
        [table.column(side).to_numpy().astype(str) for side in ("left_author", "right_author")],
        axis=1,
    ).astype(object)
    common = {
        "ids": np.array(table.column("id").to_pylist(), dtype=object),
        "same_author": table.column("same_author").to_numpy(),
        "same_topic": None if None in topics else np.array(topics, dtype=bool),
        "authors": authors,
        "tokens": table.column("tokens").to_numpy().astype(np.int64),
    }
    found = {}
    for name in names:
        score = table.column(_SCORE + name).to_numpy().astype(np.float64)
        found[name] = Answers(
            score=score,
            llr=llr_of(score),
            reliable=table.column(_RELIABLE + name).to_numpy(),
            undecided=score == 0.5,
            **common,
        )
    return found
