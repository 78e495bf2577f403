"""Every example of the paper's section IV-E, each marked word found in its category."""

from __future__ import annotations

import pytest

from adhominem.instrument.linguistics.habits import CATEGORIES, find_habits

# The sentences as they are printed, ellipses included; the marked word, category and standard word.
EXAMPLES = [
    (
        "Clarke is just satisfactory - her Jane is too weak and bland.",
        [("-", "punctuation mark", None)],
    ),
    (
        "I just read the chapter on Generosity... and it was PHENOMENAL!",
        [
            ("...", "accumulated punctuation", None),
            ("PHENOMENAL", "continuous capitals", None),
            ("!", "punctuation mark", None),
        ],
    ),
    ("[...] if you need to tweak & bend them", [("&", "special character", None)]),
    (
        "I highly recommend this book.5 Stars",
        [
            ("book.5", "missing white space", None),
            ("Stars", "upper for lower case", "stars"),
        ],
    ),
    (
        "Ice Cube deffinatly has a style that is unimatatable.",
        [("deffinatly", "substituted characters", "definitely")],
    ),
    (
        "[...] he went on to put out some hip hop clasics.",
        [("clasics", "missing characters", "classics")],
    ),
    (
        "i searched a lot of this kind of high tech light around amazone",
        [
            ("amazone", "surplus characters", "amazon"),
            ("i", "lower for upper case", "I"),
        ],
    ),
    ("[...] i'm glad i picked this.", [("i", "lower for upper case", "I")]),
    (
        "Uncaged is TOTALLY AWESOME!!!!!",
        [
            ("TOTALLY AWESOME", "continuous capitals", None),
            ("!!!!!", "accumulated punctuation", None),
        ],
    ),
    (
        "[...] universe of camelot that is a disney ripoff [...]",
        [
            ("ripoff", "faulty compound spelling", "rip-off"),
            ("camelot", "lower for upper case", "Camelot"),
            ("disney", "lower for upper case", "Disney"),
        ],
    ),
    (
        "JJ Knight is an awesome story teller [...]",
        [("story teller", "faulty separate spelling", "storyteller")],
    ),
    ("OMG, someone finally figured it out!", [("OMG", "acronym", None)]),
    (
        "[...] performance as Mr Rochester is superb [...]",
        [
            ("Mr", "abbreviation without full stop", "Mr."),
            ("Mr Rochester", "proper noun", None),
        ],
    ),
    (
        "[...] and that track is def tight",
        [("def", "unusual abbreviation", "definitely")],
    ),
    (
        "[...] this version is undoubtedly my favourite.",
        [("favourite", "British spelling", "favorite")],
    ),
    (
        "[...] this version is undoubtedly my favorite.",
        [("favorite", "American spelling", "favourite")],
    ),
    (
        "I've taken a few cloisonne classes [...]",
        [("cloisonne", "foreign word", "cloisonné")],
    ),
    (
        'What author or editor would let that go to print?"Ah-hum", "ah-huh" and "a-hah" [...]',
        [
            ("hah", "interjection", None),
            ("huh", "interjection", None),
            ('print?"Ah', "missing white space", None),
        ],
    ),
    (
        "[...] percentage at the bottom thingamajig",
        [("thingamajig", "slang", None)],
    ),
    (
        "[...], its a frikkin tv show.",
        [("frikkin", "alternative spelling", "freaking"), ("tv", "acronym", None)],
    ),
    (
        "But, Lily feels cartoonish to me, [...]",
        [("cartoonish", "neologism", None), ("Lily", "proper noun", None)],
    ),
    (
        "Will definitely read more of her books.",
        [("Will", "verb in first position", None)],
    ),
    (
        "Winona Ryder also did a good job as Mrs Kuklinski.",
        [
            ("Mrs Kuklinski", "proper noun", None),
            ("Winona Ryder", "proper noun", None),
            ("Mrs", "abbreviation without full stop", "Mrs."),
        ],
    ),
    (
        "[...] gunshot wounds can't even stop our superman.",
        [("superman", "name as common noun", "Superman")],
    ),
    (
        "It was clear and straightforward [...]",
        [("straightforward", "similar expression", "straight forward")],
    ),
    ("[...] with my 7-year-old.", [("7-year", "noun with digits", None)]),
    # The paper prints one of the places only.
    (
        "[...] on the live albumns [...] and on the other albumns [...]",
        [
            ("albumns", "repeated mistake", "albums"),
            ("albumns", "surplus characters", "albums"),
        ],
    ),
    (
        "Mom, you get an A++++++ from me, and I am",
        [("A++++++", "accumulated special characters", None)],
    ),
    (
        "Steven Speilberg's first movie as director [...]",
        [("Speilberg", "misspelt proper noun", "Spielberg")],
    ),
]
ROWS = [(sentence, *marked) for sentence, all_marked in EXAMPLES for marked in all_marked]


@pytest.mark.parametrize(("sentence", "marked", "category", "intended"), ROWS)
def test_marked_words_are_found(
    sentence: str, marked: str, category: str, intended: str | None
) -> None:
    found = {(hit.surface, hit.category, hit.intended) for hit in find_habits(sentence).hits}
    assert (marked, category, intended) in found


def test_every_category_has_an_example() -> None:
    beyond_the_paper = {"non-standard grammar"}
    assert {row[2] for row in ROWS} == {c.name for c in CATEGORIES} - beyond_the_paper


@pytest.mark.parametrize(
    "misspelt",
    [
        *("diffenatly", "definatley", "definately", "definitley", "definitly", "definetly"),
        *("defintely", "definatly", "definalty", "definantly", "definetely", "definently"),
    ],
)
def test_misspellings_of_definitely(misspelt: str) -> None:
    (hit,) = find_habits(f"We will {misspelt} return.").hits
    assert hit.intended == "definitely"
    assert hit.category in ("substituted characters", "missing characters", "surplus characters")


def test_a_bracket_without_space() -> None:
    hits = find_habits("We will definitely(and soon) return.").hits
    assert ("definitely(and", "missing white space") in {
        (hit.surface, hit.category) for hit in hits
    }
