"""Texts that a network has read, and several of them as one side of a pair."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from adhominem.arrays import Floats, Singles
from adhominem.instrument.evidence.genres import Genres
from adhominem.instrument.network.encoder import Features
from adhominem.instrument.network.weights import unit_length
from adhominem.instrument.text.encode import Encoded
from adhominem.instrument.text.tokenised import Tokenised
from adhominem.instrument.views.kinds import CHECKED_TOKENS, RUNNING_TOKENS, Counts, Halves, Kinds
from adhominem.records import Reading


@dataclass(frozen=True, slots=True)
class ReadText:
    features: Singles
    tokens: int
    stretches: int
    unknown: int
    english: float
    surprise: Floats  # bits per token for each genre, by the frequencies of words
    counts: Halves | None = None  # of the features of the views; None for a model without views
    self_similarity: float = np.nan  # cosine of the features of its halves, NaN where it has none


@dataclass(frozen=True, slots=True)
class ReadSide:
    """One side of a pair, read once: its texts as tokens, as integers and as features."""

    texts: tuple[str, ...]
    tokens: Tokenised
    encoded: Encoded
    features: Features
    vector: Floats  # features of the side
    reading: Reading  # counts of the side


def join_texts(
    texts: Sequence[ReadText],
    genres: Genres | None,
    kinds: Kinds | None = None,
    *,
    has_unit_length: bool,
    genre: str | None = None,
) -> tuple[Floats, Reading]:
    """The vector and the counts of a side: the mean of its texts by number of tokens, of length 1
    where the network's features are, and as the side's kind sees it where there are views. If no
    genre is stated, the words say which it is."""
    filled = [text for text in texts if text.tokens] or texts[:1]
    tokens = np.array([text.tokens for text in filled], dtype=np.float64)
    total = int(tokens.sum())
    if not total:
        n = len(filled[0].features)
        width = n if kinds is None else kinds.side_width
        return np.full(width, np.nan), Reading(0, 0, genre=genre)
    shares = tokens / total
    features = _mean(shares, [text.features for text in filled])
    if has_unit_length:
        features = unit_length(features)
    norm = float(np.sqrt(np.square(features).sum()))
    recognised, out_of_domain = None, False
    alike = [text.self_similarity for text in filled]
    if kinds is not None:
        halves = [text.counts for text in filled if text.counts is not None]
        counts = Counts.of([half for text in halves for half in text])
        surprise = kinds.surprise(counts)
        recognised, out_of_domain = kinds.recognise(surprise, genre)
        out_of_domain &= total >= CHECKED_TOKENS
        out_of_domain |= total >= RUNNING_TOKENS and not kinds.is_running(counts)
        genre = genre or (recognised if recognised in kinds.detectable else None)
        statistics = kinds.statistics(surprise, genre)
        frequencies = kinds.frequencies(counts)
        features = kinds.side(features, frequencies, surprise, statistics)
        norm = kinds.norm(frequencies, statistics)
        pairs = zip(halves, alike, strict=True)
        alike = [kinds.self_similarity(own, network, statistics) for own, network in pairs]
    elif genres is not None:
        surprise = _mean(shares, [text.surprise for text in filled])
        recognised, out_of_domain = genres.recognise(surprise, genre)
        genre = genre or (recognised if recognised in genres.detectable else None)
    return features, Reading(
        tokens=total,
        stretches=sum(text.stretches for text in filled),
        unknown=sum(text.unknown for text in filled),
        english=float(_mean(shares, [text.english for text in filled])),
        genre=genre,
        recognised=recognised,
        out_of_domain=out_of_domain,
        norm=norm,
        self_similarity=_known_mean(tokens, alike),
    )


def _mean(shares: Floats, values: Sequence[npt.ArrayLike]) -> Floats:
    """Weighted mean in double precision, without BLAS, whose kernels differ in the last bit."""
    rows = np.array(values, dtype=np.float64)
    weighted = rows * shares.reshape(-1, *[1] * (rows.ndim - 1))
    mean: Floats = weighted.sum(axis=0)
    return mean


def _known_mean(tokens: Floats, values: Sequence[float]) -> float | None:
    """The mean by number of tokens of the values that are known; None if none is."""
    column = np.array(values, dtype=np.float64)
    known = ~np.isnan(column)
    if not known.any():
        return None
    return float((tokens[known] * column[known]).sum() / tokens[known].sum())
