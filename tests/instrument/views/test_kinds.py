"""Statistics of kinds of text, against slow loops over a small table."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from adhominem.errors import ModelError
from adhominem.instrument.evidence.calibration import Covariates
from adhominem.instrument.evidence.fusion import Fusion
from adhominem.instrument.evidence.sides import Sides
from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.views.kinds import (
    NETWORK_TERMS,
    PARTS,
    REFERENCE,
    Counts,
    Kinds,
)
from adhominem.instrument.views.ngrams import CharacterNgrams, MaskedTokens, character_pairs
from adhominem.instrument.views.similarity import similarities
from adhominem.instrument.views.statistics import Sums
from adhominem.instrument.views.views import STATED, UNSTATED, Views
from adhominem.records import Reading

CHARACTERS, MASKED, TWOS = ("the ", " cat", "cats"), ("the NOUN", "the"), ("th", "at")
TEXTS = ["the cat and the cat", "cats cats cats", "", "A dog met the cat. The dog ran away."]


@pytest.fixture(scope="module")
def kinds() -> Kinds:
    rng = np.random.default_rng(1)
    return Kinds(
        (CharacterNgrams(CHARACTERS), MaskedTokens(("the",), MASKED), character_pairs(TWOS)),
        names=("mail", "blogs"),
        labels=("letters", "blogs"),
        centre=rng.normal(size=(2, 3)).astype(np.float32),
        mean=rng.uniform(0.1, 0.5, (2, 7)).astype(np.float32),
        deviation=rng.uniform(0.1, 0.3, (2, 7)).astype(np.float32),
        weight=rng.uniform(0.5, 2, 7).astype(np.float32),
        limits=(1.4, 1.6),
        detectable=("mail",),
    )


def test_the_last_parts_have_the_names_of_the_views(kinds: Kinds) -> None:
    assert PARTS[NETWORK_TERMS:] == tuple(view.name for view in kinds.views)
    assert len(PARTS) == similarities(np.zeros(13), np.zeros(13), 3, kinds.edges).shape[-1]


def of(kinds: Kinds, *texts: str) -> list[Counts]:
    return [Counts.of(halves) for halves in kinds.count(texts, tokenise(texts))]


def test_counts_are_those_of_a_slow_loop(kinds: Kinds) -> None:
    for text, counts in zip(TEXTS, of(kinds, *TEXTS), strict=True):
        found = dict(zip(counts.features.tolist(), counts.numbers.tolist(), strict=True))
        fours = [text[i : i + 4] for i in range(len(text) - 3)]
        words = ["the" if w.lower() == "the" else w for w in tokenise([text]).words()]
        expected = {i: fours.count(f) for i, f in enumerate(CHARACTERS)}
        expected[3] = sum(a == "the" and b in ("cat", "dog") for a, b in pairwise(words))
        expected[4] = words.count("the")
        twos = [text[i : i + 2] for i in range(len(text) - 1)]
        expected |= {i: twos.count(f) for i, f in enumerate(TWOS, 5)}
        assert found == {place: n for place, n in expected.items() if n}
        n = len(words)
        sequences = n + max(n - 1, 0) + max(n - 2, 0)
        assert counts.totals.tolist() == [len(fours), sequences, len(twos)]


def test_frequencies_are_roots_of_shares_of_each_view(kinds: Kinds) -> None:
    counts = Counts(np.array([0, 3, 6]), np.array([4.0, 9.0, 4.0]), np.array([16.0, 100.0, 25.0]))
    assert kinds.frequencies(counts) == pytest.approx([0.5, 0, 0, 0.3, 0, 0, 0.4])
    nothing = Counts(np.array([4]), np.array([0.0]), np.zeros(3))
    assert kinds.frequencies(nothing).tolist() == [0] * 7


def test_surprise_is_the_mean_of_the_bits(kinds: Kinds) -> None:
    """A sequence is expected as often as its mean square root says, and that varies."""
    counts = Counts(np.array([0, 2, 3]), np.array([3.0, 1.0, 50.0]), np.array([10.0, 60.0, 9.0]))
    for kind in range(2):
        expected = [
            float(kinds.mean[kind, f]) ** 2 + float(kinds.deviation[kind, f]) ** 2 for f in range(3)
        ]
        bits = [-math.log2(each / sum(expected)) for each in expected]
        surprise = kinds.surprise(counts)[kind]
        assert surprise == pytest.approx((3 * bits[0] + bits[2]) / 4, rel=1e-6)
    masked = Counts(np.array([3]), np.array([5.0]), np.array([10.0, 10.0, 10.0]))
    assert kinds.surprise(masked).tolist() == [0, 0]


def test_a_sequence_that_a_kind_never_has_is_rare_but_not_impossible(kinds: Kinds) -> None:
    mean, deviation = kinds.mean.copy(), kinds.deviation.copy()
    mean[:, :3], deviation[:, :3] = [0.0, 0.6, 0.8], 0.0
    counts = Counts(np.array([0]), np.array([1.0]), np.array([1.0, 1.0, 1.0]))
    rare = replace(kinds, mean=mean, deviation=deviation).surprise(counts)
    assert rare == pytest.approx([math.log2(1e7)] * 2, rel=1e-5)


@pytest.mark.parametrize(
    ("surprise", "stated", "expected"),
    [
        ((1.0, 2.0), None, ("mail", False)),
        ((1.4, 1.7), None, ("mail", False)),  # at the limit of one kind
        ((1.5, 1.6), None, ("mail", False)),  # at the limit of the other
        ((1.5, 1.61), None, ("mail", True)),
        ((1.7, 1.61), None, ("blogs", True)),
        ((1.0, 1.61), "blogs", ("mail", True)),
        ((1.0, 1.6), "blogs", ("mail", False)),
        ((1.5, 1.0), "mail", ("blogs", True)),
        ((1.5, 1.7), "letters", ("mail", True)),  # not a kind of this model
    ],
)  # fmt: skip
def test_a_side_is_unlike_its_kind_beyond_the_limit(
    kinds: Kinds, surprise: tuple[float, float], stated: str | None, expected: tuple[str, bool]
) -> None:
    assert kinds.recognise(np.array(surprise), stated) == expected


def test_statistics_are_those_of_the_stated_kind(kinds: Kinds) -> None:
    found = kinds.statistics(np.array([0.0, 9.0]), "blogs")
    for name in ("centre", "mean", "deviation"):
        np.testing.assert_array_equal(getattr(found, name), getattr(kinds, name)[1])


@pytest.mark.parametrize("bits", [(3.0, 3.0), (3.0, 3.05), (3.2, 3.0), (0.0, 9.0)])
def test_statistics_of_near_kinds_are_mixed(kinds: Kinds, bits: tuple[float, float]) -> None:
    """A kind with 0.05 bits more counts 1 / e as much; one far away does not count at all."""
    shares = [math.exp(-(own - min(bits)) / 0.05) for own in bits]
    one, other = (share / sum(shares) for share in shares)
    for stated in (None, "letters"):
        found = kinds.statistics(np.array(bits), stated)
        for name in ("centre", "mean", "deviation"):
            table = getattr(kinds, name)
            expected = one * table[0] + other * table[1]
            assert getattr(found, name) == pytest.approx(expected, rel=1e-5, abs=1e-7)
    near = kinds.statistics(np.array([0.0, 9.0]))
    np.testing.assert_array_equal(near.mean, kinds.mean[0])


@pytest.mark.parametrize(
    ("characters", "masked", "is_running"),
    [
        (50, 60, True),
        (25, 60, True), (24, 60, False), (85, 60, True), (86, 60, False),
        (50, 45, True), (50, 44, False), (50, 88, True), (50, 89, False),
    ],
)  # fmt: skip
def test_running_text_has_its_share_of_listed_sequences(
    kinds: Kinds, characters: int, masked: int, is_running: bool
) -> None:
    numbers = np.array([characters - 10.0, 10.0, masked])
    counts = Counts(np.array([0, 2, 3]), numbers, np.array([100.0, 100.0, 100.0]))
    assert kinds.is_running(counts) == is_running


def test_a_side_is_standardised_by_its_kind(kinds: Kinds) -> None:
    features = np.array([0.3, -0.2, 0.5])
    (counts,) = of(kinds, TEXTS[0])
    blogs = kinds.statistics(np.zeros(2), "blogs")
    frequencies, surprise = kinds.frequencies(counts), np.array([3.0, 4.0])
    seen = kinds.side(features, frequencies, surprise, blogs)
    parts = [features - kinds.centre[1]]
    for start, end in ((0, 3), (3, 5), (5, 7)):
        weighted = [
            max(-6.0, min(6.0, (frequencies[f] - kinds.mean[1, f]) / kinds.deviation[1, f]))
            * kinds.weight[f]
            for f in range(start, end)
        ]
        parts.append(np.array(weighted))
    expected = [features, *(part / math.sqrt((part * part).sum()) for part in parts)]
    profile = [-0.05, 0.05]  # tenths of the bits above the mean over kinds
    assert seen == pytest.approx(np.concatenate([*expected, profile]), rel=1e-5)
    assert len(seen) == kinds.side_width
    views = kinds.standardise(frequencies, blogs)
    assert views == pytest.approx(np.concatenate(expected[2:]), rel=1e-5)


def test_z_scores_are_clipped_at_six(kinds: Kinds) -> None:
    far = np.array([9.0, -9.0, float(kinds.mean[0, 2]), *[0.3] * 4])
    found = kinds.statistics(np.zeros(2), "mail").z_scores(far)
    assert found[:3] == pytest.approx([6, -6, 0], abs=1e-6)


def test_a_side_with_the_mean_frequencies_stays_zero(kinds: Kinds) -> None:
    mail = kinds.statistics(np.zeros(2), "mail")
    views = kinds.standardise(kinds.mean[0].astype(float), mail)
    assert np.isfinite(views).all() and not views.any()


def test_reference_texts_become_a_kind_of_their_own(kinds: Kinds) -> None:
    rng = np.random.default_rng(2)
    features, roots = rng.normal(size=(6, 3)), rng.uniform(size=(6, 7))
    sums = Sums.over(features, roots)
    for before in (kinds, kinds.with_reference(Sums.over(features[:3], roots[:3]))):
        found = before.with_reference(sums)  # in the place of an older one
        assert found.names == ("mail", "blogs", REFERENCE)
        assert found.labels == ("letters", "blogs", "the reference texts")
        assert found.limits == (*kinds.limits, math.inf)
        assert found.centre[2] == pytest.approx(features.mean(axis=0), rel=1e-5)
        assert found.mean[2] == pytest.approx(roots.mean(axis=0), rel=1e-5)
        assert found.deviation[2] == pytest.approx(roots.std(axis=0) + 1e-4, rel=1e-5)
        for name in ("centre", "mean", "deviation"):
            np.testing.assert_array_equal(getattr(found, name)[:2], getattr(kinds, name))


def test_the_limit_of_reference_texts_is_beyond_their_own_surprises(kinds: Kinds) -> None:
    sums = Sums.over(np.ones((2, 3)), np.ones((2, 7)))
    known = kinds.with_reference(sums)
    limited = known.with_reference(sums, [1.0, 2.0, 3.0])
    assert limited.limits[2] == pytest.approx(3 + (2 / 3) ** 0.5)
    assert limited.limits[:2] == known.limits[:2] and known.limits[2] == np.inf


def test_texts_are_left_out_of_sums_by_subtraction() -> None:
    rng = np.random.default_rng(4)
    features, roots = rng.normal(size=(7, 2)), rng.uniform(size=(7, 3))
    left = Sums.over(features, roots).without(Sums.over(features[:2], roots[:2]))
    assert left.n == 5
    for found, expected in zip(
        left.statistics(), Sums.over(features[2:], roots[2:]).statistics(), strict=True
    ):
        assert found == pytest.approx(expected, rel=1e-5)


def test_statistics_of_equal_texts_have_a_small_deviation() -> None:
    centre, mean, deviation = Sums.over(np.full((4, 2), 3.0), np.full((4, 3), 0.25)).statistics()
    assert (centre.tolist(), mean.tolist()) == ([3, 3], [0.25] * 3)
    assert deviation == pytest.approx([1e-4] * 3, rel=1e-5)


def test_the_table_is_written_and_read_in_half_precision(kinds: Kinds) -> None:
    narrow = replace(kinds, deviation=np.full((2, 7), 1e-6, np.float32))
    read = Kinds.from_dict(narrow.to_dict(), narrow.arrays())
    assert read.to_dict() == kinds.to_dict()
    with pytest.raises(ModelError, match="earlier version of this package: train it again"):
        Kinds.from_dict({**kinds.to_dict(), "edition": 1}, kinds.arrays())
    assert (read.deviation == np.float32(1e-4)).all()
    for name in ("centre", "mean", "weight"):
        table = getattr(kinds, name)
        assert narrow.arrays()[f"kinds.{name}"].dtype == np.float16
        assert getattr(read, name).dtype == np.float32
        assert getattr(read, name) == pytest.approx(table, rel=1e-3)


def test_similarities_are_a_distance_and_cosines() -> None:
    """A network of two features, three characters and one masked sequence."""
    rng = np.random.default_rng(3)
    one, other = rng.normal(size=(2, 8))
    found = similarities(one, other, 2, (0, 3, 4))
    parts = [(one[a:b], other[a:b]) for a, b in ((2, 4), (4, 7), (7, 8))]
    expected = [-math.dist(one[:2], other[:2]), *(float((x * y).sum()) for x, y in parts)]
    assert found == pytest.approx(expected, abs=1e-6)


def test_texts_are_left_out_of_their_own_reference(kinds: Kinds) -> None:
    rng = np.random.default_rng(6)
    texts = [f"the cat {n} and the cats" for n in range(5)]
    counts = of(kinds, *texts)
    given = {t: (rng.normal(size=3), own) for t, own in zip(texts, counts, strict=True)}
    views = Views(kinds)
    assert views.without(texts) is views
    known = views.with_reference(given)
    assert known.without(["another text"]) is known
    found = known.without([texts[1], "another text"])
    expected = views.with_reference({text: given[text] for text in texts if text != texts[1]})
    assert list(found.reference) == list(expected.reference)
    for name in ("centre", "mean", "deviation"):
        assert getattr(found.kinds, name) == pytest.approx(
            getattr(expected.kinds, name), rel=1e-4, abs=1e-6
        )
    own = [known.kinds.surprise(given[text][1])[-1] for text in texts]
    assert known.kinds.limits[-1] == pytest.approx(np.max(own) + np.std(own))


def test_each_condition_has_a_sum_of_its_own(kinds: Kinds) -> None:
    """Stated if both sides have one kind, perhaps one of its own, reference texts, else a mixture;
    many pairs at once are judged as one by one."""
    rng = np.random.default_rng(7)

    def fusion() -> Fusion:
        weight, middle = (tuple(map(tuple, rng.uniform(0.1, 1, (5, 6)))) for _ in range(2))
        return Fusion(
            PARTS,
            weight,
            middle,
            rest=(0.1, 0.2, 0.3, 0.4, 0.2, 0.5),
            typical=(2.0, 0.2, 0.5, 1.0),
            least=(1.0, 0.0, 0.0, 0.5),
            most=(4.0, 2.0, 1.0, 2.0),
            fading=(1.0, 10.0, 3.0, 20.0),
        )

    fusions = {name: fusion() for name in (STATED, UNSTATED, REFERENCE)}
    blogs = fusion()
    fusions["blogs"] = replace(fusions[STATED], weight=blogs.weight, rest=blogs.rest)
    views = Views(kinds, fusions)
    genres = [
        ("mail", "mail", STATED),
        ("mail", "blogs", UNSTATED),
        ("blogs", None, UNSTATED),
        (None, None, UNSTATED),
        (REFERENCE, REFERENCE, REFERENCE),
        ("blogs", "blogs", "blogs"),
    ]
    alike = (0.4, None, 0.6, 0.7, None, 0.1)
    left, right = (
        [
            Reading(int(n), 0, stretches=2, genre=row[side], self_similarity=likeness, norm=20.0)
            for n, row, likeness in zip(tokens, genres, alike, strict=True)
        ]
        for side, tokens in enumerate(rng.integers(20, 900, (2, len(genres))))
    )
    one, other = rng.normal(size=(2, len(genres), 15))
    one[:, 13:], other[:, 13:] = rng.uniform(0, 0.02, (2, len(genres), 2))
    sums, terms = views.similarity(one, other, Sides.of(left), Sides.of(right))
    for i, (_, _, condition) in enumerate(genres):
        both = one[i], other[i], left[i], right[i]
        if condition != UNSTATED:
            assert views.fusion_for(*both) is views.fusions[condition]
        alone, own = views.similarity(one[i], other[i], left[i], right[i])
        assert sums[i] == pytest.approx(alone) and terms[i] == pytest.approx(own)
        values = similarities(one[i], other[i], 3, kinds.edges)
        harmonic = 2 / (1 / left[i].tokens + 1 / right[i].tokens)
        likeness = np.nan if alike[i] is None else alike[i]
        bits = 10 * math.sqrt(((one[i, 13:] - other[i, 13:]) ** 2).mean())
        covariates = Covariates(harmonic, 2, 20.0, likeness, bits)
        expected = views.fusions[condition].terms(values, covariates)
        if condition == UNSTATED:
            shares = kinds.common(one[i], other[i])
            expected = (1 - shares.sum()) * expected
            for share, name in zip(shares, (STATED, "blogs"), strict=True):
                expected += share * views.fusions[name].terms(values, covariates)
            assert 0.2 < shares.sum() < 0.8
        assert own == pytest.approx(expected)
    first, _ = views.similarity(one[:1], other, Sides.of(left[:1]), Sides.of(right))
    assert first[0] == pytest.approx(sums[0])


def test_halves_begin_at_the_middle(kinds: Kinds) -> None:
    for text, halves in zip(TEXTS, kinds.count(TEXTS, tokenise(TEXTS)), strict=True):
        starts = [i for i in range(len(text) - 1) if text[i : i + 2] in TWOS]
        second = sum(start >= len(text) // 2 for start in starts)
        pairs = [half.numbers[half.features >= kinds.edges[2]].sum() for half in halves]
        assert pairs == [len(starts) - second, second]
        np.testing.assert_array_equal(halves[0].totals, halves[1].totals)


def test_self_similarity_is_the_mean_cosine_of_the_halves(kinds: Kinds) -> None:
    [halves] = kinds.count(TEXTS[-1:], tokenise(TEXTS[-1:]))
    statistics = kinds.statistics(np.zeros(2), "blogs")
    rows = []
    for half in halves:
        row = np.zeros(7)
        row[half.features] = half.numbers
        totals = np.repeat(half.totals, np.diff(kinds.edges))
        scores = (np.sqrt(row / totals) - kinds.mean[1]) / kinds.deviation[1]
        rows.append(kinds.weight * np.clip(scores, -6, 6))
    cosines = [0.8]
    for begin, end in pairwise(kinds.edges):
        one, other = (row[begin:end] for row in rows)
        cosines.append(one @ other / np.linalg.norm(one) / np.linalg.norm(other))
    assert kinds.self_similarity(halves, 0.8, statistics) == pytest.approx(np.mean(cosines))
    assert np.isnan(kinds.self_similarity(halves, np.nan, statistics))


def test_profiles_are_compared_by_bits(kinds: Kinds) -> None:
    """Only differences between kinds count: a text may be more or less predictable in all."""
    features, frequencies = np.array([0.3, -0.2, 0.5]), np.full(7, 0.2)
    mail = kinds.statistics(np.zeros(2), "mail")
    given = kinds.with_reference(Sums.over(np.ones((2, 3)), np.ones((2, 7))))
    for own, last in ((kinds, []), (given, [9.0])):
        one, same, other = (
            own.side(features, frequencies, np.array([*bits, *last]), mail)
            for bits in ((3.0, 4.0), (3.6, 4.6), (3.0, 3.4))
        )
        assert own.apart(one, same) == pytest.approx(0, abs=1e-9)
        assert own.apart(np.stack([one, same]), other) == pytest.approx([0.3, 0.3])


def test_both_sides_are_of_a_kind_with_the_product_of_their_probabilities(kinds: Kinds) -> None:
    """With each .05 bits more the probability of a kind falls to 1 / e, and soon to nothing."""
    features, frequencies = np.array([0.3, -0.2, 0.5]), np.full(7, 0.2)
    mail = kinds.statistics(np.zeros(2), "mail")
    bits = [(3.0, 3.05), (3.1, 3.0), (3.0, 3.4)]
    one, other, sure = (kinds.side(features, frequencies, np.array(b), mail) for b in bits)
    first, second = 1 / (1 + math.exp(-1)), 1 / (1 + math.exp(-2))
    both = [first * (1 - second), (1 - first) * second]
    assert kinds.common(one, other) == pytest.approx(both)
    found = kinds.common(np.stack([one, sure]), sure)
    assert found == pytest.approx(np.array([[first, 0], [1, 0]]))
    assert found[:, 1].tolist() == [0, 0]


def test_the_norm_is_that_of_the_z_scores(kinds: Kinds) -> None:
    mail = kinds.statistics(np.zeros(2), "mail")
    frequencies = mail.mean + mail.deviation * np.array([1, -2, 0, 4, 9, 0, 2])
    assert kinds.norm(frequencies, mail) == pytest.approx(math.sqrt(1 + 4 + 16 + 36 + 4))
