"""Reference rates of habits in texts of many authors, by genre and for all genres together.

If a share s of reference texts, m tokens long on average, shows a habit, the share of texts of n
tokens is estimated as 1 - (1 - s)^(n / m), as if every m tokens were another text.
`experiments/reference_rates.py` counts the rates.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class CategoryRates:
    """Hits per 1,000 tokens, and the shares of texts that show a category and each of its forms."""

    per_thousand: float
    share: float
    forms: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Reference:
    """Rates of the habits in the reference texts of a genre; None stands for all genres."""

    genre: str | None
    n_texts: int
    n_tokens: int
    rarest: float  # upper bound of the share of texts that show an unlisted form or category
    categories: Mapping[str, CategoryRates]

    def share(self, category: str, form: str | None, n_tokens: int) -> float:
        """Estimated share of texts of `n_tokens` tokens that show a category, or a form of it."""
        share = self.rarest
        if self.is_listed(category, form):
            rates = self.categories[category]
            share = max(share, rates.share if form is None else rates.forms[form])
        return float(1 - (1 - share) ** (n_tokens * self.n_texts / self.n_tokens))

    def is_listed(self, category: str, form: str | None) -> bool:
        rates = self.categories.get(category)
        return rates is not None and (form is None or form in rates.forms)


def reference_for(genre: str | None) -> Reference:
    """The reference of a genre; if it has none, or for None, that of all genres together."""
    return _references().get(genre) or _references()[None]


def reference_sha256() -> str:
    return hashlib.sha256(_stored()).hexdigest()


def _stored() -> bytes:
    return (files(__package__) / "data" / "reference.json").read_bytes()


@cache
def _references() -> Mapping[str | None, Reference]:
    """The reference of each genre, and for None their mean, in which all have the same weight."""
    stored = json.loads(_stored())
    genres: dict[str, Any] = stored["genres"]
    references: dict[str | None, Reference] = {}
    for genre, parts in [(None, [*genres.values()]), *((g, [genres[g]]) for g in genres)]:
        rates = {}
        for name in dict.fromkeys(name for part in parts for name in part["categories"]):
            rows = [part["categories"][name] for part in parts if name in part["categories"]]
            keys = ("per_thousand", "share")
            rate, share = (sum(row[key] for row in rows) / len(rows) for key in keys)
            forms = {form for row in rows for form in row["forms"]}
            shares = {f: sum(row["forms"].get(f, 0.0) for row in rows) / len(rows) for f in forms}
            rates[name] = CategoryRates(rate, share, shares)
        n_texts, n_tokens = (sum(part[name] for part in parts) for name in ("texts", "tokens"))
        references[genre] = Reference(genre, n_texts, n_tokens, stored["rarest"], rates)
    return references
