"""Copies between authors against a loop over sets."""

from __future__ import annotations

from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem.laboratory.corpus.duplicates import (
    COPIED_N,
    MOST_SHARERS,
    Shared,
    find_copies,
    find_shared,
    load_range,
    sample_ngrams,
)
from adhominem.laboratory.corpus.hashes import Hashes, hash_ngrams, hash_texts

Documents = list[list[int]]
TOP = 2**64


def words(tokens: list[int]) -> Hashes:
    return hash_texts(map(str, tokens))


def save_sketches(
    folder: Path, documents: Documents, authors: list[int], n_parts: int
) -> tuple[list[Path], list[int]]:
    """The documents in some parts, as buckets of a build have them."""
    bounds = np.linspace(0, len(documents), n_parts + 1).astype(int).tolist()
    folders = []
    for i, (start, stop) in enumerate(pairwise(bounds)):
        part = documents[start:stop]
        tokens = words([token for document in part for token in document])
        edges = np.cumsum([0, *map(len, part)])
        folders.append(folder / str(i))
        folders[-1].mkdir(parents=True, exist_ok=True)
        sample_ngrams(tokens, edges, words(authors[start:stop])).save(folders[-1])
    return folders, bounds[:-1]


def shared_of(
    folder: Path, documents: Documents, authors: list[int], cuts: list[int], n_parts: int = 1
) -> list[Shared]:
    folders, firsts = save_sketches(folder, documents, authors, n_parts)
    ranges = pairwise([0, *cuts, TOP])
    return [find_shared(load_range(folders, firsts, low, high)) for low, high in ranges]


def copies_of(
    folder: Path,
    documents: Documents,
    authors: list[int],
    *,
    cuts: list[int] | None = None,
    n_parts: int = 1,
) -> list[tuple[int, int]]:
    copies = find_copies(
        shared_of(folder, documents, authors, cuts or [], n_parts),
        np.array([len(sample(document)) for document in documents], dtype=np.int64),
        hash_texts(map(str, documents)),
        words(authors),
        share=0.25,
    )
    return [(int(left), int(right)) for left, right in copies]


def sample(document: list[int]) -> set[int]:
    return {int(h) for h in hash_ngrams(words(document), COPIED_N) if int(h) % 8 == 0}


def slow_copies(documents: Documents, authors: list[int]) -> list[tuple[int, int]]:
    samples = [sample(document) for document in documents]
    everything = [h for found in samples for h in found]
    telling = [{h for h in found if everything.count(h) <= MOST_SHARERS} for found in samples]
    found = []
    for left, right in combinations(range(len(documents)), 2):
        if authors[left] == authors[right]:
            continue
        common = len(telling[left] & telling[right])
        smaller = min(len(samples[left]), len(samples[right]))
        if (common >= 3 and common > smaller / 4) or documents[left] == documents[right]:
            found.append((left, right))
    return found


def make_documents(seed: int) -> tuple[Documents, list[int]]:
    """Runs of a common stock with tokens of their own between them."""
    rng = np.random.default_rng(seed)
    stock = rng.integers(0, 5000, 400).tolist()
    documents = []
    for _ in range(25):
        tokens: list[int] = []
        for _ in range(int(rng.integers(1, 5))):
            start, length = int(rng.integers(0, 380)), int(rng.integers(5, 90))
            tokens += stock[start : start + length]
            tokens += rng.integers(0, 5000, int(rng.integers(0, 120))).tolist()
        documents.append(tokens)
    return documents, rng.integers(0, 9, 25).tolist()


@given(seed=st.integers(0, 2**32), cuts=st.lists(st.integers(1, TOP - 1), max_size=4))
@settings(max_examples=25)
def test_copies_are_those_of_a_loop_however_the_hashes_are_divided(
    tmp_path_factory: pytest.TempPathFactory, seed: int, cuts: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("sketches")
    documents, authors = make_documents(seed)
    expected = slow_copies(documents, authors)
    cuts = sorted(set(cuts))
    assert copies_of(folder, documents, authors, cuts=cuts, n_parts=1 + len(cuts)) == expected


def test_the_loop_finds_some_pairs_and_not_all() -> None:
    documents, authors = make_documents(1)
    assert 5 < len(slow_copies(documents, authors)) < 200


def test_exact_copies_of_short_documents_are_found(tmp_path: Path) -> None:
    """Too short for a sample of 8-grams; each is paired with the next one of another author."""
    documents = [[1, 2], [3], [1, 2], [1, 2], [3, 3], [4], [4], []]
    authors = [0, 0, 1, 2, 1, 7, 7, 8]
    found = copies_of(tmp_path, documents, authors)
    assert {place for pair in found for place in pair} == {0, 2, 3}
    assert all(authors[left] != authors[right] for left, right in found)


def test_a_document_and_the_half_of_it_are_copies(tmp_path: Path) -> None:
    text, other = list(range(200)), list(range(1000, 1200))
    assert copies_of(tmp_path / "1", [text, other, text[:100]], [0, 1, 2]) == [(0, 2)]
    assert copies_of(tmp_path / "2", [text, other, text[:100]], [0, 1, 0]) == []


@pytest.mark.parametrize(("n", "found"), [(MOST_SHARERS, True), (MOST_SHARERS + 1, False)])
def test_what_many_documents_share_is_boilerplate_and_no_copy(
    tmp_path: Path, n: int, found: bool
) -> None:
    common = list(range(150))
    documents = [common + [1000 * i + j for j in range(40)] for i in range(1, n + 1)]
    authors = list(range(n))
    everyone = list(combinations(range(n), 2))
    assert copies_of(tmp_path, documents, authors) == (everyone if found else [])


def test_no_documents_have_no_copies(tmp_path: Path) -> None:
    assert copies_of(tmp_path / "1", [], []) == []
    assert copies_of(tmp_path / "2", [[], [1], [2]], [0, 1, 2], cuts=[TOP // 2]) == []
