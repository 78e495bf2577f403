"""Topic words: words that are concentrated in few texts instead of being spread over all.

A word with c occurrences in N texts would by chance be in N (1 - exp(-c / N)) of them. Its residual
inverse document frequency (Church and Gale 1995) is log2 of that number over the number of texts
that contain it. It is large for words that a text repeats because it is about them.
"""

from __future__ import annotations

import numpy as np

from adhominem.instrument.text.tokenised import Tokenised

_MIN_TEXTS = 5  # that contain the word
_MIN_RESIDUAL = 0.4  # bits


def topic_words(texts: Tokenised) -> frozenset[str]:
    """The topic words of a sample of texts, in lower case."""
    numbers: dict[str, int] = {}
    lower = np.array([numbers.setdefault(w.lower(), len(numbers)) for w in texts.types], np.int64)
    words = list(numbers)
    owner = np.repeat(np.arange(texts.n_documents), texts.n_tokens)
    tokens = lower[texts.tokens]
    occurrences = np.bincount(tokens, minlength=len(words))
    pairs = np.unique(tokens * texts.n_documents + owner) // max(texts.n_documents, 1)
    in_texts = np.bincount(pairs, minlength=len(words))
    expected = texts.n_documents * -np.expm1(-occurrences / max(texts.n_documents, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        residual = np.log2(expected / in_texts)
    chosen = np.flatnonzero((in_texts >= _MIN_TEXTS) & (residual >= _MIN_RESIDUAL))
    return frozenset(words[i] for i in chosen if words[i].isalpha())
