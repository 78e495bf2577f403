"""Edits that keep the meaning of a text: each replaces a habit (a hit of a detector) or a
contraction ("don't") by the standard form."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from adhominem.errors import InputError
from adhominem.instrument.linguistics.habits import CATEGORIES, CATEGORY, Habits, find_habits
from adhominem.instrument.linguistics.text_tokens import Hit

KINDS = ("spelling", "sign", "case", "punctuation", "contraction", "abbreviation")
REPLACEMENT = "replacement"
# Categories that the edits of each kind correct.
CATEGORIES_OF = {k: frozenset(c.name for c in CATEGORIES if c.edit == k) for k in KINDS}
_SIGNS = {"&": "and", "+": "and", "@": "at"}
_ENDINGS = {"n't": " not", "'m": " am", "'re": " are", "'ve": " have", "'ll": " will"}
_IRREGULAR = {"can't": "cannot", "won't": "will not", "shan't": "shall not", "let's": "let us"}
_CONTRACTED = re.compile(r"(?<![\w'’])[A-Za-z]{1,12}?(n['’]t|['’](?:m|re|ve|ll|s))(?![\w'’])")
_INVERTED = re.compile(r"\s+(?:I|you|he|she|it|we|they)\b(?!['’])", re.IGNORECASE)
_OPENING = re.compile(
    r"(?i)(?:^|[.!?…,;:(\"“\n]|\b(?:why|what|who|how|where|when|and|but|or|so))\s*$"
)
_QUESTION = re.compile(r"[^.!…\n?]*\?")
_SIGN_BEFORE = re.compile(r"(?:^|(\S+)\s+|\s)([(\[\"“]?)$")
_SIGN_AFTER = re.compile(r"\s+(\S+)|$")
_VERBS = frozenset(("are", "can", "had", "has", "have", "is", "was", "were"))
_NEAR = 50  # characters in which the neighbouring word is searched
_NO_SPACE = re.compile(r"(\w+\W*?)(\(?\w+)")


@dataclass(frozen=True, slots=True)
class Edit:
    """Replaces `text[start:end]`, which is `old`, by `new`."""

    start: int
    end: int
    kind: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The text after edits, and the span of each replacement in it, in the order of the edits."""

    text: str
    places: tuple[tuple[int, int], ...]


def find_edits(text: str, habits: Habits | None = None) -> tuple[Edit, ...]:
    """All edits of a text, in order and without overlaps; `habits` saves finding its habits."""
    edits = list(_contractions(text))
    for hit in (habits or find_habits(text)).hits:
        new = hit.intended and _in_the_case_of(hit.surface, hit.intended)
        if correct := _CORRECTIONS.get(hit.category):
            new = correct(text, hit)
        if (kind := CATEGORY[hit.category].edit) and new:
            edits.append(Edit(hit.start, hit.end, kind, hit.surface, new))
    chosen: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end, KINDS.index(edit.kind))):
        if edit.new != edit.old and (not chosen or edit.start >= chosen[-1].end):
            chosen.append(edit)
    return tuple(chosen)


def same_edits(edits: Iterable[Edit]) -> list[list[Edit]]:
    """Group equal edits: each group undoes one habit in the whole text."""
    groups: dict[tuple[str, str, str], list[Edit]] = {}
    for edit in edits:
        groups.setdefault((edit.kind, edit.old.lower(), edit.new.lower()), []).append(edit)
    return list(groups.values())


def replacements(text: str, words: Mapping[str, str]) -> tuple[Edit, ...]:
    """Edits that replace whole words: every key of `words`, in the same case, by its value."""
    absent = [old for old in words if not old or not re.search(_whole(old), text)]
    if absent:
        raise InputError(f"'{absent[0]}' is not in the text as a whole word: nothing to replace")
    longest_first = sorted(words, key=lambda old: (-len(old), old))
    found = re.finditer("|".join(map(_whole, longest_first)), text)
    return tuple(Edit(*match.span(), REPLACEMENT, match[0], words[match[0]]) for match in found)


def rewrite(text: str, edits: Iterable[Edit]) -> Rewritten:
    """Apply edits, which must be in order and must not overlap."""
    rewritten, done, places = "", 0, []
    for edit in edits:
        rewritten += text[done : edit.start]
        places.append((len(rewritten), len(rewritten) + len(edit.new)))
        rewritten += edit.new
        done = edit.end
    return Rewritten(rewritten + text[done:], tuple(places))


def _whole(word: str) -> str:
    return rf"(?<!\w){re.escape(word)}(?!\w)"


def _spelt_out(text: str, hit: Hit) -> str | None:
    """The word for a sign between two words; None in names and grades (AT & T, C +)."""
    before = _SIGN_BEFORE.search(text[max(hit.start - _NEAR, 0) : hit.start])
    after = _SIGN_AFTER.match(text[hit.end : hit.end + _NEAR])
    word = _SIGNS.get(hit.surface)
    if word is None or before is None or after is None:
        return None
    left, right = "" if before[2] else before[1] or "", after[1] or ""
    is_name = left[:1].isupper() and (right[:1].isupper() or len(left) == 1)
    is_list = left.islower() and right.islower() and right not in _VERBS and len(left) > 1
    if (hit.surface == "&" and is_name) or (hit.surface == "+" and not is_list):
        return None
    return word.capitalize() if _starts_sentence(text, hit.start) else word


def _starts_sentence(text: str, start: int) -> bool:
    return text[max(start - _NEAR, 0) : start].rstrip()[-1:] in ("", ".", "!", "?")


def _in_the_case_of(old: str, new: str) -> str:
    if len(old) > 1 and old.isupper():
        return new.upper()
    return new[0].upper() + new[1:] if old[:1].isupper() else new


def _in_small_letters(text: str, hit: Hit) -> str:
    """The words in lower case, except "I" and the first letter of a sentence."""
    if text[hit.end : hit.end + 1] in ("'", "’"):  # LET'S
        return hit.surface
    words = re.sub(r"\bi\b", "I", hit.surface.lower())
    return words[0].upper() + words[1:] if _starts_sentence(text, hit.start) else words


def _one_mark(text: str, hit: Hit) -> str:
    """A single mark instead of several; dots within a sentence become a comma."""
    if hit.surface[0] not in ".…":
        return "?" if "?" in hit.surface else hit.surface[0]
    after = text[hit.end : hit.end + _NEAR]
    if not after.lstrip()[:1].islower():
        return "."
    return ", " if after[0].islower() else ","


_CORRECTIONS: dict[str, Callable[[str, Hit], str | None]] = {
    "special character": _spelt_out,
    "continuous capitals": _in_small_letters,
    "accumulated punctuation": _one_mark,
    "missing white space": lambda _, hit: _NO_SPACE.sub(r"\1 \2", hit.surface, count=1),
}


def _contractions(text: str) -> Iterator[Edit]:
    """Contractions, except where the subject follows (Don't you think so?) and "not" cannot."""
    for match in _CONTRACTED.finditer(text):
        old, ending = (part.replace("’", "'").lower() for part in match.group(0, 1))
        opens = _OPENING.search(text[max(match.start() - _NEAR, 0) : match.start()])
        is_question = opens and _QUESTION.match(text, match.end())
        if ending == "n't" and (_INVERTED.match(text, match.end()) or is_question):
            continue
        if old in _IRREGULAR:
            new = _in_the_case_of(match[0][:1], _IRREGULAR[old])
        elif ending in _ENDINGS and old != "ain't":
            new = match[0][: -len(ending)] + _ENDINGS[ending]
        else:
            continue
        yield Edit(*match.span(), "contraction", match[0], new)
