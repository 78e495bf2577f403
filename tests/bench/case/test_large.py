"""A large case: the same answers, of which a report shows a part and says what it leaves out."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pyarrow import parquet

from adhominem.bench.case.bundle import case_bundle, read_bundle
from adhominem.bench.case.page import case_page, case_text
from adhominem.bench.case.pairs import pack, unpack, write_pairs
from adhominem.bench.case.reproduce import reproduce
from adhominem.bench.case.study import CaseResult, case_dict, choose_drawn, study
from adhominem.bench.case.texts import NamedText
from adhominem.instrument.evidence import matrix
from adhominem.instrument.verifier import Verifier

N_DRAWN = 6


@pytest.fixture(scope="module")
def whole(small: Verifier, texts: list[NamedText]) -> CaseResult:
    return study(small, texts, "text 0")


@pytest.fixture
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six texts are many, and no table is exact."""
    monkeypatch.setattr("adhominem.bench.case.study.MOST_DRAWN", N_DRAWN)
    monkeypatch.setattr("adhominem.bench.case.study._LINKED", 2)
    monkeypatch.setattr(matrix, "MOST_EXACT", N_DRAWN)


@pytest.fixture
def large(_few: None, small: Verifier, texts: list[NamedText]) -> CaseResult:
    return study(small, texts, "text 0")


def test_the_answers_are_those_of_a_small_case(whole: CaseResult, large: CaseResult) -> None:
    assert large.evidence.llr.dtype == np.float32
    np.testing.assert_allclose(large.evidence.llr, whole.evidence.llr, atol=1e-6)
    np.testing.assert_array_equal(large.evidence.decided, whole.evidence.decided)
    assert large.tree.groups == whole.tree.groups
    assert (whole.drawn_in_part, whole.drawn()) == (False, whole)
    assert large.drawn_in_part and large.summary == whole.summary
    pairs = list(itertools.combinations(range(len(whole.names)), 2))
    verdicts = [whole.evidence.verdict(i, j).value for i, j in pairs]
    found = large.summary
    assert (found["texts"], found["pairs"]) == (len(whole.names), len(pairs))
    assert found["same"] == verdicts.count("same")
    assert found["different"] == verdicts.count("different")
    assert found["undecided"] == verdicts.count("undecided")
    assert found["reliable"] == sum(whole.evidence.reliable[i, j] for i, j in pairs)
    assert found["not_judged"] == sum(map(bool, whole.evidence.doubts))
    sizes = [whole.tree.groups.count(g) for g in range(max(whole.tree.groups) + 1)]
    assert list(found["groups"]) == [size for size in sizes if size > 1]


def test_the_part_that_is_drawn(large: CaseResult) -> None:
    drawn = large.drawn()
    assert len(drawn.names) == len(large.order) == N_DRAWN
    assert "text 0" in drawn.names
    numbers = [large.names.index(name) for name in drawn.names]
    np.testing.assert_array_equal(drawn.evidence.llr, large.evidence.llr[np.ix_(numbers, numbers)])
    assert [drawn.names[i] for i in drawn.order] == [large.names[i] for i in large.order]
    assert [large.texts[i] for i in numbers] == list(drawn.texts)
    assert np.isfinite(drawn.map).all()
    assert np.isnan(large.map).all(axis=1).sum() == len(large.names) - N_DRAWN


def test_what_is_drawn_first(_few: None) -> None:
    """The questioned text and its nearest, the ends of the strongest link, the largest group, and
    single texts by their strongest link."""
    llr = np.full((12, 12), -1.0)
    for i, j, value in ((3, 8, 2.0), (0, 11, 0.9), (5, 6, 0.1), (1, 7, 1.0), (1, 9, 1.1)):
        llr[i, j] = llr[j, i] = value
    np.fill_diagonal(llr, np.nan)
    groups = [3, 0, 4, 1, 5, 6, 7, 0, 1, 0, 8, 2]
    assert choose_drawn(llr, groups).tolist() == [0, 1, 3, 7, 8, 9]
    found = choose_drawn(llr, groups, 5).tolist()
    assert {5, 6, 3, 8} <= set(found) and len(found) == N_DRAWN
    assert choose_drawn(llr[:6, :6], groups[:6]).tolist() == list(range(6))


