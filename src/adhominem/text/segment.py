"""Text to sentences of tokens, each token with its place in the original text.

spaCy's blank English tokenizer and rule sentencizer do the work on the normalised text; a blank
line always ends a sentence, and so does a run of dots. A long text is read in pieces, so memory
does not grow with it beyond its tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from adhominem.text.normalise import PARAGRAPH, UNIVERSAL, Normalised, normalise

if TYPE_CHECKING:
    from spacy.language import Language

_MOST_LEXEMES = 300_000  # spaCy remembers every word type it meets: begin afresh beyond this
_PIECE = 50_000  # characters
_LONGEST_WORD = 200  # characters; what is longer is no word, and costs spaCy quadratic time
_TOO_LONG = re.compile(rf"\S{{{_LONGEST_WORD}}}(?=\S)")


@dataclass(frozen=True, slots=True)
class Segmented:
    """The tokens of a text in order; `original[starts[i]:ends[i]]` is where token i came from."""

    tokens: list[str]
    starts: list[int]
    ends: list[int]
    sentence_lengths: list[int]


@cache
def _pipeline() -> tuple[Language, dict[int, str]]:
    """The tokenizer, and the word of every type number that it has met."""
    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    marks = nlp.get_pipe("sentencizer").punct_chars  # type: ignore[attr-defined]
    marks.update("." * n for n in range(2, _LONGEST_WORD + 1))
    return nlp, {}


def segment(text: str) -> Segmented:
    normalised = normalise(text)
    read = Segmented([], [], [], [])
    for start, piece in _pieces(normalised):
        _segment_piece(piece, start, into=read)
    if not normalised.starts:
        return read
    spans = [normalised.span(start, end) for start, end in zip(read.starts, read.ends, strict=True)]
    starts = [start for start, _ in spans]
    ends = [end for _, end in spans]
    return Segmented(read.tokens, starts, ends, read.sentence_lengths)


def _segment_piece(piece: str, offset: int, into: Segmented) -> None:
    nlp, words = _pipeline()
    document = nlp(piece)
    columns = document.to_array(["ORTH", "LENGTH", "SPACY", "SENT_START"]).astype(np.int64)
    orths, lengths, spaces, sentence_starts = columns.reshape(-1, 4).T
    starts = offset + np.cumsum(lengths + spaces) - (lengths + spaces)
    tokens = [words.get(orth) or _word(nlp, words, orth) for orth in orths.view(np.uint64).tolist()]
    is_word = np.array([not token.isspace() for token in tokens], dtype=bool)
    begins = sentence_starts == 1
    begins |= [token.isspace() and PARAGRAPH in token for token in tokens]
    into.tokens.extend(token for token in tokens if not token.isspace())
    into.starts.extend(starts[is_word].tolist())
    into.ends.extend((starts + lengths)[is_word].tolist())
    into.sentence_lengths.extend(_run_lengths(np.cumsum(begins)[is_word]))
    if len(nlp.vocab) > _MOST_LEXEMES:
        _pipeline.cache_clear()


def _word(nlp: Language, words: dict[int, str], orth: int) -> str:
    text = nlp.vocab.strings[orth]
    words[orth] = UNIVERSAL.get(text, text)
    return words[orth]


def _run_lengths(labels: npt.NDArray[np.int64]) -> list[int]:
    """Lengths of the runs of equal labels."""
    edges = np.flatnonzero(np.diff(labels, prepend=-1, append=-1))
    return [int(length) for length in np.diff(edges)]


def _pieces(normalised: Normalised) -> Iterator[tuple[int, str]]:
    """Cuts a long text at paragraphs, else at sentence marks, else at spaces, else anywhere."""
    text = normalised.text
    start = 0
    while len(text) - start > _PIECE:
        limit = start + _PIECE
        cut = next(
            (
                found + len(mark)
                for mark in (PARAGRAPH, ". ", " ")
                if (found := text.rfind(mark, start + _PIECE // 2, limit)) >= 0
            ),
            limit,
        )
        cut = normalised.edge(cut)
        yield from _break_words(normalised, start, cut)
        start = cut
    yield from _break_words(normalised, start, len(text))


def _break_words(normalised: Normalised, start: int, end: int) -> Iterator[tuple[int, str]]:
    breaks = (match.end() for match in _TOO_LONG.finditer(normalised.text, start, end))
    for cut in (*map(normalised.edge, breaks), end):
        if start < cut:
            yield start, normalised.text[start:cut]
            start = cut
