"""The answers of a verifier to labelled pairs, as arrays with one entry per pair."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np

from adhominem.arrays import Booleans, Floats, Integers, Objects, Rows
from adhominem.errors import InputError
from adhominem.instrument.pair_files import BadLine, open_lines, read_pairs
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.calibration.by_genre import check_labels
from adhominem.records import Decision, Document, Pair

T = TypeVar("T")
Progress = Callable[[int, int], None] | None  # called with the numbers done and total
_LIMIT = 1e-6  # scores are clipped to [_LIMIT, 1 - _LIMIT] before they become ratios
_BLOCK = 1000  # pairs between two calls of progress


@dataclass(frozen=True, slots=True)
class Answers(Rows):
    """Decisions on labelled pairs, and the truth."""

    ids: Objects  # names of the pairs
    score: Floats  # P(same author) at equal priors
    llr: Floats  # log10 likelihood ratio
    reliable: Booleans  # decided with high reliability
    undecided: Booleans  # the verdict is "undecided" and the score 0.5
    same_author: Booleans
    same_topic: Booleans | None  # None unless known for every pair
    authors: Objects  # (n, 2) names of both authors, "" if unknown
    tokens: Integers  # number of tokens of the shorter side


def llr_of(score: Floats) -> Floats:
    """log10 likelihood ratios from scores."""
    clipped = np.clip(score, _LIMIT, 1 - _LIMIT)
    return np.log10(clipped / (1 - clipped))


def read_labelled(path: Path) -> list[Pair]:
    """All pairs of a file; raises InputError for a line that cannot be read."""
    pairs = []
    with open_lines(path) as lines:
        for item in read_pairs(lines, str(path)):
            if isinstance(item, BadLine):
                raise InputError(f"{path}: {item.error}; evaluation needs every line")
            pairs.append(item)
    return pairs


def draw(items: Sequence[T], most: int, *, seed: int) -> list[T]:
    """A random sample of at most `most` items, in their original order."""
    chosen = np.random.default_rng(seed).permutation(len(items))[:most]
    return [items[i] for i in np.sort(chosen)]


def in_blocks(items: Sequence[T], size: int, progress: Progress = None) -> Iterator[Sequence[T]]:
    """Consecutive blocks of the items; `progress(done, total)` is called after each."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
        if progress:
            progress(min(start + size, len(items)), len(items))


def judge(verifier: Verifier, pairs: Sequence[Pair], *, progress: Progress = None) -> Answers:
    """The verifier's answers to labelled pairs."""
    decisions: list[Decision] = []
    for block in in_blocks(pairs, _BLOCK, progress):
        decisions += verifier.decide(block)
    return collect(pairs, decisions)


def collect(pairs: Sequence[Pair], decisions: Sequence[Decision]) -> Answers:
    """Answers from labelled pairs and their decisions."""
    check_labels(pairs, "test")
    topics = [pair.same_topic for pair in pairs]
    return Answers(
        ids=np.array([pair.id or str(i) for i, pair in enumerate(pairs)], dtype=object),
        score=np.array([d.score for d in decisions]),
        llr=np.array([d.llr for d in decisions]),
        reliable=np.array([d.reliable for d in decisions]),
        undecided=np.array([d.verdict == "undecided" for d in decisions]),
        same_author=np.array([bool(pair.same_author) for pair in pairs]),
        same_topic=None if None in topics else np.array(topics, dtype=bool),
        authors=authors_of(pairs),
        tokens=np.array([min(d.left.tokens, d.right.tokens) for d in decisions]),
    )


def documents_of(pairs: Iterable[Pair]) -> Iterator[Document]:
    """The documents of both sides of every pair."""
    return (document for pair in pairs for document in (*pair.left, *pair.right))


def authors_of(pairs: Sequence[Pair]) -> Objects:
    """(pairs, 2) names of the authors of both sides, "" if unknown."""
    names = [[side[0].author or "" for side in (pair.left, pair.right)] for pair in pairs]
    return np.array(names, dtype=object).reshape(-1, 2)


def align(answers: Mapping[str, Answers]) -> dict[str, Answers]:
    """The answers of several methods to the same pairs, in the pair order of the first method."""
    (one, first), *others = answers.items()
    index = {pair: i for i, pair in enumerate(first.ids)}
    if len(index) != len(first):
        raise InputError(f"{one} answers a pair twice: each id may occur once")
    aligned = {one: first}
    for name, other in others:
        extra = [pair for pair in other.ids if pair not in index]
        if extra or len(other) != len(first):
            alone = f"; '{extra[0]}' is in one of them only" if extra else ""
            raise InputError(
                f"{one} and {name} do not answer the same pairs ({len(first):,} and "
                f"{len(other):,}{alone}): compare files made from one file of pairs"
            )
        aligned[name] = other.select(np.argsort([index[pair] for pair in other.ids]))
        if (aligned[name].same_author != first.same_author).any():
            raise InputError(f"{one} and {name} disagree on who wrote what: use one truth")
    return aligned


def cells_of(answers: Answers) -> dict[str, Booleans]:
    """A mask for each (a, c) cell: a is same author, c same topic, left out if unknown."""
    a, c = answers.same_author, answers.same_topic
    if c is None:
        return {"a=1": a, "a=0": ~a}
    return {"a=1, c=1": a & c, "a=1, c=0": a & ~c, "a=0, c=1": ~a & c, "a=0, c=0": ~a & ~c}
