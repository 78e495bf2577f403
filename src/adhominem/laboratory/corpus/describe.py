"""A corpus in figures: sizes, splits, and leaks, which reveal an author without being style.

Leaks are texts shared by two authors (found when the corpus was built), authors in two splits or
folds, signatures (repeated first or last sentences of an author), quotations of others, and
boilerplate (sentences in the documents of many authors). Sentences are counted in two passes: the
first counts hash bins, the second looks at sentences in full bins only, to bound memory.
"""

import re
from collections import Counter, defaultdict
from typing import Any

import numpy as np

from adhominem.arrays import Integers
from adhominem.instrument.text.settings import PAPER
from adhominem.instrument.text.tokenised import Tokenised
from adhominem.laboratory.corpus import Progress
from adhominem.laboratory.corpus.hashes import hash_texts, mix
from adhominem.laboratory.corpus.labels import Labels
from adhominem.laboratory.corpus.store import COPIES, TOKENS, Corpus, read_tokens

MANY_AUTHORS = 20  # from this number on, a sentence is boilerplate
_MOST_TOPICS = 40  # listed by name
_FEWEST_WORDS = 4  # shorter sentences are not counted
_EXAMPLES = 10
_BITS = 22  # log2 of the number of bins
_QUOTED = re.compile(r"^[ \t]*(?:>|&gt;)|\bwrote:[ \t]*$", re.MULTILINE)


def describe_corpus(corpus: Corpus, progress: Progress = lambda *_: None) -> dict[str, Any]:
    """Return the figures of a corpus as JSON values."""
    manifest, labels = corpus.manifest, corpus.labels
    tokens = np.array(corpus.label("n_tokens"))
    histogram, edges = np.histogram(tokens, bins=min(40, max(1, len(np.unique(tokens)))))
    per_author = np.bincount(labels.authors)
    topics = manifest["topics"]
    return {
        "name": corpus.folder.resolve().name,
        "documents": manifest["documents"],
        "authors": manifest["authors"],
        "tokens": {
            **manifest["tokens"],
            **_quantiles(tokens),
            "histogram": {"counts": histogram.tolist(), "edges": edges.tolist()},
        },
        "documents_per_author": {
            "mean": float(per_author.mean()),
            "deviation": float(per_author.std()),
            **_quantiles(per_author),
            "counts": {int(n): int(c) for n, c in enumerate(np.bincount(per_author)) if c},
        },
        "vocabulary": manifest["vocabulary"],
        "cuts": {k: getattr(PAPER, k) for k in ("min_word_count", "min_character_count")},
        "topics": {
            "total": len(topics),
            "without": manifest["without_topic"],
            "largest": dict(list(topics.items())[:_MOST_TOPICS]),
        },
        "pairs": manifest["pairs"],
        "folds": {
            "documents": np.bincount(labels.folds).tolist(),
            "authors": [
                len(np.unique(labels.authors[labels.folds == fold]))
                for fold in range(manifest["settings"]["folds"])
            ],
        },
        **{name: manifest[name] for name in ("funnel", "rejected", "warnings", "sources")},
        "leaks": find_leaks(corpus, progress),
    }


def without_texts(description: dict[str, Any]) -> dict[str, Any]:
    """Return a description without any sentence of the corpus."""
    leaks = description["leaks"].items()
    cleared = {name: {**k, "examples": []} if "examples" in k else k for name, k in leaks}
    return {**description, "leaks": cleared}


def _quantiles(values: Integers) -> dict[str, float]:
    quantiles = np.quantile(values, [0, 0.5, 1]).tolist()
    return dict(zip(("least", "median", "most"), quantiles, strict=True))


