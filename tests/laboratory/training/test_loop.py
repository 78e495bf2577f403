"""The loop against slow recomputations, and the promises it makes about randomness."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from adhominem.instrument.network.stretches import LineRanges
from adhominem.instrument.text.encode import Encoded
from adhominem.laboratory.corpus.pairs import PairTable
from adhominem.laboratory.network.batches import Collator
from adhominem.laboratory.network.encoder import distances_by_genre, lowest_error
from adhominem.laboratory.network.model import Batch, SiameseNetwork
from adhominem.laboratory.training import TrainingConfig
from adhominem.laboratory.training.data import TrainingData
from adhominem.laboratory.training.loop import (
    TrainingState,
    TrainingStep,
    cosine_restarts,
    is_finished,
    make_optimiser,
    train,
    trained_parameters,
)

NewNetwork = Callable[..., SiameseNetwork]
QUICK = TrainingConfig(epochs=2, batch_pairs=7, learning_rate=0.01, patience=100)


def run(
    network: SiameseNetwork, data: TrainingData, config: TrainingConfig, *, seed: int = 1
) -> TrainingState:
    state = TrainingState()
    for _ in train(network, make_optimiser(network, config), data, config, state, seed=seed):
        pass
    return state


def first_step(
    network: SiameseNetwork, data: TrainingData, config: TrainingConfig, *, seed: int = 1
) -> TrainingStep:
    state = TrainingState()
    return next(train(network, make_optimiser(network, config), data, config, state, seed=seed))


def weights(network: SiameseNetwork) -> dict[str, torch.Tensor]:
    return {name: p.detach().clone() for name, p in trained_parameters(network).items()}


def are_equal(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> bool:
    return one.keys() == other.keys() and all(torch.equal(one[n], other[n]) for n in one)


def slow_distance(network: SiameseNetwork, corpus: Encoded, one: int, other: int) -> float:
    """Each document alone through the network, the norm by hand."""
    sides = []
    for document in (one, other):
        first, end = corpus.documents[document : document + 2]
        batch = Collator(corpus, torch.device("cpu")).batch(
            LineRanges(np.array([first]), np.array([end - first]))
        )
        sides.append(network.eval()(batch.padded()).features[0].tolist())
    return float(sum((a - b) ** 2 for a, b in zip(*sides, strict=True)) ** 0.5)


def slow_loss(d: float, same: bool, config: TrainingConfig) -> float:
    reach = d - config.tau_s if same else config.tau_d - d
    return max(reach, 0.0) ** 2


def test_training_lowers_the_loss_and_the_error(
    data: TrainingData, new_network: NewNetwork
) -> None:
    config = replace(QUICK, epochs=8)
    history = run(new_network(dropout=0.0), data, config).history
    assert [record.epoch for record in history] == list(range(8))
    assert history[-1].loss < 0.6 * history[0].loss
    assert history[-1].error < history[0].error
    assert min(record.dev_error for record in history) < 0.4


def test_summed_loss_and_wrong_decisions_are_those_of_a_slow_loop(
    data: TrainingData, new_network: NewNetwork
) -> None:
    """Every step of two epochs, the last of each shorter than the others."""
    network = new_network(dropout=0.0)
    with torch.no_grad():
        network.metric.weight *= 30  # type: ignore[operator]
    distances = []
    state, loss_sum, wrong, losses = TrainingState(), 0.0, 0, []
    config = replace(QUICK, batch_pairs=25)
    before = copy.deepcopy(network)
    for step in train(network, make_optimiser(network, config), data, config, state, seed=1):
        pairs = data.draw(step.epoch)
        assert len(pairs) % config.batch_pairs
        for i in range(len(pairs))[(step.step - 1) * config.batch_pairs :][: config.batch_pairs]:
            same = bool(pairs.same_author[i])
            d = slow_distance(before, data.corpus, pairs.left[i], pairs.right[i])
            distances.append(d)
            loss_sum += slow_loss(d, same, config)
            wrong += (d < 2.0) != same
        seen = min(step.step * config.batch_pairs, len(pairs))
        assert step.loss == pytest.approx(loss_sum / seen, rel=1e-4)
        assert step.error == pytest.approx(wrong / seen)
        if step.record:
            assert (step.record.loss, step.record.error) == (step.loss, step.error)
            assert step.record.steps == step.n_steps == step.step
            losses.append(step.loss)
            loss_sum, wrong = 0.0, 0
        before = copy.deepcopy(network)
    assert len(losses) == 2 and losses[0] != losses[1]
    # On all sides of the thresholds and of the decision between them.
    assert all(np.histogram(distances, [0, config.tau_s, 2.0, config.tau_d, np.inf])[0] > 5)


def test_gradient_is_that_of_the_mean_loss(data: TrainingData, new_network: NewNetwork) -> None:
    """By differences, along the gradient itself."""
    network = new_network(dropout=0.0).double()
    config = replace(QUICK, learning_rate=0.0, clip_norm=1e9, batch_pairs=4)
    first_step(network, data, config)
    gradient = {n: p.grad.clone() for n, p in trained_parameters(network).items()}  # type: ignore[union-attr]
    norm = torch.cat([g.flatten() for g in gradient.values()]).norm()
    pairs = data.draw(0).select(slice(0, 4))

    def mean_loss(distance_along: float) -> float:
        moved = copy.deepcopy(network)
        with torch.no_grad():
            for name, parameter in trained_parameters(moved).items():
                parameter += distance_along * gradient[name] / norm
        table = zip(pairs.left, pairs.right, pairs.same_author, strict=True)
        return float(
            np.mean(
                [slow_loss(slow_distance(moved, data.corpus, a, b), s, config) for a, b, s in table]
            )
        )

    slope = (mean_loss(1e-5) - mean_loss(-1e-5)) / 2e-5
    assert slope == pytest.approx(float(norm), rel=1e-4)


def test_gradient_is_clipped_to_its_norm_and_keeps_its_direction(
    data: TrainingData, new_network: NewNetwork
) -> None:
    free, clipped = new_network(), new_network()
    first_step(free, data, replace(QUICK, clip_norm=1e9))
    first_step(clipped, data, replace(QUICK, clip_norm=0.01))
    one, other = (
        torch.cat([p.grad.flatten() for p in trained_parameters(n).values()])  # type: ignore[union-attr]
        for n in (free, clipped)
    )
    assert one.norm() > 0.1
    assert other.norm() == pytest.approx(0.01, rel=1e-3)
    torch.testing.assert_close(other, one * 0.01 / one.norm(), rtol=1e-3, atol=1e-8)


def test_rate_of_each_step_is_the_schedule(data: TrainingData, new_network: NewNetwork) -> None:
    network = new_network()
    config = replace(QUICK, restart_steps=4)
    optimiser = make_optimiser(network, config)
    state = TrainingState()
    rates = [
        optimiser.param_groups[0]["lr"]
        for _ in train(network, optimiser, data, config, state, seed=1)
    ]
    assert len(rates) == state.step > 8
    assert rates == [cosine_restarts(i, highest=0.01, period=4) for i in range(len(rates))]


def test_long_documents_are_read_in_stretches_of_max_lines(
    data: TrainingData, new_network: NewNetwork
) -> None:
    network = new_network()
    n_lines = np.diff(data.corpus.documents)
    max_lines = int(n_lines.min()) + 1
    assert n_lines.max() > max_lines
    lengths: list[int] = []

    def watch(module: SiameseNetwork, arguments: tuple[Batch, Any]) -> None:
        if module.training:
            lengths.extend(arguments[0].document_lengths.tolist())

    network.register_forward_pre_hook(watch)
    run(network, data, replace(QUICK, max_lines=max_lines))
    tables = [data.draw(epoch) for epoch in range(2)]
    documents = np.concatenate([np.stack([t.left, t.right], axis=1).ravel() for t in tables])
    assert lengths == np.minimum(n_lines[documents], max_lines).tolist()


def test_stretches_begin_anywhere_in_a_document(
    data: TrainingData, new_network: NewNetwork
) -> None:
    """One pair of long documents again and again: in time every line of both is read, none else."""
    corpus = data.corpus
    n_lines = np.diff(corpus.documents)
    one, other = np.argsort(n_lines)[-2:]
    pair = PairTable(np.array([one]), np.array([other]), np.array([True]), None)
    network = new_network()
    words: list[set[int]] = []

    def watch(module: SiameseNetwork, arguments: tuple[Batch, Any]) -> None:
        if module.training:
            words.append(set(arguments[0].words.tolist()))

    network.register_forward_pre_hook(watch)
    run(
        network,
        TrainingData(corpus, lambda _: pair, data.dev),
        replace(QUICK, epochs=60, max_lines=1),
    )
    lines = [
        set(corpus.type_words[corpus.tokens[corpus.lines[line] : corpus.lines[line + 1]]].tolist())
        for document in (one, other)
        for line in range(*corpus.documents[document : document + 2])
    ]
    left, right = lines[: n_lines[one]], lines[n_lines[one] :]
    assert all(any(a | b == read for a in left for b in right) for read in words)
    assert set().union(*words) == set().union(*lines)


def test_pairs_are_drawn_anew_for_each_epoch(data: TrainingData, new_network: NewNetwork) -> None:
    epochs: list[int] = []

    def draw(epoch: int) -> PairTable:
        epochs.append(epoch)
        return data.draw(epoch)

    run(new_network(), TrainingData(data.corpus, draw, data.dev), replace(QUICK, epochs=3))
    assert epochs == [0, 1, 2]
    tables = [data.draw(epoch) for epoch in epochs]
    drawn = [set(zip(t.left.tolist(), t.right.tolist(), strict=True)) for t in tables]
    assert all(len(drawn[i] & drawn[i + 1]) < len(drawn[i]) / 2 for i in (0, 1))


def test_dropout_is_drawn_for_each_step_and_from_the_seed(
    data: TrainingData, new_network: NewNetwork
) -> None:
    """The same pairs and, at rate 0, the same weights: only the masks can change the loss."""
    pairs = data.draw(0).select(slice(0, 7))
    config = replace(QUICK, epochs=3, learning_rate=0.0)

    def losses(dropout: float, seed: int) -> list[float]:
        network = new_network(dropout=dropout)
        one = TrainingData(data.corpus, lambda _: pairs, data.dev)
        return [record.loss for record in run(network, one, config, seed=seed).history]

    assert len(set(losses(0.0, 1))) == 1
    assert len(set(losses(0.5, 1))) == 3
    assert losses(0.5, 1) == losses(0.5, 1) != losses(0.5, 2)


def test_best_weights_are_those_of_the_epoch_with_the_lowest_error(
    data: TrainingData, new_network: NewNetwork
) -> None:
    network = new_network()
    config = replace(QUICK, epochs=50, learning_rate=0.03, patience=2)
    state, after = TrainingState(), []
    for step in train(network, make_optimiser(network, config), data, config, state, seed=1):
        if step.record:
            after.append(weights(network))
    errors = [record.dev_error for record in state.history]
    assert state.best_epoch == int(np.argmin(errors))
    assert state.best_error == min(errors)
    assert are_equal(state.best, after[state.best_epoch])
    assert len(errors) < config.epochs
    assert len(errors) - 1 - state.best_epoch == config.patience
    assert not are_equal(state.best, weights(network))


@pytest.mark.parametrize("patience", [1, 3])
def test_training_stops_when_the_error_no_longer_falls(
    data: TrainingData, new_network: NewNetwork, patience: int
) -> None:
    """At rate 0 nothing ever improves after the first epoch."""
    network = new_network()
    start = weights(network)
    config = replace(QUICK, epochs=20, learning_rate=0.0, patience=patience)
    state = run(network, data, config)
    assert len(state.history) == 1 + patience
    assert (state.best_epoch, state.epoch) == (0, 1 + patience)
    assert is_finished(state, config)
    assert are_equal(state.best, start) and are_equal(weights(network), start)


def test_epochs_are_the_limit_where_patience_is_long(
    data: TrainingData, new_network: NewNetwork
) -> None:
    state = run(new_network(), data, replace(QUICK, epochs=3, learning_rate=0.0))
    assert len(state.history) == 3
    finished = list(
        train(
            new_network(),
            make_optimiser(new_network(), QUICK),
            data,
            replace(QUICK, epochs=3),
            state,
            seed=1,
        )
    )
    assert finished == []


def test_development_error_and_loss_are_those_of_a_slow_loop(
    data: TrainingData, new_network: NewNetwork
) -> None:
    network = new_network()
    state = run(network, data, replace(QUICK, epochs=1))
    (dev,) = data.dev.values()
    table = list(zip(dev.left, dev.right, dev.same_author, strict=True))
    slow = np.array([slow_distance(network, data.corpus, a, b) for a, b, _ in table])
    fast = distances_by_genre(network, data.corpus, {"": dev}, max_lines=40)[""]
    np.testing.assert_allclose(fast, slow, atol=1e-5)
    losses = [slow_loss(d, s, QUICK) for d, (_, _, s) in zip(slow, table, strict=True)]
    assert state.history[0].dev_loss == pytest.approx(np.mean(losses), rel=1e-4)
    assert state.history[0].dev_error == lowest_error(fast, dev.same_author)


def test_same_seed_same_weights_to_the_bit(data: TrainingData, new_network: NewNetwork) -> None:
    networks = [new_network() for _ in range(3)]
    states = [
        run(network, data, QUICK, seed=seed)
        for network, seed in zip(networks, (4, 4, 5), strict=True)
    ]
    first, again, other = (weights(network) for network in networks)
    assert are_equal(first, again)
    assert not are_equal(first, other)
    assert [r.loss for r in states[0].history] == [r.loss for r in states[1].history]


def test_global_generators_are_left_alone(data: TrainingData, new_network: NewNetwork) -> None:
    before = torch.get_rng_state(), np.random.get_state(), random.getstate()
    run(new_network(), data, QUICK)
    assert torch.equal(before[0], torch.get_rng_state())
    np.testing.assert_equal(before[1], np.random.get_state())
    assert before[2] == random.getstate()


def test_frozen_words_stay_as_they_are(data: TrainingData, new_network: NewNetwork) -> None:
    network = new_network(train_words=False)
    words = network.words.weight.clone()
    run(network, data, QUICK)
    assert torch.equal(network.words.weight, words)
    assert "words.weight" not in trained_parameters(network)


def test_hrsn_is_trained_by_the_same_loop(data: TrainingData, new_network: NewNetwork) -> None:
    network = new_network(kind="hrsn")
    start = weights(network)
    state = run(network, data, QUICK)
    assert len(state.history) == 2
    assert all(not torch.equal(start[name], w) for name, w in weights(network).items())


@given(
    st.lists(st.tuples(st.integers(0, 6) | st.floats(0, 6), st.booleans()), min_size=1, max_size=12)
)
def test_lowest_error_is_that_of_the_best_of_all_thresholds(
    rows: list[tuple[float, bool]],
) -> None:
    """A threshold cannot part equal distances."""
    distances = np.array([d for d, _ in rows], dtype=np.float64)
    same = np.array([s for _, s in rows])
    errors = [np.mean((distances <= threshold) != same) for threshold in [-1.0, *distances]]
    assert lowest_error(distances, same) == pytest.approx(min(errors))
