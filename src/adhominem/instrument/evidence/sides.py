"""Readings of many sides, as columns."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from adhominem.arrays import Booleans, Floats, Integers
from adhominem.records import Reading

NO_GENRE = -1
_TYPES: dict[str, Any] = {  # of the columns
    **dict.fromkeys(("tokens", "unknown", "stretches", "genre", "recognised"), np.int64),
    **dict.fromkeys(("english", "norm", "voice", "self_similarity"), np.float64),
    "out_of_domain": np.bool_,
}
_NUMBERED, _PERHAPS = ("genre", "recognised"), ("english", "voice", "self_similarity")


@dataclass(frozen=True, slots=True)
class Sides:
    """The fields of Reading as columns. `genre` and `recognised` are indices in `genres`, or -1;
    `english`, `voice` and `self_similarity` are NaN where they were not measured."""

    genres: tuple[str, ...]
    tokens: Integers
    unknown: Integers
    english: Floats
    genre: Integers
    out_of_domain: Booleans
    stretches: Integers
    norm: Floats
    recognised: Integers
    voice: Floats
    self_similarity: Floats

    @classmethod
    def of(cls, readings: Sequence[Reading]) -> Self:
        names = {name for r in readings for name in (r.genre, r.recognised)} - {None}
        genres = tuple(sorted(map(str, names)))
        numbers: dict[str | None, int] = {genre: i for i, genre in enumerate(genres)}
        numbers[None] = NO_GENRE
        columns = {name: [getattr(r, name) for r in readings] for name in _TYPES}
        for name in _NUMBERED:
            columns[name] = [numbers[genre] for genre in columns[name]]
        arrays = {name: np.array(columns[name], dtype) for name, dtype in _TYPES.items()}
        return cls(genres, **arrays)

    def __len__(self) -> int:
        return len(self.tokens)

    def __getitem__(self, index: int) -> Reading:
        row = {name: getattr(self, name)[index].item() for name in _TYPES}
        for name in _NUMBERED:
            row[name] = None if row[name] == NO_GENRE else self.genres[row[name]]
        for name in _PERHAPS:
            row[name] = None if np.isnan(row[name]) else row[name]
        return Reading(**row)

    def select(self, rows: slice | Integers) -> Self:
        """The chosen rows."""
        return replace(self, **{name: getattr(self, name)[rows] for name in _TYPES})

    def is_genre(self, name: str) -> Booleans:
        number = self.genres.index(name) if name in self.genres else NO_GENRE - 1
        return np.equal(self.genre, number)
