"""Normalises texts and maps positions back to the original.

URLs, e-mail addresses, phone numbers, user names, hashtags and emojis become universal tokens:
their use is a habit of the author, their content is not. Quotes, white space and composed letters
get one form; a space is inserted where a sentence ends without one (`book.5`, `it...and`).
"""

import re
import unicodedata
from bisect import bisect_left
from dataclasses import dataclass
from functools import cache

# A universal token travels through the tokenizer as one private character, which no text can
# bring along: private characters in the text itself are replaced.
_NAMES = ("<url>", "<email>", "<phone>", "<user>", "<hashtag>", "<emoji>")
UNIVERSAL = {chr(0xE000 + i): name for i, name in enumerate(_NAMES)}
PARAGRAPH = "\n\n"

_EMOJI = "[\u231a-\u23ff\u25fb-\u27bf\u2b05-\u2b55\U0001f000-\U0001faff]"
_TONE = "[\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"  # and the letters of a region's flag
_CONTROLS = r"\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"
_UNSEEN = _CONTROLS + r"\xad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe0f\ufeff"
_DOMAINS = ("com", "org", "net", "edu", "gov", "info", "co.uk", "de", "fr", "ca")
_IN_URL = r'[^\s<>"\u201c\u201d]'
_KINDS_OF_SIGNS = {"  ": {"space"}, "`": {"single"}, "@": {"email", "user"}, "#": {"hashtag"}}
_KINDS_OF_SIGNS |= {s: {"url"} for s in ("://", "www.", "WWW.", *(f".{d}" for d in _DOMAINS))}
_DIGIT_GROUPS = re.compile(r"\d\d[ .()-]{1,2}\d\d\d")
# Patterns by kind of change. Searches for fixed strings tell which kinds a text can contain, and
# a pattern of these alone is many times as fast as the whole.
_KINDS = {
    "space": r"[^\S ]\s* | [ ]\s+",
    "url": rf"""
                (?<![\w@]) (?: (?i:https?|ftp)://{_IN_URL}+ | (?:www|WWW)\.{_IN_URL}+
                 | (?:[A-Za-z0-9-]{{1,63}}\.){{1,5}}(?:{"|".join(map(re.escape, _DOMAINS))})\b
                   (?:/{_IN_URL}*)? (?![\w.+-]{{0,64}}@) ) (?<![.,;:!?)'\u2019])""",
    "email": r"(?<![\w.+-]) [\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,5}\w{2,24}",
    "phone": r"""
                (?<![\w.+/$£€-]) (?: \+\d{1,3}(?:[ .()-]{1,2}\d{2,4}){2,4}
                 | (?:1[ .-])?(?:\(\d{3}\)[ ]?|\d{3}[ .-])\d{3}[ .-]\d{4}
                 | 0\d{2,4}[ -]\d{3,4}[ -]?\d{3,4}
                 | \d{3}-\d{4} ) (?![\w/-])""",
    "user": r"(?<![\w@]) @[A-Za-z_]\w{1,30}",
    "hashtag": r"(?<![\w&\#]) \#[A-Za-z_]\w{1,100}",
    "emoji": rf"""
                [\U0001f1e6-\U0001f1ff]{{2}}
                 | {_EMOJI}{_TONE}{{0,8}} (?:\u200d{_EMOJI}{_TONE}{{0,8}}){{0,8}}""",
    "composed": r"[^\W\d_][\u0300-\u036f]{1,16}",
    "single": r"[\u2018\u2019\u201a\u201b\u2032\u2039\u203a`\xb4]",
    "double": r"[\u201c\u201d\u201e\u201f\u2033\xab\xbb]",
    "dots": r"\u2026",
    "gone": rf"[{_UNSEEN}]",
    "foreign": r"[\ud800-\udfff\ue000-\uf8ff]",
    "missing": r"""
                [.!?] (?: (?<=[A-Za-z]{2}\.)(?=\d) | (?<=\.\.)(?=\w)
                 | (?<=[\w!?][!?])(?=[A-Za-z0-9]) )""",
}
_COMBINING = re.compile("[\u0300-\u036f]")
_BEYOND_ASCII = ("space", "emoji", "single", "double", "dots", "gone", "foreign")
_REPLACEMENT = {name[1:-1]: f" {char} " for char, name in UNIVERSAL.items()}
_REPLACEMENT |= {"single": "'", "double": '"', "dots": "...", "gone": "", "foreign": "\ufffd"}


@dataclass(frozen=True, slots=True)
class Normalised:
    """A text whose change i replaced `original[from_[i]:to[i]]` by `text[starts[i]:ends[i]]`."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    from_: tuple[int, ...]
    to: tuple[int, ...]

    def edge(self, position: int) -> int:
        """The position, or the end of the change around it: a cut must not divide a change."""
        i = bisect_left(self.starts, position) - 1
        return max(position, self.ends[i]) if i >= 0 else position


def normalise(text: str) -> Normalised:
    pieces: list[str] = []
    changes: list[tuple[int, int, int, int]] = []
    done = length = 0
    for match in _pattern(_kinds(text)).finditer(text):
        replacement = _replace(match)
        if replacement == match.group():
            continue
        begin, end = match.span()
        pieces += (text[done:begin], replacement)
        start = length + begin - done
        length, done = start + len(replacement), end
        changes.append((start, length, begin, end))
    pieces.append(text[done:])
    columns = zip(*changes, strict=True) if changes else ((), (), (), ())
    return Normalised("".join(pieces), *columns)


def _replace(match: re.Match[str]) -> str:
    kind = str(match.lastgroup)
    if kind == "space":
        return PARAGRAPH if match.group().count("\n") > 1 else " "
    if kind == "composed":
        return unicodedata.normalize("NFC", match.group())
    return f"{match.group()} " if kind == "missing" else _REPLACEMENT[kind]


def _kinds(text: str) -> frozenset[str]:
    """The kinds of changes that a text may need, judged by its characters."""
    kinds = {"missing"}
    if not text.isascii():
        kinds.update(_BEYOND_ASCII)
        if _COMBINING.search(text):
            kinds.add("composed")
    elif not text.isprintable():
        kinds |= {"space", "gone"}
    for sign, found in _KINDS_OF_SIGNS.items():
        if sign in text:
            kinds |= found
    if "+" in text or _DIGIT_GROUPS.search(text):
        kinds.add("phone")
    return frozenset(kinds)


@cache
def _pattern(kinds: frozenset[str]) -> re.Pattern[str]:
    chosen = [kind for kind in _KINDS if kind in kinds]
    branches = {kind: f"(?P<{kind}>{_KINDS[kind]})" for kind in chosen}
    rare = "|".join(branches[kind] for kind in chosen if kind in _BEYOND_ASCII)
    other = "|".join(branches[kind] for kind in chosen if kind not in _BEYOND_ASCII)
    # No rare kind begins with a letter: one lookahead saves seven alternatives.
    return re.compile(f"(?=[^!-_a-~])(?:{rare})|{other}" if rare else other, re.VERBOSE)
