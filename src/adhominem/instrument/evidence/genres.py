"""Which genre of the model a text is like, and whether it is like any.

A genre is known by how often its training authors use each word. The surprise of a text is the mean
number of bits that its tokens take by those frequencies; the genre with the least surprise is the
nearest. A genre is detectable if hardly any text of other genres is nearest to it. A text is out of
domain if for every genre it surprises more than nearly all development texts of that genre. The
laboratory fits the frequencies and limits (laboratory/calibration/by_genre.py).
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from adhominem.arrays import Floats, Singles
from adhominem.instrument.text.encode import Encoded


@dataclass(frozen=True)
class Genres:
    """Word frequencies of the genres of a model."""

    names: tuple[str, ...]
    bits: Singles  # bits of word w in genre g, (n_genres, n_words)
    limits: tuple[float, ...]  # surprise beyond which a text is unlike the genre
    detectable: tuple[str, ...]  # names of the genres that are recognised

    @classmethod
    def from_dict(cls, content: dict[str, Any], bits: Singles) -> Self:
        return cls(
            tuple(content["names"]), bits, tuple(content["limits"]), tuple(content["on_sight"])
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything but the frequencies, under the names of the model folder."""
        return {"names": self.names, "limits": self.limits, "on_sight": self.detectable}

    def bits_per_token(self, texts: Encoded) -> Floats:
        """Surprise of each document in each genre, (n_documents, n_genres); line markers count, an
        empty text has 0."""
        words = texts.type_words[texts.tokens]
        edges = texts.lines[texts.documents]
        lengths = np.maximum(np.diff(edges), 1)
        return np.stack(
            [
                np.diff(np.concatenate([[0.0], np.cumsum(row[words], dtype=np.float64)])[edges])
                / lengths
                for row in self.bits
            ],
            axis=1,
        )

    def recognise(self, bits_per_token: Floats, stated: str | None = None) -> tuple[str, bool]:
        """The nearest genre, and whether a text is out of domain: unlike the stated genre or, where
        none is stated, unlike every genre."""
        far = bits_per_token > self.limits
        is_far = far[self.names.index(stated)] if stated in self.names else far.all()
        return self.names[int(np.argmin(bits_per_token))], bool(is_far)
