"""Training as a generator of steps: no files, no printing, no hidden randomness.

Whatever a step draws (pairs, stretches of long documents, dropout masks) depends on the seed and
the number of the step alone. The state is consistent at every `yield`; a run that goes on from a
saved state takes the same steps as one that was never stopped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from adhominem.corpus.pairs import PairTable
from adhominem.network.batches import Collator, LineRanges
from adhominem.network.model import Masks, SiameseNetwork, double_threshold_loss
from adhominem.text.encode import Encoded
from adhominem.training.average import update_average, weights_set
from adhominem.training.config import TrainingConfig
from adhominem.training.measuring import area_under_curve, lowest_error, pair_distances
from adhominem.training.objectives import OBJECTIVES
from adhominem.training.processes import World
from adhominem.training.schedule import cosine_restarts


@dataclass(frozen=True, slots=True)
class TrainingData:
    """A corpus, the training pairs of each epoch, the development pairs of each genre, and a
    teacher's features of every document, where there is one."""

    corpus: Encoded
    draw: Callable[[int], PairTable]
    dev: Mapping[str, PairTable]
    taught: npt.NDArray[np.float16] | None = None


@dataclass(frozen=True, slots=True)
class EpochRecord:
    """`dev_error` is the mean of `dev_errors`, the errors of the genres; `dev_aucs` are the areas
    under their ROC curves."""

    epoch: int
    steps: int
    loss: float
    error: float
    dev_error: float
    dev_loss: float
    pairs_per_second: float
    dev_errors: dict[str, float] = field(default_factory=dict)
    dev_aucs: dict[str, float] = field(default_factory=dict)


@dataclass
class TrainingState:
    """Where a run stands. `best` holds the trained weights of the best epoch so far, `average` the
    running mean of the weights."""

    epoch: int = 0
    step_in_epoch: int = 0
    step: int = 0
    loss_sum: float = 0.0
    wrong: float = 0.0
    best_error: float = float("inf")
    best_epoch: int = -1
    best: dict[str, Tensor] = field(default_factory=dict)
    average: dict[str, Tensor] = field(default_factory=dict)
    history: list[EpochRecord] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Step:
    """What a progress bar shows; `record` is set on the last step of an epoch."""

    epoch: int
    step: int
    n_steps: int
    loss: float
    error: float
    pairs_per_second: float
    record: EpochRecord | None = None


def make_optimiser(network: SiameseNetwork, config: TrainingConfig) -> torch.optim.Optimizer:
    trained = [p for p in network.parameters() if p.requires_grad]
    return torch.optim.Adam(trained, lr=config.learning_rate)


