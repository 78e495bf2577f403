"""Normalisation: what becomes a universal token, what does not, and the way back."""

from __future__ import annotations

import time
from bisect import bisect_right
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adhominem.instrument.text import normalise as module
from adhominem.instrument.text.normalise import UNIVERSAL, Normalised, normalise

PROPERTY = settings(max_examples=150)
FAMILY = "👩\u200d👩\u200d👧\u200d👦"
ENGLAND = "🏴" + "".join(chr(0xE0000 + ord(c)) for c in "gbeng") + "\U000e007f"
ASCII = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=60)
FRAGMENTS = (
    ". .. ... ! ? !! a b The and it book 5 42 555 1234 1 0800 - ( ) + , ; : ' \" / _ < > & @ # ` "
    "www http :// .com com org .co uk .co.uk x .de café É 日本 … ’ “ ” « \xad \u200b \ufe0f \u0301 "
    "\ue000 \ud800 😀 👍🏽 🇩🇪"
)
SPACES = [" ", "  ", "\n", "\n\n", "\t", "\x00", "\xa0"]
RICH = st.one_of(
    ASCII,
    st.text(),
    st.lists(st.sampled_from(FRAGMENTS.split(" ") + SPACES), max_size=25).map("".join),
)


def shown(text: str) -> str:
    """The normalised text with universal tokens by name and single spaces."""
    result = normalise(text).text
    for char, name in UNIVERSAL.items():
        result = result.replace(char, name)
    return " ".join(result.split())


def span(result: Normalised, start: int, end: int) -> tuple[int, int]:
    """The span of the original text for a non-empty span of the normalised one."""
    places = []
    for position, side in ((start, result.from_), (end - 1, result.to)):
        i = bisect_right(result.starts, position) - 1
        inside = i >= 0 and position < result.ends[i]
        shift = result.to[i] - result.ends[i] if i >= 0 else 0
        places.append(side[i] if inside else position + shift + len(places))
    return places[0], places[1]


def with_long_pattern(text: str) -> Normalised:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_kinds", lambda _: frozenset(module._KINDS))
        return normalise(text)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com",
        "https://example.com/a?b=c&d=%20#e",
        "ftp://example.org/file.zip",
        "www.example.com",
        "www.example.hotel/rooms",
        "tripadvisor.com",
        "amazon.co.uk",
        "my-hotel.de",
        "a.b.c.example.fr/path",
    ],
)
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""),
        ("see ", " for more"),
        ("see ", "."),
        ("(", ")"),
        ("“", "”"),
        ('"', '"'),
        ("", "!!"),
    ],
)
def test_a_url_is_one_token_without_the_marks_around_it(url: str, before: str, after: str) -> None:
    plain = {"“": '"', "”": '"'}
    expected = f"{plain.get(before, before).strip()} <url> {plain.get(after, after).strip()}"
    assert shown(before + url + after) == expected.strip()


@pytest.mark.parametrize(
    "text",
    [
        "a.coxuk",
        "great.community",
        "example.comet",
        "the end.deal",
        "www",
        "http:",
        "it.information",
    ],
)
def test_what_only_resembles_a_url_is_no_url(text: str) -> None:
    assert "<url>" not in shown(text)


@pytest.mark.parametrize(
    "address",
    [
        "me@example.com",
        "first.last+tag@mail.example.co.uk",
        "first.de.last@example.com",
        "josé@exämple.de",
        "me.com@example.com",
        "me_2-x@a-b.info",
    ],
)
def test_an_email_address_is_one_token(address: str) -> None:
    assert shown(address) == "<email>"
    assert shown(f"Write to {address}.") == "Write to <email> ."
    assert shown(f"({address}) or") == "( <email> ) or"


