"""Quoted replies, forwarded messages, block quotes and signatures in plain lines."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adhominem.documents.quoted import (
    BLOCK_QUOTE,
    describe,
    find_passages,
    passages,
    plain_lines,
)

REPLY = """Hi Ann,

I agree with you.

On Mon, 3 May 2024 at 10:11, Bob Smith <bob@example.org>
wrote:

> Shall we meet?
>> Yes or no?

And one more thing.
--
Ann Miller
Sales"""
OUTLOOK = """I will come.

From: Bob
Sent: Monday, 3 May 2024
To: Ann
Subject: Re: meeting

Shall we meet?
"""
FORWARD = """See below.

---------- Forwarded message ---------
From: Bob
Date: 3 May 2024

> Dear all
-- \nBob"""


@pytest.mark.parametrize(
    ("text", "own", "kinds"),
    [
        (REPLY, "Hi Ann,\n\nI agree with you.\n\n\nAnd one more thing.", "quoted reply,signature"),
        (OUTLOOK, "I will come.", "quoted reply"),
        (FORWARD, "See below.", "forwarded message"),
        ("Short.\nSent from my iPhone", "Short.", "signature"),
        ("Fine.\n\nOn 3 May 2024 Bob wrote:\n\nShall we?", "Fine.", "quoted reply"),
        (
            "Fine.\n-----Original Message-----\nFrom: B\nSent: 1\nTo: A\n\nx",
            "Fine.",
            "quoted reply",
        ),
    ],
)
def test_what_mail_programs_add_is_found(text: str, own: str, kinds: str) -> None:
    lines = find_passages(plain_lines(text))
    assert "\n".join(line.text for line in lines if line.kind is None).strip() == own
    assert ",".join(passage.kind for passage in passages(lines)) == kinds
    assert [line.text for line in lines] == text.split("\n")


@pytest.mark.parametrize(
    "text",
    [
        "On Monday he wrote:\nDear friends, ...",
        "I was angry\n>:( and went home",
        "From: here to there\nit is far.",
        "-- \n" + "\n".join(f"line {i}" for i in range(30)),
        "One -- two -- three",
        "",
    ],
)
def test_what_only_looks_like_it_stays(text: str) -> None:
    lines = find_passages(plain_lines(text))
    assert passages(lines) == ()


def test_markdown_marks_block_quotes() -> None:
    lines = find_passages(
        plain_lines("As he said:\n\n> To be or\n> not to be\n\nSo it is."), mark=BLOCK_QUOTE
    )
    [quote] = passages(lines)
    assert quote.kind == BLOCK_QUOTE
    assert describe([[quote]]) == '1 block quote (2 lines, "> To be or > not to be")'


@given(st.text(alphabet="On wrote:>-\n1From S", max_size=200))
def test_nothing_is_lost(text: str) -> None:
    assert [line.text for line in find_passages(plain_lines(text))] == text.split("\n")


def test_cost_is_linear() -> None:
    def seconds(n: int) -> float:
        text = "On 1 " + "x " * n + "\n" + "> a\nOn 2\n--\n" * n
        start = time.process_time()
        find_passages(plain_lines(text))
        return time.process_time() - start

    seconds(1000)
    assert min(seconds(8000) for _ in range(2)) < 60 * min(seconds(800) for _ in range(3))
