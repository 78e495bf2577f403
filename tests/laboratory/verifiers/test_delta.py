"""Cosine Delta, against plain loops over dicts."""

import math
from collections import Counter

import numpy as np
import pytest

from adhominem.instrument.text.tokenise import tokenise
from adhominem.laboratory.verifiers.cosine import CosineDelta
from adhominem.laboratory.verifiers.counts import count_words, most_frequent_words
from adhominem.records import Document, Pair, Verdict


def words_of(text: str) -> list[str]:
    return [word.lower() for word in tokenise([text]).words()]


def slow_delta(train: list[str], most: int, left: str, right: str) -> float:
    total: Counter[str] = Counter()
    for text in train:
        total.update(words_of(text))
    words = sorted(total, key=lambda word: (-total[word], word))[:most]
    frequency = []
    for text in train:
        counts = Counter(words_of(text))
        frequency.append({word: counts[word] / sum(counts.values()) for word in words})
    z_scores = []
    for text in (left, right):
        counts = Counter(words_of(text))
        z = []
        for word in words:
            mean = sum(f[word] for f in frequency) / len(train)
            deviation = math.sqrt(sum((f[word] - mean) ** 2 for f in frequency) / len(train))
            z.append((counts[word] / sum(counts.values()) - mean) / (deviation or 1))
        z_scores.append(z)
    one, other = z_scores
    product = sum(a * b for a, b in zip(one, other, strict=True))
    return product / math.sqrt(sum(a * a for a in one) * sum(b * b for b in other))


@pytest.mark.parametrize("most", [5, 150])
def test_equals_plain_loops(most: int, train_pairs: list[Pair], dev_pairs: list[Pair]) -> None:
    train = train_pairs[:10]
    texts = list({d.text: None for pair in train for d in (*pair.left, *pair.right)})
    verifier = CosineDelta(most=most)
    verifier._fit(train)
    expected = [slow_delta(texts, most, p.left[0].text, p.right[0].text) for p in dev_pairs[:5]]
    np.testing.assert_allclose(verifier.compare(dev_pairs[:5]).similarity, expected, rtol=1e-9)


def test_words_are_lower_cased_tokens_and_ties_alphabetical() -> None:
    tokens = tokenise(["The cat. The dog!", "the cat"])
    assert most_frequent_words(tokens, 4) == ["the", "cat", "!", "."]
    counts = count_words(tokens, {"the": 0, "dog": 1, "absent": 2}).toarray()
    np.testing.assert_array_equal(counts, [[2, 1, 0], [1, 0, 0]])


def test_the_vocabulary_is_that_of_training_texts(
    train_pairs: list[Pair], dev_pairs: list[Pair]
) -> None:
    verifier = CosineDelta(most=10**6).fit(train_pairs, dev_pairs)
    known = {
        word for pair in train_pairs for d in (*pair.left, *pair.right) for word in words_of(d.text)
    }
    assert set(verifier.words_ or ()) == known


def test_sides_without_any_known_word_are_not_compared(
    train_pairs: list[Pair], dev_pairs: list[Pair]
) -> None:
    verifier = CosineDelta().fit(train_pairs, dev_pairs)
    decision = verifier.verify("qwz " * 30, "xkj " * 30)
    assert decision.verdict is Verdict.UNDECIDED
    assert [str(reason) for reason in decision.reasons] == ["there is nothing to compare"]


def test_a_side_of_two_texts_is_their_concatenation(
    train_pairs: list[Pair], dev_pairs: list[Pair]
) -> None:
    verifier = CosineDelta().fit(train_pairs, dev_pairs)
    one, two, other = (Document(pair.left[0].text) for pair in dev_pairs[:6:2])
    joined = Document(f"{one.text}\n\n{two.text}")
    apart, together = verifier.score([Pair((one, two), (other,)), Pair((joined,), (other,))])
    assert apart == pytest.approx(together, abs=1e-9)
