"""AVeer's categories, thresholds and ensemble against plain loops over strings."""

from collections import Counter
from itertools import pairwise
from string import punctuation

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from adhominem.errors import InputError
from adhominem.instrument.text.tokenise import tokenise
from adhominem.laboratory.verifiers import Texts
from adhominem.laboratory.verifiers.aveer import (
    GRID,
    AVeer,
    Member,
    best_ensemble,
    equal_error,
    frequencies,
    majority_mean,
)
from adhominem.laboratory.verifiers.compression import Compression
from adhominem.laboratory.verifiers.glad import Glad
from adhominem.records import Pair

TEXTS = (
    "We loved it!! The staff (all of them) were nice... nice, and the view: superb -- really?!",
    "The room was small; the bed, too. Never again, said we, and left!! Superb view, though...",
    "no marks at all in this one",
    "x",
    "",
)
WORDS = ["the", "we", ",", "nice"]
POINTS = [(c, p) for c, grid in GRID.items() for p in grid]


def slow_features(text: str, category: str, p: tuple[int, ...]) -> Counter[object]:
    text = " ".join(text.split())
    tokens = tokenise([text]).words()
    marks = "".join(char for char in text if char in punctuation)

    def runs(sequence: list[str] | str, n: int) -> list[object]:
        return [tuple(sequence[i : i + n]) for i in range(len(sequence) - n + 1)]

    match category:
        case "F1":
            found = runs(marks, p[0])
        case "F2":
            found = runs(text, p[0])
        case "F3":
            found = [token for token in tokens if token in WORDS]
        case "F4":
            found = [token[: p[0]] for token in tokens]
        case "F5":
            found = [token[-p[0] :] for token in tokens]
        case "F6":
            found = runs([token[: p[1]] for token in tokens], p[0])
        case "F7":
            found = runs([token[-p[1] :] for token in tokens], p[0])
        case "F8":
            found = [(token[: p[0]], token[-p[1] :]) for token in tokens]
        case _:
            found = [(one[-p[0] :], other[: p[1]]) for one, other in pairwise(tokens)]
    return Counter(found)


def slow_distance(x: Counter[object], y: Counter[object]) -> float:
    n, m = max(x.total(), 1), max(y.total(), 1)
    return sum(abs(x[k] / n - y[k] / m) for k in x.keys() | y.keys())


@pytest.mark.parametrize(("category", "parameters"), POINTS)
def test_distances_equal_plain_loops(category: str, parameters: tuple[int, ...]) -> None:
    texts = Texts([Pair.of_texts(text, TEXTS[0]) for text in TEXTS])
    rows = frequencies(texts, category, parameters, WORDS, 2**18).toarray()
    slow = [slow_features(text, category, parameters) for text in TEXTS]
    for i in range(len(TEXTS)):
        for j in range(len(TEXTS)):
            expected = slow_distance(slow[i], slow[j])
            assert np.abs(rows[i] - rows[j]).sum() == pytest.approx(expected)


def test_few_columns_only_make_the_distance_smaller() -> None:
    texts = Texts([Pair.of_texts(TEXTS[0], TEXTS[1])])
    one, other = frequencies(texts, "F2", (4,), (), 2**18).toarray()
    few, others = frequencies(texts, "F2", (4,), (), 32).toarray()
    assert 0 < np.abs(few - others).sum() < np.abs(one - other).sum()
    assert few.sum() == pytest.approx(1)


@given(st.lists(st.tuples(st.integers(0, 20), st.booleans()), min_size=2, max_size=40))
def test_equal_error_equals_a_slow_search(rows: list[tuple[int, bool]]) -> None:
    similarity = np.array([value / 20 for value, _ in rows] + [0.3, 0.7])
    same = np.array([truth for _, truth in rows] + [False, True])
    error, threshold = equal_error(similarity, same)

    def errors(theta: float) -> tuple[float, float]:
        wrong = [(s >= theta) != truth for s, truth in zip(similarity, same, strict=True)]
        rejected = sum(w for w, truth in zip(wrong, same, strict=True) if truth) / same.sum()
        accepted = sum(w for w, truth in zip(wrong, same, strict=True) if not truth)
        return rejected, accepted / (~same).sum()

    values = sorted(set(similarity.tolist()))
    tried = [errors(theta) for theta in (values[0], *((a + b) / 2 for a, b in pairwise(values)))]
    rejected, accepted = errors(threshold)
    assert error == pytest.approx((rejected + accepted) / 2)
    assert abs(rejected - accepted) == pytest.approx(min(abs(r - a) for r, a in tried))


