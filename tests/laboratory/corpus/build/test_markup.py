"""Markup goes, and what only looks like it stays."""

from __future__ import annotations

import html
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adhominem.laboratory.corpus.build.tokenise_shard import strip_markup

PROPERTY = settings(max_examples=120)
FRAGMENTS = (
    "< > & ; / </ <b <b> </b> <br/> <p <script <script> </script> <style> <!-- --> - ! # &# &#x "
    "&amp; &lt; &#39; &#xD800; 9 [[ ]] [[ASIN: B000000000 [[VIDEOID: x \ud800 é 😀 \x00"
)
RICH = st.text() | st.lists(st.sampled_from([*FRAGMENTS.split(" "), " ", "\n"])).map("".join)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("<b>bold</b> and <I>it</I>", "bold and it"),
        ("one<br />two<BR>three<br/>four", "one\ntwo\nthree\nfour"),
        ("<p>one</p><div class='x'>two</div>", "\none\n\ntwo\n"),
        ('see <a href="http://x.y/?a=b&amp;c" target=_blank>this</a>!', "see this!"),
        ("<h1>Title</h1><hr>text", "Title\ntext"),
        ("a<!-- hidden <b> --->b", "a b"),
        ("a<script type='x'>if (a<b) { x() }</script>b", "a b"),
        ("a<STYLE>p {}</style >b", "a b"),
        ("fish &amp; chips &lt;b&gt; &quot;x&quot; &#39;y&#39; &#x27;z&#x27;", None),
        ("caf&eacute; &nbsp;&hellip;", None),
        ("AT&T, R&B; a && b & c", None),
        ("[[ASIN:B000000000 Some Name]] is good", "Some Name is good"),
        ("[[ASIN:B000000000]] and [[VIDEOID:abc123]]so", " and so"),
        ("<b>[[ASIN:B000000000 A &amp; B]]</b>", "A & B"),
    ],
)
def test_a_text_becomes_what_a_reader_of_the_page_saw(text: str, plain: str | None) -> None:
    """Where only entities stand, Python's own module is the witness."""
    assert strip_markup(text) == (html.unescape(text) if plain is None else plain)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "<3",
            "I <3 it",
            "a < b > c",
            "x<y",
            "x<y and y>x",
            "<-- look -->",
            "<>",
            "</>",
            "<=",
            "a <b and c> d",
        ),
        *("<b", "< b>", "<bob@example.com>", "<grin>", "<http://x.y>", "<a-b>", "<!-- open"),
        *("[[link]]", "[[ASIN:short Name]]", "[x]", "[[", "R&B", "a & b", "& &", "&;"),
    ],
)
def test_what_only_looks_like_markup_stays(text: str) -> None:
    assert strip_markup(text) == text


@given(st.text(st.characters(exclude_characters="<&[")))
@PROPERTY
def test_a_text_without_signs_is_returned_as_it_is(text: str) -> None:
    assert strip_markup(text) is text


@given(RICH)
@example("&#" + "9" * 5000 + ";")
@example("&#x" + "f" * 5000 + ";")
@PROPERTY
def test_no_text_raises(text: str) -> None:
    assert isinstance(strip_markup(text), str)


@given(RICH)
@PROPERTY
def test_no_entity_brings_a_surrogate_in(text: str) -> None:
    strip_markup(text.replace("\ud800", "")).encode("utf-8")


UNITS = "< & <b [[ <!-- <script> <style><script> &# &#9 <a\t [[ASIN:B000000000\t <!--- </ &lt;"


@pytest.mark.parametrize("unit", UNITS.replace("\t", "~").split(" "))
def test_a_hostile_text_costs_linear_time(unit: str) -> None:
    unit = unit.replace("~", " ")
    size = 1_000_000 if len(unit) == 1 else 300_000
    text = unit * (size // len(unit))
    begin = time.process_time()
    strip_markup(text)
    assert time.process_time() - begin < 5


@pytest.mark.parametrize("begin", ["<b", "<a ", "<!--", "<script>", "<script>x</script", "&#"])
@pytest.mark.parametrize("char", [" ", "-", "x", "9"])
def test_an_open_tag_before_a_long_text_costs_linear_time(begin: str, char: str) -> None:
    started = time.process_time()
    strip_markup(begin + char * 1_000_000)
    assert time.process_time() - started < 5
