"""GLAD: 24 features of a pair into a support vector machine.

Huerlimann, Weck, van den Berg, Suster & Nissim (2015), "GLAD: Groningen Lightweight Authorship
Detection", PAN 2015. Joint features of two texts (dissimilarity and overlap of frequent character
n-grams, punctuation, layout, tokens, entropy, compression) and features of each text (entropy,
sentence length), standardised, enter a support vector machine with the kernel
exp(-gamma |x - z|^2), C = 1 and gamma = 1/24. Its decision value is the similarity.

Ours: the paper does not say which marks and which shares of lines are counted; an n-gram outside
the hundred most frequent of a text counts as absent from it; the features of each text enter as the
smaller and the greater one, and the compressed length of the joint text is the mean of both orders,
so that left and right can be swapped; the cosine of two empty vectors is 1. A kernel machine does
not ensure that a text is most similar to itself: decision values are limited to the largest of the
training pairs, which identical sides get. A copy with a few words changed is beyond all training
pairs, where the kernel vanishes and the value falls to the intercept: GLAD does not detect copies.

Not repeated from the public code: there the overlap of n-grams is that of single characters for
every n, blank lines are never counted, and test pairs are standardised by themselves.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from adhominem.arrays import Floats, Integers
from adhominem.instrument.text.tokenised import offsets
from adhominem.laboratory.verifiers.compared_method import Texts, labels_of, limit_pairs
from adhominem.laboratory.verifiers.text_pairs import Measured, TextPairs, TextPairVerifier
from adhominem.records import Pair

_BLOCK = 1000  # rows of the kernel at a time
_LONGEST, _MOST = 5, 100  # length of character n-grams, and how many of each length
_PUNCTUATION = ".,;:!?-("
_LINE_ENDINGS = ".,;:!?-"
NAMES = (
    *(f"{n}-gram dissimilarity" for n in range(_LONGEST, 0, -1)),
    *(f"{n}-gram overlap" for n in range(_LONGEST, 0, -1)),
    *("punctuation", "line endings", "line length", "letter case", "text blocks"),
    *("tokens", "sentence length difference"),
    *("joint entropy", "entropy difference", "compression"),
    *("least entropy", "greatest entropy", "least sentence length", "greatest sentence length"),
)


class Glad(TextPairVerifier):
    """Support vector machine on 24 features of a pair.

    cost    C of the support vector machine
    gamma   width of its kernel
    most    the largest number of training pairs, drawn by `seed` if there are more: the time to
            train grows with their square, the time to judge with their number
    """

    kind = "glad"
    learned = ("mean", "scale", "vectors", "weights", "intercept", "ceiling")
    mean_: Floats
    scale_: Floats
    vectors_: Floats
    weights_: Floats
    intercept_: Floats
    ceiling_: Floats

    def __init__(
        self, *, cost: float = 1.0, gamma: float = 1 / len(NAMES), most: int = 20_000, seed: int = 0
    ) -> None:
        self.cost = cost
        self.gamma = gamma
        self.most = most
        self.seed = seed

    def _fit(self, train: Sequence[Pair], dev: Sequence[Pair]) -> None:  # noqa: ARG002
        from sklearn.svm import SVC

        train = limit_pairs(train, self.most, self.seed)
        measured = self._measure_pairs(train)
        same = labels_of(train, measured.comparable)
        features = measured.features[measured.comparable]
        scale = features.std(axis=0)
        self.mean_, self.scale_ = features.mean(axis=0), np.where(scale > 1e-9, scale, 1.0)
        machine = SVC(C=self.cost, gamma=self.gamma)
        machine.fit((features - self.mean_) / self.scale_, same)
        self.vectors_ = np.ascontiguousarray(machine.support_vectors_)
        self.weights_ = np.ascontiguousarray(machine.dual_coef_[0])
        self.intercept_ = np.array(machine.intercept_)
        self.ceiling_ = np.array([self._decision(features).max()])

    def _measure(self, texts: Texts, rows: TextPairs) -> Floats:
        return compare_texts(describe(texts), rows.left, rows.right)

    def _judge(self, measured: Measured) -> Floats:
        decision = np.minimum(self._decision(measured.features), self.ceiling_[0])
        similarity: Floats = np.where(measured.identical, self.ceiling_[0], decision)
        return similarity

    def _decision(self, features: Floats) -> Floats:
        """sum_i weight_i exp(-gamma |x - vector_i|^2) + intercept."""
        inputs = (features - self.mean_) / self.scale_
        squares = (self.vectors_**2).sum(axis=1)
        values = np.full(len(inputs), self.intercept_[0])
        for start in range(0, len(inputs), _BLOCK):
            x = inputs[start : start + _BLOCK]
            apart = (x**2).sum(axis=1)[:, None] + squares - 2 * x @ self.vectors_.T
            kernel = np.exp(-self.gamma * np.maximum(apart, 0))
            values[start : start + _BLOCK] += kernel @ self.weights_
        return values


class Profile(NamedTuple):
    """The most frequent n-grams of a text and their shares in all its n-grams."""

    grams: list[str]
    shares: Floats


@dataclass(frozen=True, slots=True)
class Described:
    """Features of texts, a row or an element for each text.

    profiles            for each n, sparse (texts, n-grams): shares of the most frequent n-grams
    marks, endings      counts of punctuation marks, and of lines that end in each mark
    layout              sentences per line, tokens per line, share of blank lines
    upper, blocks       share of capitals among letters, blocks of lines per line
    tokens, characters  sparse counts
    """

    bytes_: list[bytes]
    profiles: list[Any]
    marks: Floats
    endings: Floats
    layout: Floats
    upper: Floats
    blocks: Floats
    sentence_length: Floats
    tokens: Any
    characters: Any


def profiles(text: str) -> list[Profile]:
    """The 100 most frequent n-grams of a text for n = 1 to 5, ties in alphabetical order, with
    their shares in all its n-grams."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    _, letters = np.unique(codes, return_inverse=True)
    letters = letters.astype(np.int64)
    size = int(letters.max(initial=0)) + 1
    numbers = np.zeros(len(letters) + 1, np.int64)
    made: list[Profile] = []
    for n in range(1, _LONGEST + 1):
        keys = numbers[:-1] * size + letters[n - 1 :]
        if not len(keys):
            made.append(Profile([], np.zeros(0)))
            numbers = np.zeros(1, np.int64)
            continue
        _, first, numbers, counts = np.unique(
            keys, return_index=True, return_inverse=True, return_counts=True
        )
        best = np.argsort(-counts, kind="stable")[:_MOST]
        grams = [text[i : i + n] for i in first[best].tolist()]
        made.append(Profile(grams, counts[best] / len(keys)))
    return made


