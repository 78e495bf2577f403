"""Every category of the paper's linguistic analysis (section IV-E), in its order."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Category:
    """`description` is one line for the report; `experimental` says that fewer than seven
    in ten of the judged hits were right (`results/detector-precision.json`)."""

    name: str
    group: str
    description: str
    experimental: bool = False


_GROUPS = {
    "Punctuation": {
        "punctuation mark": "a comma, dash, bracket, colon or other mark, the full stop excepted",
        "accumulated punctuation": "marks on end, such as ... or !!!",
        "special character": "a sign such as & in the place of a word, emojis among them",
        "accumulated special characters": "signs on end, such as A++++++",
        "missing white space": "no space behind a mark or before a bracket: book.5",
    },
    "Characters": {
        "substituted characters": "other letters than the word has, or another order: deffinatly",
        "missing characters": "letters or an apostrophe left out: clasics, dont",
        "surplus characters": "letters too many: amazone",
    },
    "Capitalisation": {
        "lower for upper case": "a small letter where a capital is due: i",
        "upper for lower case": "a capital on a common word: 5 Stars",
        "continuous capitals": "words in capitals throughout: TOTALLY AWESOME",
    },
    "Compound and separate spelling": {
        "faulty compound spelling": "two words written as one: ripoff",
        "faulty separate spelling": "one word written as two: story teller",
    },
    "Acronyms and abbreviations": {
        "acronym": "a word of initials: OMG",
        "abbreviation without full stop": "Mr for Mr.",
        "unusual abbreviation": "a word cut short in a way of one's own: def for definitely",
    },
    "Varieties and foreign languages": {
        "British spelling": "favourite, where American English has favorite",
        "American spelling": "favorite, where British English has favourite",
        "foreign word": "a word of another language: cloisonne",
    },
    "Style": {
        "interjection": "an interjection or particle that is seldom written: hah",
        "slang": "a colloquial word: thingamajig",
        "alternative spelling": "a word spelt as it sounds or drawn out: frikkin, sooo",
        "neologism": "a word made on the spot: cartoonish",
    },
    "Syntax": {
        "verb in first position": "a statement without its subject: Will definitely read more",
    },
    "Proper nouns": {
        "proper noun": "a name: Mrs Kuklinski",
        "name as common noun": "a name of two words written like a common noun: superman",
        "misspelt proper noun": "a name with a mistake: Speilberg",
    },
    "Further features": {
        "similar expression": "one of two expressions that are used alike: straightforward",
        "noun with digits": "digits and a noun in one word: 7-year",
        "repeated mistake": "a mistake that is made again in the same text",
    },
}
_EXPERIMENTAL = frozenset(("upper for lower case", "misspelt proper noun"))

CATEGORIES = tuple(
    Category(name, group, description, name in _EXPERIMENTAL)
    for group, members in _GROUPS.items()
    for name, description in members.items()
)
