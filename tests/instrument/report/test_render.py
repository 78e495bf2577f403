from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import asdict

import pytest

from adhominem.instrument.evidence.limits import TOO_SHORT, WEAK_EVIDENCE
from adhominem.instrument.report.as_json import decision_dict
from adhominem.instrument.report.render import FORMS, render
from adhominem.records import Decision, Explanation, Reason, Verdict

Decide = Callable[..., Decision]
Explain = Callable[..., Explanation]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_text_and_always_the_same(explain: Explain, form: str) -> None:
    explanation = explain("one \ud800 two\x1b[2J", "three")
    told = render(explanation, form=form)
    assert told == render(explanation, form=form)
    told.encode("utf-8")


def test_page_is_the_default(explain: Explain) -> None:
    assert render(explain()) == render(explain(), form="html")
    assert render(explain()).startswith("<!doctype html>")


def test_unknown_form_names_what_came_and_what_is_allowed(explain: Explain) -> None:
    with pytest.raises(ValueError, match=r"'pdf'.*'html', 'terminal', 'text', 'json'"):
        render(explain(), form="pdf")


@pytest.mark.parametrize("form", ["html", "terminal", "text"])
@pytest.mark.parametrize(
    ("verdict", "llr", "reasons", "words"),
    [
        (Verdict.SAME, 1.12, (), "Probably the same author"),
        (Verdict.DIFFERENT, -0.31, (), "Probably different authors"),
        (Verdict.DIFFERENT, -0.05, (), "Inconclusive"),
        (Verdict.SAME, 0.3, (), "Inconclusive"),
        (Verdict.UNDECIDED, 0.0, (Reason(WEAK_EVIDENCE, "neither side"),), "Inconclusive"),
        (Verdict.UNDECIDED, 0.0, (Reason(TOO_SHORT, "left has 3 tokens"),), "Cannot say"),
    ],
)
def test_verdicts_in_words(
    explain: Explain,
    decide: Decide,
    form: str,
    verdict: Verdict,
    llr: float,
    reasons: tuple[Reason, ...],
    words: str,
) -> None:
    told = render(explain(decision=decide(verdict, llr=llr, reasons=reasons)), form=form)
    assert words in told
    assert words.startswith("Probably") or "Probably" not in told


def test_decision_dict_has_its_keys_in_order(decide: Decide) -> None:
    decision = decide(reasons=(Reason("too_short", "short"),))
    told = decision_dict(decision)
    left, right = (json.dumps(asdict(side)) for side in (decision.left, decision.right))
    assert json.dumps(told) == (
        '{"verdict": "same", "score": 0.93, "llr": 1.12, "distance": 0.83, "tau_s": 1.0, '
        '"tau_d": 3.0, "reliable": true, "reasons": ["short"], "reason_codes": ["too_short"], '
        '"notes": [], "note_codes": [], '
        f'"left": {left}, "right": {right}, "track_record": null, '
        '"model": {"name": "reviews", "version": "1.0.0", "sha256": "'
        + "0123456789abcdef" * 4
        + '"}, "bounds": null, "terms": []}'
    )
    assert decision_dict(decide(model=None))["model"] is None


def test_json_is_the_whole_explanation(explain: Explain) -> None:
    explanation = explain("one \ud800 two", "three")
    told = json.loads(render(explanation, form="json"))
    assert {"decision", "method", "left", "right", "habits", "audit"} <= set(told)
    [text] = told["left"]
    assert text["text"] == "one \ud800 two"
    assert [word["weight"] for word in text["words"]] == [
        word.weight for word in explanation.left[0].words
    ]
    word, sentence = text["words"][0], text["sentences"][0]
    assert {"text", "start", "end", "weight", "sentence", "contribution"} == set(word)
    assert {"start", "end", "weight", "contribution"} == set(sentence)


def test_json_has_null_for_what_is_no_number(explain: Explain, decide: Decide) -> None:
    told = json.loads(render(explain(decision=decide(llr=math.inf)), form="json"))
    assert told["decision"]["llr"] is None