def test_the_report_says_what_it_leaves_out(large: CaseResult) -> None:
    case = case_dict(large.drawn())
    n = len(large.names)
    for report in (case_page(case), case_text(case)):
        assert f"Shown are {N_DRAWN} of {n} texts" in report
        assert f"{n} texts, {n * (n - 1) // 2} pairs" in report
        assert "written by adhominem case --pairs FILE" in report
    assert "are in answers.parquet" in case_page(case, pairs_file="answers.parquet")
    case["summary"]["groups"] = [3 + case["groups"].count(0), *case["summary"]["groups"][1:]]
    assert "and 3 more" in case_text(case) and "and 3 more</li>" in case_page(case)


def test_json_has_no_tables_of_pairs(large: CaseResult, whole: CaseResult) -> None:
    content = json.loads(json.dumps(case_dict(large), allow_nan=False))
    known = case_dict(whole)
    assert known.keys() - content.keys() == {"llr", "reliable", "copied", "verdict"}
    assert content.keys() < known.keys() and content["summary"] == known["summary"]
    assert content["groups"] == known["groups"] and content["hashes"] == known["hashes"]
    assert content["map"].count(None) == len(large.names) - N_DRAWN


def test_a_bundle_has_all_pairs(large: CaseResult, small: Verifier, texts: list[NamedText]) -> None:
    bundle = read_bundle(case_bundle(large))
    assert bundle.pairs is not None
    done = reproduce(bundle, small)
    assert done.is_same and done.numbers == done.exact > len(bundle.pairs)
    wrong = bundle.pairs.copy()
    n = len(texts)
    pairs = list(itertools.combinations(range(n), 2))
    wrong["llr"][pairs.index((1, 4))] += 1e-3
    wrong["answer"][pairs.index((1, n - 1))] ^= 4
    wrong["llr"][pairs.index((n - 2, n - 1))] = np.nan
    found = reproduce(replace(bundle, pairs=wrong), small).differences
    assert [one.place for one in found] == [
        "llr[1][4] and 1 more of text 1",
        f"llr[{n - 2}][{n - 1}]",
    ]


def test_packed_answers_are_as_many_as_pairs(whole: CaseResult) -> None:
    packed = pack(whole.evidence)
    n = len(whole.names)
    np.testing.assert_array_equal(unpack(packed.tobytes(), n), packed)
    for data in (packed[1:].tobytes(), packed.tobytes()[1:]):
        with pytest.raises(ValueError):
            unpack(data, n)


@pytest.mark.parametrize("texts_of_a_block", [1, 5, 200])
def test_the_file_of_all_pairs(
    whole: CaseResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, texts_of_a_block: int
) -> None:
    monkeypatch.setattr("adhominem.bench.case.pairs._TEXTS", texts_of_a_block)
    names = [*whole.names[:-1], "odd \ud800"]
    table, lines = tmp_path / "pairs.parquet", tmp_path / "pairs.jsonl"
    for path in (table, lines):
        write_pairs(names, whole.evidence, path)
    rows = parquet.read_table(table).to_pylist()
    evidence, places = whole.evidence, itertools.combinations(range(len(names)), 2)
    for row, (i, j) in zip(rows, places, strict=True):
        assert row["left"] == names[i]
        assert row["right"] == (names[j] if j < len(names) - 1 else "odd \\ud800")
        assert row["verdict"] == evidence.verdict(i, j).value
        assert row["llr"] == evidence.llr[i, j]
        assert row["reliable"] == evidence.reliable[i, j]
        assert row["copied"] == evidence.copied[i, j]
    read = [json.loads(line) for line in lines.read_text().splitlines()]
    assert read == [{**row, "llr": round(row["llr"], 6)} for row in rows]
