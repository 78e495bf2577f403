"""Corpora to integers on disk."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from adhominem.errors import AdhominemError, ExperimentError
from adhominem.instrument.text.settings import TextSettings
from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.text.vocabulary import RESERVED_WORDS
from adhominem.laboratory.corpus import CorpusSettings
from adhominem.laboratory.corpus.build import build_corpus
from adhominem.laboratory.corpus.build.engine import Engine
from adhominem.laboratory.corpus.labels import SPLITS
from adhominem.laboratory.corpus.store import Corpus
from adhominem.laboratory.experiment import Experiment
from adhominem.laboratory.experiment.prepare import (
    Prepared,
    load_prepared,
    pairs_file,
    prepare,
)
from adhominem.laboratory.training import TrainingConfig
from adhominem.records import Document

N_AUTHORS = 130
EXPERIMENT = Experiment(
    name="tiny",
    seed=3,
    corpus=CorpusSettings(min_tokens=30, max_tokens=120, english_only=False),
    text=TextSettings(max_words=10, min_word_count=300, min_character_count=1000),
)


def build(reviews: Sequence[Document], corpora: ModuleType, folder: Path, seed: int = 3) -> Corpus:
    folder.mkdir(parents=True, exist_ok=True)
    source = corpora.save_reviews(reviews, folder / "reviews.jsonl")
    settings = replace(EXPERIMENT.corpus, seed=seed)
    build_corpus([str(source)], folder / "corpus", settings, engine=Engine(workers=1))
    return Corpus.open(folder / "corpus")


def run(
    reviews: Sequence[Document],
    corpora: ModuleType,
    folder: Path,
    *,
    experiment: Experiment = EXPERIMENT,
) -> Path:
    """The prepared folder of a corpus that is made beside it."""
    corpus = build(reviews, corpora, folder, experiment.seed)
    prepare(experiment, [corpus], folder / "prepared")
    return folder / "prepared"


def read_pairs(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory, corpora: ModuleType) -> Corpus:
    reviews = corpora.make_reviews(N_AUTHORS, seed=2)
    return build(reviews, corpora, tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="module")
def good(corpus: Corpus) -> list[Document]:
    """The documents in the order of the corpus."""
    places = np.arange(corpus.manifest["documents"]["total"])
    return list(corpus.documents(places).values())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, corpus: Corpus) -> Path:
    path = tmp_path_factory.mktemp("run") / "prepared"
    prepare(EXPERIMENT, [corpus], path)
    return path


@pytest.fixture(scope="module")
def prepared(folder: Path) -> Prepared:
    return load_prepared(folder)


@pytest.fixture(scope="module")
def manifest(folder: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
    return read


def test_folder_holds_these_files(folder: Path) -> None:
    assert set(contents(folder)) == {
        *("corpus.npz", "vocabulary.json", "genres.json", "manifest.json"),
        *("dev/corpus.pairs.jsonl.gz", "test/corpus.pairs.jsonl.gz"),
        *("dev/corpus.several.pairs.jsonl.gz", "test/corpus.several.pairs.jsonl.gz"),
    }


def test_manifest_counts_what_is_there(
    manifest: dict[str, Any], prepared: Prepared, corpus: Corpus, folder: Path
) -> None:
    for name in ("funnel", "documents", "authors", "tokens", "sources"):
        assert manifest["corpora"]["corpus"][name] == corpus.manifest[name]
    assert manifest["vocabulary"]["words"] == prepared.vocabulary.n_words
    assert manifest["vocabulary"]["characters"] == prepared.vocabulary.n_characters
    for split in ("dev", "test"):
        pairs = read_pairs(pairs_file(folder, split, "corpus"))
        assert manifest[f"{split}_pairs"] == {"corpus": len(pairs)}


def test_documents_are_those_of_the_corpus(prepared: Prepared, good: list[Document]) -> None:
    """In their order: as many tokens as each text has, and one marker for each of its lines."""
    corpus = prepared.corpus
    assert corpus.n_documents == len(good)
    n_lines = np.diff(corpus.documents)
    n_tokens = np.diff(corpus.lines[corpus.documents]) - n_lines
    assert n_tokens.tolist() == [len(tokenise([review.text]).tokens) for review in good]
    assert np.diff(corpus.lines).max() <= EXPERIMENT.text.max_words


@pytest.mark.parametrize("split", SPLITS)
def test_drawn_pairs_stay_in_their_split(prepared: Prepared, split: str) -> None:
    tables = [prepared.draw(split, seed=3, epoch=epoch)["corpus"] for epoch in (0, 0, 1)]
    for table in tables:
        places = np.concatenate([table.left, table.right])
        assert (prepared.labels.splits[places] == SPLITS.index(split)).all()
        same = prepared.labels.authors[table.left] == prepared.labels.authors[table.right]
        assert (same == table.same_author).all()
    first, again, other = (list(zip(t.left, t.right, strict=True)) for t in tables)
    assert first == again != other


@pytest.mark.parametrize("split", ["dev", "test"])
def test_pair_files_hold_labelled_pairs_of_their_split(
    folder: Path, prepared: Prepared, good: list[Document], split: str
) -> None:
    mine = prepared.labels.splits == SPLITS.index(split)
    authors = {review.author for review, is_mine in zip(good, mine, strict=True) if is_mine}
    rows = {(review.author, review.text): review.topic for review in good}
    pairs = read_pairs(pairs_file(folder, split, "corpus"))
    assert pairs
    for pair in pairs:
        left, right = pair["authors"]
        assert {left, right} <= authors
        assert pair["same_author"] is (left == right)
        topics = rows[left, pair["left"]], rows[right, pair["right"]]
        assert pair["same_topic"] is (topics[0] == topics[1])
        assert pair["left"] != pair["right"]
    cells = Counter((pair["same_author"], pair["same_topic"]) for pair in pairs)
    assert len(cells) == 4 and len(set(cells.values())) == 1
    assert len({pair["id"] for pair in pairs}) == len(pairs)
    table = prepared.labels.draw_several(split, seed=EXPERIMENT.seed)
    assert [pair["left"] for pair in pairs] == [good[i].text for i in table.left]


def test_vocabulary_is_counted_on_training_authors(
    prepared: Prepared, good: list[Document]
) -> None:
    words: Counter[str] = Counter()
    for review, split in zip(good, prepared.labels.splits, strict=True):
        if split == SPLITS.index("train"):
            words.update(tokenise([review.text]).words())
    characters = Counter(character for word in words.elements() for character in word)
    kept_words = {word for word, count in words.items() if count >= 300}
    kept_characters = {character for character, count in characters.items() if count >= 1000}
    assert 10 < len(kept_words) < len(words) - 10
    assert 5 < len(kept_characters) < len(characters) - 5
    assert set(prepared.vocabulary.words) == kept_words | set(RESERVED_WORDS)
    assert set(prepared.vocabulary.characters) == kept_characters


def test_vocabulary_does_not_change_with_the_texts_of_other_authors(
    tmp_path: Path, prepared: Prepared, good: list[Document], corpora: ModuleType, folder: Path
) -> None:
    rng = np.random.default_rng(9)
    changed = [
        review
        if split == SPLITS.index("train")
        else replace(review, text=f"Xylophon {rng.integers(1e9)} Zürich Œuvre. " * 3 + review.text)
        for review, split in zip(good, prepared.labels.splits, strict=True)
    ]
    other = run(changed, corpora, tmp_path)
    assert load_prepared(other).corpus.n_documents == len(good)
    ours, theirs = contents(folder), contents(other)
    assert ours["vocabulary.json"] == theirs["vocabulary.json"]
    assert ours["corpus.npz"] != theirs["corpus.npz"]


def test_two_runs_write_the_same_bytes(tmp_path: Path, folder: Path, corpus: Corpus) -> None:
    prepare(EXPERIMENT, [corpus], tmp_path / "prepared")
    assert contents(tmp_path / "prepared") == contents(folder)


def test_other_seed_other_authors(
    tmp_path: Path, prepared: Prepared, good: list[Document], corpora: ModuleType
) -> None:
    other = load_prepared(run(good, corpora, tmp_path, experiment=replace(EXPERIMENT, seed=4)))
    assert other.labels.splits.tolist() != prepared.labels.splits.tolist()


def test_corpus_without_topics(tmp_path: Path, good: list[Document], corpora: ModuleType) -> None:
    some = [replace(review, topic=None) for review in good if str(review.author) < "author-040"]
    folder = run(some, corpora, tmp_path)
    assert (load_prepared(folder).labels.topics == -1).all()
    pairs = read_pairs(pairs_file(folder, "test", "corpus"))
    assert {pair["same_topic"] for pair in pairs} == {None}
    assert {pair["same_author"] for pair in pairs} == {True, False}


def test_corpus_too_small_for_pairs_leaves_no_folder(
    tmp_path: Path, good: list[Document], corpora: ModuleType
) -> None:
    with pytest.raises(AdhominemError) as caught:
        run(good[:8], corpora, tmp_path)
    assert "\n" not in str(caught.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["corpus", "reviews.jsonl"]


@pytest.mark.parametrize(
    "damage",
    [
        "missing",
        "truncated",
        "no vocabulary",
        "other vocabulary",
    ],
)
def test_damaged_folder_gives_one_line(tmp_path: Path, folder: Path, damage: str) -> None:
    for name, content in contents(folder).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    if damage == "missing":
        (tmp_path / "corpus.npz").unlink()
    elif damage == "truncated":
        content = (tmp_path / "corpus.npz").read_bytes()
        (tmp_path / "corpus.npz").write_bytes(content[: len(content) // 2])
    elif damage == "no vocabulary":
        (tmp_path / "vocabulary.json").write_text("{")
    else:
        (tmp_path / "vocabulary.json").write_text("{}")
    with pytest.raises(ExperimentError) as caught:
        load_prepared(tmp_path)
    assert str(tmp_path) in str(caught.value) and "\n" not in str(caught.value)


@pytest.fixture(scope="module")
def two_genres(
    tmp_path_factory: pytest.TempPathFactory, corpus: Corpus, corpora: ModuleType
) -> tuple[Path, list[Corpus]]:
    """A corpus with topics beside one without."""
    folder = tmp_path_factory.mktemp("genres")
    plain = [replace(review, topic=None) for review in corpora.make_reviews(40, seed=8)]
    build(plain, corpora, folder / "made")
    (folder / "made" / "corpus").rename(folder / "blogs")
    both = [corpus, Corpus.open(folder / "blogs")]
    prepare(EXPERIMENT, both, folder / "prepared")
    return folder / "prepared", both


def test_genres_are_measured_each_on_its_own(two_genres: tuple[Path, list[Corpus]]) -> None:
    folder, both = two_genres
    prepared = load_prepared(folder)
    assert prepared.genres == ("corpus", "blogs")
    for genre, corpus in zip(prepared.genres, both, strict=True):
        table = corpus.labels.draw_several("dev", seed=EXPERIMENT.seed)
        documents = corpus.documents(np.concatenate([table.left, table.right]))
        pairs = read_pairs(pairs_file(folder, "dev", genre))
        assert {pair["left"] for pair in pairs} <= {d.text for d in documents.values()}
        authors = {str(d.author) for d in documents.values()}
        assert {name for pair in pairs for name in pair["authors"]} <= authors
        assert {pair["same_topic"] for pair in pairs} == (
            {None} if genre == "blogs" else {True, False}
        )


def test_few_pairs_are_made_more_by_further_draws(prepared: Prepared) -> None:
    one = prepared.draw("dev", seed=3, epoch=0)["corpus"]
    several = prepared.labels.draw_several("dev", seed=3)
    assert len(several) > 2 * len(one)
    assert len(set(several.cells().values())) == 1
    both = {frozenset(pair) for pair in zip(several.left, several.right, strict=True)}
    assert len(both) == len(several)
    assert (prepared.labels.splits[several.left] == SPLITS.index("dev")).all()


@pytest.mark.parametrize(("objective", "block"), [("pairs", 0), ("authors", 0), ("authors", 3)])
def test_training_pairs_stay_within_a_genre(
    two_genres: tuple[Path, list[Corpus]], objective: str, block: int
) -> None:
    prepared = load_prepared(two_genres[0])
    config = TrainingConfig(objective=objective, batch_pairs=4, block_pairs=block, epoch_steps=40)
    first, again, later = (prepared.training_draws(config, seed=1)(epoch) for epoch in (0, 0, 1))
    genres = prepared.labels.genres
    assert (genres[first.left] == genres[first.right]).all()
    assert set(genres[first.left].tolist()) == {0, 1}
    assert len(set(genres[first.left[:40]].tolist())) == 2, "genres take turns"
    assert (prepared.labels.splits[first.left] == 0).all()
    assert first.left.tolist() == again.left.tolist() != later.left.tolist()
    if objective == "authors":
        assert len(first) == 160
        assert first.block is not None
        for number in range(first.block[-1]):
            assert len(set(genres[first.left[first.block == number]].tolist())) == 1


@pytest.mark.parametrize(("objective", "block"), [("pairs", 0), ("authors", 0), ("authors", 4)])
def test_nothing_is_learnt_from_a_genre_that_is_left_out(
    two_genres: tuple[Path, list[Corpus]], objective: str, block: int
) -> None:
    prepared = load_prepared(two_genres[0])
    config = TrainingConfig(
        objective=objective, batch_pairs=4, block_pairs=block, left_out=(prepared.genres[0],)
    )
    drawn = prepared.training_draws(config, seed=1)(0)
    assert set(prepared.labels.genres[drawn.left].tolist()) == {1}


def test_a_genre_that_is_left_out_must_be_there(two_genres: tuple[Path, list[Corpus]]) -> None:
    config = TrainingConfig(left_out=("letters",))
    with pytest.raises(ExperimentError, match="no corpus is named letters"):
        load_prepared(two_genres[0]).training_draws(config, seed=1)


def test_two_corpora_of_one_name(tmp_path: Path, corpus: Corpus) -> None:
    with pytest.raises(ExperimentError, match="a name of its own"):
        prepare(EXPERIMENT, [corpus, corpus], tmp_path / "prepared")


def test_pairs_of_several_texts_are_of_their_split(
    two_genres: tuple[Path, list[Corpus]],
) -> None:
    folder, both = two_genres
    for genre, corpus in zip(("corpus", "blogs"), both, strict=True):
        places = corpus.labels.indices("test")
        texts = {d.text: d.author for d in corpus.documents(places).values()}
        pairs = read_pairs(pairs_file(folder, "test", genre, several=True))
        assert {pair["same_author"] for pair in pairs} == {True, False}
        for pair in pairs:
            sides = [
                side if isinstance(side, list) else [side] for side in (pair["left"], pair["right"])
            ]
            authors = [{texts[text] for text in side} for side in sides]
            assert [len(a) for a in authors] == [1, 1]
            assert pair["same_author"] == (authors[0] == authors[1])
            assert not set(sides[0]) & set(sides[1])


def test_nothing_is_learnt_from_an_unseen_corpus(
    two_genres: tuple[Path, list[Corpus]], tmp_path: Path
) -> None:
    learnt, unseen = two_genres[1]
    prepare(EXPERIMENT, [learnt], tmp_path / "alone")
    prepare(EXPERIMENT, [learnt], tmp_path / "both", unseen=[unseen])
    alone, both = load_prepared(tmp_path / "alone"), load_prepared(tmp_path / "both")
    assert both.vocabulary == alone.vocabulary
    assert both.genres == ("corpus", "blogs")
    assert (both.labels.genres[both.labels.indices("train")] == 0).all()
    assert len(both.labels.indices("dev", 1)) == np.sum(
        unseen.labels.splits != SPLITS.index("test")
    )
    assert len(both.labels.indices("test", 1)) == np.sum(
        unseen.labels.splits == SPLITS.index("test")
    )
