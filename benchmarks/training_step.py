"""Pairs a second of one optimiser step: the training loop's own against plain padded form.

    plain  both documents of 32 pairs padded to the longest document and line, characters convolved
           for every token, nn.LSTM over the padding (benchmarks/plain.py)
    ours   `adhominem.laboratory.training.loop._take_step`

Both start at the same weights, read the same stretches of lines and draw dropout masks of their
own; without dropout they must give the same loss and the same gradient. Every way takes the same
steps in turn, in the same process with the same threads.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from documents import describe, encode_corpus, make_documents
from plain import PlainAdHominem, PlainCollator
from timing import best_times, machine, write_json
from torch import nn

from adhominem.instrument.text.encode import Encoded
from adhominem.laboratory.corpus.pairs import PairTable
from adhominem.laboratory.network.batches import Collator
from adhominem.laboratory.network.build import build_network, describe_network
from adhominem.laboratory.network.model import AdHominem, distance, double_threshold_loss
from adhominem.laboratory.training.config import TrainingConfig
from adhominem.laboratory.training.loop import TrainingData, _stretches, _take_step, make_optimiser
from adhominem.laboratory.training.processes import World


class Ours:
    def __init__(self, network: AdHominem, corpus: Encoded, config: TrainingConfig) -> None:
        self.network = network
        self._config = config
        self._optimiser = make_optimiser(network, config)
        self._collator = Collator(corpus, torch.device("cpu"))
        self._corpus = corpus

    def step(self, pairs: PairTable, number: int) -> float:
        data = TrainingData(self._corpus, lambda _: pairs, {"": pairs})
        loss, _ = _take_step(
            self.network,
            self._optimiser,
            self._collator,
            data,
            pairs,
            self._config,
            number,
            seed=0,
            world=World(),
        )
        return loss


class Plain:
    def __init__(self, network: PlainAdHominem, corpus: Encoded, config: TrainingConfig) -> None:
        self.network = network
        self._config = config
        self._trained = [p for p in network.parameters() if p.requires_grad]
        self._optimiser = torch.optim.Adam(self._trained, lr=config.learning_rate)
        self._collator = PlainCollator(corpus)
        self._corpus = corpus

    def step(self, pairs: PairTable, number: int) -> float:
        config = self._config
        rng = np.random.default_rng([0, 1, number])
        batch = self._collator.batch(_stretches(self._corpus, pairs, config.max_lines, rng))
        masks = None
        if self.network.config.dropout:
            masks = self.network.draw_masks(batch, torch.Generator().manual_seed(number))
        self._optimiser.zero_grad(set_to_none=True)
        y = self.network(batch, masks)
        d = distance(y[0::2], y[1::2])
        same = torch.from_numpy(pairs.same_author)
        loss = double_threshold_loss(d, same, config.tau_s, config.tau_d).sum()
        (loss / len(pairs)).backward()
        nn.utils.clip_grad_norm_(self._trained, config.clip_norm)
        self._optimiser.step()
        return float(loss.detach())


def check_same_step(corpus: Encoded, network: AdHominem, pairs: PairTable) -> dict[str, float]:
    """Without dropout: differences of the loss and of the clipped gradient after one step."""
    config = TrainingConfig()
    description = describe_network(network)
    still = build_network(description["kind"], {**description["sizes"], "dropout": 0.0})
    assert isinstance(still, AdHominem)
    still.load_state_dict(network.state_dict())
    plain = Plain(PlainAdHominem.like(still), corpus, config)
    ours = Ours(still, corpus, config)
    losses = [way.step(pairs, 0) for way in (plain, ours)]
    with torch.no_grad():
        for parameter in still.parameters():  # the gradient takes the weights' place, and so
            parameter.copy_(0 * parameter if parameter.grad is None else parameter.grad)
    expected = PlainAdHominem.like(still)  # gets the names that the plain network has for it
    differences = [
        (mine.grad - theirs.detach()).norm() / mine.grad.norm()
        for mine, theirs in zip(plain.network.parameters(), expected.parameters(), strict=True)
        if mine.grad is not None
    ]
    difference = {
        "loss": abs(losses[0] - losses[1]) / losses[0],
        "gradient": float(max(differences)),
    }
    if max(difference.values()) > 1e-3:
        raise SystemExit(f"the steps differ: {difference}")
    return difference


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=32, help="in one step")
    parser.add_argument("--tokens", type=int, default=265, help="mean tokens of a document")
    parser.add_argument("--steps", type=int, default=5, help="timed together")
    parser.add_argument("--rounds", type=int, default=5, help="the best of so many counts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("-o", type=Path, default=Path("results/benchmark-training-step.json"))
    options = parser.parse_args()

    torch.set_num_threads(options.threads)
    rng = np.random.default_rng(options.seed)
    n_pairs = options.pairs * options.steps
    texts = make_documents(2 * n_pairs, options.tokens, rng)
    corpus, network = encode_corpus(texts)
    left, right = rng.permutation(2 * n_pairs).reshape(2, n_pairs)
    table = PairTable(left, right, rng.random(n_pairs) < 0.5, None)
    batches = [table.rows(i, i + options.pairs) for i in range(0, n_pairs, options.pairs)]
    config = TrainingConfig(batch_pairs=options.pairs)
    conditions = machine()
    difference = check_same_step(corpus, network, batches[0])

    plain = Plain(PlainAdHominem.like(network), corpus, config)
    ours = Ours(network, corpus, config)
    seconds = best_times(
        {
            "plain": lambda: [plain.step(pairs, i) for i, pairs in enumerate(batches)],
            "ours": lambda: [ours.step(pairs, i) for i, pairs in enumerate(batches)],
        },
        rounds=options.rounds,
    )

    ratio = seconds["plain"] / seconds["ours"]
    print(f"a step on {options.pairs} pairs of {options.tokens}-token documents")
    print(f"{'':8}{'seconds':>10}{'pairs/s':>10}{'ours is':>10}")
    for name, s in seconds.items():
        each = s / options.steps
        print(f"{name:8}{each:10.3f}{options.pairs / each:10.1f}{s / seconds['ours']:9.2f}x")
    write_json(
        options.o,
        {
            "benchmark": "training-step",
            "machine": conditions,
            "settings": {
                "pairs": options.pairs,
                "steps": options.steps,
                "rounds": options.rounds,
                "seed": options.seed,
                "dropout": network.config.dropout,
            },
            "corpus": describe(texts, corpus),
            "seconds_per_step": {k: round(s / options.steps, 4) for k, s in seconds.items()},
            "pairs_per_second": {k: round(n_pairs / s, 1) for k, s in seconds.items()},
            "ours_over_plain": round(ratio, 2),
            "largest_relative_difference": {k: float(f"{v:.2g}") for k, v in difference.items()},
        },
    )


if __name__ == "__main__":
    main()
