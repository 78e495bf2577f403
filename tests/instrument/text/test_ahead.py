"""What another process tokenised is what this one would have found, or is not used at all."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adhominem.instrument.text import ahead
from adhominem.instrument.text.ahead import tokenising_ahead
from adhominem.instrument.text.chunks import known_chunks
from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.text.tokenised import Tokenised

PARTS = (
    "don't can't U.S. e.g. Mr. it's :-) <3 http://a.com/b me@x.org 555-1234 @bob #tag 10km "
    "... .. !!! «a» x\u0301y 日本語 👍🏽 <url> plain words, and. more"
)
TEXTS = st.lists(
    st.text(st.characters() | st.characters(min_codepoint=0xD800, max_codepoint=0xDFFF))
    | st.lists(st.sampled_from([*PARTS.split(), " ", "\n\n"]), max_size=20).map(" ".join),
    max_size=4,
)
DEMO = ["Mr. Smith isn't here...\n\nCall (555) 123-4567: 👍🏽 \ud800", "Plain words, and more."]
SCRIPT = """
import json, sys
from adhominem.instrument.text.ahead import tokenising_ahead
texts = json.load(sys.stdin)
with tokenising_ahead(texts):
    pass
from adhominem.instrument.text.tokenise import tokenise
read = tokenise(texts)
columns = (read.tokens, read.starts, read.ends, read.sentences, read.documents)
print(json.dumps([read.types, [c.tolist() for c in columns], "spacy" in sys.modules]))
"""


def as_lists(read: Tokenised) -> list[object]:
    columns = (read.tokens, read.starts, read.ends, read.sentences, read.documents)
    return [list(read.types), [column.tolist() for column in columns]]


def forget() -> None:
    """A fresh memory; spaCy itself is kept, which takes long to set up."""
    english = known_chunks()._english
    known_chunks.cache_clear()
    known_chunks()._english = english


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[subprocess.Popen[bytes]]]:
    """As in a process that has not met spaCy yet; the processes that are started."""
    forget()
    start, started = ahead._start, []

    def remember() -> subprocess.Popen[bytes] | None:
        if (process := start()) is not None:
            started.append(process)
        return process

    monkeypatch.setattr(ahead, "_start", remember)
    monkeypatch.delitem(sys.modules, "spacy")
    yield started
    assert all(process.returncode is not None for process in started)


@given(TEXTS)
@example(DEMO)
@example(["\n\nfirst", "<padding> \x00"])
@settings(max_examples=100, deadline=None)
def test_adopted_chunks_read_any_text_as_before_and_without_spacy(texts: list[str]) -> None:
    forget()
    expected = as_lists(tokenise(texts))
    forget()
    answer = ahead._answer(texts)
    known_chunks.cache_clear()
    ahead._adopt(answer)
    assert as_lists(tokenise(texts)) == expected
    assert "_english" not in vars(known_chunks())


def test_the_other_process_saves_this_one_from_spacy() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], input=json.dumps(DEMO).encode(), capture_output=True
    )
    assert done.stderr == b""
    assert json.loads(done.stdout) == [*as_lists(tokenise(DEMO)), False]


def test_more_than_a_pipe_holds_goes_both_ways(
    fresh: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ahead, "_PATIENCE", 100)
    texts = [" ".join(f"word{i} it's" for i in range(9_000))]
    assert len(texts[0]) > 2**16
    with tokenising_ahead(texts):
        pass
    assert fresh[0].returncode == 0
    assert known_chunks().tokens["word8999"] == ("word8999",)


@pytest.mark.parametrize(
    "script", ["raise SystemExit(1)", "print('{')", "import time; time.sleep(60)"]
)
def test_without_an_answer_all_is_as_before(
    script: str, fresh: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ahead, "_COMMAND", ("-c", script))
    monkeypatch.setattr(ahead, "_PATIENCE", 0.5)
    before = dict(known_chunks().tokens)
    with tokenising_ahead(DEMO):
        pass
    assert len(fresh) == 1
    assert known_chunks().tokens == before
    assert tokenise(DEMO).words()[:2] == ["Mr.", "Smith"]


def test_where_no_process_can_be_started(
    fresh: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with tokenising_ahead(DEMO):
        pass
    assert fresh == []


def test_an_error_in_the_block_ends_the_process(fresh: list[subprocess.Popen[bytes]]) -> None:
    with pytest.raises(KeyError, match="mine"), tokenising_ahead(DEMO):
        raise KeyError("mine")
    assert fresh[0].returncode not in (None, 0)


def test_nothing_is_started_where_spacy_is_loaded(
    fresh: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "spacy", ahead)
    with tokenising_ahead(DEMO):
        pass
    assert fresh == []
