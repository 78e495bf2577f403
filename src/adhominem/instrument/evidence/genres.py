"""Detects the genre of a text by its words, and texts that are out of domain.

Each genre has the word frequencies of its training authors. The surprise of a text is its
cross-entropy in bits per token; the genre with the least surprise is the nearest. A genre is
detectable if hardly any text of other genres is nearest to it. A text is out of domain if every
genre finds it more surprising than nearly all development texts of the genre.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from adhominem.arrays import Floats, Singles
from adhominem.instrument.text.encode import Encoded


@dataclass(frozen=True)
class Genres:
    names: tuple[str, ...]
    bits: Singles  # bits of word w in genre g, (n_genres, n_words)
    limits: tuple[float, ...]  # surprise beyond which a text is out of domain, for each genre
    detectable: tuple[str, ...]  # names of the genres that can be detected

    @classmethod
    def from_dict(cls, content: dict[str, Any], bits: Singles) -> Self:
        names, limits, detectable = (tuple(content[key]) for key in ("names", "limits", "on_sight"))
        return cls(names, bits, limits, detectable)

    def to_dict(self) -> dict[str, Any]:
        """All fields but the frequencies, under the names of the model folder."""
        return {"names": self.names, "limits": self.limits, "on_sight": self.detectable}

    def bits_per_token(self, texts: Encoded) -> Floats:
        """Cross-entropy of documents in each genre, (n_documents, n_genres); 0 for empty texts."""
        words = texts.type_words[texts.tokens]
        edges = texts.lines[texts.documents]
        sums = [np.append(0.0, np.cumsum(row[words], dtype=np.float64))[edges] for row in self.bits]
        return np.stack([np.diff(s) / np.maximum(np.diff(edges), 1) for s in sums], axis=1)

    def recognise(self, bits_per_token: Floats, stated: str | None = None) -> tuple[str, bool]:
        """The nearest genre, and whether the text is out of domain of the stated genre, if any."""
        far = bits_per_token > self.limits
        is_far = far[self.names.index(stated)] if stated in self.names else far.all()
        return self.names[int(np.argmin(bits_per_token))], bool(is_far)
