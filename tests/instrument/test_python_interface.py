"""What a data scientist does in a notebook: columns, tables, missing values, reprs."""

from __future__ import annotations

import html
import json
import subprocess
import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest
from toy_verifiers import ToyVerifier

import adhominem
from adhominem import AdhominemError, Verifier
from adhominem.instrument.evidence.decision import Decisions, decide
from adhominem.instrument.evidence.limits import Limits
from adhominem.instrument.evidence.sides import Sides
from adhominem.records import Reading


@pytest.fixture(scope="module")
def verifier() -> Verifier:
    return adhominem.load()


def test_columns_are_compared_row_by_row(verifier: Verifier, samples: tuple[str, str]) -> None:
    left, right = samples
    table = pd.DataFrame({"left": [left, "short"], "right": [right, right]}, index=["a", "b"])
    seen: list[tuple[int, int]] = []
    found = verifier.verify_pairs(
        table.left, table.right, progress=lambda done, total: seen.append((done, total))
    )
    assert list(found.index) == ["a", "b"]
    alone = verifier.verify(left, right)
    assert found.llr["a"] == pytest.approx(alone.llr, abs=1e-6)
    assert found.verdict.tolist() == [alone.verdict.value, "undecided"]
    assert "at least 20" in found.reasons["b"]
    assert found.left_tokens["b"] == 1
    assert seen == [(2, 2)]
    lists = verifier.verify_pairs([[left, right], left], [right, right], progress=True)
    assert lists.notes[0] == "texts that stand on both sides were left out"
    assert verifier.verify_pairs([], []).empty


def test_polars_gives_polars(verifier: Verifier) -> None:
    polars = pytest.importorskip("polars")
    table = polars.DataFrame({"left": ["a", "b"], "right": ["c", "d"]})
    found = verifier.verify_pairs(table["left"], table["right"])
    assert isinstance(found, polars.DataFrame)
    assert found["verdict"].to_list() == ["undecided"] * 2


def test_texts_become_an_array(verifier: Verifier, samples: tuple[str, str]) -> None:
    features = verifier.encode(pd.Series([*samples, ""]))
    assert features.shape[0] == 3 and np.isnan(features[2]).all()
    np.testing.assert_allclose(features[:2], verifier.encode(list(samples)), atol=1e-6)
    assert verifier.encode([]).shape[0] == 0


def test_search(verifier: Verifier, samples: tuple[str, str]) -> None:
    left, right = samples
    found = verifier.search(left, {"smith": [right], "jones": ["short"]}, top=1)
    assert [candidate.name for candidate in found.candidates] == ["smith"]
    assert found.n_others == 1
    assert verifier.search(left, ["short", right]).candidates[0].name == "1"
    assert json.loads(json.dumps(found.to_dict()))["candidates"][0]["name"] == "smith"
    assert "smith" in found._repr_html_()


NAN = float("nan")
COLUMN = pd.Series(["a", "b"])


@pytest.mark.parametrize(
    ("left", "right", "says"),
    [
        (None, "b", "left is missing (None)"),
        (NAN, "b", "left is missing (nan)"),
        ("a", b"b", "right is bytes"),
        ("a", [], "the right side has no text"),
        (["a", None], "b", "text 1 of left is missing (None)"),
        (["a"], [pd.NA], "text 0 of right is missing (<NA>)"),
        (COLUMN, COLUMN, "left is a column of 2 values: verify_pairs"),
        (COLUMN.to_numpy(), "b", "left is a column of 2 values"),
        ("a", {"b": "c"}, "right is of type dict"),
        (5, "b", "left is of type int"),
    ],
)
def test_what_is_no_text_is_one_line(verifier: Verifier, left: Any, right: Any, says: str) -> None:
    for ask in (verifier.verify, verifier.explain_texts):
        with pytest.raises(AdhominemError) as caught:
            ask(left, right)
        assert says in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("lefts", "rights", "says"),
    [
        ("one text", ["a"], "lefts is one text"),
        (["a", "b"], ["a"], "lefts has 2 rows and rights 1"),
        (["a", NAN], ["a", "b"], "text"),
        (pd.Series(["a", None]), COLUMN, "lefts[1] is missing"),
        (COLUMN, pd.DataFrame({"a": ["x", "y"]}), "rights is a table of shape (2, 1)"),
        ([[]], ["a"], "lefts[0] is an empty list"),
        (None, ["a"], "lefts is missing"),
        (b"ab", ["a"], "lefts is bytes"),
    ],
)
def test_wrong_columns_are_one_line(verifier: Verifier, lefts: Any, rights: Any, says: str) -> None:
    with pytest.raises(AdhominemError) as caught:
        verifier.verify_pairs(lefts, rights)
    assert says in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("texts", ["a bare string", [None], [b"a"], [["a"]], 5, None])
def test_wrong_texts_are_one_line(verifier: Verifier, texts: Any) -> None:
    for ask in (verifier.encode, verifier.features):  # type: ignore[attr-defined]
        with pytest.raises(AdhominemError, match=r"texts(\[0\])? is"):
            ask(texts)


class Blind(ToyVerifier):
    """Reads nothing, and remembers how many pairs it was asked for at once."""

    kind = "blind"
    most = 0

    def decide(self, pairs: Any, *, distinct: bool = False) -> Decisions:
        del distinct
        self.most = max(self.most, len(pairs))
        sides = Sides.of([Reading(0, 0)] * len(pairs))
        return decide([0.0] * len(pairs), (sides, sides), verifier_calibrations(), Limits())


def verifier_calibrations() -> Any:
    return adhominem.load().calibrations()


def test_many_rows_are_read_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    calibrations = verifier_calibrations()
    monkeypatch.setitem(globals(), "verifier_calibrations", lambda: calibrations)
    blind, rows = Blind(), pd.Series(["a"] * 4_000)
    assert len(blind.verify_pairs(rows, rows)) == 4_000
    assert blind.most <= 512


def test_answers_in_a_notebook(verifier: Verifier, samples: tuple[str, str]) -> None:
    decision = verifier.verify(*samples)
    assert repr(decision).startswith("Decision(same, score=0.")
    assert decision.to_dict()["verdict"] == "same"
    card = decision._repr_html_()
    assert card.startswith("<iframe") and card.count("<") == 2
    few = samples[1].split(". ")[0]
    explanation = verifier.explain_texts("<script>alert(1)</script> and more.", few)
    assert repr(explanation).startswith("Explanation(Decision(")
    assert json.loads(json.dumps(explanation.to_dict()))["left"][0]["text"][0] == "<"
    page = explanation._repr_html_()
    assert page.count("<") == 2 and "<script>" not in html.unescape(page)
    assert repr(verifier).startswith("<NeuralVerifier: 'adhominem', version")


def test_without_pandas_and_polars_one_line_says_what_to_install() -> None:
    script = (
        "import sys; sys.modules.update(pandas=None, polars=None); import adhominem\n"
        "try: adhominem.load().verify_pairs(['a'], ['b'])\n"
        "except adhominem.AdhominemError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "neither pandas nor polars is installed: pip install pandas\n"
