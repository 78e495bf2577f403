"""The objective over batches of authors, against a slow loop and between processes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch

from adhominem.instrument.network.stretches import LineRanges
from adhominem.instrument.text.vocabulary import RESERVED_WORDS
from adhominem.laboratory.corpus.author_pairs import AuthorSampler
from adhominem.laboratory.corpus.pairs import PairTable
from adhominem.laboratory.network import batches, update_average, weights_set
from adhominem.laboratory.network.batches import Collator, Hiding
from adhominem.laboratory.network.model import SiameseNetwork
from adhominem.laboratory.training import TrainingConfig, World
from adhominem.laboratory.training.data import TrainingData
from adhominem.laboratory.training.loop import (
    TrainingState,
    make_optimiser,
    train,
    trained_parameters,
)
from adhominem.laboratory.training.objectives import (
    author_loss,
    gather_rows,
    squared_distances,
    teacher_targets,
)

NewNetwork = Callable[..., SiameseNetwork]
AUTHORS = TrainingConfig(
    epochs=2,
    batch_pairs=8,
    learning_rate=0.01,
    patience=100,
    objective="authors",
    shortest_stretch=0.5,
    unknown_share=0.15,
    average=0.9,
)


@pytest.mark.parametrize("seed", range(3))
def test_loss_is_that_of_a_slow_loop(seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    f, g = torch.randn(2, 6, 4, generator=generator, dtype=torch.float64)
    losses, wrong = author_loss(f, g, 0.7)
    for i in range(6):
        parts = []
        for one, others in ((f[i], g), (g[i], f)):
            logits = [-float(((one - other) ** 2).sum()) / 0.7 for other in others]
            parts.append(-logits[i] + math.log(sum(math.exp(x) for x in logits)))
        assert float(losses[i]) == pytest.approx(sum(parts) / 2)
        distances = [float(((f[i] - other) ** 2).sum()) for other in g]
        assert bool(wrong[i]) == (distances.index(min(distances)) != i)


def test_squared_distances_are_never_negative() -> None:
    f = torch.randn(40, 8)
    assert float(squared_distances(f, f).min()) >= 0
    torch.testing.assert_close(
        squared_distances(f, f).diagonal(), torch.zeros(40), atol=1e-4, rtol=0
    )


def test_gradients_of_all_processes_add_up_to_that_of_the_whole_batch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    y = torch.randn(12, 3, dtype=torch.float32, requires_grad=True)
    losses, _ = author_loss(y[0::2], y[1::2], 1.0)
    (whole,) = torch.autograd.grad(losses.sum(), y)
    total = torch.zeros_like(whole)
    for rank in range(3):
        world = World(rank, 3)
        monkeypatch.setattr(World, "add_up", lambda _, tensor: tensor.copy_(y.detach()))
        mine = y.detach()[4 * rank : 4 * rank + 4].clone().requires_grad_()
        gathered = gather_rows(mine, 4 * rank, 12, 3, torch.device("cpu"), world)
        losses, _ = author_loss(gathered[0::2], gathered[1::2], 1.0)
        (part,) = torch.autograd.grad(losses.sum(), mine)
        total[4 * rank : 4 * rank + 4] += part
    torch.testing.assert_close(total, whole)


@pytest.fixture
def author_data(data: TrainingData) -> TrainingData:
    """The training pairs of the common corpus as pairs of one author each."""
    table = data.draw(0)
    places = np.unique(np.concatenate([table.left, table.right]))
    # Four documents for each author, in their order.
    authors = places // 4

    nothing = np.zeros_like(authors)
    sampler = AuthorSampler(authors, nothing, nothing, topic_share=0.5)

    def draw(epoch: int) -> PairTable:
        return sampler.draw(64, size=8, power=0.5, seed=1, epoch=epoch).renumber(places)

    return replace(data, draw=draw)


def run(network: SiameseNetwork, data: TrainingData, config: TrainingConfig) -> TrainingState:
    state = TrainingState()
    for _ in train(network, make_optimiser(network, config), data, config, state, seed=1):
        pass
    return state


def test_training_lowers_the_loss(author_data: TrainingData, new_network: NewNetwork) -> None:
    state = run(new_network(), author_data, replace(AUTHORS, epochs=8, unknown_share=0.0))
    assert state.history[-1].loss < state.history[0].loss
    assert all(0 <= record.error <= 1 for record in state.history)


def test_same_seed_same_weights_to_the_bit(
    author_data: TrainingData, new_network: NewNetwork
) -> None:
    one, other = (run(new_network(), author_data, AUTHORS) for _ in range(2))
    assert one.history[-1].loss == other.history[-1].loss
    assert all(torch.equal(one.best[name], other.best[name]) for name in one.best)


def test_the_average_is_measured_and_kept(
    author_data: TrainingData, new_network: NewNetwork
) -> None:
    network = new_network()
    state = run(network, author_data, replace(AUTHORS, epochs=1))
    assert state.average.keys() == trained_parameters(network).keys()
    for name, weight in state.average.items():
        assert torch.equal(state.best[name], weight)
    last = trained_parameters(network)
    assert any(not torch.equal(state.average[name], last[name]) for name in last)


def test_average_is_that_of_a_slow_loop() -> None:
    average: dict[str, torch.Tensor] = {}
    expected = None
    for step in range(30):
        weight = torch.tensor([float(step), -1.0])
        update_average(average, {"w": weight}, 0.8, step)
        decay = min(0.8, (1 + step) / (10 + step))
        expected = weight if expected is None else decay * expected + (1 - decay) * weight
    torch.testing.assert_close(average["w"], expected)


def test_other_weights_for_a_while(new_network: NewNetwork) -> None:
    network = new_network()
    before = {name: p.detach().clone() for name, p in trained_parameters(network).items()}
    with weights_set(network, {name: torch.zeros_like(p) for name, p in before.items()}):
        assert all(not p.any() for p in trained_parameters(network).values())
    for name, parameter in trained_parameters(network).items():
        assert torch.equal(parameter, before[name])


def test_hidden_tokens_are_a_share_and_go_with_the_key(data: TrainingData) -> None:
    collator = Collator(data.corpus, torch.device("cpu"))
    n = data.corpus.n_documents
    ranges = LineRanges(data.corpus.documents[:-1], np.diff(data.corpus.documents))
    plain = collator.batch(ranges).padded()
    shown = plain.words[plain.tokens]

    def hidden(key: int) -> torch.Tensor:
        batch = collator.batch(ranges, Hiding(0.2, key)).padded()
        found = batch.words[batch.tokens]
        changed = found != shown
        assert (found[changed] == 1).all()
        blank = batch.characters[batch.tokens][changed]
        assert not blank.any()
        return changed

    one = hidden(1)
    assert 0.15 < float(one.float().mean()) < 0.25
    assert torch.equal(one, hidden(1))
    assert not torch.equal(one, hidden(2))
    alone = collator.batch(
        LineRanges(ranges.first[n // 2 : n // 2 + 1], ranges.count[n // 2 : n // 2 + 1]),
        Hiding(0.2, 1),
    ).padded()
    lines = slice(int(ranges.count[: n // 2].sum()), int(ranges.count[: n // 2 + 1].sum()))
    among = collator.batch(ranges, Hiding(0.2, 1)).padded()
    width = alone.tokens.shape[1]
    lengths = alone.line_lengths.tolist()
    for row, length in enumerate(lengths):
        left = alone.words[alone.tokens[row, : min(length, width)]]
        right = among.words[among.tokens[lines][row, :length]]
        assert torch.equal(left, right)


def test_targets_of_a_teacher_by_a_slow_loop() -> None:
    torch.manual_seed(3)
    f, g, share = torch.randn(4, 3), torch.randn(4, 3), 0.3
    for_f, for_g = teacher_targets(f, g, share)
    for i in range(4):
        near = [math.exp(-float(((f[i] - other) ** 2).sum())) for other in g]
        back = [math.exp(-float(((other - g[i]) ** 2).sum())) for other in f]
        for j in range(4):
            own = (1 - share) * (i == j)
            assert float(for_f[i, j]) == pytest.approx(own + share * near[j] / sum(near), rel=1e-4)
            assert float(for_g[i, j]) == pytest.approx(own + share * back[j] / sum(back), rel=1e-4)


def test_a_pupil_that_agrees_with_its_teacher_has_nothing_to_learn() -> None:
    torch.manual_seed(4)
    f, g = torch.randn(5, 3, requires_grad=True), torch.randn(5, 3)
    targets = teacher_targets(f.detach(), g, 1.0)
    losses, _ = author_loss(f, g, 1.0, targets)
    (gradient,) = torch.autograd.grad(losses.sum(), f)
    assert torch.allclose(gradient, torch.zeros_like(gradient), atol=1e-5)


@pytest.mark.parametrize("taught", [False, True])
def test_authors_of_other_blocks_are_no_negatives(taught: bool) -> None:
    """Loss and gradient are those of each block on its own."""
    generator = torch.Generator().manual_seed(5)
    f, g = torch.randn(2, 7, 4, generator=generator, dtype=torch.float64)
    f.requires_grad_()
    block = torch.tensor([4, 4, 4, 5, 5, 9, 9])
    teacher = torch.randn(2, 7, 3, generator=generator, dtype=torch.float64)

    def loss(rows: slice, numbers: torch.Tensor | None) -> tuple[torch.Tensor, torch.Tensor]:
        targets = None
        if taught:
            targets = teacher_targets(teacher[0][rows], teacher[1][rows], 0.4, numbers)
        return author_loss(f[rows], g[rows], 0.7, targets, numbers)

    whole, wrong = loss(slice(0, 7), block)
    (gradient,) = torch.autograd.grad(whole.sum(), f)
    parts = [loss(rows, None) for rows in (slice(0, 3), slice(3, 5), slice(5, 7))]
    torch.testing.assert_close(whole, torch.cat([part for part, _ in parts]))
    assert wrong.tolist() == torch.cat([found for _, found in parts]).tolist()
    (expected,) = torch.autograd.grad(sum(part.sum() for part, _ in parts), f)
    torch.testing.assert_close(gradient, expected)
    assert gradient.isfinite().all()


def test_training_in_blocks_lowers_the_loss(
    author_data: TrainingData, new_network: NewNetwork
) -> None:
    def draw(epoch: int) -> PairTable:
        table = author_data.draw(epoch)
        return replace(table, block=np.arange(len(table)) // 4)

    data = replace(author_data, draw=draw)
    state = run(new_network(), data, replace(AUTHORS, epochs=8, unknown_share=0.0))
    assert state.history[-1].loss < state.history[0].loss
    assert state.history[0].loss < run(new_network(), author_data, AUTHORS).history[0].loss


def test_hidden_content_words_are_the_rare_ones_of_some_documents(
    data: TrainingData, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow loop over documents: frequent words and markers stay, a document has its own share."""
    monkeypatch.setattr(batches, "_FREQUENT", 5)
    frequent = len(RESERVED_WORDS) + 5
    collator = Collator(data.corpus, torch.device("cpu"))
    ranges = LineRanges(data.corpus.documents[:-1], np.diff(data.corpus.documents))
    plain = collator.batch(ranges).padded()

    def hidden(content_share: float, key: int) -> list[float]:
        """For each document the share of its content words that is hidden."""
        batch = collator.batch(ranges, Hiding(0.0, key, content_share)).padded()
        shares = []
        line = 0
        for n_lines in ranges.count:
            changed = total = 0
            for row in range(line, line + n_lines):
                length = int(plain.line_lengths[row])
                before = plain.words[plain.tokens[row, :length]].tolist()
                after = batch.words[batch.tokens[row, :length]].tolist()
                spelt = plain.characters[plain.tokens[row, :length]].any(dim=1).tolist()
                for old, new, has_spelling in zip(before, after, spelt, strict=True):
                    is_content = has_spelling and (old == 1 or old >= frequent)
                    assert new == old or (is_content and new == 1)
                    changed += new != old
                    total += is_content and old != 1
            shares.append(changed / max(1, total))
            line += n_lines
        return shares

    everywhere, half = np.array(hidden(1.0, 1)), np.array(hidden(0.5, 1))
    assert everywhere.std() > 0.2 and 0.35 < everywhere.mean() < 0.65
    assert 0.3 < (half > 0).mean() < 0.7
    assert hidden(0.5, 1) == half.tolist() != hidden(0.5, 2)
    assert not any(hidden(0.0, 1))
