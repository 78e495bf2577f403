"""The step of a GPU against that of a CPU, both on the CPU; what is drawn and when it is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from adhominem.laboratory.network import ragged
from adhominem.laboratory.network.encoder import FeatureExtractor, fastest_extractor
from adhominem.laboratory.network.model import SiameseNetwork
from adhominem.laboratory.training import TrainingConfig, World, step
from adhominem.laboratory.training.data import TrainingData
from adhominem.laboratory.training.loop import TrainingState, make_optimiser, trained_parameters
from adhominem.laboratory.training.step import Stepper

NewNetwork = Callable[..., SiameseNetwork]
PAIRS = TrainingConfig(batch_pairs=7, learning_rate=0.001, unknown_share=0.1, shortest_stretch=0.6)
AUTHORS = replace(PAIRS, objective="authors", temperature=0.5)


def with_teacher(data: TrainingData) -> TrainingData:
    features = np.random.default_rng(3).normal(size=(data.corpus.n_documents, 6))
    return replace(data, teacher=features.astype(np.float16))


def losses(
    network: SiameseNetwork, data: TrainingData, config: TrainingConfig, **options: Any
) -> list[list[float]]:
    """Of five steps, with these options of the extractor."""
    extractor = FeatureExtractor(network, data.corpus, **options)
    optimiser = make_optimiser(network, config)
    stepper = Stepper(network, optimiser, data, config, seed=1, extractor=extractor)
    pairs = data.draw(0)
    return [stepper.take(pairs.select(slice(7 * i, 7 * i + 7)), i).tolist() for i in range(5)]


@pytest.mark.parametrize("rounded", [False, True])
@pytest.mark.parametrize("kind", ["adhominem", "hrsn"])
@pytest.mark.parametrize(
    "config",
    [PAIRS, AUTHORS, replace(AUTHORS, teacher_share=0.7)],
    ids=["pairs", "authors", "taught"],
)
def test_steps_without_padding_are_those_of_packed_sequences(
    data: TrainingData,
    new_network: NewNetwork,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    config: TrainingConfig,
    rounded: bool,
) -> None:
    monkeypatch.setattr(step, "Replayer", lambda compute, _: compute)  # graphs are of a GPU
    data = with_teacher(data) if config.teacher_share else data
    networks = [new_network(kind=kind, dropout=0.2) for _ in range(2)]
    packed = losses(networks[0], data, config)
    ragged = losses(networks[1], data, config, precision=torch.float32, rounded=rounded)
    np.testing.assert_allclose(ragged, packed, rtol=1e-4)
    expected, found = (trained_parameters(network) for network in networks)
    for name, weight in expected.items():
        torch.testing.assert_close(found[name], weight, rtol=1e-3, atol=1e-4, msg=name)


def test_a_process_without_a_share_takes_part(data: TrainingData, new_network: NewNetwork) -> None:
    """Its loss is nothing, and it draws no batch."""
    network = new_network()
    alone = World(rank=0, size=2)
    stepper = Stepper(
        network, make_optimiser(network, PAIRS), data, PAIRS, seed=1, world=_Silent(alone)
    )
    before = {name: p.detach().clone() for name, p in trained_parameters(network).items()}
    totals = stepper.take(data.draw(0).select(slice(0, 1)), 0)
    assert totals.tolist() == [0, 0]
    assert all(torch.equal(before[n], p) for n, p in trained_parameters(network).items())


class _Silent(World):
    """A world whose other processes say nothing."""

    def __init__(self, like: World) -> None:
        super().__init__(like.rank, like.size)

    def add_up(self, tensor: torch.Tensor) -> None:
        pass


def test_sums_are_read_once_and_in_order() -> None:
    state = TrainingState(loss_sum=1.0, wrong=2.0)
    state.unread = [torch.tensor([0.5, 1.0]), torch.tensor([0.25, 0.0])]
    state.read()
    state.read()
    assert (state.loss_sum, state.wrong, state.unread) == (1.75, 3.0, [])


def test_documents_of_another_step_are_other_stretches(
    data: TrainingData, new_network: NewNetwork
) -> None:
    """The same pairs at another step are cut and hidden otherwise; at the same step alike."""
    pairs = data.draw(0).select(slice(0, 7))

    def read(number: int) -> list[Any]:
        network = new_network()
        stepper = Stepper(
            network,
            make_optimiser(network, PAIRS),
            data,
            PAIRS,
            seed=1,
            extractor=FeatureExtractor(network, data.corpus, precision=torch.float32),
        )
        batch = stepper._prepare(pairs, number).batch
        assert batch is not None
        return batch.words[batch.tokens].tolist()

    assert read(3) == read(3) != read(4)


def test_a_cpu_reads_packed_sequences(data: TrainingData, new_network: NewNetwork) -> None:
    extractor = fastest_extractor(new_network(), data.corpus)
    assert extractor.precision is None and not extractor.rounded


def test_only_narrow_states_in_half_precision_on_a_gpu_are_fused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ragged, "_HAS_TRITON", True)
    hopper = SimpleNamespace(shared_memory_per_block_optin=232_448)
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda _: hopper)
    gpu, half = torch.device("cuda"), torch.bfloat16
    narrow, wide = torch.nn.LSTM(4, 128), torch.nn.LSTM(4, 129)
    assert ragged.is_fused(narrow, gpu, half)
    assert not ragged.is_fused(wide, gpu, half)
    assert not ragged.is_fused(narrow, gpu, torch.float32)
    assert not ragged.is_fused(narrow, torch.device("cpu"), half)
    hopper.shared_memory_per_block_optin = 166_912
    assert not ragged.is_fused(narrow, gpu, half)
    assert ragged.is_fused(torch.nn.LSTM(4, 64), gpu, half)
