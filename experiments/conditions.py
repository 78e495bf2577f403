"""Draws pairs under many conditions: sides of one to fifty texts, whole or cut from 20 tokens on.

Casework brings a chat of thirty words as well as fifty long letters. Calibration and error rates
must have data behind all of it, so pairs are drawn with random numbers of texts and random lengths,
equally many by one author and by two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from adhominem.arrays import Integers
from adhominem.laboratory.corpus.store import Corpus
from adhominem.records import Document, Pair

_N_TEXTS = (1, 1, 1, 1, 1, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 50)
_CUT = 0.5  # share of the pairs whose texts are cut
_SHORTEST, _LONGEST = 20, 400  # tokens of a cut text
_EQUAL = 0.6  # share of the cut pairs with equal lengths
_CROSS_TOPIC = 0.8  # share of the pairs by one author that are on different topics, if possible
_SAME_TOPIC = 0.5  # share of the pairs by two authors that prefer the same topic


@dataclass(frozen=True, slots=True)
class _Sides:
    left: list[int]
    right: list[int]
    cuts: tuple[int, int]
    same: bool


def draw_pairs(corpus: Corpus, split: int, n: int, seed: int, genre: str) -> list[Pair]:
    """Up to `n` pairs of the authors of one split of a corpus; copied documents are left out."""
    rng = np.random.default_rng([seed, split])
    labels = corpus.labels
    rows = np.flatnonzero((labels.splits == split) & ~labels.copied)
    rows = rows[np.argsort(labels.authors[rows], kind="stable")]
    edges = np.flatnonzero(np.diff(labels.authors[rows])) + 1
    by_author = [own for own in np.split(rows, edges) if len(own) > 1]
    if len(by_author) < 2:
        return []
    several = [i for i, own in enumerate(by_author) if len(np.unique(labels.topics[own])) > 1]
    drawn = [_draw(by_author, several, labels.topics, rng, same=i % 2 == 0) for i in range(n)]
    wanted = np.unique([row for sides in drawn for row in (*sides.left, *sides.right)])
    documents = corpus.documents(wanted)
    ends = _token_ends(corpus, wanted)
    pairs = []
    for number, sides in enumerate(drawn):
        left, right = (
            tuple(_cut(documents[row], ends[row], cut) for row in side)
            for side, cut in zip((sides.left, sides.right), sides.cuts, strict=True)
        )
        name = f"{genre}-{split}-{number}"
        pairs.append(Pair(left, right, same_author=sides.same, id=name, genre=genre))
    return pairs


def reference_texts(corpus: Corpus, n: int, seed: int) -> list[str]:
    """Texts of training authors, few of each, that stand for a kind."""
    rng = np.random.default_rng(seed)
    labels = corpus.labels
    rows = rng.permutation(np.flatnonzero((labels.splits == 0) & ~labels.copied))
    order = np.argsort(labels.authors[rows], kind="stable")
    authors = labels.authors[rows][order]
    starts = np.flatnonzero(np.append(True, authors[1:] != authors[:-1]))
    nth = np.arange(len(rows)) - np.repeat(starts, np.diff(np.append(starts, len(rows))))
    rank = np.empty(len(rows), dtype=np.int64)
    rank[order] = nth  # first texts of all authors before second ones
    chosen = rows[np.argsort(rank, kind="stable")[:n]]
    return [document.text for document in corpus.documents(chosen).values()]


def _draw(
    by_author: list[Integers],
    several: list[int],
    topics: Integers,
    rng: np.random.Generator,
    *,
    same: bool,
) -> _Sides:
    """`several` are the authors who write on several topics."""
    n, m = (int(rng.choice(_N_TEXTS)) for _ in range(2))
    m = n if rng.random() < 0.5 else m
    crosses = same and rng.random() < _CROSS_TOPIC
    one = int(rng.choice(several) if crosses and several else rng.integers(len(by_author)))
    other = (one + int(rng.integers(1, len(by_author)))) % len(by_author)
    left_pool = rng.permutation(by_author[one])
    n = max(1, min(n, len(left_pool) // 2))
    left = left_pool[:n]
    pool = left_pool[n:] if same else rng.permutation(by_author[other])
    shares_topic = np.isin(topics[pool], topics[left][topics[left] >= 0])
    if crosses:
        pool = pool[np.argsort(shares_topic, kind="stable")]
    elif not same and rng.random() < _SAME_TOPIC:
        pool = pool[np.argsort(~shares_topic, kind="stable")]
    # A pair by one author has at most the other half of its texts; two authors get no more.
    right = pool[: max(1, min(m, len(pool) if same else len(pool) - len(pool) // 2))]
    cuts = (0, 0)
    if rng.random() < _CUT:
        first, second = (
            int(np.exp(rng.uniform(np.log(_SHORTEST), np.log(_LONGEST)))) for _ in range(2)
        )
        cuts = first, first if rng.random() < _EQUAL else second
    return _Sides(left.tolist(), right.tolist(), cuts, same)


def _token_ends(corpus: Corpus, wanted: Integers) -> dict[int, list[int]]:
    """Where the tokens of the wanted documents end."""
    ends: dict[int, list[int]] = {}
    first = 0
    for table in corpus.tables(["ends"]):
        column: Any = table["ends"]
        for row in wanted[(wanted >= first) & (wanted < first + len(table))]:
            ends[int(row)] = column[int(row) - first].as_py()
        first += len(table)
    return ends


def _cut(document: Document, ends: list[int], tokens: int) -> Document:
    if not tokens or tokens >= len(ends):
        return document
    return Document(document.text[: ends[tokens - 1]], document.author, document.topic, document.id)
