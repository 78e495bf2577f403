import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from adhominem.laboratory.evaluation.answers import Answers


def _module(name: str) -> ModuleType:
    """A file beside this one, under a name that no other folder of tests has."""
    path = Path(__file__).with_name(f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"evaluation_{name}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def make_answers() -> Callable[..., Answers]:
    made: Callable[..., Answers] = _module("answers").make_answers
    return made


@pytest.fixture(scope="session")
def looking() -> ModuleType:
    return _module("looking")
