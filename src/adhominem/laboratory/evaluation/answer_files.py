"""Answers on disk: one row per pair, so that every figure can be made again without the texts.

Our own files are parquet. PAN's answer files (`{"id", "value"}` per line) are read together with
their truth.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
from pyarrow import parquet

from adhominem.errors import InputError
from adhominem.files import whole_file
from adhominem.instrument.lines import iterate_lines, open_bytes
from adhominem.laboratory.evaluation.answers import Answers
from adhominem.laboratory.evaluation.measures import llr_of


def write_answers(answers: Answers, path: Path) -> None:
    topic = answers.same_topic
    table = pyarrow.table(
        {
            "id": pyarrow.array(answers.ids.tolist(), pyarrow.string()),
            "score": answers.score,
            "llr": answers.llr,
            "reliable": answers.reliable,
            "undecided": answers.undecided,
            "same_author": answers.same_author,
            "same_topic": pyarrow.array(
                [None] * len(answers) if topic is None else topic.tolist(), pyarrow.bool_()
            ),
            "left_author": pyarrow.array(answers.authors[:, 0].tolist(), pyarrow.string()),
            "right_author": pyarrow.array(answers.authors[:, 1].tolist(), pyarrow.string()),
            "tokens": answers.tokens.astype(np.int32),
        }
    )
    with whole_file(path) as file:
        parquet.write_table(table, file, compression="zstd")


def read_answers(path: Path, *, truth: Path | None = None) -> Answers:
    if not path.is_file():
        raise InputError(f"{path}: no such file of answers")
    with path.open("rb") as file:
        is_parquet = file.read(4) == b"PAR1"
    if is_parquet:
        return _read_parquet(path)
    if truth is None:
        raise InputError(f"{path} has no truth in it: give the truth file with --truth")
    return _read_pan(path, truth)


def _read_parquet(path: Path) -> Answers:
    try:
        table = parquet.read_table(path)
        columns = {name: table.column(name).to_pylist() for name in table.column_names}
        topics = columns["same_topic"]
        return Answers(
            ids=np.array(columns["id"], dtype=object),
            score=np.array(columns["score"], dtype=np.float64),
            llr=np.array(columns["llr"], dtype=np.float64),
            reliable=np.array(columns["reliable"], dtype=bool),
            undecided=np.array(columns["undecided"], dtype=bool),
            same_author=np.array(columns["same_author"], dtype=bool),
            same_topic=None if None in topics else np.array(topics, dtype=bool),
            authors=np.array(
                [columns["left_author"], columns["right_author"]], dtype=object
            ).T.reshape(-1, 2),
            tokens=np.array(columns["tokens"], dtype=np.int64),
        )
    except (pyarrow.ArrowException, KeyError, OSError) as error:
        raise InputError(f"{path} is not a file of answers: {error}") from None


def _read_pan(path: Path, truth: Path) -> Answers:
    said = {str(row["id"]): row for row in _rows(path) if "id" in row and "value" in row}
    answers = [row for row in _rows(truth) if "id" in row and isinstance(row.get("same"), bool)]
    if not said or not answers:
        raise InputError(f"{path if not said else truth} holds no answers that PAN would know")
    strange = set(said) - {str(row["id"]) for row in answers}
    if strange:
        raise InputError(
            f"{path} and {truth} do not match: {len(strange):,} answers, '{min(strange)}' for one, "
            "are to problems that the truth does not have"
        )
    score = np.array([float(said.get(str(row["id"]), {"value": 0.5})["value"]) for row in answers])
    if not ((score >= 0) & (score <= 1)).all():
        raise InputError(f"{path} has values outside 0 to 1")
    names = [row.get("authors") or ["", ""] for row in answers]
    return Answers(
        ids=np.array([str(row["id"]) for row in answers], dtype=object),
        score=score,
        llr=llr_of(score),
        reliable=(score <= 0.01) | (score >= 0.99),
        undecided=score == 0.5,
        same_author=np.array([row["same"] for row in answers], dtype=bool),
        same_topic=None,
        authors=np.array(names, dtype=object).reshape(-1, 2),
        tokens=np.zeros(len(answers), dtype=np.int64),
    )


def _rows(path: Path) -> list[dict[str, Any]]:
    rows = []
    with open_bytes(path) as stream:
        for line in iterate_lines(stream):
            if line.problem:
                raise InputError(f"{path}, line {line.number}: {line.problem}")
            if line.data.strip():
                try:
                    row = json.loads(line.data)
                except (ValueError, RecursionError) as error:
                    raise InputError(f"{path}, line {line.number} is not JSON: {error}") from None
                if not isinstance(row, dict):
                    raise InputError(f"{path}, line {line.number} is not a JSON object")
                rows.append(row)
    return rows
