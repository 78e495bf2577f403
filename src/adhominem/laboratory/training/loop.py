"""Training as a generator of steps: no files, no printing, no hidden randomness.

Whatever a step draws (pairs, stretches of long documents, dropout masks) depends on the seed and
the number of the step alone. The state is consistent at every `yield`; a run that goes on from a
saved state takes the same steps as one that was never stopped.
"""

import math
import time
from collections.abc import Iterator, Mapping
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

_READ_STEPS = 50  # steps after which the losses are fetched from a GPU


@dataclass(frozen=True, slots=True)
class EpochRecord:
    """Loss and error of an epoch on its own pairs and on the development pairs."""

    epoch: int
    steps: int
    loss: float
    error: float
    dev_error: float  # mean over genres that are learnt from
    dev_loss: float
    pairs_per_second: float
    dev_errors: dict[str, float] = field(default_factory=dict)  # of each genre
    dev_aucs: dict[str, float] = field(default_factory=dict)


@dataclass
class TrainingState:
    """Where a run stands."""

    epoch: int = 0
    step_in_epoch: int = 0
    step: int = 0
    loss_sum: float = 0.0
    wrong: float = 0.0
    best_error: float = float("inf")
    best_epoch: int = -1
    best: dict[str, Tensor] = field(default_factory=dict)  # trained weights of the best epoch
    average: dict[str, Tensor] = field(default_factory=dict)  # running mean of the weights
    history: list[EpochRecord] = field(default_factory=list)
    # Losses and wrong decisions of the last steps, still on the device.
    unread: list[Tensor] = field(default_factory=list, repr=False)

    def read(self) -> None:
        """Add `unread` to `loss_sum` and `wrong`."""
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
    """Adam over the trained weights."""
    trained = [p for p in network.parameters() if p.requires_grad]
    fused = all(p.is_cuda for p in trained)
    return torch.optim.Adam(trained, lr=config.learning_rate, fused=fused or None)


def is_finished(state: TrainingState, config: TrainingConfig) -> bool:
    """Whether the epochs are over, or the last `patience` of them brought no lower error."""
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
        learnt = {name: e for name, e in errors.items() if name not in config.left_out}
        dev_error = world.agree(_mean(learnt), device_of(network))
        loss, error = state.loss_sum / len(pairs), state.wrong / len(pairs)
        own = dev_error, _mean(losses), rate, errors, aucs
        record = EpochRecord(state.epoch, n_steps, loss, error, *own)
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
    """The learning rate of a step: from `highest` to 0 along half a cosine every `period` steps."""
    return highest * (1 + math.cos(math.pi * (step % period) / period)) / 2


def set_rate(optimiser: torch.optim.Optimizer, config: TrainingConfig, step: int) -> None:
    """Give the optimiser the learning rate of a step."""
    rate = cosine_restarts(step, highest=config.learning_rate, period=config.restart_steps)
    for group in optimiser.param_groups:
        group["lr"] = rate


def _measure(
    network: SiameseNetwork, data: TrainingData, config: TrainingConfig
) -> tuple[dict[str, float], dict[str, float], dict[str, float]]:
    """Error, area under the ROC curve and loss on the development pairs of each genre."""
    errors, aucs, losses = {}, {}, {}
    most = config.max_lines
    for genre, d in distances_by_genre(network, data.corpus, data.dev, max_lines=most).items():
        same = data.dev[genre].same_author
        errors[genre], aucs[genre] = lowest_error(d, same), auc(-d, same)
        both = torch.from_numpy(d), torch.from_numpy(same)
        losses[genre] = float(double_threshold_loss(*both, config.tau_s, config.tau_d).mean())
    return errors, aucs, losses


def _mean(values: Mapping[str, float]) -> float:
    return sum(values.values()) / max(1, len(values))


def trained_parameters(network: SiameseNetwork) -> dict[str, nn.Parameter]:
    return {name: p for name, p in network.named_parameters() if p.requires_grad}
