"""Data for all tests: authors with habits, made from a seed, and the two sample texts."""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import settings

from adhominem.instrument.verifier import Verifier
from adhominem.records import Document, Pair

ROOT = Path(__file__).parents[1]

# The same examples on every machine, however slow; `make fuzz` looks for new ones.
settings.register_profile("tests", deadline=None, derandomize=True)
settings.load_profile("tests")

_WORDS = (  # noqa: SIM905
    "the a we it was room hotel staff night bed breakfast good nice small clean view street "
    "very quite never always again stay place food price walk morning shower friendly helpful"
).split()
_TOPICS = {"Rome": "piazza fountain pasta", "Oslo": "fjord snow tram", "Lima": "coast market fish"}
_HABITS = ["!!", "...", " lol", " w/", " &", ";", " tho", " (really)", " -", "?!"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The built package is tested first: it takes longest, and other files run beside it."""
    items.sort(key=lambda item: item.path.name != "test_wheel.py")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line that the page was not tested in a browser."""
    reasons = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])]
    if skipped := sum("no browser" in reason or "no chromium" in reason for reason in reasons):
        terminalreporter.write_line(
            f"{skipped} tests of the page were skipped, no chromium is installed: `make browser`"
        )


def make_text(rng: random.Random, author: int, topic: str, n_sentences: int = 9) -> str:
    """Sentences of common words; each author favours two habits and a few words of their own."""
    own = _WORDS[author % len(_WORDS) :: 7]
    habits = [_HABITS[author % len(_HABITS)], _HABITS[(author * 3 + 1) % len(_HABITS)]]
    sentences = []
    for _ in range(n_sentences):
        words = rng.choices(_WORDS + _TOPICS[topic].split() * 2 + own * 4, k=rng.randint(6, 14))
        ending = rng.choice([".", *habits, *habits])
        sentences.append(" ".join(words).capitalize() + ending)
    return " ".join(sentences)


def make_documents(n_authors: int, *, seed: int, first: int = 0) -> list[Document]:
    """Four documents for each author, on one topic twice and on two others once."""
    rng = random.Random(seed)
    topics = list(_TOPICS)
    return [
        Document(make_text(rng, author, topic), author=f"author{author}", topic=topic)
        for author in range(first, first + n_authors)
        for topic in (topics[author % 3], topics[author % 3], *topics[: author % 3], *topics)[:4]
    ]


def make_pairs(documents: list[Document]) -> list[Pair]:
    """Neighbours of one author, and of the next author over."""
    pairs = []
    for i in range(0, len(documents) - 4, 2):
        for other in (i + 1, i + 4):
            left, right = documents[i], documents[other]
            pairs.append(
                Pair((left,), (right,), left.author == right.author, left.topic == right.topic)
            )
    return pairs


@pytest.fixture(scope="session")
def train_pairs() -> list[Pair]:
    return make_pairs(make_documents(40, seed=1))


@pytest.fixture(scope="session")
def dev_pairs() -> list[Pair]:
    return make_pairs(make_documents(20, seed=2, first=40))


@pytest.fixture(scope="session")
def small(
    train_pairs: list[Pair], dev_pairs: list[Pair], tmp_path_factory: pytest.TempPathFactory
) -> Verifier:
    """A small network that knows the authors of the made-up texts a little."""
    from small_networks import fit_network

    import adhominem
    from adhominem.laboratory.training import TrainingConfig

    sizes = {"D_c": 4, "D_r": 6, "D_w": 12, "D_s": 8, "D_d": 8, "D_a": 8, "D_f": 6}
    sizes |= {"dropout": 0.0, "train_words": True}
    training = TrainingConfig(epochs=2, batch_pairs=16)
    fitted = fit_network(train_pairs, dev_pairs, sizes=sizes, training=training)
    folder: Path = tmp_path_factory.mktemp("models") / "small"
    fitted.save(folder, name="small")
    return adhominem.load(folder)


@pytest.fixture(scope="session")
def samples() -> tuple[str, str]:
    return (
        (ROOT / "demo" / "left.txt").read_text(encoding="utf-8"),
        (ROOT / "demo" / "right.txt").read_text(encoding="utf-8"),
    )


@pytest.fixture(scope="session", autouse=True)
def _one_thread() -> Iterator[None]:
    """Networks this small lose by a second thread, and lose much beside another busy process."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def corpora() -> ModuleType:
    """The made-up corpora of the training tests."""
    path = Path(__file__).parent / "laboratory" / "training" / "corpora.py"
    spec = importlib.util.spec_from_file_location("corpora", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
