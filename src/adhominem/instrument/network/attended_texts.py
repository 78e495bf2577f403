"""The attention of a network to the tokens of many texts, without line markers, and to the words of
one side, with their positions in the original texts."""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from adhominem.arrays import Booleans, Floats, Integers, Singles
from adhominem.instrument.network.side import ReadSide
from adhominem.instrument.text.encode import Encoded
from adhominem.instrument.text.tokenised import Tokenised, offsets
from adhominem.instrument.text.vocabulary import MARKERS, UNKNOWN
from adhominem.records import Sentence, TextExplanation, Word


@dataclass(frozen=True)
class AttendedTexts:
    """The attention to the tokens of many texts, as arrays."""

    texts: Tokenised
    word_attention: Floats  # of each token; with the line's marker it sums to 1 over the line
    line: Integers  # line of each token, numbered through all texts
    line_attention: Floats  # of each line; it sums to 1 over the text
    line_documents: Integers  # text d has the lines `line_documents[d]:line_documents[d + 1]`
    is_known: Booleans  # True for tokens in the vocabulary

    @cached_property
    def weights(self) -> Floats:
        """Equation (12): word attention times the attention of its line."""
        return self.word_attention * self.line_attention[self.line]

    @cached_property
    def documents(self) -> Integers:
        """Text d has the tokens `documents[d]:documents[d + 1]`."""
        return self.texts.sentences[self.texts.documents]

    @cached_property
    def owner(self) -> Integers:
        """The text of each token."""
        return np.repeat(np.arange(self.texts.n_documents), self.texts.n_tokens)

    def tokens_at(self, text: int, start: int, end: int) -> slice:
        """The tokens that overlap with `text[start:end]`."""
        first, last = self.documents[text], self.documents[text + 1]
        begin = np.searchsorted(self.texts.ends[first:last], start, side="right")
        stop = np.searchsorted(self.texts.starts[first:last], end, side="left")
        return slice(int(first + begin), int(first + max(begin, stop)))


def attend(
    texts: Tokenised, encoded: Encoded, word_attention: Singles, line_attention: Singles
) -> AttendedTexts:
    """Drop the line markers from the attention of the encoder."""
    lengths = np.diff(encoded.lines)
    is_word, known = encoded.is_word, encoded.type_words != UNKNOWN
    return AttendedTexts(
        texts=texts,
        word_attention=word_attention[is_word].astype(np.float64),
        line=np.repeat(np.arange(len(lengths)), lengths - 1),
        line_attention=line_attention.astype(np.float64),
        line_documents=offsets(np.diff(encoded.documents)),
        is_known=known[encoded.tokens[is_word]],
    )


def place_words(side: ReadSide, contributions: Floats | None) -> tuple[TextExplanation, ...]:
    """The texts of a side with the attention and, if known, the contribution of every word. A line
    counts as a sentence; the marker at its end contributes nothing."""
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
            *weights, last = read.word_attention[position : marker + 1].tolist()
            columns = zip(tokens[own], starts[own], ends[own], weights, parts[own], strict=True)
            words += [Word(t, start, end, w, number, part) for t, start, end, w, part in columns]
            end, known = ends[own.stop - 1], contributions is not None
            spelt = MARKERS[int(encoded.tokens[marker]) - (n_types - len(MARKERS))]
            words.append(Word(spelt, end, end, last, number, 0.0 if known else None))
            weight, total = float(read.sentence_attention[line]), sum(parts[own]) if known else None
            sentences.append(Sentence(starts[own.start], end, weight, total))
        explained.append(TextExplanation(text, tuple(words), tuple(sentences)))
    return tuple(explained)
