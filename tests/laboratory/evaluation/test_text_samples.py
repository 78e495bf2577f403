"""Texts of unseen authors for a map: authors are drawn at random, not by how much they wrote."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from adhominem.errors import InputError
from adhominem.laboratory.corpus.labels import SPLITS, Labels
from adhominem.laboratory.evaluation import text_samples
from adhominem.laboratory.evaluation.text_samples import sample_unseen_authors
from adhominem.records import Document


def use_corpus(monkeypatch: pytest.MonkeyPatch, numbers: list[int]) -> None:
    """A corpus in which author i has `numbers[i]` texts; author 0 is no test author."""
    authors = np.repeat(np.arange(len(numbers)), numbers)
    splits = np.where(authors == 0, 0, SPLITS.index("test")).astype(np.int8)
    zeros = np.zeros(len(authors), dtype=np.int64)
    labels = Labels(
        authors, zeros, splits, zeros.astype(np.int8), np.zeros(len(authors), dtype=bool), zeros
    )

    def documents(chosen: np.ndarray) -> dict[int, Document]:
        return {int(i): Document(f"{authors[i]} {i}") for i in chosen}

    corpus = SimpleNamespace(labels=labels, documents=documents)
    monkeypatch.setattr(text_samples, "Corpus", SimpleNamespace(open=lambda _: corpus))


def test_authors_with_enough_texts_are_drawn_at_random(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = [50, *range(5, 65)]
    use_corpus(monkeypatch, numbers)
    chosen = []
    for seed in range(30):
        texts, authors = sample_unseen_authors(Path("corpus"), seed=seed)
        writers = [int(text.split()[0]) for text in texts]
        assert len(set(texts)) == len(texts)
        pairs = sorted(set(zip(authors, writers, strict=True)))
        assert [number for number, _ in pairs] == list(range(20))
        for _, writer in pairs:
            assert writer != 0 and numbers[writer] >= 10
            assert writers.count(writer) == min(numbers[writer], 25)
        chosen.append({writer for _, writer in pairs})
    assert set.union(*chosen) == {i for i, n in enumerate(numbers) if n >= 10} - {0}
    assert sample_unseen_authors(Path("corpus")) == sample_unseen_authors(Path("corpus"))


def test_authors_of_few_texts_where_there_are_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    use_corpus(monkeypatch, [50, *[3] * 18, 12, 2, 2, 1])
    texts, authors = sample_unseen_authors(Path("corpus"))
    writers = {int(text.split()[0]) for text in texts}
    assert len(set(authors)) == 20 and 22 not in writers  # who has a single text
    use_corpus(monkeypatch, [50, 3])
    with pytest.raises(InputError, match="1 test authors"):
        sample_unseen_authors(Path("corpus"))
