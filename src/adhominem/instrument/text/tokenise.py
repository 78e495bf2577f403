"""Tokenises texts into sentences; every token has its position in the original text.

`chunks.py` tokenises each run of characters between two spaces. The rest is arithmetic on whole
batches of texts: sentences end after the marks of spaCy's rule-based sentencizer, after a blank
line and after a run of dots; positions are mapped back through the changes of the normaliser.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import compress, count, pairwise

import numpy as np
import numpy.typing as npt

from adhominem.arrays import Booleans
from adhominem.instrument.text import chunks as chunk_kinds
from adhominem.instrument.text.chunks import BLANK_LINE, SPACE, chunk_cache
from adhominem.instrument.text.normalise import PARAGRAPH, UNIVERSAL, Normalised, normalise
from adhominem.instrument.text.tokenised import Integers, Offsets, Tokenised, offsets, take_ranges

_MAX_CHUNKS = 250_000  # in the cache, about 150 MB; a larger cache is cleared
_MAX_WORD = 200  # characters; longer runs are cut, because spaCy takes quadratic time for them
_TOO_LONG = re.compile(rf"\S{{{_MAX_WORD}}}(?=\S)")
_LENGTH = dict.fromkeys(UNIVERSAL.values(), 1)  # universal tokens are one character of the text


def tokenise(texts: Iterable[str]) -> Tokenised:
    """Tokenise texts; types are numbered in the order of their first use."""
    normalised = [normalise(text) for text in texts]
    numbers = defaultdict[str, int](count().__next__)
    chunks: list[int] = []
    without_space: list[int] = []  # chunks that no space follows
    n_chunks = []
    for text in normalised:
        parts, cuts = _split(text)
        without_space += [len(chunks) + cut for cut in cuts]
        chunks += map(numbers.__getitem__, parts)
        n_chunks.append(len(parts))
    order = np.array(chunks, dtype=np.int64)
    lengths = np.array([len(chunk) + 1 for chunk in numbers], dtype=np.int64)[order]
    lengths[without_space] -= 1
    table = _table(list(numbers))
    rows, chunk_edges = take_ranges(table.edges, order)
    begins = np.repeat(offsets(lengths)[:-1], np.diff(chunk_edges))
    return _assemble(table, rows, begins, chunk_edges[offsets(n_chunks)], normalised)


def _split(normalised: Normalised) -> tuple[list[str], list[int]]:
    """Split a text at spaces and inside runs of more than `_MAX_WORD` characters. Returns the
    chunks and the indices of chunks that end with such a cut. A blank line becomes a space and a
    line feed, so that no character moves."""
    text = normalised.text
    if PARAGRAPH in text:
        text = text.replace(PARAGRAPH, " \n")
    chunks = text.split(" ")
    if max(map(len, chunks)) <= _MAX_WORD:
        return chunks, []
    cuts = [normalised.edge(match.end()) for match in _TOO_LONG.finditer(normalised.text)]
    parts = [text[start:end] for start, end in pairwise([0, *cuts, len(text)])]
    chunks, without_space = [], []
    for part in parts:
        chunks += part.split(" ")
        without_space.append(len(chunks) - 1)
    return chunks, without_space[:-1]


@dataclass(frozen=True, slots=True)
class _Table:
    """The tokens of the distinct chunks of a batch."""

    types: tuple[str, ...]
    kinds: npt.NDArray[np.int8]
    lengths: Integers
    edges: Offsets  # chunk c has the tokens `edges[c]:edges[c + 1]`
    tokens: Integers  # index in `types` of each token
    starts: Offsets  # position of each token within its chunk


def _table(chunks: list[str]) -> _Table:
    cache = chunk_cache()
    cache.add(chunks)
    known = [cache.tokens[chunk] for chunk in chunks]
    if len(cache.tokens) > _MAX_CHUNKS:
        chunk_cache.cache_clear()
    numbers = defaultdict[str, int](count().__next__)
    tokens = np.array([numbers[word] for words in known for word in words], dtype=np.int32)
    lengths = np.array([_LENGTH.get(word, len(word)) for word in numbers], dtype=np.int32)
    edges = offsets([len(words) for words in known])
    starts = offsets(lengths[tokens])
    return _Table(
        types=tuple(numbers),
        kinds=np.array([cache.kinds[word] for word in numbers], dtype=np.int8),
        lengths=lengths,
        edges=edges,
        tokens=tokens,
        starts=starts[:-1] - np.repeat(starts[edges[:-1]], np.diff(edges)),
    )


def _assemble(
    table: _Table, rows: Offsets, begins: Offsets, documents: Offsets, normalised: list[Normalised]
) -> Tokenised:
    """Assemble the tokens of whole texts.

    rows        row of the table of each token
    begins      start of the token's chunk, in the texts joined by one character each
    documents   text d has the tokens `documents[d]:documents[d + 1]`
    """
    tokens = table.tokens[rows]
    kinds = table.kinds[tokens]
    is_word = kinds < chunk_kinds.IS_SPACE
    sentence = np.cumsum(_first_of_sentence(kinds, documents))[is_word]
    is_first = np.diff(sentence, prepend=-1) > 0
    documents = offsets(is_word)[documents]
    tokens = tokens[is_word]
    starts = (begins + table.starts[rows])[is_word]
    ends = starts + table.lengths[tokens]
    starts, ends = _original_positions(starts, ends, documents, normalised)
    is_kept = np.array([word not in (SPACE, BLANK_LINE) for word in table.types], dtype=bool)
    return Tokenised(
        types=tuple(compress(table.types, is_kept)),
        tokens=(np.cumsum(is_kept) - 1).astype(np.int32)[tokens],
        starts=starts,
        ends=ends,
        sentences=np.append(np.flatnonzero(is_first), len(starts)),
        documents=offsets(is_first)[documents],
    )


def _first_of_sentence(kinds: npt.NDArray[np.int8], documents: Offsets) -> Booleans:
    """Whether each token begins a text, is a blank line, or is the first word after an end mark."""
    begins: Booleans = kinds == chunk_kinds.IS_BLANK_LINE
    begins[documents[:-1][np.diff(documents) > 0]] = True
    marks = offsets(kinds == chunk_kinds.IS_MARK)
    at_document = np.repeat(marks[documents[:-1]], np.diff(documents))
    other = np.flatnonzero((kinds != chunk_kinds.IS_MARK) & (kinds != chunk_kinds.IS_PUNCTUATION))
    before = np.maximum(np.append(0, marks[other[:-1]])[: len(other)], at_document[other])
    begins[other] |= marks[other] > before
    return begins


def _original_positions(
    starts: Offsets, ends: Offsets, documents: Offsets, texts: list[Normalised]
) -> tuple[Integers, Integers]:
    """Map positions in the normalised texts, joined by one character each, to the originals."""
    lengths = np.array([len(text.text) + 1 for text in texts], dtype=np.int64)
    growth = [sum(t.to) - sum(t.from_) - sum(t.ends) + sum(t.starts) for t in texts]
    read = offsets(lengths)[:-1]
    original = offsets(lengths + np.array(growth, dtype=np.int64))[:-1]
    changed = [i for i, text in enumerate(texts) if text.starts]
    if changed:

        def joined(name: str, base: Offsets) -> Offsets:
            return np.concatenate([np.array(getattr(texts[i], name)) + base[i] for i in changed])

        change_starts, change_ends = joined("starts", read), joined("ends", read)
        change_from, change_to = joined("from_", original), joined("to", original)

        def mapped(positions: Offsets, characters: Offsets, edges: Offsets) -> Offsets:
            i = np.searchsorted(change_starts, characters, side="right") - 1
            inside = (i >= 0) & (characters < change_ends[i])
            shift = np.where(i < 0, 0, change_to[i] - change_ends[i])
            return np.where(inside, edges[i], positions + shift)

        starts, ends = mapped(starts, starts, change_from), mapped(ends, ends - 1, change_to)
    base = np.repeat(original, np.diff(documents))
    return (starts - base).astype(np.int32), (ends - base).astype(np.int32)
