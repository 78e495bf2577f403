"""Detects punctuation marks, special characters, missing spaces, and digits joined to nouns.

The full stop does not count as a mark, because every writer uses it. Special characters are all
other signs, emojis and emoticons, except inside addresses or from wrong decoding ("donâ€™t"). A
space is missing after a mark or before a bracket ("book.5", "definitely(and"), but not in
abbreviations, numbers and times. Nouns with digits are "7-year", "5star", "room12", not "2nd".
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from adhominem.instrument.linguistics.lexicon import STANDARD, level, word_set
from adhominem.instrument.linguistics.text_tokens import Hit, TextTokens
from adhominem.instrument.text.normalise import UNIVERSAL

# The same mark repeated, perhaps with spaces between, or exclamation and question marks mixed.
_REPEATED_MARK = re.compile(r"([.,;:!?–—-])(?:[ \t]?\1)+(?:[ \t]?[!?])*|[!?](?:[ \t]?[!?])+|…")
# The same character repeated, with the word that it is attached to: A++++++.
_REPEATED_SIGN = re.compile(r"\w{0,20}([&%#@*/\\+=<>|~^$£€])\1+")
_SIGNS_IN_PUNCTUATION = frozenset("&%#@*/\\_†‡§¶•")
_EMOTICON = re.compile(r"[:;=][-'^o]?[()\[\]DPpO/\\|*3]+|[(\[][-'^]?[:;=]|<3+|\^[_.]?\^")
_WRONGLY_DECODED = re.compile(r"[âÃÂ][^\w\s]{1,2}")
_NO_SPACE = re.compile(
    r"""(?<![\w.&'/@-]) (?P<left>[^\W\d_]{2,30})
        (?P<mark> [.,;:!?)]["')]? | [!?]{2,9} | (?=\() )
        (?P<open>\(?) (?P<right>\w{1,30})""",
    re.VERBOSE,
)
_ENDINGS = frozenset(("s", "es", "ies", "d", "ed", "a", "er", "ers", "ren"))
_WITH_DIGITS = re.compile(
    r"(?<![\w.,:/$€£#@+-])"
    r"(?:\d{1,4}(?:-?(?P<behind>[^\W\d_]{3,20}))|(?P<before>[^\W\d_]{3,20})-?\d{1,4}(?![\w.,-]))"
    r"(?!\w)"
)
_NOT_NOUNS = word_set("and are but for from mid not plus post pre that the this was were with")


def find_marks(tokens: TextTokens) -> Iterator[Hit]:
    """Punctuation marks and special characters."""
    skipped = {
        "punctuation mark": _matched_characters(_REPEATED_MARK, tokens.plain),
        "special character": _matched_characters(_WRONGLY_DECODED, tokens.text)
        | _matched_characters(_REPEATED_SIGN, tokens.plain),
    }
    for i, word in enumerate(tokens.words):
        if word == "<emoji>" or _EMOTICON.fullmatch(word):
            yield tokens.hit("special character", i)
        elif not (word.isalnum() or word in UNIVERSAL.values()):
            has_letters = word[0].isalnum() or word[-1].isalnum()  # its marks belong to the word
            for place in range(tokens.starts[i], tokens.ends[i]):
                kind = _kind_of(tokens.text[place])
                is_inner = kind == "punctuation mark" and has_letters
                if kind and not is_inner and place not in skipped[kind]:
                    yield tokens.hit_between(kind, place, place + 1)


def find_accumulated(tokens: TextTokens) -> Iterator[Hit]:
    for match in _REPEATED_MARK.finditer(tokens.plain):
        yield tokens.hit_between("accumulated punctuation", *match.span())
    for match in _REPEATED_SIGN.finditer(tokens.plain):
        yield tokens.hit_between("accumulated special characters", *match.span())


def _matched_characters(pattern: re.Pattern[str], text: str) -> set[int]:
    return {place for match in pattern.finditer(text) for place in range(*match.span())}


@cache
def _kind_of(char: str) -> str:
    """The category of a special character or punctuation mark; "" for other characters."""
    category = unicodedata.category(char)[0]
    if char in _SIGNS_IN_PUNCTUATION or category == "S":
        return "special character"
    return "punctuation mark" if char != "." and category == "P" else ""


def find_missing_spaces(tokens: TextTokens) -> Iterator[Hit]:
    for match in _NO_SPACE.finditer(tokens.plain):
        left, mark, right = match["left"], match["mark"], match["right"]
        # A full stop also joins initials, abbreviations and file names.
        is_before_word = len(right) > 1 and level(right.lower()) <= STANDARD
        is_after_word = level(left.lower()) <= STANDARD and left not in ("No", "no", "Nos")
        is_end = is_after_word and (right[0].isdigit() or is_before_word or right == "I")
        is_usual = (
            (match["open"] and right in _ENDINGS)  # room(s)
            or (mark[:1] == "." and not is_end)
            or (mark == ")" and tokens.plain[max(match.start() - 1, 0)] == "(")  # (rain)shower
            or (mark == ":" and right[0].isdigit())
        )
        if not is_usual:
            yield tokens.hit_between("missing white space", *match.span())


def find_nouns_with_digits(tokens: TextTokens) -> Iterator[Hit]:
    for match in _WITH_DIGITS.finditer(tokens.plain):
        noun = match["behind"] or match["before"]
        is_noun = noun.lower() not in _NOT_NOUNS and not noun.isupper()
        if is_noun and level(noun.lower()) <= STANDARD:
            yield tokens.hit_between("noun with digits", *match.span())
