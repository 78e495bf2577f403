"""What a network made of its tokens, at their places in the texts they came from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from adhominem.instrument.text.encode import Encoded
from adhominem.instrument.text.tokenised import Tokenised
from adhominem.instrument.text.windows import MARKERS
from adhominem.laboratory.network.encoder import Features
from adhominem.records import Sentence, TextExplanation, Word


def place_words(
    texts: Sequence[str],
    tokenised: Tokenised,
    encoded: Encoded,
    read: Features,
    contributions: npt.NDArray[np.float64] | None,
) -> tuple[TextExplanation, ...]:
    """Attention and contributions beside the places of their tokens. A line counts as a sentence,
    and a marker, which contributes nothing, stands where its line ends."""
    assert read.word_attention is not None and read.sentence_attention is not None
    n_types = len(encoded.type_words)
    tokens, starts, ends = tokenised.words(), tokenised.starts.tolist(), tokenised.ends.tolist()
    parts = [None] * len(tokens) if contributions is None else contributions.tolist()
    explained = []
    for text, (first, last) in zip(texts, pairwise(encoded.documents.tolist()), strict=True):
        words: list[Word] = []
        sentences: list[Sentence] = []
        for number, line in enumerate(range(first, last)):
            place, marker = int(encoded.lines[line]), int(encoded.lines[line + 1]) - 1
            own = slice(place - line, marker - line)  # every line before has a marker
            words += [
                Word(token, start, end, float(weight), number, part)
                for token, start, end, weight, part in zip(
                    tokens[own],
                    starts[own],
                    ends[own],
                    read.word_attention[place:marker],
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
