"""Exchanged words and swapped sentences, edits to test explanations that are made by deletion.

    exchange   a word is replaced by another author's word of the same part of speech and about the
               same frequency
    swap       a sentence is replaced by one of about the same length from another text, of the same
               author or of other authors

The edited text is complete and is read again from the start. Swapping in the author's own sentences
keeps length, grammar and author, so the evidence lost is what the replaced sentences carry beyond
other sentences of the author. Swapping the sentences that an explanation names must therefore lose
more evidence than swapping random ones.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import log2
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from adhominem.arrays import Booleans, Floats
from adhominem.instrument.evidence.calibration import covariates_of
from adhominem.instrument.evidence.decision import calibration_for
from adhominem.instrument.feature_verifier import FeatureVerifier
from adhominem.instrument.linguistics.text_tokens import is_capitalised, read_tokens
from adhominem.instrument.text.tokenise import tokenise
from adhominem.laboratory.evaluation.answers import authors_of, documents_of, draw
from adhominem.laboratory.evaluation.token_labels import classify
from adhominem.records import Document, Pair

SOURCES = OWN, OTHERS = "same author", "other authors"
_FREQUENCIES = 2  # frequency classes per doubling of the frequency
_TRIES = 20  # words drawn until one fits
_SWAPPED = 0.2  # share of the words in swapped sentences
_NEAREST = 8  # sentences of about the same length to draw from
_DRAWS = 3  # sets of random sentences
_OTHERS = 300  # sentences of other authors to choose from


class Passage(NamedTuple):
    """A word or a sentence of a text, from character `start` to `end`."""

    text: str
    author: str | None
    start: int
    end: int
    n_words: int = 1

    @property
    def surface(self) -> str:
        return self.text[self.start : self.end]


Passages = Sequence[Sequence[Passage]]  # of both sides
Class = tuple[str, int]  # part of speech and frequency class
Edit = tuple[int, Passage, str]  # index of the text, passage to replace, replacement


class Stock:
    """Words, by class, and sentences of many texts, given as a mapping to their authors."""

    def __init__(self, texts: Mapping[str, str | None]) -> None:
        tokens = tokenise(list(texts))
        read = [read_tokens(text, tokens, document=i) for i, text in enumerate(texts)]
        counts = Counter(word.lower() for own in read for word in own.words)
        self.words: dict[str, list[tuple[Class, Passage]]] = {}
        self.sentences: dict[str, list[Passage]] = {}
        self.classes: dict[Class, list[Passage]] = defaultdict(list)
        for own, author in zip(read, texts.values(), strict=True):
            n = len(own.words)
            is_name = [is_capitalised(own.words[i]) and not own.opens[i] for i in range(n)]
            frequency = [int(_FREQUENCIES * log2(counts[word.lower()])) for word in own.words]
            passages = [Passage(own.text, author, own.starts[i], own.ends[i]) for i in range(n)]
            keys = zip(classify(own.words, is_name), frequency, strict=True)
            self.words[own.text] = list(zip(keys, passages, strict=True))
            for key, passage in self.words[own.text]:
                self.classes[key].append(passage)
            self.sentences[own.text] = [
                Passage(own.text, author, own.starts[first], own.ends[last - 1], last - first)
                for first, last in pairwise([*np.flatnonzero(own.first).tolist(), n])
            ]


class EditedPair:
    """A pair with replaceable words, numbered across both sides, and sentences."""

    def __init__(self, verifier: FeatureVerifier, stock: Stock, pair: Pair, rng: Generator) -> None:
        self._verifier, self._pair, self._rng = verifier, pair, rng
        self._texts = [document.text for document in documents_of([pair])]
        self._authors = authors_of([pair])[0].tolist()
        own = list(enumerate(self._texts))
        self._sentences = [(number, one) for number, text in own for one in stock.sentences[text]]
        self._exchanges = [
            (number, old, self._other_word(stock.classes[key], old.surface))
            for number, text in own
            for key, old in stock.words[text]
        ]
        new = [s for text, ss in stock.sentences.items() if text not in self._texts for s in ss]
        sides = [[one for one in new if one.author == name] for name in self._authors]
        others = [one for one in new if one.author and one.author not in self._authors]
        some = [others[i] for i in rng.integers(len(others) or 1, size=_OTHERS) if others]
        self._sources = {OWN: sides, OTHERS: [some, some]} if all(sides) and some else {}

    def llr(self, kept: Booleans) -> Floats:
        """Unbounded log10 LR for each row of `kept`, a mask of the words that are not exchanged."""
        return self._judge([self._exchanges[i] for i in np.flatnonzero(~row)] for row in kept)

    def swapped(self, weights: Floats) -> dict[str, Floats]:
        """Unbounded log10 LR by source after swapping a fifth of the text: first the sentences with
        the largest sums of weights, then random ones. Empty if an author has no other texts."""
        n_words = np.array([one.n_words for _, one in self._sentences])
        sums = np.add.reduceat(weights, np.cumsum(n_words) - n_words)
        orders = [np.argsort(-sums), *(self._rng.permutation(len(sums)) for _ in range(_DRAWS))]
        chosen = []
        for order in orders:
            before = np.cumsum(n_words[order]) - n_words[order]
            chosen.append([self._sentences[i] for i in order[before < _SWAPPED * n_words.sum()]])
        return {
            source: self._judge(self._swaps(own, sides) for own in chosen)
            for source, sides in self._sources.items()
        }

    def _swaps(self, sentences: Iterable[tuple[int, Passage]], sides: Passages) -> list[Edit]:
        """A replacement for each sentence, all of them different."""
        edits: list[Edit] = []
        for number, old in sentences:
            used = {surface for *_, surface in edits}
            pool = [one for one in sides[number >= len(self._pair.left)] if one.surface not in used]
            pool.sort(key=lambda one: abs(one.n_words - old.n_words))
            if pool:
                new = pool[int(self._rng.integers(min(len(pool), _NEAREST)))]
                edits.append((number, old, new.surface))
        return edits

    def _other_word(self, pool: Sequence[Passage], word: str) -> str:
        """Another word of the pool by an author outside this pair, or else the word itself."""
        for i in self._rng.integers(len(pool), size=_TRIES):
            one = pool[int(i)]
            if one.author not in self._authors and one.surface.lower() != word.lower():
                return one.surface
        return word

    def _judge(self, variants: Iterable[Sequence[Edit]]) -> Floats:
        """Unbounded log10 LR after each set of edits."""
        pairs = []
        for edits in variants:
            texts = list(self._texts)
            for number, old, new in sorted(edits, key=lambda edit: -edit[1].start):
                texts[number] = texts[number][: old.start] + new + texts[number][old.end :]
            documents, n = tuple(map(Document, texts)), len(self._pair.left)
            pairs.append(replace(self._pair, left=documents[:n], right=documents[n:]))
        found, known = self._verifier.compare(pairs), self._verifier.calibrations()
        rows = zip(found.similarity, found.left, found.right, strict=True)
        lines = [calibration_for(known, a, b).line(s, covariates_of(a, b)) for s, a, b in rows]
        return np.array(lines)


def draw_with_stock(
    pairs: Sequence[Pair], most: int, *, seed: int
) -> tuple[list[Pair], Stock | None]:
    """At most `most` pairs, preferably of authors with further texts, and the stock of all texts of
    their authors, or None for fewer than three authors."""
    texts: dict[str, dict[str, str | None]] = defaultdict(dict)
    for side in (side for pair in pairs for side in (pair.left, pair.right)):
        texts[side[0].author or ""] |= {one.text: one.author or None for one in side}

    def has_further(pair: Pair) -> bool:
        given = {document.text for document in documents_of([pair])}
        return all(name and texts[name].keys() - given for name in authors_of([pair])[0])

    drawn = draw([pair for pair in pairs if has_further(pair)] or pairs, most, seed=seed)
    names: list[str] = list(dict.fromkeys(authors_of(drawn).ravel().tolist()))
    own = {text: by for name in names for text, by in texts[name].items()}
    return drawn, Stock(own) if len(names) > 2 else None
