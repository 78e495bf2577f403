"""A case: the same numbers as pair by pair, whatever the order of the texts."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace

import numpy as np
import pytest

import adhominem
from adhominem.bench.case.bundle import case_bundle, read_bundle
from adhominem.bench.case.reproduce import reproduce
from adhominem.bench.case.study import CaseResult, case_dict, study
from adhominem.bench.case.texts import MAX_TEXTS, NamedText, candidates
from adhominem.errors import InputError
from adhominem.instrument.evidence.attribution import rank
from adhominem.instrument.verifier import Verifier
from adhominem.records import Pair


@pytest.fixture(scope="module")
def result(small: Verifier, texts: list[NamedText]) -> CaseResult:
    return study(small, texts, "text 0")


def test_every_pair_is_what_decide_says(
    small: Verifier, texts: list[NamedText], result: CaseResult
) -> None:
    for i, j in itertools.combinations(range(len(texts)), 2):
        [decision] = small.decide([Pair.of_texts(texts[i].text, texts[j].text)])
        assert result.evidence.llr[i, j] == pytest.approx(decision.llr, abs=1e-6)
        assert result.evidence.verdict(i, j) is decision.verdict
        found = result.evidence.readings[i]
        assert found.norm == pytest.approx(decision.left.norm, rel=1e-6)
        assert replace(found, norm=1.0) == replace(decision.left, norm=1.0)


def test_of_a_kind_that_is_said(knowing: Verifier, texts: list[NamedText]) -> None:
    result = study(knowing, texts, "text 0", genre="letters")
    decision = knowing.verify(texts[0].text, texts[1].text, genre="letters")
    assert result.evidence.llr[0, 1] == pytest.approx(decision.llr, abs=1e-6)
    assert result.evidence.llr[0, 1] != study(knowing, texts).evidence.llr[0, 1]
    assert case_dict(result)["genre"] == result.evidence.readings[0].genre == "letters"
    assert result.ranking == rank(
        knowing, texts[0].text, candidates(texts, "text 0"), genre="letters"
    )
    assert reproduce(read_bundle(case_bundle(result)), knowing).is_same
    with pytest.raises(InputError, match="genre 'poems' is not known"):
        study(knowing, texts, genre="poems")


def test_a_text_that_is_not_judged_is_alone_and_says_why(result: CaseResult) -> None:
    short = [text.name for text in result.texts].index("short")
    assert not result.evidence.decided[short].any()
    assert "at least 20 are needed" in str(result.evidence.doubts[short][0])
    assert result.tree.groups.count(result.tree.groups[short]) == 1
    assert result.tree.groups[0] != result.tree.groups[short]


def test_the_order_of_the_texts_does_not_matter(
    small: Verifier, texts: list[NamedText], result: CaseResult
) -> None:
    turn = np.random.default_rng(3).permutation(len(texts))
    other = study(small, [texts[i] for i in turn], "text 0")
    np.testing.assert_allclose(
        other.evidence.llr, result.evidence.llr[np.ix_(turn, turn)], atol=1e-6
    )
    groups = np.array(result.tree.groups)[turn]
    assert groups.tolist() == list(other.tree.groups)
    leaves = [[r.texts[i].name for i in r.order] for r in (result, other)]
    assert leaves[0] == leaves[1]
    assert other.ranking is not None and result.ranking is not None
    assert {c.name for c in other.ranking.candidates} == {c.name for c in result.ranking.candidates}
    assert other.ranking.answer == result.ranking.answer


def test_the_same_case_twice_is_the_same(
    small: Verifier, texts: list[NamedText], result: CaseResult
) -> None:
    assert case_dict(study(small, texts, "text 0")) == case_dict(result)


def test_candidates_are_authors_or_single_texts(
    small: Verifier, texts: list[NamedText], result: CaseResult
) -> None:
    known = candidates(texts, "text 0")
    assert texts[0].text not in itertools.chain(*known.values())
    assert sum(map(len, known.values())) == len(texts) - 1
    assert known[texts[1].author or ""] == [t.text for t in texts if t.author == texts[1].author]
    assert known["short"] == ["Too short."]
    assert result.ranking == rank(small, texts[0].text, known)
    clash = [NamedText("q", "x"), NamedText("Ann", "a"), NamedText("other", "b", "Ann")]
    assert candidates(clash, "q") == {"Ann (text)": ["a"], "Ann": ["b"]}


def test_as_a_dictionary(texts: list[NamedText], result: CaseResult) -> None:
    content = json.loads(json.dumps(case_dict(result), allow_nan=False))
    n = len(texts)
    assert [row[i] for i, row in enumerate(content["llr"])] == [None] * n
    assert content["verdict"][0][n - 1] == result.evidence.verdict(0, n - 1).value
    assert sorted(content["order"]) == list(range(n))
    assert [merge[3] for merge in content["merges"]][-1] == n
    assert np.shape(content["map"]) == (n, 2)
    assert content["model"]["name"] == "small"
    assert content["ranking"]["candidates"]


@pytest.mark.parametrize(
    ("names", "questioned", "problem"),
    [
        (["a"], None, "2 to 5,000 texts, this one has 1"),
        (["a", "b", "a"], None, "2 texts are named 'a'"),
        (["a", "b"], "c", "no text is named 'c'"),
        ([str(i) for i in range(MAX_TEXTS + 1)], None, "this one has 5,001: search more with"),
    ],
)
def test_what_a_case_must_be(
    small: Verifier, names: list[str], questioned: str | None, problem: str
) -> None:
    with pytest.raises(InputError, match=problem):
        study(small, [NamedText(name, "text") for name in names], questioned)


def test_a_case_can_be_stopped(small: Verifier, texts: list[NamedText]) -> None:
    def stop(done: int, total: int) -> None:
        assert 0 <= done <= total
        raise InterruptedError

    with pytest.raises(InterruptedError):
        study(small, texts, progress=stop)


def test_texts_of_which_none_can_be_judged(small: Verifier) -> None:
    result = study(small, [NamedText(name, name) for name in "abcdefghij"], "a")
    assert result.tree.groups == tuple(range(10))
    assert (result.map == 0).all()
    assert result.ranking is not None and result.ranking.answer is None


def test_a_case_is_its_own_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every pair is judged by what is usual in the other texts, and in no text of its own."""
    monkeypatch.setattr("adhominem.instrument.feature_verifier.FEWEST_TEXTS", 8)
    rng = np.random.default_rng(0)
    words = [
        "the",
        "a",
        "room",
        "was",
        "very",
        "clean",
        "and",
        "we",
        "loved",
        "it",
        "staff",
        ",",
        "but",
        "I",
        "would",
        "not",
        "go",
        "there",
    ]
    texts = [NamedText(f"{i}", " ".join(rng.choice(words, 70)) + ".") for i in range(10)]
    verifier = adhominem.load()
    result = study(verifier, texts, "0", own_reference=True)
    for i, j in ((0, 1), (4, 9)):
        others = [text.text for place, text in enumerate(texts) if place not in (i, j)]
        plain = verifier.with_reference(others).verify(texts[i].text, texts[j].text)
        assert result.evidence.llr[i, j] == pytest.approx(plain.llr, abs=1e-5)
    assert {reading.genre for reading in result.evidence.readings} == {"reference"}
    assert result.ranking is not None
    with pytest.raises(InputError, match="7 reference texts are long enough: at least 8"):
        study(verifier, texts[:7], own_reference=True)
