"""Sentences to lines of at most `max_words` tokens, each closed by a marker.

A sentence that fits is one line, closed by the sentence-end token. A longer one is cut: each part
but the last is closed by the line-break token, as in the paper (section III). No line is longer
than `max_words` tokens, its marker included.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

SENTENCE_END = "<sentence-end>"
LINE_BREAK = "<line-break>"
MARKERS = (SENTENCE_END, LINE_BREAK)


def line_lengths(
    sentence_lengths: npt.NDArray[np.int64], max_words: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Words in each line, markers not counted, and whether the line ends its sentence."""
    room = max_words - 1
    n_lines = -(-sentence_lengths // room)
    ends = np.cumsum(n_lines) - 1
    lengths = np.full(int(n_lines.sum()), room, dtype=np.int64)
    lengths[ends] = sentence_lengths - (n_lines - 1) * room
    is_end = np.zeros(len(lengths), dtype=bool)
    is_end[ends] = True
    return lengths, is_end