def _profile_matrices(texts: Sequence[str]) -> list[Any]:
    """Sparse (texts, n-grams) shares for each n."""
    from scipy import sparse

    numbers: list[dict[str, int]] = [{} for _ in range(_LONGEST)]
    columns: list[list[Integers]] = [[np.zeros(0, np.int64)] for _ in range(_LONGEST)]
    shares: list[list[Floats]] = [[np.zeros(0)] for _ in range(_LONGEST)]
    for text in texts:
        for i, profile in enumerate(profiles(text)):
            known = numbers[i]
            column = [known.setdefault(gram, len(known)) for gram in profile.grams]
            columns[i].append(np.array(column, dtype=np.int64))
            shares[i].append(profile.shares)
    return [
        sparse.csr_array(
            (np.concatenate(s), np.concatenate(c), offsets([len(row) for row in s[1:]])),
            shape=(len(texts), len(known)),
        )
        for s, c, known in zip(shares, columns, numbers, strict=True)
    ]


def describe(texts: Texts) -> Described:
    """Features of each distinct text."""
    from scipy import sparse

    read = [" ".join(text.split()) for text in texts.texts]
    sentences = np.diff(texts.tokens.documents)
    layouts = np.array([_layout(text) for text in texts.texts])
    lines, blank, blocks = layouts[:, :3].T
    n_tokens, rows = texts.tokens.n_tokens, np.arange(len(read))
    letters = np.array([max(sum(map(str.isalpha, text)), 1) for text in read])
    all_text = np.frombuffer("".join(read).encode("utf-32-le", "surrogatepass"), np.uint32)
    tokens = (np.repeat(rows, n_tokens), texts.tokens.tokens)
    characters = (np.repeat(rows, [len(text) for text in read]), all_text)
    shape = len(read), len(texts.tokens.types)
    return Described(
        bytes_=[text.encode("utf-8", "surrogatepass") for text in read],
        profiles=_profile_matrices(read),
        marks=np.array([[text.count(mark) for mark in _PUNCTUATION] for text in read], float),
        endings=layouts[:, 3:].astype(float),
        layout=np.stack([sentences / lines, n_tokens / lines, blank / (lines + blank)], axis=1),
        upper=np.array([sum(map(str.isupper, text)) for text in read]) / letters,
        blocks=blocks / lines,
        sentence_length=n_tokens / np.maximum(sentences, 1),
        tokens=sparse.csr_array((np.ones(len(tokens[0])), tokens), shape=shape),
        characters=sparse.csr_array(
            (np.ones(len(all_text)), characters), shape=(len(read), 0x110000)
        ),
    )


