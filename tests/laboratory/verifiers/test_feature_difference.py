"""Feature differences, against plain loops over dicts."""

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adhominem.instrument.text.tokenise import tokenise
from adhominem.laboratory.verifiers.counts import count_ngrams, frequent_ngrams
from adhominem.laboratory.verifiers.feature_difference import (
    FeatureDifference,
    neighbour_counts,
    vocabulary_figures,
)
from adhominem.records import Pair, Verdict

TEXTS = ["The room was BIG, the bed was not! We left at 9.", "a a b\n\n c", "", "né\ud800 né"]


@pytest.fixture(scope="module")
def fitted(train_pairs: list[Pair], dev_pairs: list[Pair]) -> FeatureDifference:
    return FeatureDifference(most=80, neighbours=30).fit(train_pairs, dev_pairs)


def slow_ngrams(text: str, n: int) -> list[str]:
    clean = " ".join(text.split())
    return [clean[i : i + n] for i in range(len(clean) - n + 1)]


def slow_figures(text: str) -> list[float]:
    tokens = tokenise([text])
    words = tokens.words()
    n, counts = len(words), Counter(words)
    return [
        *(sum(min(len(word), 16) == length for word in words) / n for length in range(1, 17)),
        sum(len(word) for word in words) / n,
        n / (len(tokens.sentences) - 1),
        sum(word[0].isupper() for word in words) / n,
        sum(word.isupper() for word in words if len(word) > 1) / n,
        sum(any(c.isdigit() for c in word) for word in words) / n,
        sum(not any(c.isalnum() for c in word) for word in words) / n,
        math.log(len(counts)) / math.log(n + 1),
        sum(count == 1 for count in counts.values()) / len(counts),
        sum(count == 2 for count in counts.values()) / len(counts),
        sum(count**2 for count in counts.values()) / n**2 - 1 / n,
    ]


def slow_features(text: str, fitted: FeatureDifference) -> list[float]:
    assert fitted.words_ is not None and fitted.neighbours_ is not None
    words = [word.lower() for word in tokenise([text]).words()]
    counts, neighbours = Counter(words), Counter(pairwise(words))
    names = list(fitted.words_)
    chosen = [divmod(int(number), len(names)) for number in fitted.neighbours_]
    ngrams = Counter(ngram for n in range(1, 7) for ngram in slow_ngrams(text, n))
    return [
        *(counts[word] / len(words) for word in names),
        *(neighbours[names[one], names[other]] / len(words) for one, other in chosen),
        *(ngrams[ngram] / len(" ".join(text.split())) for ngram in fitted.ngrams_ or ()),
        *slow_figures(text),
    ]


def test_equals_plain_loops(fitted: FeatureDifference, dev_pairs: list[Pair]) -> None:
    assert fitted.weights_ is not None
    for pair in dev_pairs[:5]:
        left, right = (slow_features(side[0].text, fitted) for side in (pair.left, pair.right))
        differences = [
            abs(math.sqrt(max(x, 0)) - math.sqrt(max(y, 0)))
            for x, y in zip(left, right, strict=True)
        ]
        weighted = sum(w * d for w, d in zip(fitted.weights_, differences, strict=True))
        assert fitted.compare([pair]).similarity[0] == pytest.approx(-weighted, rel=1e-6)


@given(st.lists(st.text(alphabet="ab é\n", max_size=30), max_size=5), st.integers(1, 6))
def test_ngrams_equal_plain_loops(texts: list[str], n: int) -> None:
    counts = Counter(ngram for text in texts for ngram in slow_ngrams(text, n))
    ranked = sorted(counts, key=lambda ngram: (-counts[ngram], ngram))
    assert frequent_ngrams(texts, n, 7) == ranked[:7]
    if texts:
        vocabulary = list(dict.fromkeys(["a", *ranked[:7], "absent"]))
        found = count_ngrams(texts, vocabulary, relative=True).toarray()
        counted = count_ngrams(texts, vocabulary).toarray()
        for row, whole, text in zip(found, counted, texts, strict=True):
            length = max(len(" ".join(text.split())), 1)
            expected = [slow_ngrams(text, len(g)).count(g) / length for g in vocabulary]
            np.testing.assert_allclose(row, expected)
            assert whole.tolist() == [slow_ngrams(text, len(g)).count(g) for g in vocabulary]


def test_figures_equal_plain_loops() -> None:
    found = vocabulary_figures(tokenise(TEXTS))
    assert np.isfinite(found).all()
    for row, text in zip(found, TEXTS, strict=True):
        if text:
            np.testing.assert_allclose(row, slow_figures(text), atol=1e-12)


def test_neighbours_do_not_reach_into_the_next_text() -> None:
    counts = neighbour_counts(tokenise(["the cat and the", "and The and"]), {"and": 0, "the": 1})
    np.testing.assert_array_equal(counts.toarray(), [[0, 1, 0, 0], [0, 1, 1, 0]])


def test_the_weights_are_those_of_the_regression(
    fitted: FeatureDifference, train_pairs: list[Pair]
) -> None:
    """At the optimum the gradient vanishes, or points out of bounds where a weight is 0."""
    assert fitted.weights_ is not None
    texts = {d.text: None for pair in train_pairs for d in (*pair.left, *pair.right)}
    features = {text: np.sqrt(np.maximum(slow_features(text, fitted), 0)) for text in texts}
    deviation = np.std(list(features.values()), axis=0)
    deviation[deviation < 1e-7] = 1
    differences = np.array(
        [abs(features[p.left[0].text] - features[p.right[0].text]) for p in train_pairs]
    )
    differences /= deviation
    coefficients = fitted.weights_ * deviation
    truth = np.array([bool(pair.same_author) for pair in train_pairs])
    margin = -differences @ coefficients
    low, high = -50.0, 50.0
    for _ in range(60):
        middle = (low + high) / 2
        too_many = (1 / (1 + np.exp(-margin - middle))).sum() > truth.sum()
        low, high = (low, middle) if too_many else (middle, high)
    error = 1 / (1 + np.exp(-margin - low)) - truth
    gradient = coefficients / fitted.C - differences.T @ error
    scale = np.abs(differences.T @ error).max()
    assert np.abs(gradient[coefficients > 0]).max() < 1e-2 * scale
    assert gradient[coefficients == 0].min() > -1e-2 * scale


def test_no_weight_makes_differing_texts_more_alike(fitted: FeatureDifference) -> None:
    assert fitted.weights_ is not None
    assert fitted.weights_.min() == 0
    assert fitted.weights_.max() > 0
    assert fitted.compare([Pair.of_texts("the one and all", "the one and all")]).similarity[0] == 0


def test_a_side_without_function_words_is_not_compared(fitted: FeatureDifference) -> None:
    decision = fitted.verify("qwz " * 30, "xkj " * 30)
    assert decision.verdict is Verdict.UNDECIDED
    assert [str(reason) for reason in decision.reasons] == ["there is nothing to compare"]
