"""The imposters method, against plain loops over dicts."""

import hashlib
import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from adhominem.errors import InputError
from adhominem.laboratory.verifiers.counts import space_free_ngrams
from adhominem.laboratory.verifiers.imposters import Imposters
from adhominem.records import Document, Pair, Verdict


@pytest.fixture(scope="module")
def fitted(train_pairs: list[Pair], dev_pairs: list[Pair]) -> Imposters:
    return Imposters(pool=30, candidates=12, impostors=4, rounds=20).fit(train_pairs, dev_pairs)


def slow_features(text: str, fitted: Imposters) -> dict[int, float]:
    assert fitted.ngrams_ is not None and fitted.idf_ is not None
    counts: Counter[int] = Counter()
    for word in text.split():
        parts = [word] if len(word) < 4 else [word[i : i + 4] for i in range(len(word) - 3)]
        counts.update(fitted.ngrams_[part] for part in parts if part in fitted.ngrams_)
    return {i: n / sum(counts.values()) * float(fitted.idf_[i]) for i, n in counts.items()}


def slow_minmax(x: dict[int, float], y: dict[int, float], kept: set[int] | None = None) -> float:
    both = set(x) | set(y) if kept is None else (set(x) | set(y)) & kept
    if not both:
        return 0.0
    minima = sum(min(x.get(i, 0), y.get(i, 0)) for i in both)
    return minima / sum(max(x.get(i, 0), y.get(i, 0)) for i in both)


def slow_hash(text: str) -> int:
    key = (1).to_bytes(8, "little")
    digest = hashlib.blake2b(text.encode(), digest_size=8, key=key).digest()
    return int.from_bytes(digest, "little") | 1


def slow_draw(text: str, nearest: list[str], n: int) -> list[str]:
    def key(candidate: str) -> int:
        mixed = (slow_hash(candidate) * 0x9E3779B97F4A7C15 % 2**64) ^ slow_hash(text)
        mixed = mixed * 0xD1B54A32D192ED03 % 2**64
        return mixed ^ (mixed >> 29)

    return sorted(nearest, key=key)[:n]


def slow_imposters(fitted: Imposters, left: str, right: str, pool: list[str]) -> float:
    assert fitted.halves_ is not None
    features = {text: slow_features(text, fitted) for text in {left, right, *pool}}
    won = 0
    for one, other in ((left, right), (right, left)):
        allowed = [text for text in pool if text not in (left, right)]
        ranked = sorted(allowed, key=lambda t: -slow_minmax(features[other], features[t]))
        impostors = slow_draw(other, ranked[: fitted.candidates], fitted.impostors)
        for turn in range(fitted.rounds):
            kept = set(np.flatnonzero(fitted.halves_[:, turn]).tolist())
            near = slow_minmax(features[one], features[other], kept)
            won += near > 0 and all(
                near >= slow_minmax(features[one], features[i], kept) for i in impostors
            )
    won_in_part = won + slow_minmax(features[left], features[right])
    return math.log((won_in_part + 1) / (2 * fitted.rounds + 2 - won_in_part))


def pool_texts(fitted: Imposters, pairs: list[Pair]) -> list[Document]:
    assert fitted.pool_ is not None
    documents = {slow_hash(d.text): d for pair in pairs for d in (*pair.left, *pair.right)}
    return [documents[int(number)] for number in fitted.pool_.hashes]


def test_equals_plain_loops(
    fitted: Imposters, train_pairs: list[Pair], dev_pairs: list[Pair]
) -> None:
    pool = [document.text for document in pool_texts(fitted, train_pairs)]
    pairs = dev_pairs[:6]
    expected = [slow_imposters(fitted, p.left[0].text, p.right[0].text, pool) for p in pairs]
    np.testing.assert_allclose(fitted.compare(pairs).similarity, expected, atol=1e-5)
    assert len({round(value, 2) for value in expected}) > 2


def test_ngrams_have_no_spaces_and_short_words_stay_whole() -> None:
    assert space_free_ngrams("I  like\nhotels, so", 4) == [
        *("I", "like"),
        *("hote", "otel", "tels", "els,"),
        "so",
    ]
    assert space_free_ngrams(" \n", 4) == []


def test_every_round_has_half_of_the_features(fitted: Imposters) -> None:
    assert fitted.halves_ is not None and fitted.ngrams_ is not None
    half = (len(fitted.ngrams_) + 1) // 2
    np.testing.assert_array_equal(fitted.halves_.sum(axis=0), half)
    assert len({column.tobytes() for column in fitted.halves_.T}) == fitted.rounds


def test_a_known_author_or_the_same_text_is_no_impostor(
    train_pairs: list[Pair], dev_pairs: list[Pair]
) -> None:
    fitted = Imposters(pool=30, candidates=30, impostors=30).fit(train_pairs, dev_pairs)
    pool = pool_texts(fitted, train_pairs)
    assert len({document.author for document in pool}) == 30
    in_pool = pool[0]
    other = dev_pairs[0].left[0]
    named = Document("we never stay again " * 10, author=in_pool.author)
    unnamed = replace(named, author=None)
    for document, is_barred in ((in_pool, True), (named, True), (unnamed, False)):
        pair = Pair((document,), (other,))
        empty = sparse.csr_array((1, len(fitted.ngrams_ or ())), dtype=np.float32)
        for drawn in fitted._draw([pair], empty, empty):
            assert (0 not in drawn) == is_barred
            assert set(drawn.ravel().tolist()) == set(range(int(is_barred), 30))
    twin = Pair((replace(in_pool, author=None),), (replace(in_pool, author=None),))
    assert fitted.compare([twin]).similarity[0] == pytest.approx(math.log(202))


def test_the_draw_changes_with_the_text_and_the_seed_alone(
    train_pairs: list[Pair], dev_pairs: list[Pair]
) -> None:
    def answers(seed: int) -> list[float]:
        small = Imposters(pool=30, candidates=30, impostors=3, rounds=50, seed=seed)
        return small.fit(train_pairs, dev_pairs).compare(dev_pairs[:20]).similarity.tolist()

    assert answers(1) == answers(1)
    assert answers(1) != answers(2)


def test_ties_are_broken(fitted: Imposters, dev_pairs: list[Pair]) -> None:
    assert len(set(fitted.compare(dev_pairs).similarity.tolist())) == len(dev_pairs)


def test_without_any_impostor_the_answer_is_undecided(dev_pairs: list[Pair]) -> None:
    text, other = "we never stay again " * 10, "the staff was good " * 10
    mine, yours = Document(text, author="a"), Document(other, author="b")
    fitted = Imposters(pool=2).fit([Pair((mine,), (yours,), False)], dev_pairs)
    decision = fitted.decide([Pair((mine,), (yours,))])[0]
    assert decision.verdict is Verdict.UNDECIDED
    assert [str(reason) for reason in decision.reasons] == ["there is nothing to compare"]


def test_training_texts_without_words_are_refused(dev_pairs: list[Pair]) -> None:
    with pytest.raises(InputError, match="no training text has 20 tokens"):
        Imposters().fit([replace(Pair.of_texts("too short", "also"), same_author=True)], dev_pairs)
