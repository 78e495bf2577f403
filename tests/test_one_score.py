"""One score for a pair, however it comes: alone, swapped, in a block, table, matrix or search."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import adhominem
from adhominem.bench.case.index import open_index, write_index
from adhominem.bench.case.search import search
from adhominem.instrument.evidence.attribution import rank
from adhominem.instrument.verifier import Verifier
from adhominem.records import Document, Pair

# BLAS may compute a row differently in the last bit when it stands elsewhere in a product.
INDEXED = 0.01  # an index keeps a byte of every number
TOLERANCE = 1e-6  # of log10 LR


@pytest.fixture(scope="module")
def shipped() -> Verifier:
    return adhominem.load()


@pytest.fixture(scope="module")
def texts(samples: tuple[str, str]) -> list[str]:
    """Short texts that share no sentence, of 25 to 60 words."""
    draws, found = random.Random(1), []
    for words in map(str.split, samples):
        while len(words) >= 25:
            n = draws.randint(25, 60)
            found.append(" ".join(words[:n]))
            words = words[n:]
    return found


@pytest.fixture(scope="module")
def alone(shipped: Verifier, texts: list[str]) -> dict[tuple[int, int], float]:
    """log10 LR of every two of the texts, from the first to the second, each asked on its own."""
    found = {
        (i, j): shipped.verify(texts[i], texts[j]).llr for i in range(len(texts)) for j in range(i)
    }
    assert len(found) > 10 and len(set(found.values())) > 10
    return found


def test_swapped(shipped: Verifier, texts: list[str], alone: dict[tuple[int, int], float]) -> None:
    swapped = {(i, j): shipped.verify(texts[j], texts[i]).llr for i, j in alone}
    assert swapped == pytest.approx(alone, abs=TOLERANCE)


@pytest.mark.parametrize("block", [2, 5, 1000])
def test_in_blocks_of_any_order(
    shipped: Verifier, texts: list[str], alone: dict[tuple[int, int], float], block: int
) -> None:
    places = random.Random(block).sample(sorted(alone), len(alone))
    found: list[float] = []
    for start in range(0, len(places), block):
        pairs = [Pair.of_texts(texts[i], texts[j]) for i, j in places[start : start + block]]
        found += shipped.decide(pairs, distinct=True).llr.tolist()
    assert dict(zip(places, found, strict=True)) == pytest.approx(alone, abs=TOLERANCE)


def test_as_rows_of_a_table(
    shipped: Verifier, texts: list[str], alone: dict[tuple[int, int], float]
) -> None:
    lefts, rights = zip(*((texts[i], texts[j]) for i, j in alone), strict=True)
    rows = shipped.verify_pairs(list(lefts), list(rights)).llr
    assert list(rows) == pytest.approx(list(alone.values()), abs=TOLERANCE)


def test_in_a_matrix(
    shipped: Verifier, texts: list[str], alone: dict[tuple[int, int], float]
) -> None:
    matrix = shipped.matrix([(Document(text),) for text in texts]).llr
    assert {place: matrix[place] for place in alone} == pytest.approx(alone, abs=TOLERANCE)
    assert {(i, j): matrix[j, i] for i, j in alone} == pytest.approx(alone, abs=TOLERANCE)


def test_in_a_search(
    shipped: Verifier, texts: list[str], alone: dict[tuple[int, int], float], tmp_path: Path
) -> None:
    last = len(texts) - 1
    names = tuple(map(str, range(last)))
    expected = {str(j): alone[last, j] for j in range(last)}
    known = {name: [texts[int(name)]] for name in names}
    write_index(shipped, known.items(), tmp_path / "index")
    for ranking, tolerance in (
        (rank(shipped, texts[last], known), TOLERANCE),
        (search(shipped, texts[last], open_index(tmp_path / "index", shipped)), INDEXED),
    ):
        found = {each.name: each.decision.llr for each in ranking.candidates}
        assert found == pytest.approx(expected, abs=tolerance)