def find_leaks(corpus: Corpus, progress: Progress = lambda *_: None) -> dict[str, Any]:
    """Return the leaks of a corpus, with examples, as JSON values."""
    labels, n_files = corpus.labels, len(corpus.files)
    bins = np.zeros(1 << _BITS, dtype=np.int32)
    quoting = 0
    for i, table in enumerate(corpus.tables(["text", *TOKENS.names])):
        progress("looking for leaks", i, 2 * n_files)
        sentences = _Sentences(read_tokens(table))
        bins += np.bincount(sentences.bins, minlength=len(bins)).astype(np.int32)
        quoting += sum(_QUOTED.search(text) is not None for text in table.column(0).to_pylist())
    spelling: dict[int, str] = {}  # of sentences in full bins, by hash
    users: defaultdict[int, set[int]] = defaultdict(set)  # authors of these sentences, by hash
    signed = np.zeros(len(labels.authors), dtype=bool)
    signatures: Counter[tuple[int, str]] = Counter()
    first = 0
    for i, table in enumerate(corpus.tables(TOKENS.names)):
        progress("looking for leaks", n_files + i, 2 * n_files)
        sentences = _Sentences(read_tokens(table))
        authors = labels.authors[first : first + len(table)]
        for s in np.flatnonzero(bins[sentences.bins] >= MANY_AUTHORS):
            key = int(sentences.hashes[s])
            if key not in spelling:
                spelling[key] = sentences.spell(s)
            users[key].add(int(authors[sentences.documents[s]]))
        for s in sentences.signatures(authors):
            document = int(sentences.documents[s])
            signed[first + document] = True
            signatures[int(authors[document]), sentences.spell(s)] += 1
        first += len(table)
    copies = corpus.read(corpus.folder / COPIES, ["left", "right"])
    left, right = (column.to_numpy() for column in copies.columns)
    shown = corpus.documents(np.concatenate([left[:_EXAMPLES], right[:_EXAMPLES]]))
    common = sorted((-len(u), spelling[key]) for key, u in users.items() if len(u) >= MANY_AUTHORS)
    frequent = sorted(signatures.items(), key=lambda item: (-item[1], item[0][1]))
    return {
        "shared_texts": {
            "documents": len(np.unique([left, right])),
            "pairs": len(left),
            "pairs_across_splits": int(np.sum(labels.splits[left] != labels.splits[right])),
            "examples": [
                {"left": shown[i].id, "right": shown[j].id, "text": shown[i].text[:100]}
                for i, j in zip(left[:_EXAMPLES].tolist(), right[:_EXAMPLES].tolist(), strict=True)
            ],
        },
        "overlap": overlap(labels),
        "signatures": {
            "documents": int(signed.sum()),
            "authors": len({author for author, _ in signatures}),
            "examples": [{"sentence": s, "documents": n} for (_, s), n in frequent[:_EXAMPLES]],
        },
        "quotations": {"documents": quoting},
        "boilerplate": {
            "sentences": len(common),
            "examples": [{"sentence": s, "authors": -n} for n, s in common[:_EXAMPLES]],
        },
    }


def overlap(labels: Labels) -> dict[str, int]:
    """Return the number of authors that are in two splits, and in two folds."""
    counts = {}
    for name, parts in (("splits", labels.splits), ("folds", labels.folds)):
        pairs = np.unique(np.stack([labels.authors, parts.astype(np.int64)]), axis=1)
        counts[name] = int(np.sum(np.bincount(pairs[0]) > 1)) if pairs.size else 0
    return counts


class _Sentences:
    """Sentences of a file of documents, without the short ones."""

    def __init__(self, texts: Tokenised) -> None:
        lengths = np.diff(texts.sentences)
        chosen = np.flatnonzero(lengths >= _FEWEST_WORDS)
        self.texts, self.numbers = texts, chosen  # indices among all sentences
        documents = np.repeat(np.arange(texts.n_documents), np.diff(texts.documents))
        self.documents = documents[chosen]  # index of the document of each sentence
        is_new = np.diff(documents, prepend=-1, append=-1) != 0
        self.at_edge = (is_new[:-1] | is_new[1:])[chosen]  # first or last in its document
        words = hash_texts(word.lower() for word in texts.types)[texts.tokens]
        position = np.arange(len(words)) - np.repeat(texts.sentences[:-1], lengths)
        total = np.append(np.uint64(0), np.cumsum(mix(position.astype(np.uint64), words)))
        self.hashes = np.diff(total[texts.sentences])[chosen]  # of their words in lower case

    @property
    def bins(self) -> Integers:
        return (mix(self.hashes, self.hashes) >> np.uint64(64 - _BITS)).astype(np.int64)

    def signatures(self, authors: Integers) -> Integers:
        """Return the indices of sentences that open or close several documents of their author."""
        edge = np.flatnonzero(self.at_edge)
        keys = mix(self.hashes[edge], authors[self.documents[edge]].astype(np.uint64))
        _, group, counts = np.unique(keys, return_inverse=True, return_counts=True)
        return edge[counts[group] > 1]

    def spell(self, sentence: Any) -> str:
        """Return the first words of a sentence."""
        start, end = self.texts.sentences[self.numbers[sentence] :][:2]
        tokens = self.texts.tokens[start : min(end, start + 30)]
        return " ".join(self.texts.types[token] for token in tokens)
