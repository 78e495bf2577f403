"""Attention lift: mean relative attention to the tokens or sentences with a label.

The relative attention of a token is its weight divided by the mean weight of the tokens of its
text. The lift of a label is its mean over all tokens with the label; 1 is no lift. Texts of one
author are not independent, so intervals are by resampling authors. Sentences are labelled by their
position in the text; their relative attention is the mean attention of their lines divided by that
of the lines of the text. The paper finds that "the last sentence of a review is frequently marked".
The paper's figure of frequent words counts the five most attended words of each text.

Attention to a misspelt word is compared with attention to its correct form: one edit is made at a
time and the network reads the text again. Other habits that an edit turns into the standard form
("cuz" to "because", "&" to "and") are compared in the same way.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from adhominem.arrays import Booleans, Floats, Integers
from adhominem.instrument.feature_verifier import FeatureVerifier
from adhominem.instrument.linguistics import rewrites
from adhominem.instrument.linguistics.habits import Habits
from adhominem.instrument.linguistics.nonstandard_words import MISSPELT
from adhominem.instrument.linguistics.rewrites import Edit, Rewritten
from adhominem.instrument.network.attended_texts import AttendedTexts
from adhominem.laboratory.evaluation.answers import in_blocks
from adhominem.laboratory.evaluation.intervals import drawn_means, interval
from adhominem.laboratory.evaluation.token_labels import Labelled

TOP = 5  # most attended words of a text
_SHOWN = 40  # words in the list of the most frequent ones
_FEWEST_TEXTS = 5  # texts with a word among their top five: a rarer word may identify a text
FIFTHS = ("first fifth", "second fifth", "third fifth", "fourth fifth", "last fifth")
POSITIONS = ("first sentence", "last sentence", *FIFTHS)
FEWEST_SENTENCES = 5  # shorter texts do not count for positions
MISSPELT_WORD = "misspelt word"
_MOST_EDITS = 10  # per text
_FEWEST_EDITS = 20  # rarer kinds of edit are not reported
_BLOCK = 512  # texts read together


def relative_weights(weights: Floats, owner: Integers, n_texts: int) -> Floats:
    """Each weight divided by the mean weight of its text; `owner` is the text of each weight."""
    total = np.bincount(owner, weights=weights, minlength=n_texts)
    count = np.bincount(owner, minlength=n_texts)
    return np.asarray(weights * count[owner] / total[owner])


def tally(
    values: Floats, owner: Integers, is_top: Booleans, labelled: Labelled, n_texts: int
) -> Floats:
    """Sum of `values`, number of tokens and number of top tokens by label, (3, texts, labels)."""
    cell = owner[labelled.token] * labelled.n_labels + labelled.label
    size = n_texts * labelled.n_labels
    amounts = (values, np.ones(len(values)), is_top)
    flat = [np.bincount(cell, weights=a[labelled.token], minlength=size) for a in amounts]
    return np.reshape(flat, (3, n_texts, labelled.n_labels))


def lift_rows(
    attended: AttendedTexts,
    is_top: Booleans,
    names: Sequence[str],
    labelled: Labelled,
    authors: Sequence[str],
) -> list[dict[str, Any]]:
    """A JSON row per label that occurs: its share of all and of top tokens, and its lift."""
    owner, n_texts = attended.owner, len(authors)
    values = relative_weights(attended.weights, owner, n_texts)
    sums, counts, tops = tally(values, owner, is_top, labelled, n_texts)
    lifts = resampled_means(sums, counts, authors)
    n, n_top = len(is_top), int(is_top.sum())
    return [
        {"name": name, "tokens": int(m), "share": m / n, "top_share": t / n_top, "lift": lift}
        for name, m, t, lift in zip(names, counts.sum(0), tops.sum(0), lifts, strict=True)
        if m
    ]


def resampled_means(sums: Floats, counts: Floats, authors: Sequence[str]) -> list[dict[str, float]]:
    """Sums over counts for each column of (texts, columns), with intervals over authors."""
    names = np.array([authors, authors], dtype=object).T
    return [interval(column) for column in drawn_means(sums, counts, names).T]


def mark_top(attended: AttendedTexts) -> Booleans:
    """Whether each token is among the five most attended of its text, ties in text order."""
    order = np.lexsort((-attended.weights, attended.owner))
    rank = np.arange(len(order)) - attended.documents[attended.owner[order]]
    is_top = np.zeros(len(order), dtype=bool)
    is_top[order[rank < TOP]] = True
    return is_top


def top_rows(attended: AttendedTexts, is_top: Booleans) -> list[dict[str, Any]]:
    """JSON rows of the words that are most often among the top five of a text: `share` of all top
    words, and `chosen`, the share of the word's occurrences that are top words."""
    words = [attended.texts.types[token] for token in attended.texts.tokens[is_top]]
    in_texts = Counter(word for word, _ in set(zip(words, attended.owner[is_top], strict=True)))
    occurrences = attended.texts.counts()
    common = [(word, n) for word, n in Counter(words).items() if in_texts[word] >= _FEWEST_TEXTS]
    common.sort(key=lambda item: (-item[1], item[0]))
    return [
        {"word": word, "times": n, "share": n / len(words), "chosen": n / occurrences[word]}
        for word, n in common[:_SHOWN]
    ]


