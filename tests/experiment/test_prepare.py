"""A small corpus with known faults to integers on disk."""

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

from adhominem.corpus.split import SPLITS
from adhominem.errors import AdhominemError, ExperimentError
from adhominem.experiment.prepare import Prepared, load_prepared, prepare, tokenise_all
from adhominem.experiment.settings import CorpusSettings, Experiment, TextSettings
from adhominem.records import Document
from adhominem.text.tokenise import tokenise
from adhominem.text.tokenised import Tokenised
from adhominem.text.vocabulary import RESERVED_WORDS

N_AUTHORS = 130  # more than one chunk of texts for the workers
EXPERIMENT = Experiment(
    name="tiny",
    seed=3,
    corpus=CorpusSettings(min_tokens=30, max_tokens=120),
    text=TextSettings(max_words=10, min_word_count=300, min_character_count=1000),
)


def silent(done: int, total: int) -> None:
    assert 0 < done <= total


def run(
    reviews: Sequence[Document],
    corpora: ModuleType,
    folder: Path,
    *,
    experiment: Experiment = EXPERIMENT,
    workers: int = 1,
) -> Path:
    """The prepared folder of a corpus that is saved beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    source = corpora.save_reviews(reviews, folder / "reviews.jsonl")
    prepare(experiment, source, folder / "prepared", workers=workers, progress=silent)
    return folder / "prepared"


def read_pairs(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def good(corpora: ModuleType) -> list[Document]:
    reviews: list[Document] = corpora.make_reviews(N_AUTHORS, seed=2)
    return reviews


@pytest.fixture(scope="module")
def faults(good: list[Document]) -> dict[str, list[Document]]:
    """Documents that must go, by the step that takes them."""
    return {
        "length": [
            Document("Too short .", author=good[0].author, topic="books"),
            Document("", author=good[0].author, topic="books"),
            Document(" ".join(r.text for r in good[4:8]), author=good[4].author, topic="books"),
        ],
        "duplicate": [
            Document(good[8].text, author=good[8].author, topic="books"),
            Document("Well , " + good[9].text, author=good[9].author, topic="phones"),
            Document(
                good[12].text[: len(good[12].text) // 2] + " " + good[16].text, good[12].author
            ),
        ],
        "lonely": [
            Document(good[20].text + " Bye .", author="has-one", topic="hotels"),
            # Two documents, but one is a duplicate of the other.
            Document(good[24].text, author="has-one-twice", topic="hotels"),
            Document(good[24].text, author="has-one-twice", topic="books"),
        ],
    }


@pytest.fixture(scope="module")
def reviews(good: list[Document], faults: dict[str, list[Document]]) -> list[Document]:
    return [*good, *(document for kind in faults.values() for document in kind)]


@pytest.fixture(scope="module")
def folder(
    tmp_path_factory: pytest.TempPathFactory, reviews: list[Document], corpora: ModuleType
) -> Path:
    return run(reviews, corpora, tmp_path_factory.mktemp("prepared"))


@pytest.fixture(scope="module")
def prepared(folder: Path) -> Prepared:
    return load_prepared(folder)


@pytest.fixture(scope="module")
def manifest(folder: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
    return read


def test_folder_holds_these_files(folder: Path) -> None:
    assert set(contents(folder)) == {
        *("corpus.npz", "vocabulary.json", "manifest.json"),
        *("dev.pairs.jsonl.gz", "test.pairs.jsonl.gz"),
    }


def test_funnel_adds_up_and_never_grows(
    manifest: dict[str, Any], good: list[Document], faults: dict[str, list[Document]]
) -> None:
    funnel = list(manifest["funnel"].values())
    n_faults = sum(len(kind) for kind in faults.values())
    assert funnel == [
        len(good) + n_faults,
        len(good) + n_faults - 3,
        len(good) + n_faults - 3 - 4,
        len(good),
    ]
    assert funnel == sorted(funnel, reverse=True)
    assert sum(manifest["documents"].values()) == funnel[-1]
    assert sum(manifest["authors"].values()) == N_AUTHORS


def test_manifest_counts_what_is_there(
    manifest: dict[str, Any], prepared: Prepared, good: list[Document], folder: Path
) -> None:
    lengths = [len(tokenise([review.text]).tokens) for review in good]
    assert manifest["tokens"]["total"] == sum(lengths)
    assert manifest["tokens"]["mean"] == pytest.approx(np.mean(lengths))
    assert manifest["tokens"]["deviation"] == pytest.approx(np.std(lengths))
    for number, split in enumerate(SPLITS):
        assert manifest["documents"][split] == int(np.sum(prepared.splits == number))
        authors = np.unique(prepared.authors[prepared.splits == number])
        assert manifest["authors"][split] == len(authors)
    assert manifest["vocabulary"]["words"] == prepared.vocabulary.n_words
    assert manifest["vocabulary"]["characters"] == prepared.vocabulary.n_characters
    for split in ("dev", "test"):
        pairs = read_pairs(folder / f"{split}.pairs.jsonl.gz")
        assert manifest[f"{split}_pairs"] == len(pairs)


def test_documents_are_those_without_fault(prepared: Prepared, good: list[Document]) -> None:
    """In their order: as many tokens as each text has, and one marker for each of its lines."""
    corpus = prepared.corpus
    assert corpus.n_documents == len(good)
    n_lines = np.diff(corpus.documents)
    n_tokens = np.diff(corpus.lines[corpus.documents]) - n_lines
    assert n_tokens.tolist() == [len(tokenise([review.text]).tokens) for review in good]
    assert np.diff(corpus.lines).max() <= EXPERIMENT.text.max_words


def test_numbers_of_authors_and_topics_are_those_of_the_rows(
    prepared: Prepared, good: list[Document]
) -> None:
    assert prepared.topics is not None
    names = dict(zip(prepared.authors.tolist(), (r.author for r in good), strict=True))
    assert [names[n] for n in prepared.authors.tolist()] == [r.author for r in good]
    topics = dict(zip(prepared.topics.tolist(), (r.topic for r in good), strict=True))
    assert [topics[n] for n in prepared.topics.tolist()] == [r.topic for r in good]


def test_no_author_is_in_two_splits(prepared: Prepared) -> None:
    parts = [set(prepared.authors[prepared.splits == n].tolist()) for n in range(len(SPLITS))]
    assert not (parts[0] & parts[1] or parts[0] & parts[2] or parts[1] & parts[2])
    assert [len(part) for part in parts] == [104, 13, 13]


@pytest.mark.parametrize("split", SPLITS)
def test_drawn_pairs_stay_in_their_split(prepared: Prepared, split: str) -> None:
    tables = [prepared.draw(split, seed=3, epoch=epoch) for epoch in (0, 0, 1)]
    for table in tables:
        places = np.concatenate([table.left, table.right])
        assert (prepared.splits[places] == SPLITS.index(split)).all()
        same = prepared.authors[table.left] == prepared.authors[table.right]
        assert (same == table.same_author).all()
    first, again, other = (list(zip(t.left, t.right, strict=True)) for t in tables)
    assert first == again != other


@pytest.mark.parametrize("split", ["dev", "test"])
def test_pair_files_hold_labelled_pairs_of_their_split(
    folder: Path, prepared: Prepared, good: list[Document], split: str
) -> None:
    mine = prepared.splits == SPLITS.index(split)
    authors = {review.author for review, is_mine in zip(good, mine, strict=True) if is_mine}
    rows = {(review.author, review.text): review.topic for review in good}
    pairs = read_pairs(folder / f"{split}.pairs.jsonl.gz")
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
    table = prepared.draw(split, seed=EXPERIMENT.seed, epoch=0)
    assert [pair["left"] for pair in pairs] == [good[i].text for i in table.left]


def test_vocabulary_is_counted_on_training_authors(
    prepared: Prepared, good: list[Document]
) -> None:
    words: Counter[str] = Counter()
    for review, split in zip(good, prepared.splits, strict=True):
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
        for review, split in zip(good, prepared.splits, strict=True)
    ]
    other = run(changed, corpora, tmp_path)
    assert load_prepared(other).corpus.n_documents == len(good)
    ours, theirs = contents(folder), contents(other)
    assert ours["vocabulary.json"] == theirs["vocabulary.json"]
    assert ours["corpus.npz"] != theirs["corpus.npz"]


@pytest.mark.parametrize("workers", [1, 2])
def test_two_runs_write_the_same_bytes(
    tmp_path: Path, folder: Path, reviews: list[Document], corpora: ModuleType, workers: int
) -> None:
    assert contents(run(reviews, corpora, tmp_path, workers=workers)) == contents(folder)


def test_other_seed_other_authors(
    tmp_path: Path, prepared: Prepared, good: list[Document], corpora: ModuleType
) -> None:
    other = load_prepared(run(good, corpora, tmp_path, experiment=replace(EXPERIMENT, seed=4)))
    assert other.splits.tolist() != prepared.splits.tolist()


def test_two_workers_tokenise_as_one(good: list[Document]) -> None:
    texts = [review.text[:60] for review in good] * 3
    one, two = (tokenise_all(texts, workers, silent) for workers in (1, 2))
    assert one.types == two.types
    for name in ("tokens", "sentences", "documents"):
        assert getattr(one, name).tolist() == getattr(two, name).tolist()
    assert len(one.documents) == len(texts) + 1


def test_progress_ends_at_the_number_of_texts() -> None:
    told: list[tuple[int, int]] = []
    tokenised = tokenise_all(["One text."] * 700, 1, lambda done, total: told.append((done, total)))
    assert isinstance(tokenised, Tokenised)
    assert told == [(500, 700), (700, 700)]


def test_corpus_without_topics(tmp_path: Path, good: list[Document], corpora: ModuleType) -> None:
    some = [replace(review, topic=None) for review in good[: 4 * 40]]
    folder = run(some, corpora, tmp_path)
    assert load_prepared(folder).topics is None
    pairs = read_pairs(folder / "test.pairs.jsonl.gz")
    assert {pair["same_topic"] for pair in pairs} == {None}
    assert {pair["same_author"] for pair in pairs} == {True, False}


@pytest.mark.parametrize(
    ("reviews", "message"),
    [
        ([], "holds no documents"),
        ([Document("Too short.", author=str(i % 2)) for i in range(4)], "lower the limits"),
    ],
)
def test_corpus_of_which_nothing_is_left(
    tmp_path: Path, corpora: ModuleType, reviews: list[Document], message: str
) -> None:
    with pytest.raises(ExperimentError, match=message) as caught:
        run(reviews, corpora, tmp_path)
    assert "\n" not in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["reviews.jsonl"]


def test_corpus_too_small_for_pairs_leaves_no_folder(
    tmp_path: Path, good: list[Document], corpora: ModuleType
) -> None:
    with pytest.raises(AdhominemError) as caught:
        run(good[:8], corpora, tmp_path)
    assert "\n" not in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["reviews.jsonl"]


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
