"""Words with drawn-out letters: "sooo", "waaaay". A doubled letter written three times ("misssing")
is a slip of the finger and not among them."""

from __future__ import annotations

import re
from itertools import product

from adhominem.instrument.linguistics.lexicon import STANDARD, level

_RUN = re.compile(r"(.)\1{2,}")


def without_drawn_letters(word: str) -> str | None:
    """The word with each run of three letters and more cut to one or two; None if there is no run
    or nothing known comes out."""
    runs = _RUN.findall(word)
    if not 0 < len(runs) <= 4:
        return None
    pieces = _RUN.split(word)[::2]
    found = []
    for lengths in product((1, 2), repeat=len(runs)):
        letters = [run * length for run, length in zip(runs, lengths, strict=True)]
        shorter = "".join(a + b for a, b in zip(pieces, [*letters, ""], strict=True))
        found.append((level(shorter), -len(shorter), shorter, lengths))
    best, _, meant, lengths = min(found)  # of two equally common words the longer: too, not to
    drawn = zip(_RUN.finditer(word), lengths, strict=True)
    is_drawn = len(meant) > 1 and all(len(run[0]) > length + 1 for run, length in drawn)
    return meant if is_drawn and best <= STANDARD else None
