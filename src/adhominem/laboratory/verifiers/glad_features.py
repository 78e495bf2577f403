"""The 24 features of two texts that GLAD compares them by."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from adhominem.instrument.text.tokenised import offsets
from adhominem.laboratory.verifiers.stylometric import Floats, Integers, Texts

LONGEST, MOST = 5, 100  # character n-grams: up to five, the hundred most frequent
PUNCTUATION = ".,;:!?-("
LINE_ENDINGS = ".,;:!?-"
NAMES = (
    *(f"{n}-gram dissimilarity" for n in range(LONGEST, 0, -1)),
    *(f"{n}-gram overlap" for n in range(LONGEST, 0, -1)),
    *("punctuation", "line endings", "line length", "letter case", "text blocks"),
    *("tokens", "sentence length difference"),
    *("joint entropy", "entropy difference", "compression"),
    *("least entropy", "greatest entropy", "least sentence length", "greatest sentence length"),
)


@dataclass(frozen=True, slots=True)
class Profile:
    """The most frequent n-grams of a text and their shares in all its n-grams."""

    grams: list[str]
    shares: Floats


@dataclass(frozen=True, slots=True)
class Described:
    """The distinct texts, a row or an element for each.

    profiles   for each n from 1, sparse: shares of the most frequent n-grams
    marks, endings, layout, upper, blocks, sentence_length   see `_layout` and `describe`
    tokens, characters   sparse counts
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
    """For n = 1 to 5 the 100 most frequent n-grams, ties in alphabetical order, with their share
    in all n-grams of the text. Each n numbers its grams in order for the next to build on."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    _, letters = np.unique(codes, return_inverse=True)
    letters = letters.astype(np.int64)
    size = int(letters.max(initial=0)) + 1
    numbers = np.zeros(len(letters) + 1, np.int64)
    found: list[Profile] = []
    for n in range(1, LONGEST + 1):
        keys = numbers[:-1] * size + letters[n - 1 :]
        if not len(keys):
            found.append(Profile([], np.zeros(0)))
            numbers = np.zeros(1, np.int64)
            continue
        _, first, numbers, counts = np.unique(
            keys, return_index=True, return_inverse=True, return_counts=True
        )
        best = np.argsort(-counts, kind="stable")[:MOST]
        grams = [text[i : i + n] for i in first[best].tolist()]
        found.append(Profile(grams, counts[best] / len(keys)))
    return found


def _profile_matrices(texts: Sequence[str]) -> list[Any]:
    """For each n, sparse (texts, n-grams). Grams are numbered as they come: as strings those of
    many texts would not fit."""
    from scipy import sparse

    numbers: list[dict[str, int]] = [{} for _ in range(LONGEST)]
    columns: list[list[Integers]] = [[np.zeros(0, np.int64)] for _ in range(LONGEST)]
    shares: list[list[Floats]] = [[np.zeros(0)] for _ in range(LONGEST)]
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
    from scipy import sparse

    read = [" ".join(text.split()) for text in texts.texts]
    sentences = np.diff(texts.tokens.documents)
    layouts = [_layout(text) for text in texts.texts]
    n_tokens, rows = texts.tokens.n_tokens, np.arange(len(read))
    lines = np.array([layout.lines for layout in layouts])
    blank = np.array([layout.blank for layout in layouts])
    letters = np.array([max(sum(map(str.isalpha, text)), 1) for text in read])
    all_text = np.frombuffer("".join(read).encode("utf-32-le", "surrogatepass"), np.uint32)
    tokens = (np.repeat(rows, n_tokens), texts.tokens.tokens)
    characters = (np.repeat(rows, [len(text) for text in read]), all_text)
    shape = len(read), len(texts.tokens.types)
    return Described(
        bytes_=[text.encode("utf-8", "surrogatepass") for text in read],
        profiles=_profile_matrices(read),
        marks=np.array([[text.count(mark) for mark in PUNCTUATION] for text in read], float),
        endings=np.array([layout.endings for layout in layouts], float),
        layout=np.stack([sentences / lines, n_tokens / lines, blank / (lines + blank)], axis=1),
        upper=np.array([sum(map(str.isupper, text)) for text in read]) / letters,
        blocks=np.array([layout.blocks for layout in layouts]) / lines,
        sentence_length=n_tokens / np.maximum(sentences, 1),
        tokens=sparse.csr_array((np.ones(len(tokens[0])), tokens), shape=shape),
        characters=sparse.csr_array(
            (np.ones(len(all_text)), characters), shape=(len(read), 0x110000)
        ),
    )


@dataclass(frozen=True, slots=True)
class _Layout:
    """Lines with something in them (at least 1), blank ones, runs of the former between the
    latter, and how many lines end in each mark."""

    lines: int
    blank: int
    blocks: int
    endings: list[int]


def _layout(text: str) -> _Layout:
    lines = [line.strip() for line in text.splitlines()]
    filled = [line for line in lines if line]
    starts = sum(
        bool(line) and not before for before, line in zip(["", *lines], lines, strict=False)
    )
    last = "".join(line[-1] for line in filled)
    return _Layout(
        max(len(filled), 1), len(lines) - len(filled), starts, [last.count(m) for m in LINE_ENDINGS]
    )


def compare(texts: Described, left: Integers, right: Integers) -> Floats:
    """(rows, 24), in the order of NAMES."""
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
    """sum (2 (f - g) / (f + g))^2 over the union of two profiles, f being 0 outside its own, and
    the size of the intersection. The former is 4 |union| - 16 sum f g / (f + g)^2, where the sum
    is over the intersection alone."""
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
    """Of each row, dense or sparse; 1 where both have nothing, 0 where one has."""
    dot = _sum(left * right)
    squares = _sum(left * left) * _sum(right * right)
    neither = (_sum(left) == 0) & (_sum(right) == 0)
    return np.where(neither, 1.0, dot / np.sqrt(np.where(squares > 0, squares, 1.0)))


def _sum(rows: Any) -> Floats:
    return np.asarray(rows.sum(axis=1), dtype=np.float64).ravel()


def _entropy(counts: Any) -> Floats:
    """Bits per character, log2 N - sum c log2 c / N; 0 for no text."""
    total = np.maximum(_sum(counts), 1)
    logarithms = counts.copy()
    logarithms.data = counts.data * np.log2(counts.data)
    return np.log2(total) - _sum(logarithms) / total


def _compression(texts: Sequence[bytes], left: Integers, right: Integers) -> Floats:
    """(C(x) + C(y)) / C(xy), where C(xy) is the mean of both orders."""
    alone = np.array([len(zlib.compress(text)) for text in texts])
    both = [
        len(zlib.compress(texts[x] + texts[y])) + len(zlib.compress(texts[y] + texts[x]))
        for x, y in zip(left.tolist(), right.tolist(), strict=True)
    ]
    ratio: Floats = 2 * (alone[left] + alone[right]) / np.array(both, dtype=np.float64)
    return ratio
