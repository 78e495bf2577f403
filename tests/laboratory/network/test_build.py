from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from adhominem.laboratory.network import build_network, describe_network, network_of_arrays
from adhominem.laboratory.network.hrsn import HRSN
from adhominem.laboratory.network.model import AdHominem

SMALL: dict[str, dict[str, Any]] = {
    "adhominem": {"n_words": 20, "n_characters": 9, "D_w": 6, "D_s": 4, "D_d": 5, "D_f": 3},
    "hrsn": {"n_words": 20, "n_characters": 9, "D_w": 6, "D_s": 4, "D_d": 5, "D_f": 0},
}
kinds = pytest.mark.parametrize("kind", SMALL)


@kinds
def test_weights_depend_on_the_seed_alone(kind: str) -> None:
    one = build_network(kind, SMALL[kind], seed=5).state_dict()
    torch.rand(3)
    again = build_network(kind, SMALL[kind], seed=5).state_dict()
    other = build_network(kind, SMALL[kind], seed=6).state_dict()
    assert one.keys() == again.keys()
    assert all(torch.equal(one[name], again[name]) for name in one)
    drawn = [name for name in one if "bias_ih" not in name and "bias_hh" not in name]
    assert not any(torch.equal(one[name], other[name]) for name in drawn)


@kinds
@pytest.mark.parametrize("train_words", [True, False])
def test_a_network_of_given_weights_draws_nothing(kind: str, train_words: bool) -> None:
    sizes = {**SMALL[kind], "train_words": train_words}
    one = build_network(kind, sizes, seed=5)
    arrays = {name: weight.numpy() for name, weight in one.state_dict().items()}
    again = network_of_arrays(kind, sizes, arrays)
    assert not again.training
    for (name, p), (same, q) in zip(one.named_parameters(), again.named_parameters(), strict=True):
        assert (name, p.requires_grad) == (same, q.requires_grad)
        assert torch.equal(p, q)
    after = build_network(kind, sizes, seed=5)
    assert torch.equal(after.words.weight, one.words.weight)


def test_weights_of_another_network_are_refused() -> None:
    weights = {n: w.numpy() for n, w in build_network("hrsn", SMALL["hrsn"]).state_dict().items()}
    with pytest.raises(RuntimeError):
        network_of_arrays("adhominem", SMALL["adhominem"], weights)


@kinds
def test_the_global_generator_is_left_alone(kind: str) -> None:
    before = torch.get_rng_state()
    build_network(kind, SMALL[kind], seed=5)
    assert torch.equal(torch.get_rng_state(), before)


def test_another_device_is_not_seeded(monkeypatch: pytest.MonkeyPatch) -> None:
    """`torch.manual_seed` would seed every GPU of the process too."""
    seeded: list[int] = []
    monkeypatch.setattr(torch.cuda, "manual_seed_all", seeded.append)
    build_network("adhominem", SMALL["adhominem"], seed=5)
    assert not seeded


@kinds
def test_padding_has_the_zero_vector(kind: str) -> None:
    network = build_network(kind, SMALL[kind])
    assert not network.words.weight[0].any()
    assert network.words.weight[1:].any(dim=1).all()


@kinds
def test_word_vectors_replace_the_table_and_set_its_width(kind: str) -> None:
    vectors = np.random.default_rng(0).normal(size=(15, 11))
    vectors[0] = 0
    network = build_network(kind, SMALL[kind], word_vectors=vectors, seed=1)
    assert (network.config.n_words, network.config.D_w) == (15, 11)
    assert network.words.weight.dtype == torch.float32
    np.testing.assert_array_equal(network.words.weight.detach(), vectors.astype(np.float32))
    assert not network.words.weight.requires_grad
    assert SMALL[kind]["D_w"] == 6  # what was handed in is not changed
    vectors[1] = 0
    assert network.words.weight[1].all()


@kinds
def test_a_description_builds_the_same_network(kind: str) -> None:
    network = build_network(kind, {**SMALL[kind], "dropout": 0.2, "train_words": True}, seed=2)
    description = describe_network(network)
    assert description["kind"] == kind
    again = build_network(**description, seed=2)
    assert type(again) is type(network)
    assert again.config == network.config
    assert describe_network(again) == description
    again.load_state_dict(network.state_dict())


def test_kinds() -> None:
    assert isinstance(build_network("adhominem", SMALL["adhominem"]), AdHominem)
    assert isinstance(build_network("hrsn", SMALL["hrsn"]), HRSN)


def test_an_unknown_kind_is_named_beside_the_known_ones() -> None:
    with pytest.raises(ValueError, match="unknown network 'bert': known are adhominem, hrsn"):
        build_network("bert", {})


def test_published_sizes_are_the_defaults() -> None:
    c = build_network("adhominem", {"n_words": 5, "n_characters": 5}).config
    assert (c.D_c, c.D_r, c.h, c.D_w, c.D_s, c.D_d, c.D_a, c.D_f) == (
        10,
        20,
        4,
        300,
        50,
        50,
        50,
        30,
    )
    assert (c.dropout, c.forget_bias, c.train_words) == (0.3, 2.5, False)
