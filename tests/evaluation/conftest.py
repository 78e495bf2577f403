from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest

from adhominem.evaluation.answers import Answers


@pytest.fixture(scope="session")
def make_answers() -> Callable[..., Answers]:
    path = Path(__file__).with_name("answers.py")
    spec = importlib.util.spec_from_file_location("made_answers", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    made: Callable[..., Answers] = module.make_answers
    return made
