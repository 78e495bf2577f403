"""How frequent each habit is in texts of many authors, for each genre and for all together.

The share of texts that show a habit grows with their length. With s the share among reference
texts of m tokens on average, that among texts of n tokens is taken to be

    1 - (1 - s)^(n / m)

as if each stretch of m tokens were another text. `data/reference.json` says where the numbers come
from; `experiments/reference_rates.py` writes it.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from adhominem.instrument.linguistics.categories import CATEGORIES


@dataclass(frozen=True, slots=True)
class Usual:
    """Hits in a thousand tokens, and the share of texts that show the habit and each form of it."""

    per_thousand: float
    share: float
    forms: MappingProxyType[str, float]


@dataclass(frozen=True, slots=True)
class Reference:
    """`genre` is None for all genres together; a form that is not listed is in a smaller share of
    texts than `rarest`."""

    genre: str | None
    n_texts: int
    n_tokens: int
    rarest: float
    categories: MappingProxyType[str, Usual]

    def share(self, category: str, form: str | None, n_tokens: int) -> float:
        """Of texts of so many tokens, those that show the habit, or the very form of it."""
        usual = self.categories[category]
        measured = usual.share if form is None else usual.forms.get(form, self.rarest)
        lengths = n_tokens * self.n_texts / self.n_tokens
        return float(1 - (1 - max(measured, self.rarest)) ** lengths)

    def is_listed(self, category: str, form: str | None) -> bool:
        return form is None or form in self.categories[category].forms


def reference_for(genre: str | None) -> Reference:
    """Of one genre; of all where it is unknown or there is none."""
    return _references().get(genre) or _references()[None]


def reference_sha256() -> str:
    return hashlib.sha256(_stored()).hexdigest()


def _stored() -> bytes:
    return (files(__package__) / "data" / "reference.json").read_bytes()


@cache
def _references() -> dict[str | None, Reference]:
    stored = json.loads(_stored())
    found: dict[str | None, Reference] = {
        genre: _reference(genre, [rows], stored["rarest"])
        for genre, rows in stored["genres"].items()
    }
    found[None] = _reference(None, list(stored["genres"].values()), stored["rarest"])
    return found


def _reference(genre: str | None, parts: list[dict[str, Any]], rarest: float) -> Reference:
    """Every genre weighs the same, however many texts were read of it."""
    n_texts, n_tokens = (sum(part[name] for part in parts) for name in ("texts", "tokens"))
    usual = {}
    for category in CATEGORIES:
        rows = [part["categories"][category.name] for part in parts]
        forms = {form for row in rows for form in row["forms"]}
        usual[category.name] = Usual(
            _mean([row["per_thousand"] for row in rows]),
            _mean([row["share"] for row in rows]),
            MappingProxyType(
                {form: _mean([row["forms"].get(form, 0.0) for row in rows]) for form in forms}
            ),
        )
    return Reference(genre, n_texts, n_tokens, rarest, MappingProxyType(usual))


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)
