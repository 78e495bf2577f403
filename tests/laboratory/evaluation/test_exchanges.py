"""Words exchanged and sentences swapped, with a method that counts one telling word."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from adhominem.instrument.evidence.calibration import Calibration
from adhominem.instrument.model_folder import load
from adhominem.instrument.neural import NeuralVerifier
from adhominem.instrument.verifier import Comparisons
from adhominem.laboratory.evaluation.exchanges import (
    OTHERS,
    OWN,
    EditedPair,
    Stock,
    draw_with_stock,
)
from adhominem.records import Document, Pair

ROOT = Path(__file__).parents[3]
TELLING = "honestly"


class Counting:
    """The evidence is how often a telling word stands on both sides; pairs are remembered."""

    def __init__(self) -> None:
        self.pairs: list[Pair] = []

    def compare(self, pairs: Sequence[Pair]) -> Comparisons:
        self.pairs = list(pairs)
        texts = [pair.left[0].text + pair.right[0].text for pair in pairs]
        return Comparisons.of_counts(
            [text.count(TELLING) for text in texts], [9] * len(pairs), [9] * len(pairs)
        )

    def calibrations(self) -> dict[str | None, Calibration]:
        return {None: Calibration(1.0, 0.0, -99.0, 99.0)}


def text_of(author: str, number: int, telling: int) -> Document:
    """Ten sentences, the first of them with the telling word."""
    words = (f"{TELLING} " if i < telling else "quietly " for i in range(10))
    lines = (f"We {word}saw {author}{number} at {i} places." for i, word in enumerate(words))
    return Document(" ".join(lines), author=author)


TEXTS = {a: [text_of(a, n, 0 if n else 3) for n in range(4)] for a in ("anna", "ben", "carl")}
STOCK = Stock({one.text: one.author for own in TEXTS.values() for one in own})
PAIR = Pair((TEXTS["anna"][0],), (TEXTS["ben"][0],), same_author=False)


def edited(verifier: Counting, pair: Pair = PAIR) -> EditedPair:
    return EditedPair(verifier, STOCK, pair, np.random.default_rng(0))  # type: ignore[arg-type]


def words_of(pair: Pair) -> list[str]:
    return [w for side in (pair.left, pair.right) for w in side[0].text.replace(".", " .").split()]


def test_only_the_chosen_words_are_exchanged_for_words_of_others() -> None:
    verifier = Counting()
    n = len(words_of(PAIR))
    kept = np.ones((2, n), dtype=bool)
    kept[1, [i for i, word in enumerate(words_of(PAIR)) if word.isdigit()]] = False
    assert edited(verifier).llr(kept) == pytest.approx([6, 6])
    assert words_of(verifier.pairs[0]) == words_of(PAIR)
    changed = [
        (old, new)
        for old, new in zip(words_of(PAIR), words_of(verifier.pairs[1]), strict=True)
        if old != new
    ]
    assert len(changed) > 10
    assert all(old.isdigit() and new.isdigit() for old, new in changed)  # of the same class


def test_named_sentences_lose_more_than_random_ones() -> None:
    """Sentences of the same author's other texts stay those of the author."""
    verifier = Counting()
    weights = np.array([float(word == TELLING) for word in words_of(PAIR)])
    pair = edited(verifier)
    lost = {source: 6 - values for source, values in pair.swapped(weights).items()}
    assert set(lost) == {OWN, OTHERS}
    for values in lost.values():
        assert values[0] >= 2 * values[1:].mean()
        assert values[0] >= 2
    strangers = verifier.pairs  # other authors are judged last
    assert all("carl" in pair.left[0].text + pair.right[0].text for pair in strangers)
    assert not any("ben" in pair.left[0].text for pair in strangers)


def test_a_swap_takes_a_fifth_of_the_words_and_no_sentence_twice() -> None:
    verifier = Counting()
    edited(verifier, Pair((TEXTS["anna"][0],), (TEXTS["anna"][1],), same_author=True)).swapped(
        np.ones(len(words_of(PAIR)))
    )
    for pair in verifier.pairs:
        sentences = [s for side in (pair.left, pair.right) for s in side[0].text.split(". ")]
        assert len(set(sentences)) == len(sentences) == 20
        given = {s.text for own in TEXTS.values() for s in own[:2]}
        assert sum(not any(s in text for text in given) for s in sentences) <= 5


def test_authors_without_other_texts_have_no_swaps() -> None:
    alone = Stock({one.text: one.author for own in TEXTS.values() for one in own[:1]})
    verifier = Counting()
    pair = EditedPair(verifier, alone, PAIR, np.random.default_rng(0))  # type: ignore[arg-type]
    assert pair.swapped(np.ones(len(words_of(PAIR)))) == {}


def test_pairs_whose_authors_have_further_texts_are_preferred() -> None:
    others = Pair((TEXTS["ben"][1],), (TEXTS["carl"][0],), same_author=False)
    lonely = Pair((TEXTS["carl"][0],), (Document("x y z.", author="dora"),), same_author=False)
    also = Pair((TEXTS["anna"][1],), (TEXTS["carl"][1],), same_author=False)
    drawn, stock = draw_with_stock([PAIR, others, lonely, also], 9, seed=1)
    assert drawn == [PAIR, others, also] and stock is not None
    few, nothing = draw_with_stock([PAIR], 9, seed=1)
    assert few == [PAIR] and nothing is None


def test_an_unedited_pair_has_the_evidence_that_its_words_sum_to() -> None:
    """What edits are compared with is the value that the contributions explain."""
    verifier = load()
    assert isinstance(verifier, NeuralVerifier)
    left, right = (
        Document((ROOT / "demo" / f"{side}.txt").read_text()[:400], author=side)
        for side in ("left", "right")
    )
    pair = Pair((left,), (right,))
    stock = Stock({left.text: "left", right.text: "right", TEXTS["anna"][0].text: "anna"})
    effects = verifier.word_effects(pair)
    assert effects is not None
    kept = np.ones((1, effects.n_words), dtype=bool)
    again = EditedPair(verifier, stock, pair, np.random.default_rng(0)).llr(kept)
    assert again == pytest.approx(effects.llr(kept), abs=1e-4)