def _layout(text: str) -> list[int]:
    """Number of lines with text (at least 1), of blank lines, of blocks between blank lines, and
    of lines that end in each mark."""
    lines = [line.strip() for line in text.splitlines()]
    filled = [line for line in lines if line]
    starts = zip(["", *lines], lines, strict=False)
    blocks = sum(bool(line) and not before for before, line in starts)
    last = "".join(line[-1] for line in filled)
    counts = [max(len(filled), 1), len(lines) - len(filled), blocks]
    return [*counts, *(last.count(mark) for mark in _LINE_ENDINGS)]


def compare_texts(texts: Described, left: Integers, right: Integers) -> Floats:
    """The 24 features of each two texts, (rows, 24) in the order of NAMES."""
    by_ngrams = [_compare_profiles(rows, left, right) for rows in reversed(texts.profiles)]
    entropy = _entropy(texts.characters)
    length = texts.sentence_length
    columns = [
        *(dissimilarity for dissimilarity, _ in by_ngrams),
        *(overlap for _, overlap in by_ngrams),
        *(cosine(m[left], m[right]) for m in (texts.marks, texts.endings, texts.layout)),
        *(np.abs(m[left] - m[right]) for m in (texts.upper, texts.blocks)),
        cosine(texts.tokens[left], texts.tokens[right]),
        np.abs(length[left] - length[right]),
        _entropy(texts.characters[left] + texts.characters[right]),
        np.abs(entropy[left] - entropy[right]),
        _compression(texts.bytes_, left, right),
        *(pick(m[left], m[right]) for m in (entropy, length) for pick in (np.minimum, np.maximum)),
    ]
    return np.stack(columns, axis=1)


def _compare_profiles(profiles: Any, left: Integers, right: Integers) -> tuple[Floats, Floats]:
    """Dissimilarity sum (2 (f - g) / (f + g))^2 over the union of two profiles, and the size of
    their intersection. The former is 4 |union| - 16 sum f g / (f + g)^2 over the intersection."""
    f, g = profiles[left], profiles[right]
    ratio = _sorted(f.multiply(g).tocsr())
    common = ratio.copy()
    common.data[:] = 1
    ratio.data /= _sorted((f + g).multiply(common).tocsr()).data ** 2
    sizes, overlap = np.diff(profiles.indptr), _sum(common)
    return 4 * (sizes[left] + sizes[right] - overlap) - 16 * _sum(ratio), overlap


def _sorted(matrix: Any) -> Any:
    matrix.sort_indices()
    return matrix


def cosine(left: Any, right: Any) -> Floats:
    """Cosine of each two rows, dense or sparse; 1 if both are empty, 0 if one is."""
    dot = _sum(left * right)
    squares = _sum(left * left) * _sum(right * right)
    neither = (_sum(left) == 0) & (_sum(right) == 0)
    return np.where(neither, 1.0, dot / np.sqrt(np.where(squares > 0, squares, 1.0)))


def _sum(rows: Any) -> Floats:
    return np.asarray(rows.sum(axis=1), dtype=np.float64).ravel()


def _entropy(counts: Any) -> Floats:
    """Bits per character, log2 N - sum c log2 c / N; 0 for an empty text."""
    total = np.maximum(_sum(counts), 1)
    logarithms = counts.copy()
    logarithms.data = counts.data * np.log2(counts.data)
    return np.log2(total) - _sum(logarithms) / total


def _compression(texts: Sequence[bytes], left: Integers, right: Integers) -> Floats:
    """(C(x) + C(y)) / C(xy), the compressed lengths; C(xy) is the mean of both orders."""
    alone = np.array([len(zlib.compress(text)) for text in texts])
    both = [
        len(zlib.compress(texts[x] + texts[y])) + len(zlib.compress(texts[y] + texts[x]))
        for x, y in zip(left.tolist(), right.tolist(), strict=True)
    ]
    ratio: Floats = 2 * (alone[left] + alone[right]) / np.array(both, dtype=np.float64)
    return ratio