def test_a_score_is_straight_on_both_sides_of_the_threshold() -> None:
    found = Member("F1", (1,), 0.4).score(np.array([0, 0.2, 0.4, 0.7, 1]))
    np.testing.assert_allclose(found, [0, 0.25, 0.5, 0.75, 1])


@given(arrays.arrays(float, (6, 3), elements=st.floats(0, 1)))
def test_the_score_follows_the_majority(scores: np.ndarray) -> None:
    for row, found in zip(scores.tolist(), majority_mean(scores), strict=True):
        accepting = [s for s in row if s >= 0.5]
        rejecting = [s for s in row if s < 0.5]
        majority = max(accepting, rejecting, key=len)
        assert found == pytest.approx(sum(majority) / len(majority))
        assert (found >= 0.5) == (len(accepting) > len(rejecting))


def test_the_ensemble_is_odd_and_right_most_often() -> None:
    same = np.array([1, 1, 1, 0, 0, 0], bool)
    wrong_once = np.array([np.roll([1, 0, 0, 0, 0, 0], i) for i in range(3)], bool)
    votes = same ^ wrong_once
    assert best_ensemble(votes, same) == (0, 1, 2)
    assert best_ensemble(np.array([~same, same, same]), same) == (1,)


def test_similarity_of_a_pair_equals_plain_loops(
    train_pairs: list[Pair], dev_pairs: list[Pair]
) -> None:
    grid = {"F1": [(1,), (2,)], "F2": [(3,)], "F5": [(2,)]}
    verifier = AVeer(grid=grid).fit(train_pairs, dev_pairs)
    assert verifier.members_
    assert len(verifier.members_) % 2 == 1
    found = verifier.compare(dev_pairs[:12]).similarity
    for pair, value in zip(dev_pairs[:12], found, strict=True):
        mapped = []
        for m in verifier.members_:
            sides = [
                slow_features(d[0].text, m.category, m.parameters) for d in (pair.left, pair.right)
            ]
            s, theta = 1 / (1 + slow_distance(*sides)), m.threshold
            mapped.append(s / theta / 2 if s < theta else 0.5 + (s - theta) / (1 - theta) / 2)
        accepts = [s for s in mapped if s >= 0.5]
        rejects = [s for s in mapped if s < 0.5]
        majority = max(accepts, rejects, key=len)
        # A shared column now and then: see test_few_columns_only_make_the_distance_smaller.
        assert value == pytest.approx(sum(majority) / len(majority), abs=2e-3)


def test_frequent_tokens_are_those_of_training_texts(
    train_pairs: list[Pair], dev_pairs: list[Pair]
) -> None:
    verifier = AVeer(grid={"F3": [(10,)]}).fit(train_pairs, dev_pairs)
    texts = {document.text for pair in train_pairs for document in (*pair.left, *pair.right)}
    counts = Counter(tokenise(texts).words())
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    assert verifier.words_ == ranked[: -(-len(counts) // 10)]


def test_a_grid_of_unknown_categories_is_refused(
    train_pairs: list[Pair], dev_pairs: list[Pair]
) -> None:
    for grid in ({}, {"F10": [(1,)]}, {"F1": []}):
        with pytest.raises(InputError, match="F1 to F9"):
            AVeer(grid=grid).fit(train_pairs, dev_pairs)


def test_training_pairs_of_one_kind_are_refused(
    train_pairs: list[Pair], dev_pairs: list[Pair]
) -> None:
    same = [pair for pair in train_pairs if pair.same_author]
    for verifier in (AVeer(), Glad(), Compression()):
        with pytest.raises(InputError, match="both kinds"):
            verifier.fit(same, dev_pairs)
