"""Leaves out repeated and copied text: a repost or a quoted mail is no further evidence.

Repeated sentences of a side, six words or more in a row, count once; so does a text if most of its
word 5-grams are in an earlier text of the side. Texts that stand on both sides say nothing about
their author and are left out. Notes tell what was left out. Cost is linear in the text.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from zlib import crc32

import numpy as np

from adhominem.arrays import Booleans
from adhominem.records import Document, Pair, Reason

REPEATED_TEXT, COPIED_TEXT, SHARED_PASSAGES = "repeated-text", "copied-text", "shared-passages"
_SENTENCE = re.compile(r"[^.!?\n]+[.!?\n]*")
_MIN_WORDS = 6  # of a repeated passage that is left out; shorter ones recur by habit
_N = 5  # words of a shingle
_COPY = 0.5  # texts are copies if they share more of the shingles of the smaller one
_PASSAGE = 0.1  # from this share on, a note tells of common passages


def distinct_pair(pair: Pair) -> tuple[Pair, tuple[Reason, ...]]:
    """Remove repeated and copied text from a pair; return the pair and notes."""
    left, right = distinct_side(pair.left), distinct_side(pair.right)
    notes = [note for document in (*pair.left, *pair.right) for note in document.notes]
    for name, is_changed in (("left", left != pair.left), ("right", right != pair.right)):
        if is_changed:
            notes.append(Reason(REPEATED_TEXT, f"repeated text of {name} counts once"))
    one, other = ([shingles([document]) for document in side] for side in (left, right))
    shares = [[_share(a, b) for b in other] for a in one]
    largest = max(max(row) for row in shares)
    if largest > _COPY:
        notes.append(Reason(COPIED_TEXT, "texts that stand on both sides were left out"))
        left = _without(left, [max(row) > _COPY for row in shares])
        right = _without(right, [max(column) > _COPY for column in zip(*shares, strict=True)])
    elif largest > _PASSAGE:
        message = f"{largest:.0%} of the word sequences of a text stand in one of the other side"
        notes.append(Reason(SHARED_PASSAGES, message))
    return replace(pair, left=left, right=right), tuple(notes)


def distinct_side(documents: Sequence[Document]) -> tuple[Document, ...]:
    """The documents of one side without repeated passages and near copies."""
    sentences: set[str] = set()
    seen: set[int] = set()
    kept: list[Document] = []
    distinct: dict[str, Document] = {}
    for document in documents:
        distinct.setdefault(document.text, document)
    for document in distinct.values():
        if len(documents) > 1:
            own = shingles([document])
            if own and len(own & seen) > _COPY * len(own):
                continue
            seen |= own
        text = _without_repeats(document.text, sentences)
        kept.append(document if text == document.text else replace(document, text=text))
    return tuple(kept)


def _without_repeats(text: str, seen: set[str]) -> str:
    """Remove passages of sentences that are in `seen`; add the text's own sentences to `seen`."""
    matches = list(_SENTENCE.finditer(text))
    keys = [" ".join(match.group().lower().split()).rstrip(".!?") for match in matches]
    is_repeat = []
    for key in keys:
        is_repeat.append(key in seen)
        seen.add(key)
    parts, done = [], 0
    for repeats, numbers in groupby(range(len(keys)), key=is_repeat.__getitem__):
        run = list(numbers)
        if repeats and sum(keys[i].count(" ") + 1 for i in run) >= _MIN_WORDS:
            parts.append(text[done : matches[run[0]].start()])
            done = matches[run[-1]].end()
    return "".join([*parts, text[done:]])


def _without(side: Sequence[Document], copied: Sequence[bool]) -> tuple[Document, ...]:
    """The documents that are not copied; one empty document if all are."""
    kept = [document for document, is_copy in zip(side, copied, strict=True) if not is_copy]
    return tuple(kept) or (replace(side[0], text=""),)


def shingles(side: Iterable[Document]) -> set[int]:
    """Hashes of the word 5-grams of texts in lower case, the same in every process."""
    found: set[int] = set()
    for document in side:
        words = document.text.lower().split()
        ngrams = (" ".join(words[i : i + _N]) for i in range(len(words) - _N + 1))
        found.update(crc32(ngram.encode("utf-8", "surrogatepass")) for ngram in ngrams)
    return found


def are_copies(one: set[int], other: set[int]) -> bool:
    """Whether two sides, given by their shingles, have most of the smaller one in common."""
    return _share(one, other) > _COPY


def find_copies(sides: Sequence[Sequence[Document]]) -> Booleans:
    """Find all copies among many sides, (n, n)."""
    own = [np.fromiter(shingles(side), np.uint32) for side in sides]
    sizes = np.array([len(one) for one in own], dtype=np.int64)
    _, number, times = np.unique(np.concatenate(own), return_inverse=True, return_counts=True)
    is_shared = times[number] > 1
    number, owner = number[is_shared], np.repeat(np.arange(len(own)), sizes)[is_shared]
    copied = np.zeros((len(own), len(own)), dtype=bool)
    for i in np.unique(owner):
        is_mine = np.zeros(len(times))
        is_mine[number[owner == i]] = 1
        common = np.bincount(owner, weights=is_mine[number], minlength=len(own))
        copied[i] = common > _COPY * np.minimum(sizes, sizes[i])
    np.fill_diagonal(copied, False)
    return copied


def _share(one: set[int], other: set[int]) -> float:
    """Share of the smaller set that is in both; 0 if a set is empty."""
    return len(one & other) / min(len(one), len(other)) if one and other else 0.0
