"""The same scores under two other settings of the machine; `make test-machines` has all six."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def machines() -> ModuleType:
    path = Path(__file__).parents[1] / "benchmarks" / "machines.py"
    spec = importlib.util.spec_from_file_location("machines", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_scores_do_not_depend_on_the_machine(machines: ModuleType) -> None:
    pairs = machines.fixed_pairs(8)
    names = ("Haswell, one thread", "Zen, four threads")
    one, other = (machines.scores(machines.SETTINGS[name], pairs) for name in names)
    assert other == pytest.approx(one, abs=machines.TOLERANCE)
    odd = {**machines.SETTINGS["another time zone, language C"], "HOME": machines.NEVER_WRITABLE}
    assert machines.scores(odd, pairs) == pytest.approx(one, abs=machines.TOLERANCE)
