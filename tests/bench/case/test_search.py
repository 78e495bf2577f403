"""An index gives the answers of reading everything anew, and belongs to one model."""

from __future__ import annotations

import json
import random
import resource
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import adhominem
from adhominem.bench.case.index import Index, open_index, search, write_index
from adhominem.bench.case.texts import KnownTexts, NamedText, candidates
from adhominem.errors import InputError, ModelError, OutputError
from adhominem.instrument.evidence.attribution import Ranking, rank
from adhominem.instrument.neural import NeuralVerifier
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.verifiers.cosine import Chance
from adhominem.records import Pair

Texts = dict[str, list[str]]


def known_of(texts: Texts, *, shuffled: bool = False) -> KnownTexts:
    rows = [(i, text) for i, given in enumerate(texts.values()) for text in given]
    if shuffled:
        rows = [rows[i] for i in np.random.default_rng(1).permutation(len(rows))]
    return KnownTexts(tuple(texts), tuple(map(len, texts.values())), iter(rows))


@pytest.fixture(scope="module")
def known(texts: list[NamedText], dev_pairs: list[Pair]) -> Texts:
    """Authors with several texts and single texts, one of them empty."""
    several = {f"pair {i}": [d.text for d in (*p.left, *p.right)] for i, p in enumerate(dev_pairs)}
    return {**candidates(texts, "text 0"), **several, "empty": [""]}


@pytest.fixture(scope="module")
def folder(small: Verifier, known: Texts, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("index") / "index"
    write_index(small, known_of(known, shuffled=True), path)
    return path


@pytest.fixture(scope="module")
def index(small: Verifier, folder: Path) -> Index:
    return open_index(folder, small)


def same(one: Ranking, other: Ranking) -> None:
    assert [c.name for c in one.candidates] == [c.name for c in other.candidates]
    assert one.answer == other.answer
    for a, b in zip(one.candidates, other.candidates, strict=True):
        assert a.probability == pytest.approx(b.probability, rel=1e-4)
        assert a.decision.llr == pytest.approx(b.decision.llr, abs=1e-5)
        assert a.decision.verdict is b.decision.verdict
        for found, expected in (
            (a.decision.left, b.decision.left),
            (a.decision.right, b.decision.right),
        ):
            assert found.norm == pytest.approx(expected.norm, rel=1e-6)
            assert replace(found, norm=1.0) == replace(expected, norm=1.0)
        assert a.decision.track_record == b.decision.track_record
    assert one.none == pytest.approx(other.none, rel=1e-4)
    assert one.others == pytest.approx(other.others, rel=1e-4, abs=1e-12)
    assert one.n_others == other.n_others


@pytest.mark.parametrize("prior", [0.9, 0.5, 0.01])
@pytest.mark.parametrize("top", [1, 7, 1000])
def test_finds_what_reading_everything_finds(
    small: Verifier, known: Texts, index: Index, texts: list[NamedText], top: int, prior: float
) -> None:
    for questioned in (texts[0].text, [texts[1].text, texts[2].text]):
        found = search(small, questioned, index, top=top, prior=prior)
        same(found, rank(small, questioned, known, prior=prior).best(top))


def test_of_a_kind_that_is_said(
    knowing: Verifier, known: Texts, index: Index, texts: list[NamedText], tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="made without a genre: search it without a genre, or"):
        search(knowing, texts[0].text, index, genre="letters")
    with pytest.raises(InputError, match="genre 'poems' is not known"):
        write_index(knowing, known_of(known), tmp_path / "poems", genre="poems")
    write_index(knowing, known_of(known), tmp_path / "letters", genre="letters")
    index = open_index(tmp_path / "letters", knowing)
    with pytest.raises(InputError, match="made with --genre letters: search it with --genre"):
        search(knowing, texts[0].text, index)
    found = search(knowing, texts[0].text, index, top=9, genre="letters")
    same(found, rank(knowing, texts[0].text, known, prior=0.5, genre="letters").best(9))
    assert found.candidates[0].decision.left.genre == "letters"


def test_a_text_that_is_too_short_is_nobody_s(small: Verifier, index: Index) -> None:
    ranking = search(small, "Too short.", index)
    assert ranking.answer is None
    assert ranking.none == 1
    assert all(c.probability == 0 for c in ranking.candidates)


def test_no_text_is_kept(folder: Path, known: Texts) -> None:
    kept = b"".join(path.read_bytes() for path in folder.iterdir())
    assert {path.name for path in folder.iterdir()} == {
        *("index.json", "features.npy", "candidates.parquet", "shingles.bin")
    }
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
    strict = small.randomised(seed=2)
    strict.min_tokens = 100
    with pytest.raises(ModelError, match="other limits"):
        open_index(folder, strict)


@pytest.mark.parametrize(
    "name", ["index.json", "features.npy", "candidates.parquet", "shingles.bin"]
)
def test_a_damaged_index_says_so(small: Verifier, known: Texts, tmp_path: Path, name: str) -> None:
    write_index(small, known_of(known), tmp_path / "index")
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
    write_index(small, known_of(known), tmp_path / "index")
    draws = random.Random(1)
    for name in ("index.json", "features.npy", "candidates.parquet", "shingles.bin"):
        path = tmp_path / "index" / name
        data = path.read_bytes()
        for _ in range(40):
            place, bit = draws.randrange(len(data)), draws.randrange(8)
            path.write_bytes(data[:place] + bytes([data[place] ^ (1 << bit)]) + data[place + 1 :])
            try:
                index = open_index(tmp_path / "index", small)
            except InputError as error:
                assert "is not a whole index" in str(error)
            else:  # a bit of the name of the hash itself
                assert name == "index.json" and len(index) == len(known)
        path.write_bytes(data)


def test_a_full_disk_ends_in_one_line(small: Verifier, known: Texts, tmp_path: Path) -> None:
    """A limit on the size of files fails as a full disk does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200, hard))
    try:
        with pytest.raises(OutputError, match="index cannot be written: File too large"):
            write_index(small, known_of(known), tmp_path / "index")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert list(tmp_path.iterdir()) == []


def test_written_whole_or_not_at_all(small: Verifier, known: Texts, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> None:
        told.append((done, total))
        raise InterruptedError

    with pytest.raises(InterruptedError):
        write_index(small, known_of(known), tmp_path / "index", stop)
    n = sum(map(len, known.values()))
    assert told == [(n, n)]
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(InputError, match="no candidates"):
        write_index(small, known_of({}), tmp_path / "index")


def test_what_may_be_asked(small: Verifier, index: Index) -> None:
    with pytest.raises(InputError, match="ask for one at least"):
        search(small, "text", index, top=0)
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
    write_index(verifier, known_of(known), tmp_path / "index", genre="blogs")
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
        assert found[name].score == pytest.approx(decision.score, abs=1e-6)
        assert found[name].left.voice == pytest.approx(decision.left.voice, abs=1e-6)
