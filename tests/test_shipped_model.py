"""The model inside the package: whole, small, real, and what its card says."""

from __future__ import annotations

import json
import math
import random
import shutil
from pathlib import Path

import numpy as np
import pytest

import adhominem
from adhominem.errors import ModelError
from adhominem.files import read_sealed, sealed_json
from adhominem.instrument.model_folder import DEFAULT, describe_model, load_model, shipped_models
from adhominem.instrument.verifier import Verifier
from adhominem.records import Verdict

RESULTS = Path(__file__).parents[1] / "results"


@pytest.fixture(scope="module")
def shipped() -> Verifier:
    return adhominem.load()


def test_is_there_and_small() -> None:
    description, card = describe_model(DEFAULT)
    assert description["megabytes"] <= 30
    assert "Where not to trust it" in card


def test_results_were_measured_with_this_model(shipped: Verifier) -> None:
    report = json.loads((RESULTS / "kinds.json").read_text())
    assert shipped.identity is not None
    assert report["model"]["sha256"] == shipped.identity.sha256
    card = describe_model(DEFAULT)[1]
    for kind, row in report["stated"]["kinds"].items():
        assert kind in card and f"{100 * row['error']:.1f}" in card
    assert report["stated"]["kinds"]["hotels"]["error"] < 0.14


def test_knows_the_sample_texts(shipped: Verifier, samples: tuple[str, str]) -> None:
    decision = shipped.verify(*samples, genre="hotels")
    assert decision.verdict is Verdict.SAME and decision.reliable
    assert decision.distance is not None
    assert decision.left.tokens > 150


def test_a_text_and_itself_are_copies(shipped: Verifier, samples: tuple[str, str]) -> None:
    decision = shipped.verify(samples[0], samples[0])
    assert decision.verdict is Verdict.UNDECIDED
    assert [reason.code for reason in decision.reasons] == ["copied-text"]


def test_attention_sums_to_one(shipped: Verifier, samples: tuple[str, str]) -> None:
    for text in (*(e := shipped.explain_texts(*samples)).left, *e.right):
        assert sum(sentence.weight for sentence in text.sentences) == pytest.approx(1, abs=1e-4)
        for number in range(len(text.sentences)):
            words = [word.weight for word in text.words if word.sentence == number]
            assert sum(words) == pytest.approx(1, abs=1e-4)
        for word in text.words:
            if word.start < word.end:
                assert text.text[word.start : word.end].split() == [word.text]


def test_long_texts_are_read_in_full(shipped: Verifier, samples: tuple[str, str]) -> None:
    once = shipped.verify(samples[0], samples[1])
    words = samples[0].split()
    turned = [" ".join(random.Random(i).sample(words, len(words))) for i in range(40)]
    often = shipped.verify("\n\n".join(turned), samples[1])
    assert often.left.tokens == pytest.approx(40 * once.left.tokens, rel=0.05)
    assert often.left.stretches > 5
    last_differs = shipped.verify("\n\n".join([*turned, "The end was lovely, too!!"]), samples[1])
    assert last_differs.distance != often.distance


def test_foreign_text_is_not_judged(shipped: Verifier, samples: tuple[str, str]) -> None:
    decision = shipped.verify(
        "Это предложение написано по-русски, а не по-английски. Мы ехали долго и очень устали. "
        "Вечером пошёл дождь, и все вернулись домой раньше, чем хотели. Завтра будет новый день.",
        samples[0],
    )
    assert decision.verdict is Verdict.UNDECIDED
    assert decision.reasons[0].code == "not-english"


def test_rounding_the_word_table_again_changes_nothing(shipped: Verifier) -> None:
    """It was rounded before it was calibrated and measured."""
    from adhominem.instrument.neural import NeuralVerifier
    from adhominem.laboratory.network import arrays_of, network_of_arrays

    assert isinstance(shipped, NeuralVerifier)
    network = network_of_arrays(shipped.network, shipped.sizes, shipped.arrays_)
    np.testing.assert_array_equal(
        arrays_of(network)["words.weight"], shipped.arrays_["words.weight"]
    )


def test_a_verdict_quotes_the_errors_on_texts_like_these(
    shipped: Verifier, samples: tuple[str, str]
) -> None:
    decision = shipped.verify(*samples, genre="hotels")
    row = decision.track_record
    assert row is not None
    assert row.genre == decision.left.genre == decision.right.genre == "hotels"
    shorter = min(decision.left.tokens, decision.right.tokens)
    assert row.shortest <= shorter < (row.longest or math.inf)
    assert row.pairs >= 100 and 0 < row.error < 0.5
    assert row.low < row.error < row.high
    assert row.false_same is not None and row.false_different is not None
    unstated = shipped.verify(*samples).track_record
    assert unstated is not None and unstated.genre is None and unstated.kinds > 30
    assert unstated.low < row.low and unstated.high > row.high


def test_words_unlike_any_training_text_are_not_judged(
    shipped: Verifier, samples: tuple[str, str]
) -> None:
    strange = "the of a to in and that " + "phylogenetic epistemic ontological heuristic " * 60
    decision = shipped.verify(strange + " it is was for on with as by at", samples[0])
    assert decision.verdict is Verdict.UNDECIDED
    assert decision.reasons


def test_one_word_again_and_again_is_not_judged(
    shipped: Verifier, samples: tuple[str, str]
) -> None:
    decision = shipped.verify("the " * 60, samples[0])
    assert decision.verdict is Verdict.UNDECIDED and decision.reasons
    both = shipped.verify("the " * 60, "and " * 60)
    assert both.verdict is Verdict.UNDECIDED


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(shipped_models()[DEFAULT], tmp_path / "model"))


def test_changed_weights_are_noticed(copy: Path) -> None:
    weights = copy / "weights.safetensors"
    data = bytearray(weights.read_bytes())
    data[-100] ^= 1
    weights.write_bytes(data)
    with pytest.raises(ModelError, match=r"weights\.safetensors is damaged"):
        load_model(copy)


@pytest.mark.parametrize("file", ["weights.safetensors", "vocabulary.json", "model.json"])
def test_truncated_files_are_noticed(copy: Path, file: str) -> None:
    data = (copy / file).read_bytes()
    (copy / file).write_bytes(data[: len(data) // 2])
    with pytest.raises(ModelError, match="copy") as error:
        load_model(copy)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("file", ["weights.safetensors", "vocabulary.json", "model.json"])
def test_missing_files_are_noticed(copy: Path, file: str) -> None:
    (copy / file).unlink()
    with pytest.raises(ModelError):
        load_model(copy)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("format", 99, "has format 99"),
        ("kind", "magic", "unknown method 'magic'"),
        ("files", {"../../etc/passwd": "0"}, "no file of a model"),
        ("calibration", {}, "not a whole model"),
    ],
)
def test_strange_descriptions_are_refused(
    copy: Path, key: str, value: object, message: str
) -> None:
    description = read_sealed((copy / "model.json").read_text())
    (copy / "model.json").write_bytes(sealed_json({**description, key: value}))
    with pytest.raises(ModelError, match=message):
        load_model(copy)


def test_no_such_model() -> None:
    with pytest.raises(ModelError, match="not a model folder"):
        adhominem.load("no-such-model")
    with pytest.raises(ModelError, match="not a model folder"):
        adhominem.load("x" * 300)