@pytest.mark.parametrize(
    "number",
    [
        "555-1234",
        "555-123-4567",
        "555.123.4567",
        "555 123 4567",
        "(555) 123-4567",
        "(555)123-4567",
        "1-800-555-1234",
        "1 (555) 123-4567",
        "+1 (555) 123-4567",
        "+44 20 7946 0958",
        "+49-171-1234-5678",
        "020 7946 0958",
        "0800 123456",
        "0171-1234567",
    ],
)
def test_a_phone_number_is_one_token(number: str) -> None:
    assert shown(number) == "<phone>"
    assert shown(f"call {number}, ask") == "call <phone> , ask"


@pytest.mark.parametrize(
    "text",
    [
        "2010-2011",
        "1999-2000",
        "2001-09-11",
        "9-11-2001",
        "10.12.2010",
        "$150",
        "$1,000.00",
        "$500-1000",
        "£200-1000",
        "€100-1500",
        "$1.200.3000",
        "5000000",
        "3 4 5",
        "room 1234",
        "5-10",
        "10:30-11:30",
        "ISBN 978-0-306-40615-7",
        "24/7-3",
    ],
)
def test_years_prices_and_other_numbers_are_no_phones(text: str) -> None:
    assert shown(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@bob", "<user>"),
        ("thanks @bob_2!", "thanks <user> !"),
        ("(@bob)", "( <user> )"),
        ("@b", "@b"),
        ("@1", "@1"),
        ("@@bob", "@@bob"),
        ("bob@home", "bob@home"),
        ("#travel", "<hashtag>"),
        ("so #blessed, so #happy2", "so <hashtag> , so <hashtag>"),
        ("#1", "#1"),
        ("we are #1!", "we are #1!"),
        ("##x", "##x"),
        ("C#sharp", "C#sharp"),
        ("&#xab;", "&#xab;"),
        ("# no", "# no"),
    ],
)
def test_users_and_hashtags(text: str, expected: str) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize(
    "emoji", ["😀", "❤️", "☀", "👍🏽", FAMILY, "👩🏽\u200d⚕️", "🇩🇪", ENGLAND, "🏳️\u200d🌈"]
)
def test_an_emoji_is_one_token_however_it_is_composed(emoji: str) -> None:
    assert shown(emoji) == "<emoji>"
    assert shown(f"good{emoji}food") == "good <emoji> food"
    assert shown(emoji + emoji) == "<emoji> <emoji>"
    assert span(normalise(f"x{emoji}"), 2, 3) == (1, 1 + len(emoji))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("it’s ‘so’", "it's 'so'"),
        ("it’s ‘so’ `x´", "it's 'so' 'x'"),
        ("“so” „so‟ «so»", '"so" "so" "so"'),
        ("wait… what", "wait... what"),
        ("cafe\u0301", "caf\xe9"),
        ("n\u0303o\u0308", "\xf1\xf6"),
        ("won\xadder\u200bful\ufeff", "wonderful"),
        ("a\x00b\x07c\x7fd\x9fe", "abcde"),
        ("\u202eabc\u202c", "abc"),
        ("a\tb\nc\r\nd\xa0e\u2003f", "a b c d e f"),
        ("book.5 stars", "book. 5 stars"),
        ("it...and", "it... and"),
        ("great!The food", "great! The food"),
        ("why?Because", "why? Because"),
        ("no!!5 stars", "no!! 5 stars"),
        ("3.5 e.g. U.S. a.5", "3.5 e.g. U.S. a.5"),
        ("wow!?", "wow!?"),
        ("a~b é ~\u200b~", "a~b é ~~"),
        ("a\x00b \x07c", "ab c"),
        ("two  spaces", "two spaces"),
    ],
)
def test_characters_get_one_form_and_sentences_their_space(text: str, expected: str) -> None:
    assert normalise(text).text == expected


@pytest.mark.parametrize(
    "domain", ["com", "org", "net", "edu", "gov", "info", "co.uk", "de", "fr", "ca"]
)
def test_a_bare_name_with_a_common_ending_is_a_url(domain: str) -> None:
    assert shown(f"see example.{domain} now") == "see <url> now"
    assert shown(f"see example.{domain}x now") == f"see example.{domain}x now"


