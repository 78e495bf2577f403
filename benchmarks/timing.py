"""What the benchmarks share: their options, times of several ways to do one thing, and reports.

Ways are timed in turn, so that a busy machine slows all alike.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch


def new_parser(doc: str | None, output: str | None = None) -> argparse.ArgumentParser:
    """A parser with the docstring of a benchmark as its help, and -o for the report."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=doc, formatter_class=form)
    parser.add_argument("-o", "--output", type=Path, default=output, required=output is None)
    return parser


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
    import torch

    on_gpu = device is not None and device.type == "cuda"
    return {
        **({"gpu": torch.cuda.get_device_name(device)} if on_gpu else {}),
        "torch": torch.__version__,
        "python": platform.python_version(),
        "threads": torch.get_num_threads(),
        "cores": os.cpu_count(),
        "load_before": round(os.getloadavg()[0], 2),
    }


def megabytes(name: str) -> int:
    """Memory of this process as Linux counts it: VmRSS for now, VmHWM for its peak."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) // 1024


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write a report and print it."""
    text = json.dumps(content, indent=2)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n", encoding="utf-8")
    print(text)
