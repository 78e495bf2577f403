"""Cuts documents into as few stretches as possible, of about equal size and at most `max_lines`
lines each. The network reads a stretch at once."""

from dataclasses import dataclass

import numpy as np

from adhominem.arrays import Floats, Integers, Rows, Singles
from adhominem.instrument.text.encode import Encoded


@dataclass(frozen=True, slots=True)
class LineRanges(Rows):
    """Runs of consecutive lines: run i has `count[i]` lines from line `first[i]` on."""

    first: Integers
    count: Integers


@dataclass(frozen=True, slots=True)
class Stretches:
    """The stretches of all documents of a corpus, in order."""

    ranges: LineRanges  # the lines of each stretch
    owner: Integers  # the document of each stretch
    share: Floats  # the share of the stretch in the tokens of its document

    def average(self, features: Singles, n_documents: int) -> Floats:
        """Average features of stretches by share to features of documents; NaN if empty."""
        joined = np.full((n_documents, features.shape[1]), np.nan)
        joined[self.owner] = 0
        np.add.at(joined, self.owner, features * self.share[:, None])
        return joined

    def average_known(self, values: Singles, n_documents: int) -> Singles:
        """Average a value of stretches by share to a value of documents, without NaN."""
        known = ~np.isnan(values)
        weight, own = self.share[known], self.owner[known]
        totals = np.bincount(own, weights=weight, minlength=n_documents)
        sums = np.bincount(own, weights=weight * values[known], minlength=n_documents)
        means = np.divide(sums, totals, out=np.full(n_documents, np.nan), where=totals > 0)
        return np.asarray(means, np.float32)


def count_stretches(corpus: Encoded, max_lines: int) -> Integers:
    return -(-np.diff(corpus.documents) // max_lines)


def cut_documents(corpus: Encoded, max_lines: int) -> Stretches:
    n_lines, n_stretches = np.diff(corpus.documents), count_stretches(corpus, max_lines)
    owner = np.repeat(np.arange(len(n_lines)), n_stretches)
    number = np.arange(len(owner)) - np.repeat(np.cumsum(n_stretches) - n_stretches, n_stretches)
    begin = number * n_lines[owner] // n_stretches[owner]
    end = (number + 1) * n_lines[owner] // n_stretches[owner]
    first, count = corpus.documents[owner] + begin, end - begin
    n_tokens = corpus.lines[first + count] - corpus.lines[first]
    whole = np.bincount(owner, weights=n_tokens, minlength=len(n_lines))
    return Stretches(LineRanges(first, count), owner, n_tokens / whole[owner])
