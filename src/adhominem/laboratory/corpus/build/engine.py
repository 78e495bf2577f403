"""Runs tasks with Daft, in processes of this machine or on a Ray cluster.

A task reads and writes files; its arguments and its result are passed as JSON. The result does not
depend on where and in which order tasks run. A task whose result exists is not run again.
"""

import importlib
import json
import logging
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from adhominem.errors import AdhominemError, InputError, optional_imports
from adhominem.laboratory.corpus import Progress

_PAUSE = 0.5  # seconds until Daft's threads have ended after an error; an earlier exit crashes


@dataclass(frozen=True, slots=True)
class Engine:
    """Where tasks run: on this machine, or on a Ray cluster if its address is given."""

    workers: int = 2  # number of processes
    cluster: str | None = None  # "local" starts a cluster on this machine


class UnfinishedError(InputError):
    """A failure of the machine, not of the sources; the same command continues the work."""


class Worker:
    """Calls a function, named "package.module:name", with JSON objects."""

    def __init__(self, function: str) -> None:
        module, _, name = function.partition(":")
        self._function = getattr(importlib.import_module(module), name)

    def __call__(self, task: str) -> str:
        try:
            return json.dumps(self._function(json.loads(task)))
        except AdhominemError as error:
            return json.dumps({"error": str(error)})
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            return json.dumps({"failure": f"{place}{error.strerror or error}"})


def run_tasks(
    function: str, tasks: Sequence[dict[str, Any]], engine: Engine
) -> Iterator[dict[str, Any]]:
    """Yield the results of tasks as they finish. `function` is "package.module:name"."""
    if not tasks:
        return
    lines = [json.dumps(task) for task in tasks]
    runs_here = engine.cluster is None and (engine.workers < 2 or len(tasks) < 2)
    for line in map(Worker(function), lines) if runs_here else _daft(function, lines, engine):
        result = json.loads(line)
        if "error" in result:
            raise InputError(result["error"])
        if "failure" in result:
            raise UnfinishedError(f"{result['failure']}; the same command goes on from here")
        yield result


def run_stage(
    title: str,
    function: str,
    tasks: Mapping[Path, dict[str, Any]],
    engine: Engine,
    progress: Progress,
) -> list[dict[str, Any]]:
    """Run the tasks whose result files are missing; return the results of all tasks in order, as
    far as they are JSON."""
    missing = [task for path, task in tasks.items() if not path.exists()]
    ready = len(tasks) - len(missing)
    progress(title, ready, len(tasks))
    for done, _ in enumerate(run_tasks(function, missing, engine), ready + 1):
        progress(title, done, len(tasks))
    return [json.loads(path.read_bytes()) for path in tasks if path.suffix == ".json"]


def _daft(function: str, lines: Sequence[str], engine: Engine) -> Iterator[str]:
    daft = _start(engine.cluster)
    is_local = engine.cluster is None
    worker = daft.cls(Worker, use_process=is_local, max_concurrency=engine.workers)(function)
    frame = daft.from_pydict({"task": list(lines)}).into_batches(1)
    frame = frame.select(worker(frame["task"]).alias("result"))
    try:
        for row in frame.iter_rows(results_buffer_size=engine.workers):
            yield row["result"]
    except RuntimeError as error:
        time.sleep(_PAUSE)
        last = str(error).strip().splitlines()[-1]
        raise UnfinishedError(
            f"a worker ended in the middle of its work ({last[:200]}): the same command goes on "
            "from there, with fewer --workers if memory was short"
        ) from None


@cache
def _start(cluster: str | None) -> Any:
    """Return Daft with its runner set, without progress bar and telemetry."""
    os.environ["DO_NOT_TRACK"] = "1"
    os.environ.setdefault("DAFT_PROGRESS_BAR", "0")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    with optional_imports("use --workers 1"):
        daft = importlib.import_module("daft")
    for name in ("daft", "daft_local_execution"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    if cluster is None:
        daft.set_runner_native()
        return daft
    with optional_imports("leave --cluster out"):
        ray = importlib.import_module("ray")
    os.environ.setdefault("RAY_AUTH_MODE", "token")
    address = None if cluster == "local" else cluster
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise InputError(f"no Ray cluster at {cluster}: {str(error).splitlines()[0]}") from None
    daft.set_runner_ray(noop_if_initialized=True)
    return daft
