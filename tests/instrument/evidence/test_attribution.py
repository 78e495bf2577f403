"""Candidates by evidence, with "none of these" always among the answers."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest
from toy_verifiers import ToyVerifier, n_words

from adhominem.errors import InputError
from adhominem.instrument.evidence.attribution import Candidate, in_order, rank
from adhominem.instrument.evidence.calibration import Calibration
from adhominem.instrument.report.render import ranking_text
from adhominem.records import Pair, Term


class ByLength(ToyVerifier):
    """log10 LR is 2 where both sides have equally many words, and one less for each word."""

    kind = "by-length"
    min_tokens = 2
    calibration_ = Calibration(slope=1.0, intercept=2.0, lowest=-6.0, highest=6.0)

    def similarity(self, pair: Pair) -> float:
        left, right = (n_words(side) / len(side) for side in (pair.left, pair.right))
        return -abs(left - right)


NUMBERS = count()


def words(n: int) -> str:
    """Words that no other text has, so that no text is a copy of another."""
    return " ".join(f"word{next(NUMBERS)}" for _ in range(n))


def test_probabilities_are_those_of_equal_priors() -> None:
    ranking = rank(ByLength(), words(10), {"a": [words(10)], "b": [words(11)], "c": [words(14)]})
    ratios = [100.0 / 3, 10.0 / 3, 0.01 / 3]
    total = 1 + sum(ratios)
    assert [c.name for c in ranking.candidates] == ["a", "b", "c"]
    assert [c.probability for c in ranking.candidates] == pytest.approx([r / total for r in ratios])
    assert ranking.none == pytest.approx(1 / total)
    assert sum(c.probability for c in ranking.candidates) + ranking.none == pytest.approx(1)
    assert ranking.answer == "a"


def test_none_of_these_is_an_answer() -> None:
    ranking = rank(ByLength(), words(10), {"a": [words(20)], "b": [words(30)]})
    assert ranking.answer is None
    assert ranking.none > 0.99
    told = ranking_text(ranking)
    assert "Most probable: none of these, if one of them was the author with 50%" in told


def test_who_cannot_be_judged_comes_last_and_says_why() -> None:
    ranking = rank(ByLength(), words(10), {"a": ["word"], "b": [words(15)]})
    assert [c.name for c in ranking.candidates] == ["b", "a"]
    assert ranking.candidates[1].probability == 0
    assert "at least 2 are needed" in ranking_text(ranking)
    alone = rank(ByLength(), words(10), {"a": ["word"]})
    assert alone.answer is None
    assert "Cannot say" in ranking_text(alone)


def test_several_texts_and_the_order_of_names() -> None:
    known = {"b": [words(8), words(12)], "a": [words(10)]}
    ranking = rank(ByLength(), words(10), known)
    assert [c.name for c in ranking.candidates] == ["a", "b"]  # equal evidence: by name
    assert ranking.candidates[0].probability == ranking.candidates[1].probability


def test_a_prior_is_shared_out_among_the_candidates() -> None:
    known = {"a": [words(10)], "b": [words(11)], "c": [words(14)], "short": ["word"]}
    ranking = rank(ByLength(), words(10), known, prior=0.2)
    joint = [0.2 / 3 * ratio for ratio in (100.0, 10.0, 0.01)]
    total = 0.8 + sum(joint)
    assert [c.probability for c in ranking.candidates] == pytest.approx(
        [j / total for j in joint] + [0]
    )
    assert ranking.none == pytest.approx(0.8 / total)
    assert "20% beforehand" in ranking_text(ranking)
    for prior in (0.0, 1.0, -1.0, float("nan")):
        with pytest.raises(InputError, match="between 0 and 1"):
            rank(ByLength(), words(10), known, prior=prior)


def test_evidence_for_neither_side_still_counts() -> None:
    """Ten to the power of zero is one: such a candidate is as probable as none of them."""
    ranking = rank(ByLength(), words(10), {"a": [words(12)]})
    [reason] = ranking.candidates[0].decision.reasons
    assert str(reason) == "the evidence speaks for neither side"
    assert ranking.candidates[0].probability == ranking.none == 0.5


def test_a_ranking_carries_the_same_caution_as_an_answer() -> None:
    known = {"a": [words(10)], "b": [words(10)], "c": [words(15)]}
    told = ranking_text(rank(ByLength(), words(10), known))
    assert "moderately strong support for one author" in told
    for part in ("distance", "tokens", "Questioned: 10 tokens read", "Errors on texts like these"):
        assert part in told


def test_the_best_of_many() -> None:
    known = {str(n): [words(10 + n)] for n in range(6)}
    ranking = rank(ByLength(), words(10), known)
    short = ranking.best(2)
    assert short.candidates == ranking.candidates[:2]
    assert short.n_others == 4
    assert short.others == pytest.approx(sum(c.probability for c in ranking.candidates[2:]))
    assert "4 others" in ranking_text(short)
    assert ranking.best(9) == ranking
    lost = rank(ByLength(), words(10), {str(n): [words(12)] for n in range(50)}, prior=0.9).best(1)
    assert "no one stands out" in ranking_text(lost)


def test_candidates_are_needed() -> None:
    for known in ({}, {"a": []}):
        with pytest.raises(InputError):
            rank(ByLength(), words(10), known)


def test_of_equally_probable_candidates_the_nearer_one_comes_first() -> None:
    plain = ByLength().verify(words(10), words(10))

    def candidate(name: str, probability: float, **changes: object) -> Candidate:
        return Candidate(name, replace(plain, **changes), probability)  # type: ignore[arg-type]

    by_distance = [
        candidate("far but probable", 0.5, distance=3.0),
        candidate("near", 0.2, distance=1.0),
        candidate("far", 0.2, distance=2.0),
    ]
    by_terms = [
        candidate("much", 0.2, terms=(Term("a", 2.0), Term("b", 2.0))),
        candidate("little", 0.2, terms=(Term("a", 3.0), Term("b", -2.0))),
    ]
    by_name = [candidate("a", 0.1), candidate("b", 0.1)]
    for expected in (by_distance, by_terms, by_name):
        found = list(reversed(expected))
        found.sort(key=in_order)
        assert found == expected
