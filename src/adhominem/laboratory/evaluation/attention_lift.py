"""Attention lift: attention to tokens or sentences with a label, relative to their text.

The relative attention of a token is its weight over the mean weight of the tokens of its text; 1
is no lift. With S the sum of it over the tokens of a text with the label and N their number,

    lift = sum S / sum N

over all texts. Texts of one author are not independent, so intervals are by resampling authors.
Sentences are labelled by their position in the text, and have the mean attention of their lines
over the mean line of the text; the paper finds that "the last sentence of a review is frequently
marked". The paper's figure of frequent words counts the five most attended words of each text.

A misspelt word is compared with the same word spelt right: one edit is made at a time and the text
read again. Other habits that an edit turns into the standard form ("cuz" to "because", "&" to
"and") are compared likewise.
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

TOP = 5  # words of a text
_SHOWN = 40  # words in the list of the most frequent
_FEWEST_TEXTS = 5  # that have a word among their top five: a rarer word may identify a text
FIFTHS = ("first fifth", "second fifth", "third fifth", "fourth fifth", "last fifth")
POSITIONS = ("first sentence", "last sentence", *FIFTHS)
FEWEST_SENTENCES = 5  # of a text whose sentences are counted
MISSPELT_WORD = "misspelt word"
_MOST_EDITS = 10  # edits of one text
_FEWEST_EDITS = 20  # edits of a kind that is reported
_BLOCK = 512  # texts read together


def relative_weights(weights: Floats, owner: Integers, n_texts: int) -> Floats:
    """Each weight over the mean weight of its text; `owner` is the text of each weight."""
    total = np.bincount(owner, weights=weights, minlength=n_texts)
    count = np.bincount(owner, minlength=n_texts)
    return np.asarray(weights * count[owner] / total[owner])


def tally(
    values: Floats, owner: Integers, is_top: Booleans, labelled: Labelled, n_texts: int
) -> Floats:
    """Sum of `values`, number of tokens and number of top tokens, (3, texts, labels)."""
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
    """A row for each label that occurs, ready for JSON: share of all and of top tokens, lift."""
    owner, n_texts = attended.owner, len(authors)
    values = relative_weights(attended.weights, owner, n_texts)
    sums, counts, tops = tally(values, owner, is_top, labelled, n_texts)
    lifts = resampled_means(sums, counts, authors)
    n, n_top = len(is_top), int(is_top.sum())
    return [
        {"name": name, "tokens": int(count), "share": count / n, "top_share": top / n_top}
        | {"lift": lift}
        for name, count, top, lift in zip(names, counts.sum(0), tops.sum(0), lifts, strict=True)
        if count
    ]


def resampled_means(sums: Floats, counts: Floats, authors: Sequence[str]) -> list[dict[str, float]]:
    """The mean of each column of (texts, columns), and its interval by resampling authors."""
    names = np.array([authors, authors], dtype=object).T
    return [interval(column) for column in drawn_means(sums, counts, names).T]


def mark_top(attended: AttendedTexts) -> Booleans:
    """Whether each token is among the five most attended of its text; the first of equals are."""
    order = np.lexsort((-attended.weights, attended.owner))
    rank = np.arange(len(order)) - attended.documents[attended.owner[order]]
    is_top = np.zeros(len(order), dtype=bool)
    is_top[order[rank < TOP]] = True
    return is_top


def top_rows(attended: AttendedTexts, is_top: Booleans) -> list[dict[str, Any]]:
    """The most frequent of the top five words of all texts, ready for JSON: `share` of all top
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
    """Lift by position of the sentence, over texts with enough sentences; how often each position
    is the most attended of its text, and how often one sentence is by chance."""
    values, owner = sentence_values(attended)
    n_texts = attended.texts.n_documents
    number = np.arange(len(owner)) - attended.texts.documents[owner]
    n_sentences = np.diff(attended.texts.documents)
    count = n_sentences[owner]
    highest = np.full(n_texts, -np.inf)
    np.maximum.at(highest, owner, values)
    fifth = np.minimum((2 * number + 1) * len(FIFTHS) // (2 * count), len(FIFTHS) - 1)
    labels = [np.where(number == 0, 0, -1), np.where(number == count - 1, 1, -1), 2 + fifth]
    sentence = np.concatenate([np.arange(len(owner))] * len(labels))
    label = np.concatenate(labels)
    counted = (label >= 0) & (count[sentence] >= FEWEST_SENTENCES)
    labelled = Labelled(sentence[counted], label[counted], len(POSITIONS))
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
        for i in sorted(
            {k * len(edits) // _MOST_EDITS for k in range(_MOST_EDITS)} if edits else ()
        ):
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
                old, new = _attention(attended, before), _attention(edited, after)
                yield Match(owner, names, *zip(old, new, strict=True))


def _attention(attended: AttendedTexts, tokens: slice) -> tuple[float, float]:
    """Relative attention to the tokens, and to their line, in their text."""
    text, line = int(attended.owner[tokens.start]), int(attended.line[tokens.start])
    own = attended.weights[attended.documents[text] : attended.documents[text + 1]]
    n_lines = attended.line_documents[text + 1] - attended.line_documents[text]
    weight = attended.weights[tokens].sum() / own.mean()
    return float(weight), float(attended.line_attention[line] * n_lines)


def matched_rows(matches: Sequence[Match], authors: Sequence[str]) -> list[dict[str, Any]]:
    """A row for each kind of edit with enough matches, most frequent first, ready for JSON."""
    rows = []
    for name in sorted({name for match in matches for name in match.names}):
        own = [match for match in matches if name in match.names]
        if len(own) < _FEWEST_EDITS:
            continue
        owner = np.array([match.owner for match in own])
        before, after = np.array([match.word for match in own]).T
        line_before, line_after = np.array([match.line for match in own]).T
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
        rows.append(
            {"name": name, "matches": len(own), **dict(zip(measures, columns, strict=True))}
        )
    return sorted(rows, key=lambda row: -row["matches"])
