"""What was read of many sides, as columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from adhominem.records import Reading

NO_GENRE = -1


@dataclass(frozen=True, slots=True)
class Sides:
    """The fields of Reading as columns. `genre` is an index in `genres`, or -1; `english` is NaN
    where it was not counted."""

    genres: tuple[str, ...]
    tokens: npt.NDArray[np.int64]
    unknown: npt.NDArray[np.int64]
    english: npt.NDArray[np.float64]
    genre: npt.NDArray[np.int64]
    out_of_domain: npt.NDArray[np.bool_]
    stretches: npt.NDArray[np.int64]
    norm: npt.NDArray[np.float64]

    @classmethod
    def of(cls, readings: Sequence[Reading]) -> Sides:
        genres = tuple(sorted({r.genre for r in readings if r.genre is not None}))
        number = {genre: i for i, genre in enumerate(genres)}
        return cls(
            genres,
            np.array([r.tokens for r in readings], dtype=np.int64),
            np.array([r.unknown for r in readings], dtype=np.int64),
            np.array([np.nan if r.english is None else r.english for r in readings], np.float64),
            np.array([number.get(r.genre or "", NO_GENRE) for r in readings], dtype=np.int64),
            np.array([r.out_of_domain for r in readings], dtype=bool),
            np.array([r.stretches for r in readings], dtype=np.int64),
            np.array([r.norm for r in readings], dtype=np.float64),
        )

    def __len__(self) -> int:
        return len(self.tokens)

    def __getitem__(self, index: int) -> Reading:
        english, genre = float(self.english[index]), int(self.genre[index])
        return Reading(
            tokens=int(self.tokens[index]),
            unknown=int(self.unknown[index]),
            english=None if np.isnan(english) else english,
            genre=None if genre == NO_GENRE else self.genres[genre],
            out_of_domain=bool(self.out_of_domain[index]),
            stretches=int(self.stretches[index]),
            norm=float(self.norm[index]),
        )

    def select(self, rows: slice | npt.NDArray[np.int64]) -> Sides:
        """The chosen rows."""
        columns = ("tokens", "unknown", "english", "genre", "out_of_domain", "stretches", "norm")
        return Sides(self.genres, *(getattr(self, name)[rows] for name in columns))

    def with_genre(self, genre: str) -> Sides:
        """A copy in which every side has a stated genre."""
        return replace(
            self,
            genres=(genre,),
            genre=np.zeros(len(self), dtype=np.int64),
            out_of_domain=np.zeros(len(self), dtype=bool),
        )

    def is_genre(self, name: str) -> npt.NDArray[np.bool_]:
        """Which sides are of this genre."""
        number = self.genres.index(name) if name in self.genres else NO_GENRE - 1
        return np.equal(self.genre, number)
