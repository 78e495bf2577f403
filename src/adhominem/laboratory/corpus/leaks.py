"""What could give an author away without being style, looked for in a finished corpus.

shared texts    documents that two authors have (found when the corpus was built)
overlap         authors in two splits or folds; there must be none
signatures      a closing or opening sentence that an author uses again and again
quotations      lines that quote somebody else (`> ...`, `Smith wrote:`)
boilerplate     sentences that stand in the documents of many authors

Two passes over the tokens: the first counts sentences in bins, the second looks closely at those
in full bins, so memory does not grow with the corpus.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from pyarrow import parquet

from adhominem.instrument.text.tokenised import Tokenised
from adhominem.laboratory.corpus.hashes import Hashes, hash_texts, mix
from adhominem.laboratory.corpus.labels import Labels
from adhominem.laboratory.corpus.store import COPIES, TOKENS, Corpus, read_tokens

Progress = Callable[[str, int, int], None]
MANY_AUTHORS = 20  # use a boilerplate sentence
_FEWEST_WORDS = 4  # of a sentence that counts
_EXAMPLES = 10
_BITS = 22
_QUOTED = re.compile(r"^[ \t]*(?:>|&gt;)|\bwrote:[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Sentences:
    """Sentences of a few words and more: their hash, their document, their place in the tokens."""

    hashes: Hashes
    document: npt.NDArray[np.int64]
    number: npt.NDArray[np.int64]
    at_edge: npt.NDArray[np.bool_]  # the first or last of its document


def find_leaks(corpus: Corpus, progress: Progress = lambda *_: None) -> dict[str, Any]:
    labels = corpus.labels
    n_files = len(corpus.files)
    bins = np.zeros(1 << _BITS, dtype=np.int32)
    quoting = 0
    for i, table in enumerate(corpus.tables(["text", *TOKENS.names])):
        progress("looking for leaks", i, 2 * n_files)
        sentences = _sentences(read_tokens(table))
        bins += np.bincount(_bin(sentences.hashes), minlength=len(bins)).astype(np.int32)
        quoting += sum(_QUOTED.search(text) is not None for text in table.column(0).to_pylist())
    use: dict[int, _Use] = {}
    signed = np.zeros(len(labels.authors), dtype=bool)
    signatures: Counter[tuple[int, str]] = Counter()
    first = 0
    for i, table in enumerate(corpus.tables(TOKENS.names)):
        progress("looking for leaks", n_files + i, 2 * n_files)
        texts = read_tokens(table)
        sentences = _sentences(texts)
        authors = labels.authors[first : first + len(table)]
        _note_use(use, sentences, texts, authors, bins[_bin(sentences.hashes)] >= MANY_AUTHORS)
        for document, name in _signatures(sentences, texts, authors):
            signed[first + document] = True
            signatures[int(authors[document]), name] += 1
        first += len(table)
    common = [found for found in use.values() if len(found.authors) >= MANY_AUTHORS]
    common.sort(key=lambda found: (-len(found.authors), found.sentence))
    return {
        "shared_texts": _shared_texts(corpus),
        "overlap": overlap(labels),
        "signatures": {
            "documents": int(signed.sum()),
            "authors": len({author for author, _ in signatures}),
            "examples": [
                {"sentence": sentence, "documents": n}
                for (_, sentence), n in sorted(
                    signatures.items(), key=lambda item: (-item[1], item[0][1])
                )[:_EXAMPLES]
            ],
        },
        "quotations": {"documents": quoting},
        "boilerplate": {
            "sentences": len(common),
            "examples": [
                {"sentence": found.sentence, "authors": len(found.authors)}
                for found in common[:_EXAMPLES]
            ],
        },
    }


def overlap(labels: Labels) -> dict[str, int]:
    """Authors that are in two splits, and in two folds."""
    counts = {}
    for name, parts in (("splits", labels.splits), ("folds", labels.folds)):
        pairs = np.unique(np.stack([labels.authors, parts.astype(np.int64)]), axis=1)
        counts[name] = int(np.sum(np.bincount(pairs[0]) > 1)) if pairs.size else 0
    return counts


def _shared_texts(corpus: Corpus) -> dict[str, Any]:
    pairs = parquet.read_table(corpus.folder / COPIES).to_pydict()
    left, right = np.array(pairs["left"], np.int64), np.array(pairs["right"], np.int64)
    places = np.concatenate([left, right])
    splits = corpus.labels.splits
    shown = corpus.documents(np.concatenate([left[:_EXAMPLES], right[:_EXAMPLES]]))
    return {
        "documents": len(np.unique(places)),
        "pairs": len(left),
        "pairs_across_splits": int(np.sum(splits[left] != splits[right])),
        "examples": [
            {"left": shown[i].id, "right": shown[j].id, "text": shown[i].text[:100]}
            for i, j in zip(left[:_EXAMPLES].tolist(), right[:_EXAMPLES].tolist(), strict=True)
        ],
    }


def _sentences(texts: Tokenised) -> _Sentences:
    lengths = np.diff(texts.sentences)
    chosen = np.flatnonzero(lengths >= _FEWEST_WORDS)
    document = np.repeat(np.arange(texts.n_documents), np.diff(texts.documents))
    at_edge = np.zeros(len(lengths), dtype=bool)
    filled = np.diff(texts.documents) > 0
    at_edge[texts.documents[:-1][filled]] = True
    at_edge[texts.documents[1:][filled] - 1] = True
    words = hash_texts(word.lower() for word in texts.types)[texts.tokens]
    place = np.arange(len(words)) - np.repeat(texts.sentences[:-1], lengths)
    total = np.concatenate(
        [np.zeros(1, np.uint64), np.cumsum(mix(place.astype(np.uint64), words), dtype=np.uint64)]
    )
    hashes = total[texts.sentences[1:]] - total[texts.sentences[:-1]]
    return _Sentences(hashes[chosen], document[chosen], chosen, at_edge[chosen])


def _bin(hashes: Hashes) -> npt.NDArray[np.int64]:
    return (mix(hashes, hashes) >> np.uint64(64 - _BITS)).astype(np.int64)


@dataclass(slots=True)
class _Use:
    sentence: str
    authors: set[int]


def _note_use(
    use: dict[int, _Use],
    sentences: _Sentences,
    texts: Tokenised,
    authors: npt.NDArray[np.int64],
    is_full: npt.NDArray[np.bool_],
) -> None:
    for i in np.flatnonzero(is_full):
        key = int(sentences.hashes[i])
        if key not in use:
            use[key] = _Use(_spell(texts, int(sentences.number[i])), set())
        use[key].authors.add(int(authors[sentences.document[i]]))


def _signatures(
    sentences: _Sentences, texts: Tokenised, authors: npt.NDArray[np.int64]
) -> list[tuple[int, str]]:
    """Documents whose first or last sentence opens or closes another one of their author."""
    edge = np.flatnonzero(sentences.at_edge)
    keys = mix(sentences.hashes[edge], authors[sentences.document[edge]].astype(np.uint64))
    _, group, counts = np.unique(keys, return_inverse=True, return_counts=True)
    found = []
    for i in edge[counts[group] > 1]:
        found.append((int(sentences.document[i]), _spell(texts, int(sentences.number[i]))))
    return found


def _spell(texts: Tokenised, sentence: int) -> str:
    start, end = texts.sentences[sentence], texts.sentences[sentence + 1]
    return " ".join(texts.types[token] for token in texts.tokens[start : min(end, start + 30)])
