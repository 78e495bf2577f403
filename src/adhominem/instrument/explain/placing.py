"""Attention and contributions at the positions of their words in the original texts."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from adhominem.instrument.network.side import ReadSide
from adhominem.instrument.text.windows import MARKERS
from adhominem.records import Sentence, TextExplanation, Word


def place_words(
    side: ReadSide, contributions: npt.NDArray[np.float64] | None
) -> tuple[TextExplanation, ...]:
    """The texts of a side with the attention of every word and, if given, its contribution. A line
    counts as a sentence; a marker, which contributes nothing, stands where its line ends."""
    read, encoded = side.features, side.encoded
    assert read.word_attention is not None and read.sentence_attention is not None
    n_types = len(encoded.type_words)
    tokens = side.tokens.words()
    starts, ends = side.tokens.starts.tolist(), side.tokens.ends.tolist()
    parts = [None] * len(tokens) if contributions is None else contributions.tolist()
    explained = []
    for text, (first, last) in zip(side.texts, pairwise(encoded.documents.tolist()), strict=True):
        words: list[Word] = []
        sentences: list[Sentence] = []
        for number, line in enumerate(range(first, last)):
            position, marker = int(encoded.lines[line]), int(encoded.lines[line + 1]) - 1
            own = slice(position - line, marker - line)  # every line before has a marker
            words += [
                Word(token, start, end, float(weight), number, part)
                for token, start, end, weight, part in zip(
                    tokens[own],
                    starts[own],
                    ends[own],
                    read.word_attention[position:marker],
                    parts[own],
                    strict=True,
                )
            ]
            end, known = ends[own.stop - 1], contributions is not None
            weight = float(read.word_attention[marker])
            spelt = MARKERS[int(encoded.tokens[marker]) - (n_types - len(MARKERS))]
            words.append(Word(spelt, end, end, weight, number, 0.0 if known else None))
            sentences.append(
                Sentence(
                    starts[own.start],
                    end,
                    float(read.sentence_attention[line]),
                    sum(parts[own]) if known else None,
                )
            )
        explained.append(TextExplanation(text, tuple(words), tuple(sentences)))
    return tuple(explained)
