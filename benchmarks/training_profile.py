"""Training on a GPU, looked at in two ways, over made-up authors.

    python benchmarks/training_profile.py kernels -o results/training-profile.json
    python benchmarks/training_profile.py curves -o results/training-curves.json --steps 300

kernels   where the time of a step goes: device time by kernel and by family
curves    loss by step of the packed and the ragged way from the same weights
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from timing import machine, new_parser, write_json
from torch.profiler import ProfilerActivity, profile
from training_ways import Setting, Way, make_setting

_WINDOW = 20  # steps of one mean
_WARM = 40
_FAMILIES = {  # the first that fits the name of a kernel
    "recurrence": ("_forward", "_backward", "lstm", "rnn"),
    "embedding gradient": ("embedding_backward", "compute_grad_weight", "krn_", "sum_and_scatter"),
    "matrix products": ("gemm", "nvjet", "cutlass", "xmma", "cublas", "splitk"),
    "convolution": ("conv", "cudnn", "nchw"),
    "optimiser": ("adam", "multi_tensor", "lpnorm"),
    "sorting and distinct words": ("sort", "unique", "scan", "radix", "merge"),
    "random numbers": ("distribution", "philox"),
    "softmax and losses": ("softmax", "nll", "crossentropy"),
    "reductions": ("reduce",),
    "copies": ("memcpy", "memset", "copy", "cat"),
    "indexing": ("index", "gather", "scatter"),
    "element by element": ("elementwise", "vectorized", "unrolled"),
}


def family(kernel: str) -> str:
    name = kernel.lower()
    return next((f for f, parts in _FAMILIES.items() if any(p in name for p in parts)), "other")


def profile_steps(setting: Setting, kind: str, n: int) -> dict[str, Any]:
    way = Way(kind, setting, setting.network(torch.device("cuda")))
    way.steps(0, _WARM)  # so that graphs of all sizes are recorded
    began = time.perf_counter()
    way.steps(0, n)
    seconds = time.perf_counter() - began
    began = time.perf_counter()
    for number in range(n):
        way.step(number)
    launched = time.perf_counter() - began
    torch.cuda.synchronize()
    with profile(activities=[ProfilerActivity.CUDA, ProfilerActivity.CPU]) as profiler:
        way.steps(0, n)
    events = [e for e in profiler.key_averages() if e.self_device_time_total > 0]
    kernels = [
        e
        for e in events
        if e.device_type != torch.autograd.DeviceType.CPU and not e.key.startswith("Optimizer.")
    ]
    total = sum(e.self_device_time_total for e in kernels)
    families: dict[str, float] = {}
    for e in kernels:
        families[family(e.key)] = families.get(family(e.key), 0) + e.self_device_time_total
    return {
        "milliseconds_per_step": round(1000 * seconds / n, 3),
        "milliseconds_to_launch": round(1000 * launched / n, 3),
        "device_milliseconds_per_step": round(total / n / 1000, 3),
        "kernels_per_step": round(sum(e.count for e in kernels) / n, 1),
        "families": {
            name: {"milliseconds": round(t / n / 1000, 4), "share": round(t / total, 4)}
            for name, t in sorted(families.items(), key=lambda item: -item[1])
        },
        "kernels": [
            {
                "name": e.key[:120],
                "family": family(e.key),
                "calls_per_step": round(e.count / n, 1),
                "milliseconds": round(e.self_device_time_total / n / 1000, 4),
            }
            for e in sorted(kernels, key=lambda e: -e.self_device_time_total)[:40]
        ],
    }


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
    parser = new_parser(__doc__)
    parser.add_argument("look", choices=("kernels", "curves"))
    parser.add_argument("--experiment", action="append")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--pairs", type=int)
    parser.add_argument("--steps", type=int, default=10)
    options = parser.parse_args()
    torch.set_float32_matmul_precision("high")
    device, measured = torch.device(options.device), {}
    for name in options.experiment or ["shipped", "paper"]:
        setting = make_setting(name, tokens=265, steps=30, seed=2, pairs=options.pairs)
        if options.look == "kernels":
            measured[name] = profile_steps(setting, "replayed", options.steps)
        else:
            untaught = replace(setting.config, teacher_share=0.0)
            setting = replace(setting, config=untaught, data=replace(setting.data, teacher=None))
            measured[name] = compare(setting, device, options.steps)
    look = {"benchmark": f"training, {options.look}", "machine": machine(device)}
    write_json(options.output, {**look, "experiments": measured})


if __name__ == "__main__":
    main()
