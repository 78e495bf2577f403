"""What holds for the hits of any text, and what well-written texts do not have."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adhominem.instrument.linguistics.habits import CATEGORIES, find_habits
from adhominem.instrument.linguistics.text_tokens import read_tokens
from adhominem.instrument.text.tokenise import tokenise

PROPERTY = settings(max_examples=150)
SURROGATES = st.characters(min_codepoint=0xD800, max_codepoint=0xDFFF)
PARTS = (
    *("i", "I'm", "dont", "don't", "definately", "ripoff", "story", "teller", "sooo", "TOTALLY"),
    *("AWESOME", "OMG", "Mr", "Rochester", "w/", "tv", "favourite", "cloisonne", "hah", "gonna"),
    *("thingamajig", "frikkin", "cartoonish", "Will", "definitely", "Speilberg", "superman"),
    *("7-year", "A++++++", "book.5", "definitely(and", "!!!", "...", "…", "&", "-", "(", ")", "''"),
    *(
        '"',
        "?",
        ".",
        ",",
        "http://a.com/b",
        "me@x.org",
        "@bob",
        "#tag",
        ":-)",
        "<3",
        "👍🏽",
        "日本語",
    ),
    *("مرحبا", "Привет", "<b>", "</b>", "\u0301", "\u200b", "\ud800", "de", "la", "Place", "U.S."),
    *("e.g.", "$$$", "$5", "½", "Ünïcödé", "ſ", "ŉ", "İ", "ß", "ﬁ"),
)
ANY_TEXT = st.one_of(
    st.text(),
    st.text(st.characters() | SURROGATES),
    st.lists(st.sampled_from([*PARTS, " ", " ", " ", "\n", "\n\n", ""]), max_size=30).map("".join),
    st.lists(st.sampled_from(PARTS), max_size=30).map(" ".join),
)
WELL_WRITTEN = [
    "The house stands at the end of a quiet street, behind two old lime trees. We arrived late in "
    "the evening, tired after a long journey, and were welcomed by the owner himself, who carried "
    "our suitcases upstairs and told us where to find dinner at such an hour. The rooms are small "
    "but well kept; the windows open on a garden with a fountain, and in the morning nothing is "
    "heard except the birds. Breakfast is served until ten: fresh bread, cheese, fruit and "
    "excellent coffee. I particularly liked the library, which guests may use whenever they wish. "
    "It is not the cheapest place in town, but I would return without hesitation.",
    "Her second novel is more ambitious than the first, and it succeeds almost everywhere. The "
    "story follows three sisters through forty years, from a childhood on the coast to the day "
    "on which the eldest decides to sell the farm. What might have been sentimental in other hands "
    "becomes precise and often funny, because the author never explains a joke and never forgives "
    "a lie. The dialogue is a pleasure to read. If there is a weakness, it lies in the last "
    "chapters, where too many letters arrive at exactly the right moment.",
    "Before you install the shelf, check that the wall is dry and that no cables run behind it. "
    "Drill the holes with a bit of the right size, remove the dust and push the plugs in until "
    "they are level with the surface. The screws should be tightened by hand; a machine may damage "
    "the wood. Finally, place a spirit level on the board and adjust it where necessary.",
]
MISTAKES = (
    *("substituted characters", "missing characters", "surplus characters", "repeated mistake"),
    *("faulty compound spelling", "faulty separate spelling", "misspelt proper noun"),
    *("missing white space", "lower for upper case", "upper for lower case", "continuous capitals"),
    *("alternative spelling", "unusual abbreviation", "slang", "neologism", "foreign word"),
    *("interjection", "verb in first position", "accumulated punctuation", "acronym"),
)


@given(ANY_TEXT)
@example("")
@example(" \n\n\t")
@example("\ud800\udfff")
@example("<script>alert('definately')</script>")
@PROPERTY
def test_hits_of_any_text_are_sound(text: str) -> None:
    habits = find_habits(text)
    names = {category.name for category in CATEGORIES}
    places = [(hit.start, hit.end, hit.category) for hit in habits.hits]
    assert places == sorted(places)
    for hit in habits.hits:
        assert 0 <= hit.start < hit.end <= len(text)
        assert text[hit.start : hit.end] == hit.surface
        assert hit.category in names
        assert hit.intended != hit.surface
    assert find_habits(text) == habits


@given(ANY_TEXT)
@PROPERTY
def test_tokens_that_were_read_already_give_the_same_habits(text: str) -> None:
    habits = find_habits(text)
    assert habits.n_tokens == len(read_tokens(text).words)
    batch = tokenise(["Another text. And so on.", text, ""])
    assert find_habits(text, batch, document=1) == habits
    assert find_habits(text, tokenise([text])) == habits


@pytest.mark.parametrize("text", WELL_WRITTEN)
def test_well_written_texts_have_no_mistakes(text: str) -> None:
    assert [hit for hit in find_habits(text).hits if hit.category in MISTAKES] == []


@pytest.mark.parametrize(
    "text",
    [
        "日本語のテキストです。とても良いホテルでした。",
        "Отличный отель, очень хороший завтрак.",
        "فندق رائع جدا والموظفون ودودون",
        "Ξενοδοχείο με θέα στη θάλασσα.",
    ],
)
def test_other_alphabets_are_foreign_words_at_most(text: str) -> None:
    categories = {hit.category for hit in find_habits(text).hits}
    # Alphabets with capitals have sentences and names as ours has.
    assert categories <= {"foreign word", "punctuation mark", "proper noun"}


def test_addresses_are_not_read() -> None:
    text = "See www.definately.com/a--b?x=1&y=2 or mail me.definately@x.org or @definately #alot"
    assert [hit.surface for hit in find_habits(text).hits] == []


@pytest.mark.parametrize(
    "text",
    [
        "x" * 100_000,
        "A " + "de " * 50_000,
        "Ab de " * 20_000,
        "a-" * 50_000,
        "!" * 100_000,
        "i " * 50_000,
        "soooo" * 10_000,
        "A+" * 50_000,
        "(a" * 50_000,
        "I. " * 30_000,
    ],
    ids=lambda text: text[:6],
)
def test_odd_texts_take_seconds_at_most(text: str) -> None:
    begin = time.process_time()
    find_habits(text)
    assert time.process_time() - begin < 20


def test_cost_is_linear_in_tokens() -> None:
    words = [f"definat{a}ly Sper{b}burg alot{a}{b}" for a in "abcdefghij" for b in "klmnopqrst"]
    part = " ".join(words * 40) + ". "

    def seconds(n: int) -> float:
        text = part * n
        begin = time.process_time()
        habits = find_habits(text)
        assert habits.n_tokens > 12_000 * n
        return time.process_time() - begin

    seconds(1)  # what is read once
    assert seconds(9) < 9 * 4 * max(seconds(1), 0.05)
