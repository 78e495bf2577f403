"""An index gives the answers of reading everything anew, and belongs to one model."""

from __future__ import annotations

import json
import random
import resource
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pyarrow
import pytest

import adhominem
from adhominem.bench.case import index as index_file
from adhominem.bench.case.index import Index, open_index, write_index
from adhominem.bench.case.search import search
from adhominem.bench.case.texts import NamedText, candidates
from adhominem.errors import InputError, ModelError, OutputError
from adhominem.files import sealed_json
from adhominem.instrument.evidence.attribution import Ranking, rank
from adhominem.instrument.neural import NeuralVerifier
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.verifiers.cosine import Chance
from adhominem.records import Pair

Texts = dict[str, list[str]]


@pytest.fixture(scope="module")
def known(texts: list[NamedText], dev_pairs: list[Pair]) -> Texts:
    """Authors with several texts and single texts, one of them empty."""
    several = {f"pair {i}": [d.text for d in (*p.left, *p.right)] for i, p in enumerate(dev_pairs)}
    return {**candidates(texts, "text 0"), **several, "empty": [""]}


@pytest.fixture(scope="module")
def folder(small: Verifier, known: Texts, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("index") / "index"
    write_index(small, known.items(), path)
    return path


@pytest.fixture(scope="module")
def index(small: Verifier, folder: Path) -> Index:
    return open_index(folder, small)


def same(found: Ranking, read: Ranking, top: int) -> None:
    """The ranking of an index against reading all texts: a byte a number moves log10 LR a little,
    and weak evidence (below 0.05) counts as none."""
    exact = {candidate.name: candidate for candidate in read.candidates}
    best = [candidate.probability for candidate in read.candidates]
    assert len(found.candidates) == min(top, len(exact))
    for one, probability in zip(found.candidates, best, strict=False):
        other = exact[one.name]
        assert other.probability == pytest.approx(probability, rel=0.15)
        llr, expected = one.decision.llr, other.decision.llr
        assert abs(llr - expected) < 0.01 or (abs(llr) < 0.06 and abs(expected) < 0.06)
        for own, full in (
            (one.decision.left, other.decision.left),
            (one.decision.right, other.decision.right),
        ):
            assert own.norm == pytest.approx(full.norm, rel=1e-6)
            assert replace(own, norm=1.0) == replace(full, norm=1.0)
        assert one.decision.track_record == other.decision.track_record
    assert found.none == pytest.approx(read.none, rel=0.02)
    assert found.n_others == len(exact) - len(found.candidates)
    listed = sum(candidate.probability for candidate in found.candidates)
    assert found.none + listed + found.others == pytest.approx(1)


@pytest.mark.parametrize("prior", [0.9, 0.5, 0.01])
@pytest.mark.parametrize("top", [1, 7, 1000])
def test_finds_what_reading_everything_finds(
    small: Verifier, known: Texts, index: Index, texts: list[NamedText], top: int, prior: float
) -> None:
    for questioned in (texts[0].text, [texts[1].text, texts[2].text]):
        found = search(small, questioned, index, top=top, prior=prior)
        same(found, rank(small, questioned, known, prior=prior), top)


def test_of_a_kind_that_is_said(
    knowing: Verifier, known: Texts, index: Index, texts: list[NamedText], tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="made without a genre: search it without a genre, or"):
        search(knowing, texts[0].text, index, genre="letters")
    with pytest.raises(InputError, match="genre 'poems' is not known"):
        write_index(knowing, known.items(), tmp_path / "poems", genre="poems")
    write_index(knowing, known.items(), tmp_path / "letters", genre="letters")
    index = open_index(tmp_path / "letters", knowing)
    with pytest.raises(InputError, match="made with --genre letters: search it with --genre"):
        search(knowing, texts[0].text, index)
    found = search(knowing, texts[0].text, index, top=9, genre="letters")
    same(found, rank(knowing, texts[0].text, known, prior=0.5, genre="letters"), 9)
    assert found.candidates[0].decision.left.genre == "letters"


def test_a_text_that_is_too_short_is_nobody_s(small: Verifier, index: Index) -> None:
    ranking = search(small, "Too short.", index)
    assert ranking.answer is None
    assert ranking.none == 1
    assert all(c.probability == 0 for c in ranking.candidates)


def test_no_text_is_kept(folder: Path, known: Texts) -> None:
    kept = b"".join(path.read_bytes() for path in folder.iterdir())
    assert {path.name for path in folder.iterdir()} == {"index.json", "00000.parquet"}
    for texts in known.values():
        for text in texts:
            assert not text or text[:30].encode("utf-8", "replace") not in kept


def test_an_index_belongs_to_its_model(
    small: NeuralVerifier, folder: Path, train_pairs: list[Pair], dev_pairs: list[Pair]
) -> None:
    with pytest.raises(ModelError, match="has no features"):
        open_index(folder, Chance().fit(train_pairs, dev_pairs))
    other = small.randomised(seed=2)
    other.identity = None
    with pytest.raises(ModelError, match="not with this model"):
        open_index(folder, other)


@pytest.mark.parametrize("name", ["index.json", "00000.parquet"])
def test_a_damaged_index_says_so(small: Verifier, known: Texts, tmp_path: Path, name: str) -> None:
    write_index(small, known.items(), tmp_path / "index")
    path = tmp_path / "index" / name
    for damage in (path.read_bytes()[:40], b""):
        path.write_bytes(damage)
        with pytest.raises(InputError, match="is not a whole index") as error:
            open_index(tmp_path / "index", small)
        assert "\n" not in str(error.value)
    path.unlink()
    with pytest.raises(InputError, match="is not a whole index"):
        open_index(tmp_path / "index", small)


def test_every_flipped_bit_of_an_index_is_refused_or_without_effect(
    small: Verifier, known: Texts, tmp_path: Path
) -> None:
    write_index(small, known.items(), tmp_path / "index")
    draws = random.Random(1)
    for name in ("index.json", "00000.parquet"):
        path = tmp_path / "index" / name
        data = path.read_bytes()
        for _ in range(40):
            place, bit = draws.randrange(len(data)), draws.randrange(8)
            path.write_bytes(data[:place] + bytes([data[place] ^ (1 << bit)]) + data[place + 1 :])
            try:
                index = open_index(tmp_path / "index", small)
            except InputError as error:
                assert "is not a whole index" in str(error)
            else:  # white space
                assert name == "index.json" and len(index) == len(known)
        path.write_bytes(data)


def test_a_full_disk_ends_in_one_line(small: Verifier, known: Texts, tmp_path: Path) -> None:
    """A limit on the size of files fails as a full disk does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200, hard))
    try:
        with pytest.raises(OutputError, match="cannot be written: File too large"):
            write_index(small, known.items(), tmp_path / "index")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert list(tmp_path.iterdir()) == []


def test_written_whole_or_not_at_all(
    small: Verifier, known: Texts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match="no candidates"):
        write_index(small, [], tmp_path / "index")
    monkeypatch.setattr(index_file, "_table", Mock(side_effect=InterruptedError))
    with pytest.raises(InterruptedError):
        write_index(small, known.items(), tmp_path / "index")
    assert list(tmp_path.iterdir()) == []


def test_an_older_index_says_what_replaced_it(small: Verifier, tmp_path: Path) -> None:
    (tmp_path / "index.json").write_bytes(sealed_json({"format": "adhominem-index-5"}))
    with pytest.raises(InputError, match=r"index-5, now adhominem-index-8\): index again"):
        open_index(tmp_path, small)


def test_blocks_give_the_same_ranking(
    small: Verifier,
    known: Texts,
    index: Index,
    texts: list[NamedText],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(index_file, "_ROWS", 3)
    monkeypatch.setattr(index_file, "_TEXTS", 5)
    write_index(small, known.items(), tmp_path / "index")
    other = open_index(tmp_path / "index", small)
    assert len(other.blocks) == -(-len(known) // 3) > len(index.blocks)
    one, same = (search(small, texts[0].text, each, top=9) for each in (index, other))
    assert [c.name for c in one.candidates] == [c.name for c in same.candidates]
    assert one.none == pytest.approx(same.none, rel=1e-3)


def test_a_byte_a_number_is_near_the_number() -> None:
    rng = np.random.default_rng(1)
    vectors = rng.standard_normal((5, 100)) * 10.0 ** rng.integers(-3, 3, (5, 1))
    vectors[1], vectors[2, :70], vectors[3, 3] = 0, 0, np.nan
    data, scales = index_file.quantise(vectors)
    columns = (pyarrow.chunked_array([[row.tobytes() for row in part]]) for part in (data, scales))
    types = (pyarrow.binary(data.shape[1]), pyarrow.binary(2 * scales.shape[1]))
    stored = [column.cast(kind) for column, kind in zip(columns, types, strict=True)]
    read = index_file.dequantise(*stored)[:, :100]
    assert np.isnan(read[3, :64]).all() and not np.isnan(read[3, 64:]).any()
    kept = np.flatnonzero(~np.isnan(vectors).any(axis=1))
    largest = np.abs(vectors[kept]).max(axis=1, keepdims=True)
    assert (np.abs(read[kept] - vectors[kept]) <= largest / 127 * 0.51).all()


def test_what_may_be_asked(small: Verifier, index: Index) -> None:
    with pytest.raises(InputError, match="between 0 and 1"):
        search(small, "text", index, prior=1.0)


def test_the_description_names_the_model(small: Verifier, folder: Path, known: Texts) -> None:
    description = json.loads((folder / "index.json").read_text())
    assert small.identity is not None
    assert description["model"]["sha256"] == small.identity.sha256
    assert description["candidates"] == len(known)


def test_an_index_of_one_kind_scores_as_reading_the_texts_does(tmp_path: Path) -> None:
    """By the shipped model, whose features depend on the kind of text, also for several texts."""
    verifier = adhominem.load()
    rows = [json.loads(line) for line in Path("demo/pairs.jsonl").read_text().splitlines()]
    texts = [row[side] for row in rows for side in ("left", "right")]
    questioned = texts[0] if isinstance(texts[0], str) else texts[0][0]
    single = [text if isinstance(text, str) else text[0] for text in texts]
    known = {"three": single[1:4], "one": single[4:5], "other": single[5:6]}
    write_index(verifier, known.items(), tmp_path / "index", genre="blogs")
    index = open_index(tmp_path / "index", verifier)
    found, read = (
        {c.name: c.decision for c in ranking.candidates}
        for ranking in (
            search(verifier, questioned, index, genre="blogs"),
            rank(verifier, questioned, known, genre="blogs"),
        )
    )
    plain = {c.name: c.decision for c in rank(verifier, questioned, known).candidates}
    assert any(abs(plain[name].score - read[name].score) > 1e-3 for name in known)
    for name, decision in read.items():
        assert found[name].llr == pytest.approx(decision.llr, abs=0.01)
        assert found[name].left.voice == pytest.approx(decision.left.voice, abs=1e-6)
