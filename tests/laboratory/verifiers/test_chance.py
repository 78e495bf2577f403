"""Chance, against a slow loop over digests and against what a draw must look like."""

import hashlib
import math

import numpy as np
import pytest

from adhominem.laboratory.verifiers.cosine import Chance
from adhominem.records import Document, Pair


def direction(text: str, seed: int) -> list[float]:
    digest = hashlib.blake2b(text.encode(), key=str(seed).encode()).digest()
    numbers = [int.from_bytes(digest[i : i + 4], "little") for i in range(0, 64, 4)]
    return [(number + 0.5) / 2**31 - 1 for number in numbers]


def cosine(one: list[float], other: list[float]) -> float:
    product = sum(a * b for a, b in zip(one, other, strict=True))
    return product / math.sqrt(sum(a * a for a in one) * sum(b * b for b in other))


def words(i: int) -> Pair:
    return Pair.of_texts(f"left text {i}", f"right text {i}")


@pytest.mark.parametrize("seed", [1, 7])
def test_similarity_is_the_cosine_of_two_digests(seed: int) -> None:
    found = Chance(seed=seed).compare([words(i) for i in range(20)]).similarity
    expected = [
        cosine(direction(f"left text {i}", seed), direction(f"right text {i}", seed))
        for i in range(20)
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_as_many_answers_for_as_against_and_none_of_weight(
    train_pairs: list[Pair], dev_pairs: list[Pair]
) -> None:
    verifier = Chance().fit(train_pairs, dev_pairs)
    text = "some words that are said once more and again so that there are twenty of them or more "
    pairs = [Pair.of_texts(f"{text * 2}{i}", f"{text * 2}{-i}") for i in range(1, 2001)]
    scores = verifier.score(pairs)
    assert abs((scores > 0.5).mean() - 0.5) < 0.04
    assert np.abs(scores - 0.5).max() < 0.006
    assert len(set(scores)) == len(scores)


def test_seed_and_no_label_or_author_changes_the_answer() -> None:
    pairs = [words(i) for i in range(50)]
    named = [
        Pair(
            (Document(p.left[0].text, author="a"),), (Document(p.right[0].text, author="a"),), True
        )
        for p in pairs
    ]
    one, other = Chance(), Chance(seed=2)
    found = one.compare(pairs).similarity
    np.testing.assert_array_equal(found, one.compare(named).similarity)
    assert abs(np.corrcoef(found, other.compare(pairs).similarity)[0, 1]) < 0.5


def test_two_near_copies_are_no_more_alike_than_two_others() -> None:
    pairs = [Pair.of_texts(f"copy {i}", f"copy {i}.") for i in range(500)]
    similarity = Chance().compare(pairs).similarity
    assert abs(similarity.mean()) < 0.05
    assert similarity.max() < 1
