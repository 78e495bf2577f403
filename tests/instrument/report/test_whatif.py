"""Before and after: what the three forms of the answer say, and that texts stay texts."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from adhominem.instrument.explain.whatif import Attended, Effect, WhatIf
from adhominem.instrument.linguistics.rewrites import Edit
from adhominem.instrument.report import html
from adhominem.instrument.report.render import render_what_if
from adhominem.instrument.report.whatif import headline
from adhominem.laboratory.report import robustness_text
from adhominem.records import Decision, Explanation, Verdict

Decide = Callable[..., Decision]
Explain = Callable[..., Explanation]
Make = Callable[..., WhatIf]


@pytest.fixture
def make(explain: Explain, decide: Decide) -> Make:
    def made(old: str = "cuz", new: str = "because", **changes: object) -> WhatIf:
        before = f"We left {old} it rained"
        after = f"We left {new} it rained"
        moved = decide(Verdict.DIFFERENT, llr=-0.4, score=0.28, distance=2.3)
        effect = Effect(
            Edit(8, 8 + len(old), "spelling", old, new), Attended(0.5, 0.25), Attended(0.1, 0.2)
        )
        fields: dict[str, object] = {"budget": None, "n_tried": None} | changes
        return WhatIf(
            "left",
            explain(before, "other text"),
            explain(after, "other text", decision=moved),
            (effect,),
            **fields,  # type: ignore[arg-type]
        )

    return made


def test_text_tells_the_answer_before_and_after(make: Make) -> None:
    told = render_what_if(make(), form="text")
    for words in (
        "The verdict moves with 1 edit of the known text",
        "Probably the same author  ->  Probably different authors",
        "0.830  ->  2.300",
        "We left [cuz] it rained",
        "spelling: cuz -> because",
        "weight of the words 0.5000 -> 0.1000, of the sentence 0.2500 -> 0.2000",
    ):
        assert words in told


def test_json_has_both_decisions_and_the_edits(make: Make) -> None:
    told = json.loads(render_what_if(make(budget=5, n_tried=12), form="json"))
    assert (told["moved"], told["budget"], told["tried"]) == (True, 5, 12)
    assert (told["before"]["distance"], told["after"]["distance"]) == (0.83, 2.3)
    assert told["edits"][0]["new"] == "because"
    assert told["text"] == "We left because it rained"


def test_page_shows_both_heat_maps_and_escapes(make: Make) -> None:
    nasty = '<script>alert("1")</script>'
    page = render_what_if(make(nasty, nasty + "&", budget=3, n_tried=7), form="html")
    assert "<script" not in page
    assert page.count('class="heat"') == 2
    assert "&lt;script&gt;alert(&#34;1&#34;)&lt;/script&gt;&amp;" in page
    assert "trying 7 rewritten texts, undoing at most 3 habits" in page
    assert len(page.encode()) < 100_000


def test_page_of_given_edits_says_nothing_of_a_search(make: Make) -> None:
    page = render_what_if(make(), form="html")
    assert "Found by trying" not in page
    assert html.fragment("what_if", make()) in page
    assert html.what_if_heat_maps(make()) in page


def test_terminal_form_shows_control_codes(make: Make) -> None:
    assert "\x1b" not in render_what_if(make("a\x1b[2J", "b\x07"), form="text")


def test_headlines(make: Make) -> None:
    moved = make()
    stayed = WhatIf("left", moved.before, moved.before, moved.effects)
    assert headline(stayed) == "The verdict stays after 1 edit of the known text"
    spent = WhatIf("left", moved.before, moved.before, moved.effects, 4, 9)
    assert headline(spent).startswith("Undoing at most 4 habits of the known text")
    nothing = WhatIf("left", moved.before, moved.before, (), 4, 9)
    assert headline(nothing) == "No edit of the known text weakens the verdict"


def test_unknown_form(make: Make) -> None:
    with pytest.raises(ValueError, match="unknown form 'pdf'"):
        render_what_if(make(), form="pdf")


def test_robustness_has_a_row_for_each_file_and_kind() -> None:
    row = {"kind": "sign", "pairs": 10, "edited": 4, "edits": 1.5, "error_before": 0.1}
    row |= {"error": 0.2, "moved": 0.25, "same": -0.31, "different": None}
    file = {
        "name": "hidden.jsonl",
        "pairs": 10,
        "error": 0.1,
        "error_by_truth": {"same_author": 0.1, "different_authors": None},
        "undecided": 3,
        "edits": [row],
    }
    told = robustness_text({"files": [file]})
    assert "| hidden.jsonl | 10 | 10.00 | 10.00 | - | 30.0 |" in told
    assert "| sign | 4 of 10 | 1.5 | 10.00 | 20.00 | 25.00 | −0.310 | - |" in told
