"""What the fuzzer draws: texts of any characters, JSON values that do not belong, damaged bytes."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
WORDS = [
    *(ROOT / "demo" / "left.txt").read_text().split(),
    *["cuz", "w/", ":-)", ":(", "...", "o'clock"],
]
ODD = (
    *("", " ", "\n", "\r\n", "\t", "\0", "\x1b[31m", "\u202e", "\u200b", "\ufeff", "\ud800"),
    *(
        "http://a.b/c?d=e",
        "a@b.co",
        "+1 (555) 010-9999",
        "#tag",
        "😀",
        "👩\u200d👧",
        "שלום",
        "漢字",
    ),
    *("'" * 50, "(" * 50, "." * 300, "a" * 1000, "<script>", "&amp;", "{{7*7}}", "U.S.A.", "%s"),
)
VALUES = (
    None,
    True,
    -1,
    0,
    1e308,
    -1e308,
    1e-320,
    2**70,
    "",
    "x" * 20_000,
    [],
    {},
    [[[]]],
    "\ud800",
)


def make_text(draws: random.Random) -> str:
    """Words, odd pieces and single characters from all of Unicode, in any mixture."""
    words, odd, any_character = (draws.random() ** 2 for _ in range(3))
    pieces = []
    for _ in range(draws.choice((0, 1, 3, 10, 30, 120))):
        kind = draws.random() * (words + odd + any_character)
        if kind < words:
            pieces.append(draws.choice(WORDS))
        elif kind < words + odd:
            pieces.append(draws.choice(ODD))
        else:
            pieces.append(chr(draws.choice((draws.randrange(0x250), draws.randrange(0x110000)))))
    return draws.choice((" ", " ", "", "\n")).join(pieces)


def leaves(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all values inside a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        yield (*place, key)
        if isinstance(inner, dict | list) and inner:
            yield from leaves(inner, (*place, key))


def altered(content: Any, draws: random.Random) -> Any:
    """A JSON value in which one value is another, or gone."""
    content = json.loads(json.dumps(content))
    *way, last = draws.choice(list(leaves(content)))
    inner = content
    for key in way:
        inner = inner[key]
    if draws.random() < 0.2:
        del inner[last]
    else:
        inner[last] = draws.choice(VALUES)
    return content


def flipped(data: bytes, draws: random.Random) -> bytes:
    """The data with one bit turned over."""
    place, bit = draws.randrange(len(data)), draws.randrange(8)
    return data[:place] + bytes([data[place] ^ (1 << bit)]) + data[place + 1 :]


def damaged(data: bytes, draws: random.Random) -> bytes:
    """The data with one kind of damage: flips, a cut, a hole, a repeated or a foreign piece."""
    a, b = sorted(draws.randrange(len(data) + 1) for _ in range(2))
    match draws.randrange(6):
        case 0:
            for _ in range(draws.randint(1, 8)):
                data = flipped(data, draws)
            return data
        case 1:
            return data[:a]
        case 2:
            return data[:a] + bytes(b - a) + data[b:]
        case 3:
            return data[:a] + data[a:b] * 2 + data[b:]
        case 4:
            return data[:a] + draws.randbytes(draws.randint(1, 64)) + data[a:]
        case _:
            return data[:a] + data[b:]
