"""GLAD: a support vector machine on 24 features of a pair.

Huerlimann, Weck, van den Berg, Suster & Nissim (2015), "GLAD: Groningen Lightweight Authorship
Detection", PAN 2015. Joint features of two texts (dissimilarity and overlap of frequent character
n-grams, punctuation, layout, tokens, entropy, compression) and features of each text (entropy,
sentence length), standardised, enter a support vector machine with the kernel
exp(-gamma |x - z|^2), C = 1 and gamma = 1/24. Its decision value is the similarity.

Ours: the punctuation marks and the ratios of lines, which the paper does not specify; an n-gram
outside the hundred most frequent of a text counts as absent from it; the features of each text
enter as minimum and maximum, and the compressed length of the joint text is the mean of both
orders, so that left and right can be swapped; the cosine of two empty vectors is 1. A kernel
machine does not ensure that a text is most similar to itself: decision values are limited to the
largest of the training pairs, which identical sides get. A copy with a few words changed is far
from all training pairs, where the kernel vanishes and the value falls to the intercept: GLAD does
not detect copies.

Errors of the public code are not repeated: there the n-gram overlap is that of single characters
for every n, blank lines are never counted, and test pairs are standardised by themselves.
"""

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC

from adhominem.arrays import Booleans, Floats, Integers
from adhominem.laboratory import verifiers as base
from adhominem.laboratory.verifiers import counts
from adhominem.records import Pair

_BLOCK = 1000  # rows of the kernel at a time
_CACHE = 2000  # megabytes of the kernel to keep in memory in training
_LONGEST, _MOST = 5, 100  # largest n of character n-grams, and number of n-grams for each n
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


@dataclass(kw_only=True, eq=False)
class Glad(base.TextPairVerifier):
    """Support vector machine on 24 features of a pair.

    cost    C of the support vector machine
    gamma   inverse width of its kernel
    most    maximum number of training pairs, drawn by `seed` if there are more: the time to train
            is quadratic in it, the time to predict linear
    """

    kind = "glad"
    cost: float = 1.0
    gamma: float = 1 / len(NAMES)
    most: int = 20_000
    seed: int = 0
    mean_: Floats = field(init=False)
    scale_: Floats = field(init=False)
    vectors_: Floats = field(init=False)
    weights_: Floats = field(init=False)
    intercept_: Floats = field(init=False)
    ceiling_: Floats = field(init=False)

    def _fit(self, train: Sequence[Pair]) -> None:
        train = base.limit_pairs(train, self.most, self.seed)
        texts = base.Texts(train)
        same = base.labels_of(train, texts.comparable)
        features = self._measure_sides(texts)[0][texts.comparable]
        scale = features.std(axis=0)
        self.mean_, self.scale_ = features.mean(axis=0), np.where(scale > 1e-9, scale, 1.0)
        machine = SVC(C=self.cost, gamma=self.gamma, cache_size=_CACHE)
        machine.fit((features - self.mean_) / self.scale_, same)
        self.vectors_ = np.ascontiguousarray(machine.support_vectors_)
        self.weights_ = np.ascontiguousarray(machine.dual_coef_[0])
        self.intercept_ = np.array(machine.intercept_)
        self.ceiling_ = np.array([self._decision(features).max()])

    def _measure(self, texts: base.Texts, left: Integers, right: Integers) -> Floats:
        """Features (rows, 24), in the order of NAMES."""
        read = [" ".join(text.split()) for text in texts.texts]
        by_ngrams = [
            _compare_profiles(DictVectorizer(sort=False).fit_transform(rows), left, right)
            for rows in zip(*map(profiles, read), strict=True)
        ][::-1]
        layouts = np.array([_layout(text) for text in texts.texts])
        (lines, blank, blocks), endings = layouts[:, :3].T, layouts[:, 3:].astype(float)
        marks = np.array([[text.count(mark) for mark in _PUNCTUATION] for text in read], float)
        n_tokens, sentences = texts.tokens.n_tokens, np.diff(texts.tokens.documents)
        layout = np.stack([sentences / lines, n_tokens / lines, blank / (lines + blank)], axis=1)
        letters = np.array([max(sum(map(str.isalpha, text)), 1) for text in read])
        upper = np.array([sum(map(str.isupper, text)) for text in read]) / letters
        length = n_tokens / np.maximum(sentences, 1)
        shape = (len(read), len(texts.tokens.types))
        tokens = counts.count_cells(counts.documents_of(texts.tokens), texts.tokens.tokens, shape)
        _, codes, rows = counts.read_characters(read)
        characters = counts.count_cells(rows, codes, (len(read), 0x110000))
        entropy = _entropy(characters)
        encoded = [text.encode("utf-8", "surrogatepass") for text in read]
        alone = np.array([len(zlib.compress(text)) for text in encoded])
        couples = np.stack([left, right], axis=1).tolist()
        joint = [len(zlib.compress(encoded[x] + encoded[y])) for x, y in couples]
        swapped = [len(zlib.compress(encoded[y] + encoded[x])) for x, y in couples]
        columns = [
            *(dissimilarity for dissimilarity, _ in by_ngrams),
            *(overlap for _, overlap in by_ngrams),
            *(cosine(m[left], m[right]) for m in (marks, endings, layout)),
            *(np.abs(m[left] - m[right]) for m in (upper, blocks / lines)),
            cosine(tokens[left], tokens[right]),
            np.abs(length[left] - length[right]),
            _entropy(characters[left] + characters[right]),
            np.abs(entropy[left] - entropy[right]),
            2 * (alone[left] + alone[right]) / np.add(joint, swapped),
            *(f(m[left], m[right]) for m in (entropy, length) for f in (np.minimum, np.maximum)),
        ]
        return np.stack(columns, axis=1)

    def _judge(self, features: Floats, identical: Booleans) -> Floats:
        decision = np.minimum(self._decision(features), self.ceiling_[0])
        return np.asarray(np.where(identical, self.ceiling_[0], decision))

    def _decision(self, features: Floats) -> Floats:
        """sum_i weight_i exp(-gamma |x - vector_i|^2) + intercept."""
        inputs = (features - self.mean_) / self.scale_
        values = np.full(len(inputs), self.intercept_[0])
        for start in range(0, len(inputs), _BLOCK):
            rows = slice(start, start + _BLOCK)
            values[rows] += rbf_kernel(inputs[rows], self.vectors_, self.gamma) @ self.weights_
        return values