def sentence_values(attended: AttendedTexts) -> tuple[Floats, Integers]:
    """The relative attention of each sentence, and its text."""
    texts = attended.texts
    n_sentences = len(texts.sentences) - 1
    sentence_of_token = np.repeat(np.arange(n_sentences), np.diff(texts.sentences))
    _, first = np.unique(attended.line, return_index=True)
    sentence_of_line = sentence_of_token[first]
    owner_of_line = np.repeat(np.arange(texts.n_documents), np.diff(attended.line_documents))
    relative = relative_weights(attended.line_attention, owner_of_line, texts.n_documents)
    sums = np.bincount(sentence_of_line, weights=relative, minlength=n_sentences)
    mean = sums / np.bincount(sentence_of_line, minlength=n_sentences)
    return mean, np.repeat(np.arange(texts.n_documents), np.diff(texts.documents))


def position_rows(attended: AttendedTexts, authors: Sequence[str]) -> dict[str, Any]:
    """Lift of each sentence position, how often it is the most attended one of its text, and how
    often a random sentence is."""
    values, owner = sentence_values(attended)
    n_texts = attended.texts.n_documents
    number = np.arange(len(owner)) - attended.texts.documents[owner]
    n_sentences = np.diff(attended.texts.documents)
    count = n_sentences[owner]
    highest = np.full(n_texts, -np.inf)
    np.maximum.at(highest, owner, values)
    fifth = np.minimum((2 * number + 1) * len(FIFTHS) // (2 * count), len(FIFTHS) - 1)
    is_at = [number == 0, number == count - 1, *(fifth == i for i in range(len(FIFTHS)))]
    sentence, label = np.nonzero(np.stack(is_at, axis=1) & (count >= FEWEST_SENTENCES)[:, None])
    labelled = Labelled(sentence, label, len(POSITIONS))
    sums, counts, tops = tally(values, owner, values == highest[owner], labelled, n_texts)
    long = n_sentences[n_sentences >= FEWEST_SENTENCES]
    lifts = resampled_means(sums, counts, authors)
    return {
        "fewest_sentences": FEWEST_SENTENCES,
        "texts": len(long),
        "rows": [
            {"name": name, "lift": mean, "highest": float(top.sum() / max(len(long), 1))}
            for name, mean, top in zip(POSITIONS, lifts, tops.T, strict=True)
        ],
        "highest_by_chance": float(np.mean(1 / long)) if len(long) else None,
    }


class Match(NamedTuple):
    """Relative attention to an edited word and to its line, before and after the edit."""

    owner: int  # index of the text
    names: tuple[str, ...]  # kinds of edit that count this match
    before: tuple[float, float]
    after: tuple[float, float]


def match_words(
    verifier: FeatureVerifier,
    attended: AttendedTexts,
    texts: Sequence[str],
    habits: Sequence[Habits],
) -> Iterator[Match]:
    """A match for each edit; of more than ten edits of a text, ten evenly spaced ones."""
    variants: list[tuple[int, Edit, str, Rewritten]] = []
    for owner, (text, own) in enumerate(zip(texts, habits, strict=True)):
        category_at = {
            (hit.start, hit.end, kind): hit.category
            for hit in own.hits
            for kind, categories in rewrites.CATEGORIES_OF.items()
            if hit.category in categories
        }
        edits = rewrites.find_edits(text, own)
        chosen = {k * len(edits) // _MOST_EDITS for k in range(_MOST_EDITS)} if edits else set()
        for edit in (edits[i] for i in sorted(chosen)):
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
                yield Match(owner, names, _attention(attended, before), _attention(edited, after))


def _attention(attended: AttendedTexts, tokens: slice) -> tuple[float, float]:
    """Relative attention to a word of one or more tokens, and to its line."""
    text, line = int(attended.owner[tokens.start]), int(attended.line[tokens.start])
    own = attended.weights[attended.documents[text] : attended.documents[text + 1]]
    n_lines = attended.line_documents[text + 1] - attended.line_documents[text]
    weight = attended.weights[tokens].sum() / own.mean()
    return float(weight), float(attended.line_attention[line] * n_lines)


def matched_rows(matches: Sequence[Match], authors: Sequence[str]) -> list[dict[str, Any]]:
    """A JSON row for each kind of edit with enough matches, most frequent first."""
    rows = []
    for name in sorted({name for match in matches for name in match.names}):
        own = [match for match in matches if name in match.names]
        if len(own) < _FEWEST_EDITS:
            continue
        owner = np.array([match.owner for match in own])
        before, line_before = np.array([match.before for match in own]).T
        after, line_after = np.array([match.after for match in own]).T
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
        columns = resampled_means(sums, counts[:, None], authors)
        figures = dict(zip(measures, columns, strict=True))
        rows.append({"name": name, "matches": len(own), **figures})
    return sorted(rows, key=lambda row: -row["matches"])