def is_finished(state: TrainingState, config: TrainingConfig) -> bool:
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
) -> Iterator[Step]:
    """Takes steps until the epochs are over or the development error stops falling."""
    device = next(network.parameters()).device
    collator = Collator(data.corpus, device)
    while not is_finished(state, config):
        pairs = data.draw(state.epoch)
        n_steps = -(-len(pairs) // config.batch_pairs)
        began, done, rate = time.perf_counter(), 0, 0.0
        while state.step_in_epoch < n_steps:
            start = state.step_in_epoch * config.batch_pairs
            batch = pairs.rows(start, min(start + config.batch_pairs, len(pairs)))
            _set_rate(optimiser, config, state.step)
            loss, wrong = _take_step(
                network, optimiser, collator, data, batch, config, state.step, seed, world
            )
            if config.average:
                update_average(
                    state.average, trained_parameters(network), config.average, state.step
                )
            state.loss_sum += loss
            state.wrong += wrong
            state.step_in_epoch += 1
            state.step += 1
            done += len(batch)
            seen = min(state.step_in_epoch * config.batch_pairs, len(pairs))
            rate = done / (time.perf_counter() - began)
            if state.step_in_epoch < n_steps:
                loss, error = state.loss_sum / seen, state.wrong / seen
                yield Step(state.epoch, state.step_in_epoch, n_steps, loss, error, rate)
        record = _close_epoch(network, data, config, state, len(pairs), n_steps, rate, world)
        yield Step(record.epoch, n_steps, n_steps, record.loss, record.error, rate, record)


def _take_step(
    network: SiameseNetwork,
    optimiser: torch.optim.Optimizer,
    collator: Collator,
    data: TrainingData,
    pairs: PairTable,
    config: TrainingConfig,
    step: int,
    seed: int,
    world: World,
) -> tuple[float, float]:
    """One step on the global batch; returns its summed loss and its wrong decisions."""
    device = next(network.parameters()).device
    ranges = _stretches(data.corpus, pairs, config, np.random.default_rng([seed, 1, step]))
    first, last = world.share(len(pairs))
    mine = slice(2 * first, 2 * last)
    network.train()
    optimiser.zero_grad(set_to_none=True)
    y: Tensor | None = None
    if last > first:
        masks = _draw_masks(network, ranges, mine, _generator(device, seed, step))
        batch = collator.batch(
            LineRanges(ranges.first[mine], ranges.count[mine]),
            unknown_share=config.unknown_share,
            content_share=config.content_share,
            key=_key(seed, step),
        )
        y = network(batch, masks).features
    taught = None
    if data.taught is not None:
        documents = np.stack([pairs.left, pairs.right], axis=1).ravel()
        taught = torch.from_numpy(data.taught[documents].astype(np.float32)).to(device)
    objective = OBJECTIVES[config.objective](
        y, pairs, config, network.n_features, device, world, taught
    )
    if objective.loss.requires_grad:
        torch.autograd.backward(objective.loss / len(pairs))
    totals = objective.totals
    trained = [p for group in optimiser.param_groups for p in group["params"]]
    _add_up_gradients(trained, world)
    world.add_up(totals)
    nn.utils.clip_grad_norm_(trained, config.clip_norm)
    optimiser.step()
    loss_sum, n_wrong = totals.tolist()
    return loss_sum, n_wrong


def _stretches(
    corpus: Encoded, pairs: PairTable, config: TrainingConfig, rng: np.random.Generator
) -> LineRanges:
    """Both documents of each pair in turn; of each a random stretch, at most `max_lines` long and
    not shorter than the share of the document that the settings ask for."""
    documents = np.stack([pairs.left, pairs.right], axis=1).ravel()
    n_lines = corpus.documents[documents + 1] - corpus.documents[documents]
    count = np.minimum(n_lines, config.max_lines)
    if config.shortest_stretch < 1:
        least = np.ceil(config.shortest_stretch * count).astype(np.int64)
        count = rng.integers(np.maximum(least, 1), count + 1)
    start = rng.integers(0, n_lines - count + 1)
    return LineRanges(corpus.documents[documents] + start, count)


def _draw_masks(
    network: SiameseNetwork, ranges: LineRanges, mine: slice, generator: torch.Generator
) -> Masks | None:
    """Masks for the global batch, of which this process keeps its own rows."""
    if not network.config.dropout:
        return None
    starts = np.concatenate([[0], np.cumsum(ranges.count)])
    masks = network.draw_masks(int(starts[-1]), len(ranges), generator)
    return Masks(
        words=masks.words[starts[mine.start] : starts[mine.stop]],
        sentences=masks.sentences[mine],
        documents=masks.documents[mine],
    )


def _key(seed: int, step: int) -> int:
    return int(np.random.SeedSequence([seed, 4, step]).generate_state(1, np.uint32)[0])


def _generator(device: torch.device, seed: int, step: int) -> torch.Generator:
    state = np.random.SeedSequence([seed, 2, step]).generate_state(1, np.uint64)
    return torch.Generator(device).manual_seed(int(state[0] >> np.uint64(1)))


def _add_up_gradients(parameters: list[nn.Parameter], world: World) -> None:
    if world.size == 1:
        return
    for parameter in parameters:
        if parameter.grad is None:
            parameter.grad = torch.zeros_like(parameter)
    flat = torch.cat([p.grad.flatten() for p in parameters if p.grad is not None])
    world.add_up(flat)
    sizes = [p.numel() for p in parameters]
    for parameter, grad in zip(parameters, torch.split(flat, sizes), strict=True):
        parameter.grad = grad.view_as(parameter)


def _set_rate(optimiser: torch.optim.Optimizer, config: TrainingConfig, step: int) -> None:
    rate = cosine_restarts(step, highest=config.learning_rate, period=config.restart_steps)
    for group in optimiser.param_groups:
        group["lr"] = rate


def _close_epoch(
    network: SiameseNetwork,
    data: TrainingData,
    config: TrainingConfig,
    state: TrainingState,
    n_pairs: int,
    n_steps: int,
    rate: float,
    world: World,
) -> EpochRecord:
    device = next(network.parameters()).device
    dev_errors: dict[str, float] = {}
    dev_aucs: dict[str, float] = {}
    dev_losses: dict[str, float] = {}
    measured = state.average or trained_parameters(network)
    if world.rank == 0:
        with weights_set(network, measured):
            for genre, pairs in data.dev.items():
                d = pair_distances(network, data.corpus, pairs, max_lines=config.max_lines)
                dev_errors[genre] = lowest_error(d, pairs.same_author)
                dev_aucs[genre] = area_under_curve(d, pairs.same_author)
                same = torch.from_numpy(pairs.same_author)
                loss = double_threshold_loss(torch.from_numpy(d), same, config.tau_s, config.tau_d)
                dev_losses[genre] = float(loss.mean())
    dev_error = world.agree(_mean(dev_errors), device)
    record = EpochRecord(
        state.epoch,
        n_steps,
        state.loss_sum / n_pairs,
        state.wrong / n_pairs,
        dev_error,
        _mean(dev_losses),
        rate,
        dev_errors,
        dev_aucs,
    )
    if dev_error < state.best_error:
        state.best_error, state.best_epoch = dev_error, state.epoch
        state.best = {name: weight.detach().clone() for name, weight in measured.items()}
    state.history.append(record)
    state.epoch += 1
    state.step_in_epoch = 0
    state.loss_sum = state.wrong = 0.0
    return record


def _mean(values: Mapping[str, float]) -> float:
    return sum(values.values()) / max(1, len(values))


def trained_parameters(network: SiameseNetwork) -> dict[str, nn.Parameter]:
    return {name: p for name, p in network.named_parameters() if p.requires_grad}
