"""Faithfulness of pairs whose words add up, so that every figure is known beforehand."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from adhominem.errors import InputError, ModelError
from adhominem.instrument.explain.word_effects import CONTRIBUTIONS
from adhominem.instrument.model_folder import load
from adhominem.laboratory.evaluation.answers import draw
from adhominem.laboratory.evaluation.faithfulness import (
    MATCHED,
    METHODS,
    RANDOM,
    REMOVALS,
    faithfulness_rows,
    measure_faithfulness,
    measure_pair,
    measure_pairs,
    summarise,
)
from adhominem.laboratory.report import faithfulness_table
from adhominem.laboratory.verifiers.cosine import Chance
from adhominem.records import Document, Pair

ROOT = Path(__file__).parents[3]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Sum:
    """log10 LR is the sum over the words that are left; a word is worth half with "unknown"."""

    worth: Floats
    weights: Mapping[str, Floats]

    @property
    def n_words(self) -> int:
        return len(self.worth)

    @property
    def numbers(self) -> npt.NDArray[np.int64]:
        """Every second word is frequent."""
        return np.where(np.arange(self.n_words) % 2, 10, 5000)

    def llr(self, kept: npt.NDArray[np.bool_], removal: str) -> Floats:
        lost = 1.0 if removal == "delete" else 0.5
        return self.worth.sum() - lost * (~kept @ self.worth)

    def effect(self, removal: str) -> Floats:
        return self.worth * (1.0 if removal == "delete" else 0.5)

    def weigh(self, method: str) -> Floats:
        return self.weights[method]


def of(worth: Floats, **others: Floats) -> Sum:
    """Weighed by what the words are worth, unless something else is said."""
    weights = {method: others.get(method.replace(" ", "_"), worth) for method in METHODS}
    return Sum(worth, weights)


def two_words(sign: float = 1.0) -> Floats:
    """Twenty words, of which one speaks for the verdict and one against it."""
    worth = np.zeros(20)
    worth[7], worth[3] = 5 * sign, -2 * sign
    return worth


@pytest.mark.parametrize("sign", [1.0, -1.0], ids=["one author", "two authors"])
def test_figures_worked_out_by_hand(sign: float) -> None:
    """Of 20 words the shares are 1, 1, 2, 4 and 10 words."""
    worth = two_words(sign)
    last = -np.abs(worth)  # ranks what matters last
    pair = of(worth, attention=last)
    found = measure_pair(pair, pair, np.random.default_rng(0))
    assert found["evidence", "", ""] == 3
    assert found["comprehensiveness", "occlusion", "delete"] == 5
    assert found["comprehensiveness", "occlusion", "unknown"] == 2.5
    assert found["sufficiency", "occlusion", "delete"] == -2
    assert found["sufficiency", "occlusion", "unknown"] == -1
    assert found["comprehensiveness", "attention", "delete"] == 0
    assert found["sufficiency", "attention", "delete"] == 3


@pytest.mark.parametrize(("weights", "agreement"), [("right", 1), ("wrong", 0), ("half", 0.5)])
def test_agreement_of_signs(weights: str, agreement: float) -> None:
    worth = two_words()
    signed = {"right": worth, "wrong": -worth, "half": np.where(worth < 0, -worth, worth)}
    pair = of(worth, occlusion=signed[weights])
    found = measure_pair(pair, pair, np.random.default_rng(0))
    for removal in REMOVALS:
        assert found["sign agreement", "occlusion", removal] == agreement


def test_a_control_has_words_of_the_same_frequency() -> None:
    """All evidence is in the frequent words: random words of the same frequency take far more of it
    than any random words, and less than those that carry it."""
    words = np.arange(200)
    worth = np.where(words % 2, words / 200, 0.0)
    found = measure_pair(of(worth), None, np.random.default_rng(0))
    named, matched, any_words = (
        found["comprehensiveness", ranking, "delete"]
        for ranking in (CONTRIBUTIONS, MATCHED, RANDOM)
    )
    assert named > 1.2 * matched > 1.2 * 1.2 * any_words


def test_sanity_is_a_rank_correlation() -> None:
    worth = np.arange(1.0, 31.0)
    blank = of(worth[::-1].copy(), attention=np.ones(30))
    found = measure_pair(of(worth), blank, np.random.default_rng(0))
    assert found["sanity", "occlusion", ""] == pytest.approx(-1)
    assert found["sanity", "attention", ""] == 0


class Made:
    """Pairs of words whose worth is drawn at random; attention is noise, and so is occlusion if
    the model is blind."""

    def __init__(self, *, noise: int = 0, blind: bool = False) -> None:
        self.noise = noise
        self.blind = blind

    def word_effects(self, pair: Pair) -> Sum | None:
        number = int(pair.left[0].text)
        rng = np.random.default_rng([number, self.noise])
        worth = rng.normal(rng.choice([-0.05, 0.05]), 1, 200)
        attention, noise = rng.random(200), rng.normal(size=200)
        return of(worth, attention=attention, occlusion=noise if self.blind else worth)

    def randomised(self, *, seed: int) -> "Made":
        return Made(noise=seed)


def made_pairs(n: int) -> list[Pair]:
    return [
        Pair((Document(str(i), author=f"a{i % 9}"),), (Document("x", author=f"b{i % 7}"),), False)
        for i in range(n)
    ]


def test_a_right_ranking_beats_random_and_noise_does_not() -> None:
    pairs = made_pairs(40)
    summary = summarise(pairs, measure_pairs(Made(), pairs, seed=3))
    taken = summary["comprehensiveness"]["delete"]
    assert taken["occlusion"]["above_random"]["low"] > 0
    assert taken["occlusion"]["to_random"]["value"] > 3
    assert summary["sufficiency"]["delete"]["occlusion"]["above_random"]["high"] < 0
    assert abs(summary["sanity"]["occlusion"]["value"]) < 0.05
    rows = {row.method: row for row in faithfulness_rows(summary)}
    assert rows["occlusion"].beats_random
    assert rows["occlusion"].removal == "unknown"  # where each word is worth half
    assert rows["occlusion"].agreement == pytest.approx(1)
    assert not rows["attention"].beats_random
    assert rows["attention"].agreement is None
    json.dumps(summary, allow_nan=False)
    assert "| occlusion |" in faithfulness_table(summary)


def test_pairs_of_one_file_may_have_figures_that_others_lack() -> None:
    pairs = made_pairs(20)
    plain = measure_pairs(Made(), pairs, seed=3)
    exchanged = [{**own, ("comprehensiveness", "random", "exchange"): 1.0} for own in plain[:10]]
    for order in ([*exchanged, *plain[10:]], [*plain[10:], *exchanged]):
        summary = summarise(pairs, order)
        assert summary["comprehensiveness"].keys() >= {"delete", "unknown"}
        assert summary["pairs"] == 20


def test_noise_is_found_out() -> None:
    pairs = made_pairs(40)
    summary = summarise(pairs, measure_pairs(Made(blind=True), pairs, seed=3))
    assert summary["comprehensiveness"]["delete"]["occlusion"]["above_random"]["low"] < 0
    agreement = summary["sign_agreement"]["delete"]["occlusion"]["value"]
    assert agreement == pytest.approx(0.5, abs=0.05)
    rows = {row.method: row for row in faithfulness_rows(summary)}
    assert not rows["occlusion"].beats_random


def test_same_seed_same_figures() -> None:
    pairs = made_pairs(5)
    one = measure_pairs(Made(), pairs, seed=3)
    assert one == measure_pairs(Made(), pairs, seed=3)
    assert one != measure_pairs(Made(), pairs, seed=4)


def test_pairs_are_drawn_in_their_order() -> None:
    pairs = made_pairs(30)
    drawn = draw(pairs, 8, seed=1)
    assert drawn == sorted(drawn, key=pairs.index)
    assert len(drawn) == 8
    assert drawn == draw(pairs, 8, seed=1)
    assert draw(pairs, 99, seed=1) == pairs


def test_a_file_without_pairs_is_refused(tmp_path: Path) -> None:
    (tmp_path / "none.jsonl").write_text("")
    with pytest.raises(InputError, match="no pairs"):
        measure_faithfulness(load(), [tmp_path / "none.jsonl"])


def test_other_methods_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="chance model cannot be tested"):
        measure_faithfulness(Chance(), [tmp_path / "none.jsonl"])


def test_a_side_without_words_is_named() -> None:
    class Empty(Made):
        def word_effects(self, pair: Pair) -> Sum | None:
            return None if pair.left else super().word_effects(pair)

    with pytest.raises(InputError, match="side without words"):
        measure_pairs(Empty(), made_pairs(2))


def test_what_the_shipped_model_shows_is_as_faithful_as_the_best() -> None:
    """By comprehensiveness, in the mean over the ways of removing words. Shares sum to the
    evidence, occlusion does not; they must take away as much within one part in twenty."""
    report = json.loads((ROOT / "results" / "faithfulness.json").read_text())
    taken = [report["comprehensiveness"][removal] for removal in REMOVALS]
    mean = {method: sum(part[method]["value"] for part in taken) for method in METHODS}
    assert mean[CONTRIBUTIONS] >= 0.95 * max(mean.values())
    assert mean[CONTRIBUTIONS] > 3 * mean["attention"]
    assert min(part[CONTRIBUTIONS]["to_random"]["value"] for part in taken) >= 3
    quoted = tuple(row for row in load().faithfulness_ if row.method in METHODS)
    assert quoted == faithfulness_rows(report)
