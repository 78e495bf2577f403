"""Which kind of text it is, against a slow loop, and what is far from all."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from adhominem.instrument.evidence.genres import Genres
from adhominem.instrument.text.encode import Encoded, encode
from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.text.vocabulary import Vocabulary
from adhominem.laboratory.calibration.by_genre import fit_genres

HOTELS = ["The room was clean and the staff at the hotel were kind .", "The hotel room was small ."]
BLOGS = ["I was so tired today that I just slept .", "Today I am so happy , I just got home !"]
VOCABULARY = Vocabulary.fit(
    tokenise([*HOTELS, *BLOGS]).counts(), min_word_count=1, min_character_count=1
)


def read(texts: list[str]) -> Encoded:
    return encode(tokenise(texts), VOCABULARY)


@pytest.fixture
def genres() -> Genres:
    train = [read(HOTELS * 20), read(BLOGS * 20)]
    return fit_genres(["hotels", "blogs"], train, train, VOCABULARY.n_words)


def test_bits_are_those_of_a_slow_loop(genres: Genres) -> None:
    text = read(["The room was clean today and so was I ."])
    words = text.type_words[text.tokens].tolist()
    for number, texts in enumerate((HOTELS * 20, BLOGS * 20)):
        known = read(texts)
        counts = Counter(known.type_words[known.tokens].tolist())
        total = sum(counts.values()) + 0.5 * VOCABULARY.n_words
        bits = [-math.log2((counts[word] + 0.5) / total) for word in words]
        found = genres.bits_per_token(text)[0, number]
        assert found == pytest.approx(sum(bits) / len(bits), rel=1e-3)


def test_the_description_is_that_of_a_model_folder(genres: Genres) -> None:
    assert genres.to_dict().keys() == {"names", "limits", "on_sight"}
    assert Genres.from_dict(genres.to_dict(), genres.bits) == genres


def test_nearest_is_the_genre_of_its_words(genres: Genres) -> None:
    surprise = genres.bits_per_token(read(["The staff was kind .", "I just got so tired !", ""]))
    assert [genres.recognise(row)[0] for row in surprise[:2]] == ["hotels", "blogs"]
    assert surprise[2].tolist() == [0, 0]


def test_far_is_what_surprises_in_every_genre(genres: Genres) -> None:
    own, odd = genres.bits_per_token(read([HOTELS[0], "xylem phloem stomata " * 9]))
    assert not genres.recognise(own)[1]
    assert genres.recognise(odd)[1]
    assert (odd > np.array(genres.limits)).all()


def test_a_genre_that_others_are_taken_for_is_not_known_on_sight(genres: Genres) -> None:
    assert genres.detectable == ("hotels", "blogs")
    train = [read(HOTELS * 20), read(BLOGS * 20)]
    letters = read(["I am so happy today , the staff", "So tired , I just slept !"] * 9)
    mixed = fit_genres(["hotels", "blogs"], train, train, VOCABULARY.n_words, unseen=[letters])
    assert mixed.detectable == ("hotels",)
    own, other = mixed.bits_per_token(read([HOTELS[0], BLOGS[0]]))
    assert mixed.recognise(own)[0] == "hotels"
    assert mixed.recognise(other)[0] == "blogs"
    assert mixed.recognise(other, "hotels") == ("blogs", bool(other[0] > mixed.limits[0]))
