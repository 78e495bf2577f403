"""Whether a bundle came out the same, for the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adhominem.instrument.report.plain_text import visible

_MOST = 20


def reproduction_text(done: Mapping[str, Any]) -> str:
    """Of a Reproduction as a dictionary."""
    numbers, differences = done["numbers"], done["differences"]
    if differences:
        lines = [f"Not the same: {len(differences):,} places differ."]
        lines += [
            f"  {visible(one['place'])}: {_shown(one['before'])} before, {_shown(one['now'])} now"
            for one in differences[:_MOST]
        ]
        if len(differences) > _MOST:
            lines.append(f"  and {len(differences) - _MOST:,} more")
    elif done["exact"] == numbers:
        lines = [f"The same: all {numbers:,} numbers are equal to the last digit."]
    else:
        lines = [
            f"The same: of {numbers:,} numbers {done['exact']:,} are equal to the last digit, "
            "the others to six decimals."
        ]
    if done["version"] is not None:
        lines.append(f"The bundle was made with version {visible(done['version'])}, not this one.")
    return "\n".join(lines)


def _shown(value: Any) -> str:
    text = visible(repr(value))
    return text if len(text) <= 60 else f"{text[:59]}…"
