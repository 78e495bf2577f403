"""Tokens and sentences, with the place of every token in the text as it came."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise

import pytest
import spacy
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from adhominem.instrument.text import tokenise as module
from adhominem.instrument.text.normalise import UNIVERSAL, normalise
from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.text.vocabulary import RESERVED_WORDS

PROPERTY = settings(max_examples=150)
ENGLISH = spacy.blank("en")
ENGLISH.add_pipe("sentencizer").punct_chars.update("." * n for n in range(2, 201))
SURROGATES = st.characters(min_codepoint=0xD800, max_codepoint=0xDFFF)
MIXED = (
    "ab Zé日한שא_15.'\"…’“«!?,;:-()[]<>|/@#&%$*+=~\n\r\t\xa0\xad\u200b\u200d\ufe0f\u0301"
    "\u0307\u0323\u0378\x00\x1c\x85\u2028\ue000\uf8ff\ud800😀🏽🇩🇪½²"
)
PARTS = (
    "don't can't U.S. e.g. Mr. it's :-) :( <3 >.< http://a.com/b www.x.de me@x.org 555-1234 @bob "
    "#tag $500-1000 10km 3.5% and/or ... .. !!! ?! «a» x\u0301y 日本語 مرحبا 👍🏽 <url> <padding>"
)
ANY_TEXT = st.one_of(
    st.text(),
    st.text(st.characters() | SURROGATES),
    st.text(st.sampled_from(MIXED), max_size=80),
    st.lists(st.sampled_from([*PARTS.split(), " ", " ", "\n", "\n\n", ""]), max_size=20).map(
        "".join
    ),
)
# No letter of a domain's end, no digit and none of "@#": nothing that becomes a universal token.
WITHOUT_UNIVERSAL = st.text(
    st.sampled_from("abWé日_.'\"…’“«!?,;:-() \n\xad\u200b\u0301\u0307\u0323")
)


@dataclass
class Segmented:
    """One text as lists, easier to compare than arrays."""

    tokens: list[str]
    starts: list[int]
    ends: list[int]
    sentence_lengths: list[int]


def read_all(texts: list[str]) -> list[Segmented]:
    read = tokenise(texts)
    words, starts, ends = read.words(), read.starts.tolist(), read.ends.tolist()
    result = []
    for first, last in pairwise(read.documents.tolist()):
        begin, end = read.sentences[first], read.sentences[last]
        lengths = [b - a for a, b in pairwise(read.sentences[first : last + 1].tolist())]
        result.append(Segmented(words[begin:end], starts[begin:end], ends[begin:end], lengths))
    return result


def segment(text: str) -> Segmented:
    return read_all([text])[0]


def removed(char: str) -> bool:
    """Written out apart from the pattern: controls and what has no width."""
    is_control = unicodedata.category(char) == "Cc" and not char.isspace()
    return is_control or char in (
        "\xad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063"
        "\u2064\u2065\u2066\u2067\u2068\u2069\ufe0f\ufeff"
    )


def check(text: str, result: Segmented) -> None:
    assert len(result.tokens) == len(result.starts) == len(result.ends)
    assert all(result.tokens)
    assert all(0 <= s < e <= len(text) for s, e in zip(result.starts, result.ends, strict=True))
    assert all(end <= start for end, start in zip(result.ends, result.starts[1:], strict=False))
    assert all(length > 0 for length in result.sentence_lengths)
    assert sum(result.sentence_lengths) == len(result.tokens)
    covered = {i for s, e in zip(result.starts, result.ends, strict=True) for i in range(s, e)}
    left = {char for i, char in enumerate(text) if i not in covered}
    assert all(char.isspace() or removed(char) for char in left)


@contextmanager
def small_limit(longest_word: int) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_MAX_WORD", longest_word)
        patch.setattr(module, "_TOO_LONG", re.compile(rf"\S{{{longest_word}}}(?=\S)"))
        yield


def sentences(text: str) -> list[list[str]]:
    result = segment(text)
    ends = [0]
    for length in result.sentence_lengths:
        ends.append(ends[-1] + length)
    return [result.tokens[start:end] for start, end in pairwise(ends)]


@given(ANY_TEXT)
@example("")
@example("😀")
@example("_\u0307\u0323")
@example("\u0301_\u0301.…")
@example("0..<url>..:0")
@PROPERTY
def test_tokens_and_sentences_of_any_text_are_sound(text: str) -> None:
    check(text, segment(text))


@given(ANY_TEXT, st.integers(1, 8))
@example("aaa…b", 4)
@example("…" * 9, 4)
@example("…", 1)
@PROPERTY
def test_they_are_sound_wherever_long_words_are_cut(text: str, longest_word: int) -> None:
    with small_limit(longest_word):
        check(text, segment(text))


@given(st.lists(ANY_TEXT, max_size=6))
@PROPERTY
def test_a_text_is_read_the_same_alone_and_among_others(texts: list[str]) -> None:
    assert read_all(texts) == [segment(text) for text in texts]


@given(WITHOUT_UNIVERSAL)
@PROPERTY
def test_a_token_is_what_stands_at_its_place(text: str) -> None:
    result = segment(text)
    for token, start, end in zip(result.tokens, result.starts, result.ends, strict=True):
        assert normalise(text[start:end]).text == token


@given(ANY_TEXT)
@example("Ask for abC. or aB, or Ab. or AB. or A. or a, then x. Y")
@example("It cost 5. 5 stars, etc. and Mr. Lee, e.g. gonna, can't. Won't")
@PROPERTY
def test_tokens_and_sentences_are_those_of_spacy_on_the_whole_text(text: str) -> None:
    """The witness knows nothing of chunks: one document, token by token. Left out are texts in
    which a special case of spaCy reaches across a space (`> :(0`): there, chunks stay apart."""
    normal = normalise(text).text
    read = ENGLISH(normal)
    alone = [token.text for chunk in normal.split() for token in ENGLISH.tokenizer(chunk)]
    assume([token.text for token in read if not token.is_space] == alone)
    expected: list[list[str]] = []
    begins = True
    for token in read:
        begins |= bool(token.is_sent_start) or (token.is_space and "\n\n" in token.text)
        if token.is_space:
            continue
        if begins:
            expected.append([])
        spelt = "‹" + token.text[1:] if token.text in RESERVED_WORDS else token.text
        expected[-1].append(UNIVERSAL.get(token.text, spelt))
        begins = False
    assert sentences(text) == expected


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_tokens_do_not_depend_on_texts_read_before(order: tuple[int, int]) -> None:
    script = (
        "from adhominem.instrument.text.tokenise import tokenise\n"
        "texts = ['> :(0 :-', ':(0']\n"
        f"print([tokenise([texts[i]]).words() for i in {order}])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    read = ast.literal_eval(done.stdout)
    assert read[order.index(1)] == [":(", "0"]


def test_universal_tokens_know_their_whole_origin() -> None:
    text = "Mail me@x.org, or call (555) 123-4567: 👍🏽 #ok @bob www.x.com."
    result = segment(text)
    places = {
        token: text[start:end]
        for token, start, end in zip(result.tokens, result.starts, result.ends, strict=True)
        if token in UNIVERSAL.values()
    }
    assert places == {
        "<email>": "me@x.org",
        "<phone>": "(555) 123-4567",
        "<emoji>": "👍🏽",
        "<hashtag>": "#ok",
        "<user>": "@bob",
        "<url>": "www.x.com",
    }


@pytest.mark.parametrize("word", RESERVED_WORDS)
@pytest.mark.parametrize("form", ["{}", "a {} b", "a{}b", "{0}{0}", "1{}2", "({}).", "0..{}..:0"])
def test_no_text_writes_a_reserved_word(word: str, form: str) -> None:
    assert not set(segment(form.format(word)).tokens) & set(RESERVED_WORDS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Good food. Bad bed!", [["Good", "food", "."], ["Bad", "bed", "!"]]),
        ("First line\n\nsecond", [["First", "line"], ["second"]]),
        ("First.\n\n\n\nsecond", [["First", "."], ["second"]]),
        ("one line\nthe same", [["one", "line", "the", "same"]]),
        ("Wait... what", [["Wait", "..."], ["what"]]),
        ("Wait… what", [["Wait", "..."], ["what"]]),
        ("it...and", [["it", "..."], ["and"]]),
        ("so .. yes", [["so", ".."], ["yes"]]),
        ("Good book.5 stars", [["Good", "book", "."], ["5", "stars"]]),
        ("great!The end", [["great", "!"], ["The", "end"]]),
        ("Really?! Yes.", [["Really", "?", "!"], ["Yes", "."]]),
        ("I don't.", [["I", "do", "n't", "."]]),
        ("👍\n\n👍", [["<emoji>"], ["<emoji>"]]),
        ("", []),
        (" \n\n\t", []),
        ("\u200b\xad", []),
    ],
)
def test_where_sentences_end(text: str, expected: list[list[str]]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize("n", [2, 3, 30, 31, 199, 200, 201, 450])
def test_a_run_of_dots_ends_a_sentence_however_long(n: int) -> None:
    found = sentences("wait " + "." * n + " what now")
    assert found[0][0] == "wait"
    assert found[-1] == ["what", "now"]
    assert sum(token.count(".") for sentence in found for token in sentence) == n


def join(parts: list[str], separator: str) -> Segmented:
    """What reading part by part gives, the places moved to those in the joined text."""
    expected = Segmented([], [], [], [])
    offset = 0
    read_parts = {part: segment(part) for part in set(parts)}
    for part in parts:
        read = read_parts[part]
        expected.tokens.extend(read.tokens)
        expected.starts.extend(offset + start for start in read.starts)
        expected.ends.extend(offset + end for end in read.ends)
        expected.sentence_lengths.extend(read.sentence_lengths)
        offset += len(part) + len(separator)
    return expected


SENTENCES = [f"Room {i} of Mr. Smith's hotel isn't “bad” at #{i}… or is it?" for i in range(99)]


def test_a_long_text_of_paragraphs_reads_as_its_paragraphs() -> None:
    parts = [" ".join(SENTENCES[i % 7 : i % 7 + 20]) + " No end" for i in range(260)]
    text = "\n\n".join(parts)
    assert len(text) > 300_000
    assert segment(text) == join(parts, "\n\n")


def test_a_long_text_without_blank_lines_reads_as_its_sentences() -> None:
    parts = [f"We liked room {i % 50}." for i in range(17_000)]
    text = " ".join(parts)
    assert len(text) > 300_000
    assert segment(text) == join(parts, " ")


def test_a_long_text_without_sentence_marks_reads_as_its_words() -> None:
    parts = [f"word{i % 90}" for i in range(45_000)]
    text = " ".join(parts)
    assert len(text) > 300_000
    result = segment(text)
    expected = join(parts, " ")
    assert (result.tokens, result.starts, result.ends) == (
        expected.tokens,
        expected.starts,
        expected.ends,
    )
    assert result.sentence_lengths == [45_000]


@pytest.mark.parametrize("unit", ["x", "1", "(", "'", "…", "e\u0301", "日", "\ud800", "-a", "x/"])
def test_a_word_of_any_length_is_read(unit: str) -> None:
    n_characters = 100_000 if unit == "x" else 10_000
    text = "before " + unit * (n_characters // len(unit)) + " after"
    result = segment(text)
    check(text, result)
    assert (result.tokens[0], result.tokens[-1]) == ("before", "after")
    assert "".join(result.tokens[1:-1]) == normalise(text).text.split()[1]


def test_the_tokenizer_begins_afresh_without_a_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["One two. Three me@x.org", "Four, five", "One two. Three me@x.org"]
    expected = [segment(text) for text in texts]
    monkeypatch.setattr(module, "_MAX_CHUNKS", 0)
    assert [segment(text) for text in texts] == expected
