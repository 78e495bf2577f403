"""Pairs a second of one optimiser step, the ways of training_ways.py side by side.

All start at the same weights and read the same stretches of lines; without dropout they must give
the same loss and the same gradient (in bfloat16 nearly). Every way takes the same steps in turn, in
the same process.

    python benchmarks/training_step.py                    32 pairs by the paper's loss, on the CPU
    python benchmarks/training_step.py --device cuda --experiment paper --experiment shipped \\
        -o results/training-step-h200.json
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from timing import best_times, machine, new_parser, write_json
from training_ways import Plain, Setting, Way, make_setting

from adhominem.laboratory.corpus.pairs import PairTable
from adhominem.laboratory.network.model import AdHominem
from adhominem.laboratory.training.loop import TrainingState, make_optimiser, train

_TOLERANCE = {"cpu": 1e-3, "cuda": 1e-1}  # of the gradient; bfloat16 has eight bits


def make_ways(setting: Setting, network: AdHominem, device: torch.device) -> dict[str, Any]:
    def copy() -> AdHominem:
        twin = setting.network(device, dropout=network.config.dropout)
        twin.load_state_dict(network.state_dict())
        return twin

    kinds = ["packed", "ragged"] + ["replayed"] * (device.type == "cuda")
    ways: dict[str, Any] = {kind: Way(kind, setting, copy()) for kind in kinds}
    if device.type == "cpu" and setting.config.objective == "pairs":
        ways["plain"] = Plain(setting, network)
    return ways


def check_same_step(setting: Setting, device: torch.device) -> dict[str, dict[str, float]]:
    """Without dropout, at rate 0: differences from the packed way's loss and gradient. Graphs are
    recorded after some steps."""
    still = replace(
        setting,
        sizes={**setting.sizes, "dropout": 0.0},
        config=replace(setting.config, learning_rate=0.0),
    )
    ways = make_ways(still, still.network(device), device)
    n = 10 if device.type == "cuda" else 1
    losses = {name: way.steps(0, n)[-1] for name, way in ways.items()}
    packed = _gradient(ways["packed"].network)
    differences = {}
    for name, way in ways.items():
        difference = {"loss": abs(losses[name] / losses["packed"] - 1)}
        if name in ("ragged", "replayed"):
            found = _gradient(way.network)
            difference["gradient"] = float((found - packed).norm() / packed.norm())
        if max(difference.values()) > _TOLERANCE[device.type]:
            raise SystemExit(f"the step of '{name}' differs: {difference}")
        differences[name] = {k: float(f"{v:.2g}") for k, v in difference.items()}
    return differences


def _gradient(network: torch.nn.Module) -> torch.Tensor:
    return torch.cat([p.grad.flatten() for p in network.parameters() if p.grad is not None])


def measure(setting: Setting, device: torch.device, rounds: int) -> dict[str, Any]:
    difference = check_same_step(setting, device)
    ways = make_ways(setting, setting.network(device), device)
    n, pairs = len(setting.batches), setting.config.batch_pairs
    seconds = best_times({k: lambda w=w: w.steps(0, n) for k, w in ways.items()}, rounds=rounds)
    return {
        "pairs": pairs,
        "steps": n,
        "network": setting.sizes,
        "objective": setting.config.objective,
        "corpus": setting.corpus,
        "seconds_per_step": {k: round(s / n, 5) for k, s in seconds.items()},
        "pairs_per_second": {k: round(n * pairs / s, 1) for k, s in seconds.items()},
        "relative_difference": difference,
    }


def measure_epoch(setting: Setting, device: torch.device, n: int) -> dict[str, float]:
    """One whole epoch of the training loop, pairs drawn from the same documents again and again."""
    rng = np.random.default_rng(1)
    chosen = rng.integers(0, len(setting.batches), -(-n // setting.config.batch_pairs))
    tables = [setting.batches[i] for i in chosen]
    table = PairTable(
        *(np.concatenate([getattr(t, name) for t in tables]) for name in ("left", "right")),
        np.concatenate([t.same_author for t in tables]),
        None,
    ).select(slice(0, n))
    data = replace(setting.data, draw=lambda _: table, dev={"": table.select(slice(0, 1000))})
    network = setting.network(device)
    config = replace(setting.config, epochs=1)
    began = time.perf_counter()
    steps = train(network, make_optimiser(network, config), data, config, TrainingState(), seed=1)
    (record,) = [step.record for step in steps if step.record]
    return {
        "pairs": n,
        "pairs_per_second": round(record.pairs_per_second, 1),
        "seconds_of_steps": round(n / record.pairs_per_second, 2),
        "seconds_with_development": round(time.perf_counter() - began, 2),
    }


def main() -> None:
    parser = new_parser(__doc__, "results/benchmark-training-step.json")
    parser.add_argument("--experiment", action="append", help="a file in experiments/ (paper)")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--pairs", type=int, help="in one step (cpu: 32, else the experiment's)")
    parser.add_argument("--tokens", type=int, default=265, help="mean tokens of a document")
    parser.add_argument("--steps", type=int, default=5, help="timed together")
    parser.add_argument("--rounds", type=int, default=5, help="the best of so many counts")
    parser.add_argument("--epoch", type=int, help="pairs of a whole epoch to be timed as well")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    options = parser.parse_args()

    torch.set_num_threads(options.threads)
    torch.set_float32_matmul_precision("high")
    device = torch.device(options.device)
    pairs = options.pairs or (32 if device.type == "cpu" else None)
    conditions, measured = machine(device), {}
    for name in options.experiment or ["paper"]:
        setting = make_setting(
            name, tokens=options.tokens, steps=options.steps, seed=options.seed, pairs=pairs
        )
        measured[name] = measure(setting, device, options.rounds)
        if options.epoch:
            measured[name]["epoch"] = measure_epoch(setting, device, options.epoch)
        print(f"{name}: {setting.config.batch_pairs} pairs of {options.tokens}-token documents")
        for way, rate in measured[name]["pairs_per_second"].items():
            each = measured[name]["seconds_per_step"][way]
            print(f"{way:8}{1000 * each:10.2f} ms{rate:12.1f} pairs/s", flush=True)
        content = {"benchmark": "training-step", "machine": conditions, "experiments": measured}
        rates = measured[name]["pairs_per_second"]
        if "plain" in rates:
            content["ours_over_plain"] = round(rates["packed"] / rates["plain"], 2)
        write_json(options.output, content)


if __name__ == "__main__":
    main()
