"""Tokenised texts as arrays, without padding; every distinct word is stored once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int32]
Offsets = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Tokenised:
    """Texts as sentences of tokens; token t is `text[starts[t]:ends[t]]` of its original text."""

    types: tuple[str, ...]  # distinct words
    tokens: Integers  # index in `types` of each token
    starts: Integers
    ends: Integers
    sentences: Offsets  # sentence s has the tokens `sentences[s]:sentences[s + 1]`
    documents: Offsets  # document d has the sentences `documents[d]:documents[d + 1]`

    @property
    def n_documents(self) -> int:
        return len(self.documents) - 1

    @property
    def n_tokens(self) -> Offsets:
        """Number of tokens of each document."""
        return np.diff(self.sentences[self.documents])

    def words(self) -> list[str]:
        return [self.types[token] for token in self.tokens]

    def select(self, chosen: npt.NDArray[np.int64]) -> Self:
        """The chosen documents, in that order, with the same types."""
        sentences, documents = take_ranges(self.documents, chosen)
        tokens, sentence_offsets = take_ranges(self.sentences, sentences)
        chosen_tokens = {name: getattr(self, name)[tokens] for name in ("tokens", "starts", "ends")}
        return replace(self, **chosen_tokens, sentences=sentence_offsets, documents=documents)

    def count_types(self, chosen: npt.NDArray[np.bool_]) -> Offsets:
        """Number of tokens of each document, counting the types where `chosen` is true."""
        return np.diff(offsets(chosen[self.tokens])[self.sentences[self.documents]])

    def counts(self) -> dict[str, int]:
        """Occurrences of every type that occurs."""
        return self._by_type(np.bincount(self.tokens, minlength=len(self.types)))

    def author_counts(self, authors: npt.NDArray[np.int64]) -> dict[str, int]:
        """Number of authors who use each type that occurs, given the author of each document."""
        owners = np.repeat(authors.astype(np.int64), self.n_tokens)
        uses = np.unique(owners * len(self.types) + self.tokens)
        return self._by_type(np.bincount(uses % len(self.types), minlength=len(self.types)))

    def _by_type(self, numbers: npt.NDArray[np.int64]) -> dict[str, int]:
        return {t: int(n) for t, n in zip(self.types, numbers, strict=True) if n}


def join(parts: Sequence[Tokenised]) -> Tokenised:
    """Joins several corpora into one, with types numbered in order of appearance."""
    numbers: dict[str, int] = {}
    tokens = []
    for part in parts:
        renumbered = [numbers.setdefault(word, len(numbers)) for word in part.types]
        tokens.append(np.array(renumbered, dtype=np.int32)[part.tokens])
    none = np.zeros(0, np.int32)
    return Tokenised(
        types=tuple(numbers),
        tokens=np.concatenate([none, *tokens]),
        starts=np.concatenate([none, *(part.starts for part in parts)]),
        ends=np.concatenate([none, *(part.ends for part in parts)]),
        sentences=offsets(np.concatenate([none, *(np.diff(p.sentences) for p in parts)])),
        documents=offsets(np.concatenate([none, *(np.diff(p.documents) for p in parts)])),
    )


def offsets(lengths: npt.ArrayLike) -> Offsets:
    """0 and the cumulative sums of the lengths."""
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def take_ranges(starts: Offsets, chosen: npt.NDArray[np.int64]) -> tuple[Offsets, Offsets]:
    """Indices of all elements of the chosen ranges, and the offsets of the ranges among them."""
    lengths = starts[chosen + 1] - starts[chosen]
    new = offsets(lengths)
    return np.arange(new[-1]) + np.repeat(starts[chosen] - new[:-1], lengths), new