@pytest.mark.parametrize("blank", ["\n\n", "\n \n", "\r\n\r\n", " \n\t\n\n "])
def test_a_blank_line_survives_as_a_paragraph(blank: str) -> None:
    assert normalise(f"a{blank}b").text == "a\n\nb"


@given(st.text(st.sampled_from([*UNIVERSAL, "\uf8ff", "a", " ", ".", "é"])))
@PROPERTY
def test_private_characters_in_a_text_fake_no_universal_token(text: str) -> None:
    result = normalise(text).text
    assert not set(result) & set(UNIVERSAL)
    n_private = sum("\ue000" <= char <= "\uf8ff" for char in text)
    assert result.count("\ufffd") == n_private


@given(st.text(st.characters(min_codepoint=0xD800, max_codepoint=0xDFFF) | st.characters()))
@PROPERTY
def test_the_result_can_be_written_whatever_surrogates_came(text: str) -> None:
    normalise(text).text.encode("utf-8")


@given(RICH)
@example("a.coxuk")
@example("see x.co.uk")
@example("+1(22(33")
@example("(555)123-4567")
@example("great!The book.5 it...and")
@PROPERTY
def test_the_short_pattern_is_only_a_shortcut(text: str) -> None:
    assert normalise(text) == with_long_pattern(text)


def test_plain_reviews_take_the_shortcut() -> None:
    plain = 'We stayed 3 nights (in 2010). "Lovely", 9/10!The bar\'s fun'
    assert module._kinds(plain) == {"missing"}
    assert module._kinds("x@y") == {"missing", "email", "user"}


@given(RICH)
@example("x\u200b\u200b…\ue000😀\xad")
@PROPERTY
def test_every_normalised_character_goes_back_to_its_place(text: str) -> None:
    result = normalise(text)
    spans = [span(result, i, i + 1) for i in range(len(result.text))]
    for (start, end), (next_start, next_end) in pairwise(spans):
        assert start <= next_start and end <= next_end
        assert (start, end) == (next_start, next_end) or end <= next_start
    changed = {
        i for start, end in zip(result.starts, result.ends, strict=True) for i in range(start, end)
    }
    for i, (start, end) in enumerate(spans):
        assert 0 <= start < end <= len(text)
        assert i in changed or text[start:end] == result.text[i]


@given(RICH)
@PROPERTY
def test_the_changes_rebuild_the_normalised_text(text: str) -> None:
    result = normalise(text)
    built, done = "", 0
    for start, end, from_, to in zip(
        result.starts, result.ends, result.from_, result.to, strict=True
    ):
        built += text[done:from_]
        assert len(built) == start
        assert text[from_:to] != result.text[start:end]
        built += result.text[start:end]
        done = to
    assert built + text[done:] == result.text


@given(RICH)
@PROPERTY
def test_an_edge_divides_no_change(text: str) -> None:
    result = normalise(text)
    changes = list(zip(result.starts, result.ends, strict=True))
    for position in range(len(result.text) + 1):
        inside = [end for start, end in changes if start < position < end]
        assert result.edge(position) == (inside[0] if inside else position)


@pytest.mark.parametrize(
    "unit", ["a", "1-", "a@", "www.", "@", "a.", "a-", "a.com@", "+1 ", "!", "\u0301", "👩\u200d"]
)
def test_hostile_text_costs_linear_time(unit: str) -> None:
    text = "\n" + unit * (250_000 // len(unit))
    begin = time.process_time()
    normalise(text)
    assert time.process_time() - begin < 5


@pytest.mark.parametrize("text", ["www." + "!" * 250_000, "a.com/" + "." * 250_000])
def test_a_long_tail_of_marks_costs_linear_time(text: str) -> None:
    begin = time.process_time()
    normalise(text)
    assert time.process_time() - begin < 5
