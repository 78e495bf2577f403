"""Fits the views beside the network: their features, and what is usual in every kind of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from adhominem.arrays import Booleans, Floats, Integers
from adhominem.instrument.evidence.calibration import Covariates
from adhominem.instrument.network.side import ReadText
from adhominem.instrument.neural import NeuralVerifier
from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.text.tokenised import Tokenised
from adhominem.instrument.views.kinds import Counts, Kinds
from adhominem.instrument.views.ngrams import (
    CharacterNgrams,
    Keys,
    MaskedTokens,
    character_pairs,
)
from adhominem.instrument.views.similarity import similarities
from adhominem.instrument.views.statistics import Sums
from adhominem.laboratory.calibration.fit import LabelledPairs
from adhominem.records import Pair

_N_WORDS = 500  # kept by the masked view
_N_FEATURES = 3000  # of each view
_QUARTILE = 0.25
_FAR = 0.995  # share of the development sides within the limit of their kind
_SURE = 0.9  # share of the sides of a detectable kind that are nearest to it, and share of those
# nearest to it that are of that kind, every kind with as many sides


def fit_kinds(
    network: NeuralVerifier, references: Mapping[str, Sequence[str]], labels: Mapping[str, str]
) -> Kinds:
    """Views and statistics of kinds, each given by texts of many authors; every kind weighs the
    same in the choice of features."""
    names = tuple(sorted(references))
    tokens = [tokenise(list(references[name])) for name in names]
    words = _common_words(tokens)
    masked = MaskedTokens(words, ())
    sequences = [masked.sequences(texts)[0] for texts in tokens]
    features = tuple(masked.decode(int(key)) for key in _most_frequent(sequences))
    nothing = np.zeros((0, 0), np.float32)
    views = (
        _with_features(CharacterNgrams(()), [references[name] for name in names]),
        MaskedTokens(words, features),
        _with_features(character_pairs(()), [references[name] for name in names]),
    )
    kinds = Kinds(
        views,
        names,
        tuple(labels.get(name, name.replace("_", " ")) for name in names),
        centre=nothing,
        mean=nothing,
        deviation=nothing,
        weight=np.ones(sum(len(view.features) for view in views), np.float32),
        limits=(np.inf,) * len(names),
        detectable=(),
    )
    return measure_kinds(network, kinds, references)


def measure_kinds(
    network: NeuralVerifier, kinds: Kinds, references: Mapping[str, Sequence[str]]
) -> Kinds:
    """The same views with statistics of these texts, as this network reads them."""
    rows = []
    for name in kinds.names:
        texts = list(references[name])
        counts = map(Counts.of, kinds.count(texts, tokenise(texts)))
        frequencies = np.stack([kinds.frequencies(one) for one in counts])
        own = Sums.over(network.features(texts).astype(np.float64), frequencies)
        rows.append(own.statistics())
    centre, mean, deviation = (np.stack(tables) for tables in zip(*rows, strict=True))
    return replace(kinds, centre=centre, mean=mean, deviation=deviation)


def read_pairs(network: NeuralVerifier, pairs: Sequence[Pair]) -> dict[str, ReadText]:
    """Every distinct text of some pairs, read once."""
    texts = list(dict.fromkeys(d.text for p in pairs for d in (*p.left, *p.right)))
    return dict(zip(texts, network.read(texts), strict=True))


def measure_pairs(
    network: NeuralVerifier, pairs: Sequence[Pair], read: Mapping[str, ReadText], *, stated: bool
) -> tuple[LabelledPairs, Floats]:
    """Labelled pairs as a network with views sees them, and the surprise (sides, kinds) of their
    sides. Pairs with a side of too few tokens are left out.

    stated   True reads every side as the kind that its pair states, False as the nearest kind
    """
    assert network.views_ is not None
    kinds = network.views_.kinds
    rows, surprise = [], []
    for pair in pairs:
        genre = pair.genre if stated else None
        sides = [[read[d.text] for d in side] for side in (pair.left, pair.right)]
        (one, left), (other, right) = (network.join(side, genre) for side in sides)
        if min(left.tokens, right.tokens) < network.min_tokens:
            continue
        values = similarities(one, other, kinds.width, kinds.edges)
        covariates = network.views_.covariates(one, other, left, right)
        rows.append((values, bool(pair.same_author), *covariates))
        for side in sides:
            halves = [half for text in side for half in text.counts or ()]
            surprise.append(kinds.surprise(Counts.of(halves)))
    values, same, *columns = (np.array(column) for column in zip(*rows, strict=True))
    return LabelledPairs(values, same, Covariates(*columns)), np.array(surprise)


def limit_kinds(
    kinds: Kinds, surprise: Mapping[str, Floats], long: Mapping[str, Booleans]
) -> Kinds:
    """The same kinds with limits and with those that are detectable, from the surprise (n, kinds)
    of development sides of each kind. A kind is detectable if hardly any of its sides is nearest to
    another kind and hardly any side of another kind is nearest to it.

    long   which sides are long enough to be held to the limits
    """
    limits = [
        float(np.quantile(surprise[name][long[name], i], _FAR)) if name in surprise else np.inf
        for i, name in enumerate(kinds.names)
    ]
    n = len(kinds.names)
    taken = np.zeros((n, n))  # share of the sides of kind i that are nearest to kind j
    for name, rows in surprise.items():
        if name in kinds.names:
            shares = np.bincount(rows.argmin(axis=1), minlength=n) / len(rows)
            taken[kinds.names.index(name)] = shares
    right = np.diag(taken)
    sure = (right >= _SURE) & (right >= _SURE * taken.sum(axis=0))
    detectable = [name for name, is_sure in zip(kinds.names, sure, strict=True) if is_sure]
    return replace(kinds, limits=tuple(limits), detectable=tuple(detectable))


def _common_words(kinds: Sequence[Tokenised]) -> tuple[str, ...]:
    """Words that many texts of nearly all kinds use, in lower case: the share of texts with the
    word, in the kind at the lower quartile."""
    shares: dict[str, Floats] = {}
    for number, tokens in enumerate(kinds):
        lower = [word.lower() for word in tokens.types]
        owner = np.repeat(np.arange(tokens.n_documents), tokens.n_tokens)
        used = np.unique(owner * len(lower) + tokens.tokens)
        seen: dict[str, set[int]] = {}
        for text, word in zip(used // len(lower), used % len(lower), strict=True):
            seen.setdefault(lower[word], set()).add(int(text))
        for word, texts in seen.items():
            row = shares.setdefault(word, np.zeros(len(kinds)))
            row[number] = len(texts) / tokens.n_documents
    ranked = sorted(shares, key=lambda word: (-np.quantile(shares[word], _QUARTILE), word))
    return tuple(word for word in ranked[:_N_WORDS] if " " not in word)


def _most_frequent(kinds: Sequence[Keys]) -> list[int]:
    """The sequences with the largest mean relative frequency over kinds."""
    keys, frequencies = [], []
    for sequences in kinds:
        distinct, counts = np.unique(sequences, return_counts=True)
        keys.append(distinct)
        frequencies.append(counts / len(sequences))
    distinct, inverse = np.unique(np.concatenate(keys), return_inverse=True)
    total = np.bincount(inverse, weights=np.concatenate(frequencies))
    chosen: Integers = np.argsort(-total, kind="stable")[:_N_FEATURES]
    return [int(key) for key in distinct[chosen]]


def _with_features(view: CharacterNgrams, kinds: Sequence[Sequence[str]]) -> CharacterNgrams:
    """The view with the most frequent sequences of characters of some texts of each kind."""
    keys = [np.concatenate([view.keys(view.codes(text)[0]) for text in texts]) for texts in kinds]
    return replace(view, features=tuple(map(view.decode, _most_frequent(keys))))
