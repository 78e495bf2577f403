from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adhominem.instrument.report.plain_text import visible
from adhominem.instrument.report.terminal import terminal_text
from adhominem.records import Decision, Explanation, Reason, Verdict

Decide = Callable[..., Decision]
Explain = Callable[..., Explanation]
_OUR_CODES = re.compile(r"\x1b\[[0-9;]*m")


@given(text=st.text(st.characters(exclude_categories=()), min_size=1, max_size=40))
def test_no_control_code_of_a_text_reaches_the_terminal(explain: Explain, text: str) -> None:
    told = terminal_text(explain(text), colour=False)
    told.encode("utf-8")
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", told)
    coloured = _OUR_CODES.sub("", terminal_text(explain(text)))
    assert [line.rstrip() for line in coloured.split("\n")] == told.split("\n")


def test_control_characters_are_shown() -> None:
    assert visible("a\x1b[31mb\x07\x9b") == r"a\x1b[31mb\x07\x9b"
    assert visible("\ud800\u202e") == r"\ud800\u202e"
    assert visible("one\r\n\ttwo  three") == "one two three"


def test_text_is_no_markup(explain: Explain) -> None:
    told = terminal_text(explain("[bold]not[/bold] :smile: [link=x]y[/link]"), colour=False)
    assert "[bold]not[/bold] :smile: [link=x]y[/link]" in told


def test_colours_are_ours_alone(explain: Explain, monkeypatch: pytest.MonkeyPatch) -> None:
    coloured = terminal_text(explain())
    assert "\x1b[" in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    assert terminal_text(explain()) == coloured
    assert "\x1b" not in terminal_text(explain(), colour=False)


def test_decision_and_legend_are_told(explain: Explain, decide: Decide) -> None:
    decision = decide(
        Verdict.UNDECIDED, reliable=False, distance=1.9, reasons=(Reason("too_short", "too short"),)
    )
    told = terminal_text(explain(decision=decision), colour=False)
    for words in ("Cannot say", "too short", "0.930 at equal prior odds", "+1.12", "low.", "1.90"):
        assert words in told
    assert "word × sentence:" in told
    assert told.count("◆") == 1
    assert "50% I left cuz & definately¶" in told


def test_occlusion_names_its_directions(explain: Explain) -> None:
    told = terminal_text(explain(method="occlusion"), colour=False)
    assert "word pulls apart" in told
    assert "sentence pulls together" in told


def test_long_texts_are_cut_and_say_so(explain: Explain) -> None:
    text = "\n".join(" ".join(["word"] * 20) for _ in range(1100))
    told = terminal_text(explain(text), colour=False)
    assert "Shown are the first 2,000 words. Left out here are 20,000 more words (" in " ".join(
        told.split()
    )
