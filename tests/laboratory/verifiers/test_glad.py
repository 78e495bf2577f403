"""GLAD's 24 features against plain loops, and its machine against scikit-learn's."""

import zlib
from collections import Counter
from collections.abc import Sequence
from math import log2, sqrt

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem.instrument.text.tokenise import tokenise
from adhominem.laboratory.verifiers import Texts
from adhominem.laboratory.verifiers.glad import NAMES, Glad, profiles
from adhominem.records import Pair

LETTER = "Dear all,\n\nthe room was SMALL; we left -\nnever again!\n\n\nYours:\nAnn (and Bob)."
NOTE = "We liked it. The staff was nice, the food too.\n\nWould we stay again? Yes!"
PLAIN = "the hotel was good and the room was good and we will stay at the hotel"


def measure(pairs: Sequence[Pair]) -> npt.NDArray[np.float64]:
    return Glad()._measure_sides(Texts(pairs))[0]


def slow_profile(text: str, n: int) -> dict[str, float]:
    counts = Counter(text[i : i + n] for i in range(len(text) - n + 1))
    best = sorted(counts, key=lambda gram: (-counts[gram], gram))[:100]
    return {gram: counts[gram] / counts.total() for gram in best}


def slow_cosine(a: dict[str, float], b: dict[str, float]) -> float:
    if not any(a.values()) and not any(b.values()):
        return 1.0
    norms = sqrt(sum(v * v for v in a.values())) * sqrt(sum(v * v for v in b.values()))
    return sum(v * b.get(k, 0) for k, v in a.items()) / norms if norms else 0.0


def slow_entropy(text: str) -> float:
    return -sum(c / len(text) * log2(c / len(text)) for c in Counter(text).values())


def slow_single(raw: str) -> dict[str, float]:
    read, tokens = " ".join(raw.split()), tokenise([raw])
    n_tokens, n_sentences = len(tokens.tokens), len(tokens.sentences) - 1
    lines = [line for line in raw.split("\n") if line.strip()]
    blocks = [block for block in raw.split("\n\n") if block.strip()]
    return {
        "length": n_tokens / n_sentences,
        "entropy": slow_entropy(read),
        "upper": sum(c.isupper() for c in read) / sum(c.isalpha() for c in read),
        "blocks": len(blocks) / len(lines),
        "per line": n_sentences / len(lines),
        "words": n_tokens / len(lines),
        "blank": raw.split("\n").count("") / len(raw.split("\n")),
    }


def slow_features(x_raw: str, y_raw: str) -> list[float]:
    x, y = " ".join(x_raw.split()), " ".join(y_raw.split())
    dissimilarity, overlap = [], []
    for n in (5, 4, 3, 2, 1):
        f, g = slow_profile(x, n), slow_profile(y, n)
        union = f.keys() | g.keys()
        terms = [(f.get(k, 0), g.get(k, 0)) for k in union]
        dissimilarity.append(sum((2 * (a - b) / (a + b)) ** 2 for a, b in terms))
        overlap.append(float(len(f.keys() & g.keys())))
    a, b = slow_single(x_raw), slow_single(y_raw)
    x_end = Counter(line.strip()[-1] for line in x_raw.split("\n") if line.strip())
    y_end = Counter(line.strip()[-1] for line in y_raw.split("\n") if line.strip())
    layout = ("per line", "words", "blank")
    size = [len(zlib.compress(t.encode())) for t in (x, y, x + y, y + x)]
    return [
        *dissimilarity,
        *overlap,
        slow_cosine({m: x.count(m) for m in ".,;:!?-("}, {m: y.count(m) for m in ".,;:!?-("}),
        slow_cosine({m: x_end[m] for m in ".,;:!?-"}, {m: y_end[m] for m in ".,;:!?-"}),
        slow_cosine({k: a[k] for k in layout}, {k: b[k] for k in layout}),
        abs(a["upper"] - b["upper"]),
        abs(a["blocks"] - b["blocks"]),
        slow_cosine(Counter(tokenise([x]).words()), Counter(tokenise([y]).words())),
        abs(a["length"] - b["length"]),
        slow_entropy(x + y),
        abs(a["entropy"] - b["entropy"]),
        (size[0] + size[1]) / ((size[2] + size[3]) / 2),
        *sorted((a["entropy"], b["entropy"])),
        *sorted((a["length"], b["length"])),
    ]


@pytest.mark.parametrize(("x", "y"), [(LETTER, NOTE), (NOTE, PLAIN), (PLAIN, PLAIN + " again")])
def test_features_equal_plain_loops(x: str, y: str) -> None:
    found = measure([Pair.of_texts(PLAIN, LETTER), Pair.of_texts(x, y)])[1]
    assert len(NAMES) == 24
    for name, value, expected in zip(NAMES, found, slow_features(x, y), strict=True):
        assert value == pytest.approx(expected, abs=1e-9), name


def test_features_of_real_texts(samples: tuple[str, str]) -> None:
    found = measure([Pair.of_texts(*samples)])[0]
    blank = NAMES.index("line length")
    keep = [i for i in range(24) if i not in (blank, NAMES.index("text blocks"))]
    expected = np.array(slow_features(*samples))
    np.testing.assert_allclose(found[keep], expected[keep], rtol=1e-9, atol=1e-9)


@settings(max_examples=60)
@given(st.text("abc é", max_size=80) | st.text(max_size=40))
def test_profiles_equal_counted_slices(text: str) -> None:
    text = " ".join(text.split())
    for n, profile in enumerate(profiles(text), start=1):
        slow = slow_profile(text, n)
        assert list(profile) == list(slow)
        np.testing.assert_allclose(list(profile.values()), list(slow.values()))


def test_blank_lines_are_counted() -> None:
    pairs = [Pair.of_texts("one two three.\n\n\n\nfour", t) for t in ("a b.\nc", "a b.\n\n\n\nc")]
    column = measure(pairs)[:, NAMES.index("line length")]
    assert column[0] != column[1]


def test_several_texts_are_the_mean_over_pairs_of_texts() -> None:
    one, other = "the room was good . " * 2, "we never stay ! " * 5  # ten and twenty tokens
    pairs = [Pair.of_texts(t, NOTE) for t in ([one, other], one, other)]
    mixed, first, second = measure(pairs)
    np.testing.assert_allclose(mixed, first / 3 + 2 * second / 3)


def test_decision_equals_that_of_scikit_learn(
    train_pairs: list[Pair], dev_pairs: list[Pair]
) -> None:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    verifier = Glad().fit(train_pairs, dev_pairs)
    train = measure(train_pairs)
    dev = measure(dev_pairs)
    witness = make_pipeline(StandardScaler(), SVC(C=1.0, gamma=1 / 24))
    witness.fit(train, [bool(pair.same_author) for pair in train_pairs])
    ceiling = witness.decision_function(train).max()
    np.testing.assert_allclose(verifier._decision(dev), witness.decision_function(dev), atol=1e-8)
    found = verifier.compare(dev_pairs).similarity
    expected = np.minimum(witness.decision_function(dev), ceiling)
    np.testing.assert_allclose(found, expected, atol=1e-8)
    own = verifier.compare([Pair(pair.left, pair.left) for pair in dev_pairs]).similarity
    np.testing.assert_allclose(own, ceiling, atol=1e-8)


def test_training_pairs_are_drawn_by_seed(train_pairs: list[Pair], dev_pairs: list[Pair]) -> None:
    one, again, other = (
        Glad(most=40, seed=seed).fit(train_pairs, dev_pairs).score(dev_pairs) for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(one, again)
    assert not np.array_equal(one, other)
