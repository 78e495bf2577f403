"""What a verifier said of labelled pairs, as arrays, with what is needed to judge it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from adhominem.errors import InputError
from adhominem.records import Decision, Pair

Floats = npt.NDArray[np.float64]
Booleans = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Answers:
    """One entry per pair.

    ids           names of the pairs
    authors       (n, 2) names of both authors, "" where they are not known
    tokens        tokens of the shorter side
    same_topic    None where no pair has it
    """

    ids: npt.NDArray[np.object_]
    score: Floats
    llr: Floats
    reliable: Booleans
    undecided: Booleans
    same_author: Booleans
    same_topic: Booleans | None
    authors: npt.NDArray[np.object_]
    tokens: Integers

    def __len__(self) -> int:
        return len(self.score)

    def select(self, chosen: Booleans | Integers) -> Answers:
        parts: dict[str, Any] = {f.name: getattr(self, f.name) for f in fields(self)}
        parts = {name: None if part is None else part[chosen] for name, part in parts.items()}
        return Answers(**parts)


def collect(pairs: Sequence[Pair], decisions: Sequence[Decision]) -> Answers:
    unlabelled = sum(pair.same_author is None for pair in pairs)
    if not pairs or unlabelled:
        raise InputError(
            f"{unlabelled} of {len(pairs)} pairs have no same_author: evaluation needs it on all"
        )
    topics = [pair.same_topic for pair in pairs]
    names = [[side[0].author or "" for side in (pair.left, pair.right)] for pair in pairs]
    return Answers(
        ids=np.array([pair.id or str(i) for i, pair in enumerate(pairs)], dtype=object),
        score=np.array([d.score for d in decisions]),
        llr=np.array([d.llr for d in decisions]),
        reliable=np.array([d.reliable for d in decisions]),
        undecided=np.array([d.verdict == "undecided" for d in decisions]),
        same_author=np.array([bool(pair.same_author) for pair in pairs]),
        same_topic=None if None in topics else np.array(topics, dtype=bool),
        authors=np.array(names, dtype=object).reshape(-1, 2),
        tokens=np.array([min(d.left.tokens, d.right.tokens) for d in decisions]),
    )


def join_answers(parts: Sequence[Answers]) -> Answers:
    """Several folds as one; topics are kept if all have them."""
    columns: dict[str, Any] = {}
    for name in (f.name for f in fields(Answers)):
        values = [getattr(part, name) for part in parts]
        columns[name] = None if any(v is None for v in values) else np.concatenate(values)
    return Answers(**columns)


def cells_of(answers: Answers) -> dict[str, Booleans]:
    """The (a, c) cells by name: a for the same author, c for the same topic."""
    a = answers.same_author
    if answers.same_topic is None:
        return {"a=1": a, "a=0": ~a}
    c = answers.same_topic
    return {"a=1, c=1": a & c, "a=1, c=0": a & ~c, "a=0, c=1": ~a & c, "a=0, c=0": ~a & ~c}
