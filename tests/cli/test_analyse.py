"""adhominem analyse: a corpus or pairs, figures, other models, and one-line errors."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adhominem.instrument.pair_files import write_pairs
from adhominem.laboratory.verifiers.feature_difference import FeatureDifference
from adhominem.records import Pair

Run = Callable[..., Any]
WORDS = ["the", "of", "and", "to", "in", "is", "it", "was", "room", "river", "definately", "&"]


@pytest.fixture
def pairs(tmp_path: Path, dev_pairs: list[Pair]) -> Path:
    path = tmp_path / "pairs.jsonl.gz"
    write_pairs(dev_pairs, path)
    return path


@pytest.fixture
def corpus(run: Run, tmp_path: Path) -> Path:
    rng = random.Random(1)
    posts = tmp_path / "posts.jsonl"
    posts.write_text(
        "".join(
            json.dumps({"author": f"a{i % 40}", "text": " ".join(rng.choices(WORDS, k=40)) + "."})
            + "\n"
            for i in range(240)
        )
    )
    done = run(
        "corpus", "build", posts, "--min-tokens", "20", "--workers", "1", "-o", tmp_path / "c"
    )
    assert done.code == 0, done
    return tmp_path / "c"


def test_pairs_and_a_corpus(run: Run, tmp_path: Path, pairs: Path, corpus: Path) -> None:
    output, figures = tmp_path / "lift.json", tmp_path / "figures"
    done = run(
        *("model", "analyse", "adhominem", pairs, corpus, "--texts", "20", "--split", "dev"),
        *("-o", output, "--figures", figures),
    )
    assert done.code == 0, done.err
    report = json.loads(output.read_text(encoding="utf-8"))
    assert report["command"].endswith("--texts 20 --seed 1 --split dev --tagger rules")
    assert [one["texts"] for one in report["corpora"]] == [20, 20]
    assert [one.get("split") for one in report["corpora"]] == [None, "dev"]
    assert "### pairs.jsonl.gz" in done.out
    assert "| function word |" in done.out
    assert {path.name for path in figures.iterdir()} >= {"lift.svg", "lift.png", "top-words-c.svg"}
    longest = max(max(one["word"] for one in part["top"]["words"]) for part in report["corpora"])
    assert len(longest) < 20
    again = run("model", "analyse", "adhominem", corpus, "-o", output)
    assert again.code == 1
    assert "--force" in again.err


def test_against_itself(run: Run, corpus: Path) -> None:
    done = run(
        *("model", "analyse", "adhominem", corpus, "--fold", "2", "--texts", "12"),
        *("--against", "adhominem", "--json"),
    )
    assert done.code == 0, done.err
    report = json.loads(done.out)
    [part] = report["corpora"]
    assert part["fold"] == 2
    assert [one["name"] for one in part["against"]] == ["adhominem", "random weights"]
    assert part["against"][0]["words"]["mean"] == pytest.approx(1)
    assert part["against"][0]["model"] == report["model"]
    assert part["against"][1]["words"]["mean"] < 0.9
    assert report["command"].endswith("--fold 2 --against adhominem")


def test_errors_are_one_line(
    run: Run,
    tmp_path: Path,
    pairs: Path,
    corpus: Path,
    train_pairs: list[Pair],
    dev_pairs: list[Pair],
) -> None:
    folder = tmp_path / "other"
    FeatureDifference().fit(train_pairs[:40], dev_pairs[:40]).save(
        folder, name="other", version="1"
    )
    for given, message in (
        ((folder, pairs), "has no attention to analyse"),
        (("adhominem", pairs, "--against", folder), "has no attention to analyse"),
        (("adhominem", tmp_path / "none"), "none"),
        (("adhominem", tmp_path), "is not a corpus"),
        (("adhominem", corpus, "--fold", "9"), "no texts to analyse"),
        (("adhominem", pairs, "--tagger", "en_none"), "no spaCy pipeline"),
    ):
        done = run("model", "analyse", *given)
        assert done.code == 1
        assert message in done.err
        assert done.err.count("\n") == 1, done.err
