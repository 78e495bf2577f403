"""Finds quoted replies, forwarded messages, block quotes and signatures, which the author of a text
probably did not write for it, by marks of the format and by conventions of mail programs."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, takewhile
from operator import attrgetter
from typing import NamedTuple

REPLY, FORWARD = "quoted reply", "forwarded message"
BLOCK_QUOTE, SIGNATURE = "block quote", "signature"
_PLURALS = {REPLY: "quoted replies"}
_MARK = re.compile(r"\s*>(?![:;_.][-_]?[()<>/\\|])")  # but not an angry face, >:(
_FIRST_WORDS = ("On ", "Am ", "Le ", "El ", "Op ")
_ATTRIBUTION = re.compile(r"(?=.*\d).{8,}\b(?:wrote|schrieb.*|écrit|escribió|schreef.*)\s?:")
_FORWARD = re.compile(
    r"(?i)(?:-{2,}\s*forwarded (?:message|by\b.*?)\s*-{2,}|begin forwarded message:)\Z"
)
_ORIGINAL = re.compile(r"(?i)(?:-{2,}\s*(?:original message|reply message)\s*-{2,}|_{20,})\Z")
_HEADER = re.compile(r"\*?(From|Sent|Date|To|Cc|Subject|Reply-To):\*?\s", re.IGNORECASE)
_SENT_FROM = re.compile(r"(?:Sent from (?:my|Mail for|Yahoo|Outlook)\b.{0,40}|Get Outlook for \w+)")
_MAX_ATTRIBUTION = 300  # characters
_MAX_SHOWN = 40  # characters of the first passage of a kind
_MAX_SIGNATURE = 10  # lines after the dashes


class TextLine(NamedTuple):
    """A line and the kind of passage that it belongs to; None for the author's own text."""

    text: str
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """Neighbouring lines of one kind, such as a quoted reply."""

    kind: str
    text: str


def plain_lines(text: str) -> list[TextLine]:
    """The lines of a plain text, in which no passages are marked."""
    return [TextLine(line) for line in text.split("\n")]


def find_passages(lines: Sequence[TextLine], mark: str = REPLY) -> list[TextLine]:
    """Find the kind of each line; lines that begin with ">" are of the kind `mark`."""
    texts = [line.text.strip() for line in lines]
    kinds = [line.kind for line in lines]
    end = len(lines)
    for i in range(end):
        if kinds[i] is None and (rest := _rest_of_mail(texts, i)):
            kinds[i:] = [kind or rest for kind in kinds[i:]]
            end = i
            break
    for i in range(end):
        if kinds[i] is None and _MARK.match(texts[i]):
            kinds[i] = mark
            for place in _attribution_before(texts, i):
                kinds[place] = kinds[place] or REPLY
    own = [i for i in range(end) if kinds[i] is None and texts[i]]
    for i in own[: -_MAX_SIGNATURE - 2 : -1]:
        if texts[i] == "--" or _SENT_FROM.fullmatch(texts[i]):
            kinds[i:end] = [kind or SIGNATURE for kind in kinds[i:end]]
    return [TextLine(line.text, kind) for line, kind in zip(lines, kinds, strict=True)]


def _rest_of_mail(texts: Sequence[str], i: int) -> str | None:
    """The kind of all lines from i on, if a quoted message without ">" begins there."""
    if _FORWARD.match(texts[i]):
        return FORWARD
    is_original = _ORIGINAL.match(texts[i]) and _has_headers(texts[i + 1 : i + 8])
    if is_original or (_HEADER.match(texts[i]) and _has_headers(texts[i : i + 6])):
        return REPLY
    for n in (1, 2, 3):
        if _is_attribution(texts[i : i + n]):
            after = next(filter(None, texts[i + n : i + n + 4]), ">")
            return None if _MARK.match(after) else REPLY
    return None


def _has_headers(texts: Sequence[str]) -> bool:
    """Whether the lines have the headers of a message: sender, date, and receiver or subject."""
    lines = takewhile(lambda text: not text or _HEADER.match(text), texts)
    names = {found[1].lower() for text in lines if (found := _HEADER.match(text))}
    return "from" in names and bool(names & {"sent", "date"}) and bool(names & {"to", "subject"})


def _attribution_before(texts: Sequence[str], i: int) -> range:
    """The lines of an attribution, "On ... wrote:", right before line i."""
    last = i - 1
    while last >= 0 and not texts[last] and i - last < 3:
        last -= 1
    for first in range(last, max(last - 3, -1), -1):
        if _is_attribution(texts[first : last + 1]):
            return range(first, i)
    return range(0)


def _is_attribution(texts: Sequence[str]) -> bool:
    """Whether the lines are as "On 3 May 2024 at 10:11, Ann wrote:", which mail programs wrap."""
    is_short = texts[0].startswith(_FIRST_WORDS) and sum(map(len, texts)) <= _MAX_ATTRIBUTION
    return is_short and _ATTRIBUTION.fullmatch(" ".join(texts)) is not None


def passages(lines: Sequence[TextLine]) -> tuple[Passage, ...]:
    """Join neighbouring lines of one kind to a passage."""
    runs = groupby((line for line in lines if line.text.strip()), attrgetter("kind"))
    return tuple(Passage(kind, "\n".join(one.text for one in run)) for kind, run in runs if kind)


def describe(found: Iterable[Iterable[Passage]]) -> str:
    """Describe passages of several texts, as '2 quoted replies (31 lines, "On 3 May Ann wr…")'."""
    kinds: dict[str, list[str]] = {}
    for passage in chain.from_iterable(found):
        kinds.setdefault(passage.kind, []).append(passage.text)
    parts = []
    for kind, texts in kinds.items():
        noun = kind if len(texts) == 1 else _PLURALS.get(kind, f"{kind}s")
        lines = "\n".join(texts).count("\n") + 1
        first = " ".join(texts[0].split())
        shown = first if len(first) <= _MAX_SHOWN else first[: _MAX_SHOWN - 1] + "…"
        parts.append(f'{len(texts):,} {noun} ({lines:,} line{"s" * (lines > 1)}, "{shown}")')
    return ", ".join(parts)
