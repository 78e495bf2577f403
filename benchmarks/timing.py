"""Times of several ways to do one thing, taken in turn so that a busy machine slows all alike."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch


def best_times(ways: Mapping[str, Callable[[], object]], *, rounds: int) -> dict[str, float]:
    """Seconds of the best round of each way, after one round that does not count."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds + 1):
        for name, way in ways.items():
            began = time.perf_counter()
            way()
            seconds[name].append(time.perf_counter() - began)
    return {name: min(times[1:]) for name, times in seconds.items()}


def machine(device: torch.device | None = None) -> dict[str, Any]:
    on_gpu = device is not None and device.type == "cuda"
    return {
        **({"gpu": torch.cuda.get_device_name(device)} if on_gpu else {}),
        "torch": torch.__version__,
        "python": platform.python_version(),
        "threads": torch.get_num_threads(),
        "cores": os.cpu_count(),
        "load_before": round(os.getloadavg()[0], 2),
    }


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
