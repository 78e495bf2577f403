"""What was read of many sides, as columns."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Self

import numpy as np

from adhominem.arrays import Booleans, Floats, Integers
from adhominem.records import Reading

NO_GENRE = -1


@dataclass(frozen=True, slots=True)
class Sides:
    """The fields of Reading as columns. `genre` and `recognised` are indices in `genres`, or -1;
    `english` and `voice` are NaN where they were not measured."""

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

    @classmethod
    def of(cls, readings: Sequence[Reading]) -> Self:
        names = {name for r in readings for name in (r.genre, r.recognised)}
        genres = tuple(sorted(name for name in names if name is not None))
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
            np.array([number.get(r.recognised or "", NO_GENRE) for r in readings], dtype=np.int64),
            np.array([np.nan if r.voice is None else r.voice for r in readings], np.float64),
        )

    def __len__(self) -> int:
        return len(self.tokens)

    def __getitem__(self, index: int) -> Reading:
        english, voice = float(self.english[index]), float(self.voice[index])
        genre, recognised = int(self.genre[index]), int(self.recognised[index])
        return Reading(
            tokens=int(self.tokens[index]),
            unknown=int(self.unknown[index]),
            english=None if np.isnan(english) else english,
            genre=None if genre == NO_GENRE else self.genres[genre],
            out_of_domain=bool(self.out_of_domain[index]),
            stretches=int(self.stretches[index]),
            norm=float(self.norm[index]),
            recognised=None if recognised == NO_GENRE else self.genres[recognised],
            voice=None if np.isnan(voice) else voice,
        )

    def select(self, rows: slice | Integers) -> Self:
        """The chosen rows."""
        columns = [field.name for field in fields(self)[1:]]
        return type(self)(self.genres, *(getattr(self, name)[rows] for name in columns))

    def is_genre(self, name: str) -> Booleans:
        """Which sides are of this genre."""
        number = self.genres.index(name) if name in self.genres else NO_GENRE - 1
        return np.equal(self.genre, number)
