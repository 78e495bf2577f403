"""What the benchmarks read: documents that look like reviews to a network, or real ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from adhominem.instrument.text.encode import Encoded, encode
from adhominem.instrument.text.tokenised import Tokenised, offsets
from adhominem.instrument.text.vocabulary import Vocabulary
from adhominem.laboratory.network import build_network
from adhominem.laboratory.network.model import AdHominem

N_TYPES = 20_000
WORDS_PER_SENTENCE = 14.5  # the last one of a document is cut short
LETTERS = "etaoinshrdlcumwfgypbvkjxqz"


def make_documents(n_documents: int, n_tokens: int, rng: np.random.Generator) -> Tokenised:
    """Documents of `n_tokens` tokens in the mean, two thirds of that in their deviation."""
    # Words as frequent as in hotel reviews: the first hundred types are near 60 % of the tokens.
    frequency = np.arange(1, N_TYPES + 1) ** -1.1
    lengths = rng.lognormal(0, 0.6, n_documents)
    lengths = np.maximum(3, lengths * (n_tokens / lengths.mean())).astype(np.int64)
    sentences = [_sentence_lengths(length, rng) for length in lengths]
    nowhere = np.zeros(lengths.sum(), dtype=np.int32)  # there is no text to have a place in
    return Tokenised(
        types=_spellings(rng),
        tokens=rng.choice(N_TYPES, lengths.sum(), p=frequency / frequency.sum()).astype(np.int32),
        starts=nowhere,
        ends=nowhere,
        sentences=offsets([n for document in sentences for n in document]),
        documents=offsets([len(document) for document in sentences]),
    )


def _sentence_lengths(n_tokens: int, rng: np.random.Generator) -> list[int]:
    """Random lengths that add up to the document."""
    drawn = rng.gamma(2.5, WORDS_PER_SENTENCE / 2.5, 3 + 2 * n_tokens // 14)
    ends = np.unique(np.minimum(np.cumsum(np.maximum(1, np.rint(drawn))), n_tokens))
    if ends[-1] < n_tokens:
        ends = np.append(ends, n_tokens)
    return [int(n) for n in np.diff(ends, prepend=0)]


def _spellings(rng: np.random.Generator) -> tuple[str, ...]:
    """Frequent words are short: four letters to a token in the mean, seven to a type."""
    known: dict[str, None] = {}
    while len(known) < N_TYPES:
        length = max(1, round(rng.normal(2 + 0.55 * np.log1p(len(known)), 1.5)))
        known["".join(LETTERS[i] for i in rng.geometric(0.12, length) % len(LETTERS))] = None
    return tuple(known)


def give_habits(corpus: Tokenised, rng: np.random.Generator, *, habits: int = 16) -> Tokenised:
    """Documents 2 i and 2 i + 1 become one author's, who keeps to one of the two words of each
    pair among the most frequent ones."""
    author = np.repeat(np.arange(len(corpus.n_tokens)) // 2, corpus.n_tokens)
    choice = rng.integers(0, 2, (int(author.max()) + 1, habits))
    pair = np.minimum(corpus.tokens // 2, habits - 1)
    own = 2 * pair + choice[author, pair]
    habitual = corpus.tokens < 2 * habits
    return replace(corpus, tokens=np.where(habitual, own, corpus.tokens).astype(np.int32))


def read_documents(path: Path, n_documents: int, rng: np.random.Generator) -> Tokenised:
    """Randomly chosen texts of a parquet file with a column `text`."""
    from pyarrow import parquet

    from adhominem.instrument.text.tokenise import tokenise

    texts = parquet.read_table(path, columns=["text"]).column(0)
    return tokenise(texts[int(i)].as_py() for i in rng.permutation(len(texts))[:n_documents])


def encode_corpus(corpus: Tokenised, **sizes: int) -> tuple[Encoded, AdHominem]:
    """The corpus as integers, and a network that can read it, of the published sizes or others."""
    vocabulary = Vocabulary.fit(corpus.counts())
    sizes |= {"n_words": vocabulary.n_words, "n_characters": vocabulary.n_characters}
    network = build_network("adhominem", sizes, seed=0)
    assert isinstance(network, AdHominem)
    return encode(corpus, vocabulary), network


def describe(corpus: Tokenised, encoded: Encoded) -> dict[str, float]:
    return {
        "documents": encoded.n_documents,
        "tokens": len(corpus.tokens),
        "types": int((np.bincount(corpus.tokens) > 0).sum()),
        "tokens_per_document": round(float(corpus.n_tokens.mean()), 1),
        "sentences_per_document": round(float(np.diff(corpus.documents).mean()), 1),
        "words_per_sentence": round(float(np.diff(corpus.sentences).mean()), 1),
        "lines_per_document": round(float(np.diff(encoded.documents).mean()), 1),
    }
