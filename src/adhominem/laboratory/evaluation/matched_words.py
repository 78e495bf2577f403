"""Compares the attention to a misspelt word with that to the same word spelt right.

One edit is made at a time and the text read again; attention is the weight of the edited tokens
over the mean token of the text, before and after. Other habits that an edit turns into the standard
form ("cuz" to "because", "&" to "and") are compared likewise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from adhominem.instrument.feature_verifier import FeatureVerifier
from adhominem.instrument.linguistics.habits import Habits
from adhominem.instrument.linguistics.nonstandard_words import MISSPELT
from adhominem.instrument.linguistics.rewrites import CATEGORIES_OF, Edit, find_edits, rewrite
from adhominem.instrument.network.attended_texts import AttendedTexts
from adhominem.laboratory.evaluation.attention_lift import resampled_means

MISSPELT_WORD = "misspelt word"
_MOST = 10  # edits of one text
_FEWEST = 20  # edits of a kind that is reported
_BLOCK = 512  # texts read together


@dataclass(frozen=True, slots=True)
class Match:
    """An edit of the text `owner`: the weight of the word and of its line, each over the mean of
    the text, before and after the edit."""

    owner: int
    names: tuple[str, ...]
    word: tuple[float, float]
    line: tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Variant:
    """The text `owner` after one edit, which `span` is the result of."""

    owner: int
    edit: Edit
    name: str
    text: str
    span: tuple[int, int]


def match_words(
    verifier: FeatureVerifier,
    attended: AttendedTexts,
    texts: Sequence[str],
    habits: Sequence[Habits],
) -> Iterator[Match]:
    """A match for each edit; `attended` is the verifier's attention to the texts as they are."""
    variants = [
        variant
        for owner, (text, own) in enumerate(zip(texts, habits, strict=True))
        for variant in _variants(owner, text, own)
    ]
    for start in range(0, len(variants), _BLOCK):
        block = variants[start : start + _BLOCK]
        edited = verifier.attention([variant.text for variant in block])
        for number, variant in enumerate(block):
            before = attended.tokens_at(variant.owner, variant.edit.start, variant.edit.end)
            after = edited.tokens_at(number, *variant.span)
            if before.start < before.stop and after.start < after.stop:
                yield Match(
                    variant.owner,
                    _names(variant.name, bool(attended.is_known[before].all())),
                    (_weight(attended, before), _weight(edited, after)),
                    (_line(attended, before), _line(edited, after)),
                )


def _variants(owner: int, text: str, habits: Habits) -> Iterator[_Variant]:
    """At most ten variants of a text, spread evenly over its edits."""
    category_at = {
        (hit.start, hit.end, kind): hit.category
        for hit in habits.hits
        for kind, categories in CATEGORIES_OF.items()
        if hit.category in categories
    }
    edits = find_edits(text, habits)
    for i in sorted({k * len(edits) // _MOST for k in range(_MOST)} if edits else ()):
        edit = edits[i]
        category = category_at.get((edit.start, edit.end, edit.kind), edit.kind)
        name = MISSPELT_WORD if category in MISSPELT else category
        changed = rewrite(text, [edit])
        yield _Variant(owner, edit, name, changed.text, changed.places[0])


def _names(name: str, is_known: bool) -> tuple[str, ...]:
    if name != MISSPELT_WORD:
        return (name,)
    return name, f"{name}, {'known to the model' if is_known else 'not known'}"


def _weight(attended: AttendedTexts, tokens: slice) -> float:
    """Weight of the tokens over the mean token of their text."""
    text = int(attended.owner[tokens.start])
    own = slice(int(attended.documents[text]), int(attended.documents[text + 1]))
    return float(attended.weights[tokens].sum() / attended.weights[own].mean())


def _line(attended: AttendedTexts, tokens: slice) -> float:
    """Attention of the line of the tokens over the mean line of their text."""
    line = int(attended.line[tokens.start])
    text = int(attended.owner[tokens.start])
    n_lines = attended.line_documents[text + 1] - attended.line_documents[text]
    return float(attended.line_attention[line] * n_lines)


def matched_rows(matches: Sequence[Match], authors: Sequence[str]) -> list[dict[str, Any]]:
    """A row for each kind of edit with enough matches, most frequent first, ready for JSON."""
    names = sorted({name for match in matches for name in match.names})
    rows = []
    for name in names:
        own = [match for match in matches if name in match.names]
        if len(own) < _FEWEST:
            continue
        owner = np.array([match.owner for match in own])
        measures: dict[str, Callable[[Match], float]] = {
            "before": lambda match: match.word[0],
            "after": lambda match: match.word[1],
            "difference": lambda match: match.word[0] - match.word[1],
            "attended_more": lambda match: float(match.word[0] > match.word[1]),
            "sentence_difference": lambda match: match.line[0] - match.line[1],
        }
        values = np.array([[measure(match) for measure in measures.values()] for match in own])
        sums = np.zeros((len(authors), len(measures)))
        np.add.at(sums, owner, values)
        counts = np.bincount(owner, minlength=len(authors)).astype(np.float64)
        columns = resampled_means(sums, np.repeat(counts[:, None], len(measures), axis=1), authors)
        rows.append(
            {"name": name, "matches": len(own), **dict(zip(measures, columns, strict=True))}
        )
    return sorted(rows, key=lambda row: -row["matches"])
