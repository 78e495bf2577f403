"""Pairs under many conditions, and reference texts, from a small corpus on disk."""

from __future__ import annotations

import numpy as np
import pyarrow
import pytest
from conditions import draw_pairs, reference_texts

from adhominem.files import sealed_json
from adhominem.instrument.text.tokenise import tokenise
from adhominem.laboratory.corpus.store import (
    FORMAT,
    LABELS,
    MANIFEST,
    Corpus,
    token_columns,
    write_table,
)

N_AUTHORS, N_TEXTS = 12, 9
COPIED = 4  # index of a document that is a copy


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Authors 0 to 5 are for training, the others for testing; topics alternate."""
    folder = tmp_path_factory.mktemp("conditions")
    (folder / "documents").mkdir()
    rng = np.random.default_rng(0)
    words = ["alpha", "beta", "gamma", "delta", "we", "the", "of", "."]
    authors = np.repeat(np.arange(N_AUTHORS), N_TEXTS)
    texts = [f"a{a} " + " ".join(rng.choice(words, rng.integers(30, 90))) for a in authors]
    names = [f"author{a}" for a in authors]
    topics = [f"t{i % 3}" for i in range(len(texts))]
    columns = {"id": [f"d{i}" for i in range(len(texts))], "author": names, "topic": topics}
    table = pyarrow.table({**columns, "text": texts, **token_columns(tokenise(texts))})
    write_table(table, folder / "documents" / "00000.parquet")
    labels = {
        "author": names,
        "topic": topics,
        "n_tokens": [len(text.split()) for text in texts],
        "split": [0 if a < N_AUTHORS // 2 else 2 for a in authors],
        "fold": [0] * len(texts),
        "copied": [i == COPIED for i in range(len(texts))],
    }
    write_table(pyarrow.table(labels), folder / LABELS)
    manifest = {"format": FORMAT, "store": {"00000.parquet": ""}}
    (folder / MANIFEST).write_bytes(sealed_json(manifest))
    return Corpus.open(folder)


def test_pairs_are_of_one_split_balanced_and_share_no_text(corpus: Corpus) -> None:
    pairs = draw_pairs(corpus, 2, 200, 1, "letters")
    assert len(pairs) == 200
    assert sum(bool(pair.same_author) for pair in pairs) == 100
    for pair in pairs:
        left, right = ({d.author for d in side} for side in (pair.left, pair.right))
        assert len(left) == len(right) == 1
        assert (left == right) == pair.same_author
        assert {int(str(a)[6:]) for a in left | right} <= set(range(N_AUTHORS // 2, N_AUTHORS))
        assert not {d.id for d in pair.left} & {d.id for d in pair.right}
        assert pair.genre == "letters"


def test_sides_have_many_sizes_and_lengths(corpus: Corpus) -> None:
    pairs = draw_pairs(corpus, 2, 300, 1, "letters")
    sizes = {len(side) for pair in pairs for side in (pair.left, pair.right)}
    assert 1 in sizes and max(sizes) >= 4
    lengths = [len(d.text.split()) for pair in pairs for d in pair.left]
    assert min(lengths) <= 25 and max(lengths) > 60


def test_the_same_seed_draws_the_same(corpus: Corpus) -> None:
    assert draw_pairs(corpus, 2, 40, 7, "x") == draw_pairs(corpus, 2, 40, 7, "x")
    assert draw_pairs(corpus, 2, 40, 7, "x") != draw_pairs(corpus, 2, 40, 8, "x")
    assert draw_pairs(corpus, 1, 40, 7, "x") == []  # nobody is in this split


def test_reference_texts_are_of_all_training_authors(corpus: Corpus) -> None:
    texts = reference_texts(corpus, N_AUTHORS // 2, 1)
    assert {text.split()[0] for text in texts} == {f"a{i}" for i in range(N_AUTHORS // 2)}
    everything = reference_texts(corpus, 1000, 1)
    assert len(everything) == len(set(everything)) == N_AUTHORS // 2 * N_TEXTS - 1
