"""Files of answers without the texts, from which every measure can be computed again.

answers       parquet, one row per pair: the answers of one method
score table   parquet, one row per pair, two columns for each of several methods
PAN           JSON lines `{"id", "value"}`; read together with a truth file
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow
from pyarrow import parquet

from adhominem.errors import InputError
from adhominem.files import whole_file
from adhominem.laboratory.evaluation.answers import Answers, align, llr_of
from adhominem.lines import iterate_lines, open_bytes
from adhominem.rows import RecordError, parse_object

_SCORE, _RELIABLE = "score: ", "reliable: "


def write_answers(answers: Answers, path: Path) -> None:
    """Writes the answers of one method as parquet."""
    pairs = _pair_columns(answers, answers.authors)
    own = {name: getattr(answers, name) for name in ("score", "llr", "reliable", "undecided")}
    _write({"id": pairs["id"], **own, **pairs}, path)


def write_score_table(answers: Mapping[str, Answers], path: Path) -> None:
    """Writes the scores of several methods on the same pairs; authors are replaced by numbers."""
    aligned = align(answers)
    first = next(iter(aligned.values()))
    numbers = np.unique(first.authors.astype(str), return_inverse=True)[1]
    columns = _pair_columns(first, numbers.reshape(-1, 2).astype(np.int32))
    for name, own in aligned.items():
        columns[_SCORE + name] = own.score.astype(np.float32)
        columns[_RELIABLE + name] = own.reliable
    _write(columns, path)


def _pair_columns(answers: Answers, authors: npt.NDArray[Any]) -> dict[str, Any]:
    topics = answers.same_topic
    values = [None] * len(answers) if topics is None else topics.tolist()
    return {
        "id": answers.ids,
        "same_author": answers.same_author,
        "same_topic": pyarrow.array(values, pyarrow.bool_()),
        "left_author": authors[:, 0],
        "right_author": authors[:, 1],
        "tokens": answers.tokens.astype(np.int32),
    }


def _write(columns: Mapping[str, Any], path: Path) -> None:
    with whole_file(path) as file:
        parquet.write_table(pyarrow.table(columns), file, compression="zstd")


def is_score_table(path: Path) -> bool:
    """Whether the file is a score table."""
    try:
        return any(name.startswith(_SCORE) for name in parquet.read_schema(path).names)
    except (pyarrow.ArrowException, OSError):
        return False


def read_score_table(path: Path) -> dict[str, Answers]:
    """The answers of each method, by name."""
    columns = parquet.read_table(path).to_pydict()
    names = [name.removeprefix(_SCORE) for name in columns if name.startswith(_SCORE)]
    if not names:
        raise InputError(f"{path} holds no scores")
    own = {n: {"score": columns[_SCORE + n], "reliable": columns[_RELIABLE + n]} for n in names}
    return {name: _answers(columns | scores) for name, scores in own.items()}


def read_answers(path: Path, *, truth: Path | None = None) -> Answers:
    """The answers of one method; PAN's files need the file `truth`."""
    if not path.is_file():
        raise InputError(f"{path}: no such file of answers")
    with path.open("rb") as file:
        is_parquet = file.read(4) == b"PAR1"
    if not is_parquet:
        if truth is None:
            raise InputError(f"{path} holds no truth: give the truth file with --truth")
        return _read_pan(path, truth)
    try:
        return _answers(parquet.read_table(path).to_pydict())
    except (pyarrow.ArrowException, KeyError, OSError) as error:
        raise InputError(f"{path} is not a file of answers: {error}") from None


def _answers(columns: Mapping[str, list[Any]]) -> Answers:
    """Answers from columns; missing columns llr and undecided are computed from the scores."""
    score = np.array(columns["score"], dtype=np.float64)
    topics = columns["same_topic"]
    names = [[str(name) for name in columns[side]] for side in ("left_author", "right_author")]
    return Answers(
        ids=np.array(columns["id"], dtype=object),
        score=score,
        llr=np.array(columns["llr"], np.float64) if "llr" in columns else llr_of(score),
        reliable=np.array(columns["reliable"], dtype=bool),
        undecided=np.array(columns.get("undecided", score == 0.5), dtype=bool),
        same_author=np.array(columns["same_author"], dtype=bool),
        same_topic=None if None in topics else np.array(topics, dtype=bool),
        authors=np.array(names, dtype=object).T.reshape(-1, 2),
        tokens=np.array(columns["tokens"], dtype=np.int64),
    )


def _read_pan(path: Path, truth: Path) -> Answers:
    """Answers to PAN problems; a problem without an answer has the score 0.5."""
    values = {str(row["id"]): row for row in _rows(path) if "id" in row and "value" in row}
    problems = [row for row in _rows(truth) if "id" in row and isinstance(row.get("same"), bool)]
    if not values or not problems:
        raise InputError(f"{path if not values else truth} holds no lines in PAN's format")
    ids = [str(row["id"]) for row in problems]
    if extra := values.keys() - set(ids):
        unknown = f"{len(extra):,} answers ('{min(extra)}' for one) have no problem in the truth"
        raise InputError(f"{path} and {truth} do not match: {unknown}")
    scores = [float(values.get(i, {"value": 0.5})["value"]) for i in ids]
    if not all(0 <= score <= 1 for score in scores):
        raise InputError(f"{path} has values outside 0 to 1")
    authors = [row.get("authors") or ["", ""] for row in problems]
    return _answers(
        {
            "id": ids,
            "score": scores,
            "reliable": [not 0.01 < score < 0.99 for score in scores],
            "same_author": [row["same"] for row in problems],
            "same_topic": [None] * len(ids),
            "left_author": [one for one, _ in authors],
            "right_author": [other for _, other in authors],
            "tokens": [0] * len(ids),
        }
    )


def _rows(path: Path) -> list[dict[str, Any]]:
    """The JSON objects on the non-empty lines of a file."""
    rows = []
    with open_bytes(path) as stream:
        for line in iterate_lines(stream):
            if line.problem:
                raise InputError(f"{path}, line {line.number}: {line.problem}")
            if line.data.strip():
                try:
                    rows.append(parse_object(line.data))
                except RecordError as error:
                    problem = f"{error.reason}: {error.detail}"
                    raise InputError(f"{path}, line {line.number} is {problem}") from None
    return rows
