"""Texts that a network has read, and several of them as one side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from adhominem.instrument.evidence.genres import Genres
from adhominem.laboratory.network.encoder import unit_length
from adhominem.records import Reading

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text with what the network made of it; `surprise` is in bits per token for each genre."""

    features: npt.NDArray[np.float32]
    tokens: int
    stretches: int
    unknown: int
    english: float
    surprise: Floats


def join_texts(
    texts: Sequence[ReadText], genres: Genres | None, *, has_unit_length: bool
) -> tuple[Floats, Reading]:
    """The features of a side and what was read of it; an empty text adds nothing."""
    filled = [text for text in texts if text.tokens] or texts[:1]
    tokens = np.array([text.tokens for text in filled], dtype=np.float64)
    total = int(tokens.sum())
    if not total:
        return np.full(len(filled[0].features), np.nan), Reading(0, 0)
    shares = tokens / total
    features = shares @ np.stack([text.features for text in filled]).astype(np.float64)
    if has_unit_length:
        features = unit_length(features)
    genre, out_of_domain = None, False
    if genres is not None:
        genre, out_of_domain = genres.place(shares @ np.stack([text.surprise for text in filled]))
    return features, Reading(
        tokens=total,
        stretches=sum(text.stretches for text in filled),
        unknown=sum(text.unknown for text in filled),
        english=float(shares @ [text.english for text in filled]),
        genre=genre,
        out_of_domain=out_of_domain,
        norm=round(float(np.linalg.norm(features)), 4),  # beyond that it is noise
    )
