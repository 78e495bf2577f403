"""Training as a generator of steps, without files, output or hidden randomness.

All draws of a step (pairs, stretches of long documents, dropout masks) depend on the seed and the
number of the step only. The state is consistent at every `yield`; a run that continues from a saved
state takes the same steps as one that was never stopped.
"""

import math
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from adhominem.laboratory.corpus.pairs import PairTable
from adhominem.laboratory.evaluation.measures import auc
from adhominem.laboratory.network import update_average, weights_set
from adhominem.laboratory.network.encoder import device_of, distances_by_genre, lowest_error
from adhominem.laboratory.network.model import SiameseNetwork, double_threshold_loss
from adhominem.laboratory.training import TrainingConfig, World
from adhominem.laboratory.training.data import TrainingData
from adhominem.laboratory.training.step import Stepper

_READ_STEPS = 50  # steps between two reads of the losses from a GPU


@dataclass(frozen=True, slots=True)
class EpochRecord:
    """Loss and error of an epoch on training and development pairs."""

    epoch: int
    steps: int
    loss: float
    error: float
    dev_error: float  # mean over the genres that are trained on
    dev_loss: float
    pairs_per_second: float
    dev_errors: dict[str, float] = field(default_factory=dict)  # of each genre
    dev_aucs: dict[str, float] = field(default_factory=dict)


@dataclass
class TrainingState:
    """State of a training run."""

    epoch: int = 0
    step_in_epoch: int = 0
    step: int = 0
    loss_sum: float = 0.0
    wrong: float = 0.0
    best_error: float = float("inf")
    best_epoch: int = -1
    best: dict[str, Tensor] = field(default_factory=dict)  # trained weights of the best epoch
    average: dict[str, Tensor] = field(default_factory=dict)  # moving average of the weights
    history: list[EpochRecord] = field(default_factory=list)
    unread: list[Tensor] = field(default_factory=list, repr=False)  # totals still on the device

    def read(self) -> None:
        """Add the losses and wrong decisions in `unread` to `loss_sum` and `wrong`."""
        if self.unread:
            for loss, wrong in torch.stack(self.unread).tolist():
                self.loss_sum += loss
                self.wrong += wrong
            self.unread.clear()


@dataclass(frozen=True, slots=True)
class TrainingStep:
    """Progress of an epoch after a step; `record` is set on the last step of the epoch."""

    epoch: int
    step: int
    n_steps: int
    loss: float
    error: float
    pairs_per_second: float
    record: EpochRecord | None = None


def make_optimiser(network: SiameseNetwork, config: TrainingConfig) -> torch.optim.Optimizer:
    """Return Adam over the trained weights."""
    trained = [p for p in network.parameters() if p.requires_grad]
    fused = all(p.is_cuda for p in trained)
    return torch.optim.Adam(trained, lr=config.learning_rate, fused=fused or None)


def is_finished(state: TrainingState, config: TrainingConfig) -> bool:
    """Whether all epochs are done, or the last `patience` epochs brought no lower error."""
    waited = state.epoch - 1 - state.best_epoch
    return state.epoch >= config.epochs or (state.best_epoch >= 0 and waited >= config.patience)


def train(
    network: SiameseNetwork,
    optimiser: torch.optim.Optimizer,
    data: TrainingData,
    config: TrainingConfig,
    state: TrainingState,
    *,
    seed: int,
    world: World = World(),
) -> Iterator[TrainingStep]:
    """Take steps until the epochs are over or the development error stops falling."""
    stepper = Stepper(network, optimiser, data, config, seed=seed, world=world)
    parameters = trained_parameters(network)
    reads_each = device_of(network).type != "cuda"
    while not is_finished(state, config):
        pairs = data.draw(state.epoch)
        n_steps = -(-len(pairs) // config.batch_pairs)
        began, done, rate, loss, error = time.perf_counter(), 0, 0.0, 0.0, 0.0
        while state.step_in_epoch < n_steps:
            batch = _rows(pairs, state.step_in_epoch, config)
            set_rate(optimiser, config, state.step)
            state.unread.append(stepper.take(batch, state.step))
            if config.average:
                update_average(state.average, parameters, config.average, state.step)
            state.step_in_epoch += 1
            state.step += 1
            done += len(batch)
            is_last = state.step_in_epoch == n_steps
            if not is_last:
                stepper.look_ahead(_rows(pairs, state.step_in_epoch, config), state.step)
            if reads_each or is_last or state.step_in_epoch % _READ_STEPS == 1:
                state.read()
                seen = min(state.step_in_epoch * config.batch_pairs, len(pairs))
                loss, error = state.loss_sum / seen, state.wrong / seen
                rate = done / (time.perf_counter() - began)
            if not is_last:
                yield TrainingStep(state.epoch, state.step_in_epoch, n_steps, loss, error, rate)
        measured = state.average or parameters
        with weights_set(network, measured):
            figures = _measure(network, data, config) if world.rank == 0 else ({}, {}, {})
        errors, aucs, losses = figures
        trained_on = [e for genre, e in errors.items() if genre not in config.left_out]
        dev_error = world.agree(_mean(trained_on), device_of(network))
        loss, error = state.loss_sum / len(pairs), state.wrong / len(pairs)
        dev = dev_error, _mean(losses.values()), rate, errors, aucs
        record = EpochRecord(state.epoch, n_steps, loss, error, *dev)
        if dev_error < state.best_error:
            state.best_error, state.best_epoch = dev_error, state.epoch
            state.best = {name: weight.detach().clone() for name, weight in measured.items()}
        state.history.append(record)
        state.epoch, state.step_in_epoch = state.epoch + 1, 0
        state.loss_sum = state.wrong = 0.0
        yield TrainingStep(record.epoch, n_steps, n_steps, loss, error, rate, record)


def _rows(pairs: PairTable, step_in_epoch: int, config: TrainingConfig) -> PairTable:
    start = step_in_epoch * config.batch_pairs
    return pairs.select(slice(start, start + config.batch_pairs))


def cosine_restarts(step: int, *, highest: float, period: int) -> float:
    """Return the learning rate of a step, which falls from `highest` to 0 along half a cosine in
    every `period` steps."""
    return highest * (1 + math.cos(math.pi * (step % period) / period)) / 2


def set_rate(optimiser: torch.optim.Optimizer, config: TrainingConfig, step: int) -> None:
    """Set the learning rate of the optimiser for a step."""
    rate = cosine_restarts(step, highest=config.learning_rate, period=config.restart_steps)
    for group in optimiser.param_groups:
        group["lr"] = rate


def _measure(
    network: SiameseNetwork, data: TrainingData, config: TrainingConfig
) -> tuple[dict[str, float], dict[str, float], dict[str, float]]:
    """Return error, AUC and loss on the development pairs of each genre."""
    errors, aucs, losses = {}, {}, {}
    most = config.max_lines
    for genre, d in distances_by_genre(network, data.corpus, data.dev, max_lines=most).items():
        same = data.dev[genre].same_author
        errors[genre], aucs[genre] = lowest_error(d, same), auc(-d, same)
        both = torch.from_numpy(d), torch.from_numpy(same)
        losses[genre] = float(double_threshold_loss(*both, config.tau_s, config.tau_d).mean())
    return errors, aucs, losses


def _mean(values: Collection[float]) -> float:
    return sum(values) / max(1, len(values))


def trained_parameters(network: SiameseNetwork) -> dict[str, nn.Parameter]:
    return {name: p for name, p in network.named_parameters() if p.requires_grad}