def profiles(text: str) -> Iterator[dict[str, float]]:
    """Shares of the 100 most frequent n-grams of a text, for n = 1 to 5, ties alphabetically."""
    text, codes, _ = counts.read_characters([text])
    letters = np.unique(codes, return_inverse=True)[1]
    size = int(letters.max(initial=0)) + 1
    numbers = np.zeros(len(letters) + 1, np.int64)  # of the n-gram at each position
    for n in range(1, _LONGEST + 1):
        keys = numbers[:-1] * size + letters[n - 1 :]
        _, first, numbers, times = np.unique(
            keys, return_index=True, return_inverse=True, return_counts=True
        )
        best = np.argsort(-times, kind="stable")[:_MOST]
        ngrams = [text[i : i + n] for i in first[best].tolist()]
        yield dict(zip(ngrams, (times[best] / len(keys)).tolist(), strict=True))


def _layout(text: str) -> list[int]:
    """Numbers of non-blank lines (at least 1), blank lines, blocks, and line ends in each mark."""
    lines = [line.strip() for line in text.splitlines()]
    filled = [line for line in lines if line]
    starts = zip(["", *lines], lines, strict=False)
    blocks = sum(bool(line) and not before for before, line in starts)
    ends = [line[-1] for line in filled]
    counts = [max(len(filled), 1), len(lines) - len(filled), blocks]
    return [*counts, *map(ends.count, _LINE_ENDINGS)]


def _compare_profiles(profiles: Any, left: Integers, right: Integers) -> tuple[Floats, Floats]:
    """Dissimilarity of two profiles, and the size of their intersection. The dissimilarity, the sum
    of (2 (f - g) / (f + g))^2 over the union, is 4 |union| - 16 sum f g / (f + g)^2."""
    f, g = profiles[left], profiles[right]
    ratio = f.multiply(g).tocsr()
    ratio.sort_indices()
    common = ratio.copy()
    common.data[:] = 1
    total = (f + g).multiply(common).tocsr()
    total.sort_indices()
    ratio.data /= total.data**2
    sizes, overlap = profiles.getnnz(axis=1), _sum(common)
    return 4 * (sizes[left] + sizes[right] - overlap) - 16 * _sum(ratio), overlap


def cosine(left: Any, right: Any) -> Floats:
    """Row-wise cosine of dense or sparse arrays; 1 if both rows are zero, 0 if one is."""
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
