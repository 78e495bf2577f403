"""Compares the attention to a misspelt word with that to the same word spelt right.

One edit is made at a time and the text read again; attention is the weight of the edited tokens
over the mean token of the text, before and after. Other habits that an edit turns into the standard
form ("cuz" to "because", "&" to "and") are compared likewise.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from adhominem.instrument.feature_verifier import FeatureVerifier
from adhominem.instrument.linguistics import rewrites
from adhominem.instrument.linguistics.habits import Habits
from adhominem.instrument.linguistics.nonstandard_words import MISSPELT
from adhominem.instrument.linguistics.rewrites import Edit, Rewritten
from adhominem.instrument.network.attended_texts import AttendedTexts
from adhominem.laboratory.evaluation.answers import in_blocks
from adhominem.laboratory.evaluation.attention_lift import resampled_means

MISSPELT_WORD = "misspelt word"
_MOST = 10  # edits of one text
_FEWEST = 20  # edits of a kind that is reported
_BLOCK = 512  # texts read together


@dataclass(frozen=True, slots=True)
class Match:
    """Weights of an edited word and of its line, over the mean of the text, before and after."""

    owner: int
    names: tuple[str, ...]
    word: tuple[float, float]
    line: tuple[float, float]


def match_words(
    verifier: FeatureVerifier,
    attended: AttendedTexts,
    texts: Sequence[str],
    habits: Sequence[Habits],
) -> Iterator[Match]:
    """A match for each edit, at most ten of a text, evenly spread over its edits."""
    variants: list[tuple[int, Edit, str, Rewritten]] = []
    for owner, (text, own) in enumerate(zip(texts, habits, strict=True)):
        category_at = {
            (hit.start, hit.end, kind): hit.category
            for hit in own.hits
            for kind, categories in rewrites.CATEGORIES_OF.items()
            if hit.category in categories
        }
        edits = rewrites.find_edits(text, own)
        for i in sorted({k * len(edits) // _MOST for k in range(_MOST)} if edits else ()):
            edit = edits[i]
            category = category_at.get((edit.start, edit.end, edit.kind), edit.kind)
            variants.append((owner, edit, category, rewrites.rewrite(text, [edit])))
    for block in in_blocks(variants, _BLOCK):
        edited = verifier.attention([rewritten.text for *_, rewritten in block])
        for number, (owner, edit, category, rewritten) in enumerate(block):
            before = attended.tokens_at(owner, edit.start, edit.end)
            after = edited.tokens_at(number, *rewritten.places[0])
            if before.start < before.stop and after.start < after.stop:
                names: tuple[str, ...] = (category,)
                if category in MISSPELT:
                    known = "known to the model" if attended.is_known[before].all() else "not known"
                    names = (MISSPELT_WORD, f"{MISSPELT_WORD}, {known}")
                yield Match(
                    owner,
                    names,
                    (_weight(attended, before), _weight(edited, after)),
                    (_line(attended, before), _line(edited, after)),
                )


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
    rows = []
    for name in sorted({name for match in matches for name in match.names}):
        own = [match for match in matches if name in match.names]
        if len(own) < _FEWEST:
            continue
        owner = np.array([match.owner for match in own])
        (before, after), (line_before, line_after) = (
            np.array([getattr(match, part) for match in own]).T for part in ("word", "line")
        )
        measures = {
            "before": before,
            "after": after,
            "difference": before - after,
            "attended_more": before > after,
            "sentence_difference": line_before - line_after,
        }
        sums = np.zeros((len(authors), len(measures)))
        np.add.at(sums, owner, np.stack([*measures.values()], axis=1))
        counts = np.bincount(owner, minlength=len(authors)).astype(np.float64)
        columns = resampled_means(sums, np.repeat(counts[:, None], len(measures), axis=1), authors)
        figures = dict(zip(measures, columns, strict=True))
        rows.append({"name": name, "matches": len(own), **figures})
    return sorted(rows, key=lambda row: -row["matches"])
