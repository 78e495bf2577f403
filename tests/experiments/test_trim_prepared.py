"""Smaller prepared runs: how many authors, documents and lines are left."""

from itertools import pairwise

import numpy as np
from trim_prepared import choose, shorten

from adhominem.instrument.text.encode import Encoded, encode
from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.text.vocabulary import Vocabulary
from adhominem.laboratory.corpus.labels import Labels

TEXTS = ["One. Two two. Three.", "Four five.", "Six. Seven eight nine. Ten."]


def _words(corpus: Encoded, vocabulary: Vocabulary) -> list[list[str]]:
    """The words of each document by its own numbers, markers among them."""
    lines = corpus.lines[corpus.documents]
    return [
        [vocabulary.words[corpus.type_words[i]] for i in corpus.tokens[start:end]]
        for start, end in pairwise(lines)
    ]


def test_documents_are_cut_to_their_first_lines() -> None:
    tokenised = tokenise(TEXTS)
    vocabulary = Vocabulary.fit(tokenised.counts(), min_word_count=1, min_character_count=1)
    whole = encode(tokenised, vocabulary)
    cut = shorten(whole, np.array([2, 0]), lines=2)
    words = _words(whole, vocabulary)
    starts = [whole.lines[whole.documents[d]] for d in (2, 0)]
    ends = [whole.lines[whole.documents[d] + 2] for d in (2, 0)]
    expected = [words[d][: end - start] for d, start, end in zip((2, 0), starts, ends, strict=True)]
    assert _words(cut, vocabulary) == expected
    assert len(cut.type_words) == len(np.unique(cut.tokens)), "no type is left that does not occur"
    spelt = cut.type_characters[cut.type_starts[0] : cut.type_starts[1]]
    assert len(spelt) == cut.type_starts[1]


def test_few_authors_and_few_documents_of_each_are_chosen() -> None:
    authors = np.repeat(np.arange(40), 5)
    splits = np.repeat(np.array([0] * 30 + [1] * 5 + [2] * 5, dtype=np.int8), 5)
    nothing = np.zeros(len(authors), dtype=np.int64)
    labels = Labels(
        authors=authors,
        topics=nothing - 1,
        splits=splits,
        folds=nothing.astype(np.int8),
        copied=np.arange(len(authors)) % 5 == 0,
        genres=nothing,
    )
    chosen = choose(labels, authors=16, texts=3, seed=1)
    assert not labels.copied[chosen].any()
    assert set(splits[chosen].tolist()) == {0, 1}, "test authors are left out"
    train = authors[chosen[splits[chosen] == 0]]
    assert np.unique(train, return_counts=True)[1].tolist() == [3] * 16
    assert len(np.unique(authors[chosen[splits[chosen] == 1]])) == 2
