"""Loss by step of the packed and the ragged way from the same weights, over made-up authors.

python benchmarks/training_curves.py --device cuda -o results/training-curves.json
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from timing import machine, write_json
from training_ways import Setting, Way, make_setting

_WINDOW = 20  # steps of one mean


def compare(setting: Setting, device: torch.device, n: int) -> dict[str, Any]:
    """The packed way twice: how far two runs of one seed part on this device."""
    losses = {
        name: np.array(Way(kind, setting, setting.network(device)).steps(0, n))
        for name, kind in (("packed", "packed"), ("again", "packed"), ("replayed", "replayed"))
    }
    means = {
        name: loss[: n - n % _WINDOW].reshape(-1, _WINDOW).mean(1) for name, loss in losses.items()
    }
    return {
        "steps": n,
        "window": _WINDOW,
        "mean_loss": {name: np.round(mean, 5).tolist() for name, mean in means.items()},
        "largest_relative_difference": {
            name: float(f"{np.abs(means[name] / means['packed'] - 1).max():.3g}")
            for name in ("again", "replayed")
        },
        "last_losses": {name: float(mean[-1]) for name, mean in means.items()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--experiment", action="append")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--pairs", type=int)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("-o", type=Path, default=Path("results/training-curves.json"))
    options = parser.parse_args()
    torch.set_float32_matmul_precision("high")
    measured = {}
    for name in options.experiment or ["shipped", "paper"]:
        setting = make_setting(name, tokens=265, steps=30, seed=2, pairs=options.pairs)
        untaught = replace(setting.config, teacher_share=0.0)
        setting = replace(setting, config=untaught, data=replace(setting.data, taught=None))
        measured[name] = compare(setting, torch.device(options.device), options.steps)
        print(name, measured[name]["largest_relative_difference"], measured[name]["last_losses"])
    write_json(
        options.o,
        {
            "benchmark": "training-curves",
            "machine": machine(torch.device(options.device)),
            "experiments": measured,
        },
    )


if __name__ == "__main__":
    main()
