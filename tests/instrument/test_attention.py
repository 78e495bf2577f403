"""Attention of many texts at once is that of the explanation of each."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem.errors import ModelError
from adhominem.instrument.model_folder import load
from adhominem.instrument.neural import NeuralVerifier
from adhominem.laboratory.network import arrays_of, build_network, describe_network


@pytest.fixture(scope="module")
def shipped() -> NeuralVerifier:
    verifier = load()
    assert isinstance(verifier, NeuralVerifier)
    return verifier


def test_equals_the_weights_of_the_explanation(
    shipped: NeuralVerifier, samples: tuple[str, str]
) -> None:
    attended = shipped.attention(["", *samples, "Zzyzx qwrtp."])
    explained = shipped.explain_texts(*samples)
    for number, text in enumerate((explained.left[0], explained.right[0]), 1):
        own = slice(attended.documents[number], attended.documents[number + 1])
        words = [word for word in text.words if word.start < word.end]
        assert [word.text for word in words] == attended.texts.words()[own]
        assert attended.word_attention[own] == pytest.approx(
            [word.weight for word in words], abs=1e-6
        )
        products = [word.weight * text.sentences[word.sentence].weight for word in words]
        assert attended.weights[own] == pytest.approx(products, abs=1e-6)
        assert set(attended.owner[own].tolist()) == {number}
        lines = slice(attended.line_documents[number], attended.line_documents[number + 1])
        assert attended.line_attention[lines].sum() == pytest.approx(1, abs=1e-5)
    assert attended.documents[0] == attended.documents[1] == 0
    assert not attended.is_known[attended.documents[3]]
    unknown = explained.decision.left.unknown + explained.decision.right.unknown
    assert (~attended.is_known[: attended.documents[3]]).sum() == unknown


@settings(max_examples=40)
@given(st.lists(st.sampled_from(["cuz", " ", "don't", "&", "!!", "\n\n", "WE", "日本"])))
def test_tokens_at_a_place(shipped: NeuralVerifier, parts: list[str]) -> None:
    text = "".join(parts)
    attended = shipped.attention(["Another text.", text])
    first = int(attended.documents[1])
    for start in range(len(text) + 1):
        for end in range(start + 1, len(text) + 1):
            found = attended.tokens_at(1, start, end)
            expected = [
                token
                for token in range(first, len(attended.texts.tokens))
                if attended.texts.starts[token] < end and attended.texts.ends[token] > start
            ]
            assert list(range(found.start, found.stop)) == expected


def test_a_network_without_attention_is_refused(shipped: NeuralVerifier) -> None:
    other = shipped.randomised(seed=1)
    assert other.vocabulary_ is not None
    sizes = {"n_words": other.vocabulary_.n_words, "n_characters": other.vocabulary_.n_characters}
    other.network, other.sizes = "hrsn", describe_network(build_network("hrsn", sizes))["sizes"]
    other.set_arrays(arrays_of(build_network("hrsn", sizes)))
    with pytest.raises(ModelError, match="hrsn network has no attention"):
        other.attention(["We were here."])


def test_no_texts(shipped: NeuralVerifier) -> None:
    attended = shipped.attention([])
    assert len(attended.weights) == 0
    assert np.array_equal(attended.documents, [0])


def test_random_weights_do_not_depend_on_the_order_of_the_arrays(shipped: NeuralVerifier) -> None:
    turned = load()
    assert isinstance(turned, NeuralVerifier)
    turned.set_arrays(dict(sorted(shipped.arrays_.items(), reverse=True)))
    one, other = shipped.randomised(seed=3).arrays_, turned.randomised(seed=3).arrays_
    assert all((one[name] == other[name]).all() for name in one)
