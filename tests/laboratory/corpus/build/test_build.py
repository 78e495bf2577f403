"""Whole builds: every step takes what it should, and all that is written agrees."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyarrow import parquet

from adhominem.errors import InputError
from adhominem.files import read_sealed, sha256
from adhominem.instrument.text.settings import PAPER
from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.text.vocabulary import RESERVED_WORDS
from adhominem.laboratory.corpus.describe import describe_corpus
from adhominem.laboratory.corpus.labels import SPLITS
from adhominem.laboratory.corpus.pairs import make_pairs
from adhominem.laboratory.corpus.store import Corpus

SPANISH = (
    "El hotel estaba muy cerca del mar y las habitaciones eran grandes, pero el desayuno no nos "
    "gustó nada porque siempre llegaba frío y con mucho retraso cada mañana."
)


class Planted:
    """A built corpus with one document, or two, for every step."""

    def __init__(self, make: Any, folder: Path) -> None:
        rng = random.Random(7)
        self.rows: list[dict[str, Any]] = make.rows()
        self.expected: set[tuple[int, str]] = set()
        first = next(row for row in self.rows if row["author"] == "author0")["text"]
        words = first.split()
        near = " ".join([*words[:12], "something", "else", *words[14:]])
        for step, author, text in (
            ("empty", "author1", " \n\t "),
            ("empty", "author1", "<br/><p> </p>"),
            ("too short", "author1", "This is not enough."),
            ("too long", "author1", make.text(rng, 150)),
            ("not English", "author1", SPANISH),
            ("exact duplicate", "author0", first),
            ("near duplicate", "author0", near),
            ("author with too few documents", "lonely", make.text(rng)),
        ):
            self.expected.add((self._plant(author, text), step))
        self.many = {self._plant("busy", make.text(rng)) for _ in range(10)}
        self.shared = {self._plant(f"author{2 + i}", SHARED) for i in range(2)}
        self.source = make.write(self.rows, folder / "rows.jsonl")
        self.manifest = make.build(self.source, folder / "corpus")
        self.corpus = Corpus.open(folder / "corpus")

    def _plant(self, author: str, text: str) -> int:
        """Behind all others; the number of the line."""
        self.rows.append({"author": author, "topic": "Rome", "text": text})
        return len(self.rows)

    def table(self, name: str) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = parquet.read_table(self.corpus.folder / name).to_pylist()
        return rows


SHARED = (
    "This is a letter that two of us have sent to the market on the same day, and there was not a "
    "word in it that one had not taken from the other."
)


@pytest.fixture(scope="module")
def planted(make: Any, tmp_path_factory: pytest.TempPathFactory) -> Planted:
    return Planted(make, tmp_path_factory.mktemp("planted"))


def test_every_step_takes_what_was_planted_for_it_and_nothing_else(planted: Planted) -> None:
    dropped = planted.table("dropped.parquet")
    found = [(row["line"], row["step"]) for row in dropped]
    beyond = {line for line, step in found if step == "beyond the cap per author"}
    assert len(found) == len(set(found)) == len(planted.expected) + 2
    assert beyond < planted.many
    assert len(beyond) == 2
    assert {pair for pair in found if pair[0] not in beyond} == planted.expected
    assert {row["source"] for row in dropped} == {0}


def test_the_funnel_adds_up_line_by_line(planted: Planted) -> None:
    steps = planted.manifest["funnel"]
    assert steps[0] == {"step": "lines read", "removed": 0, "left": len(planted.rows)}
    for before, step in pairwise(steps):
        assert step["left"] == before["left"] - step["removed"]
    removed = Counter(row["step"] for row in planted.table("dropped.parquet"))
    assert {step["step"]: step["removed"] for step in steps[2:]} == removed
    stored = sum(len(table) for table in planted.corpus.tables(["id"]))
    assert steps[-1]["left"] == stored == len(planted.rows) - 10


def test_what_is_stored_is_what_stood_in_the_lines(planted: Planted) -> None:
    dropped = {row["line"] for row in planted.table("dropped.parquet")}
    stored = [
        row
        for table in planted.corpus.tables(["id", "author", "topic", "text"])
        for row in table.to_pylist()
    ]
    assert sorted(stored, key=lambda row: int(row["id"].split(":")[1])) == [
        {"id": f"rows.jsonl:{line}", **row}
        for line, row in enumerate(planted.rows, 1)
        if line not in dropped
    ]


def test_labels_documents_and_manifest_agree(planted: Planted) -> None:
    labels = planted.table("labels.parquet")
    manifest = planted.manifest
    assert manifest == read_sealed((planted.corpus.folder / "manifest.json").read_bytes())
    stored = [
        row
        for table in planted.corpus.tables(["author", "topic", "text", "tokens", "sentences"])
        for row in table.to_pylist()
    ]
    for name in ("author", "topic"):
        assert [row[name] for row in labels] == [row[name] for row in stored]
    sizes = [len(row["tokens"]) for row in stored]
    assert [row["n_tokens"] for row in labels] == sizes == [sum(r["sentences"]) for r in stored]
    assert [row["tokens"] for row in stored] == [tokenise([row["text"]]).words() for row in stored]
    for name, of in (("documents", len), ("authors", lambda rows: len({*rows}))):
        assert manifest[name]["total"] == of([row["author"] for row in labels])
        for i, split in enumerate(SPLITS):
            assert manifest[name][split] == of([r["author"] for r in labels if r["split"] == i])
    mean = sum(sizes) / len(sizes)
    assert manifest["tokens"]["total"] == sum(sizes)
    assert manifest["tokens"]["mean"] == pytest.approx(mean)
    variance = sum((size - mean) ** 2 for size in sizes) / len(sizes)
    assert manifest["tokens"]["deviation"] == pytest.approx(variance**0.5)
    assert manifest["topics"] == dict(Counter(row["topic"] for row in labels).most_common())
    assert manifest["with_markup"] == 1


def test_words_are_counted_on_the_training_authors_alone(planted: Planted) -> None:
    texts = [row["text"] for table in planted.corpus.tables(["text"]) for row in table.to_pylist()]
    splits = planted.corpus.label("split")
    counts = Counter(
        word
        for text, split in zip(texts, splits, strict=True)
        if split == SPLITS.index("train")
        for word in tokenise([text]).words()
        if word not in RESERVED_WORDS
    )
    types = planted.table("types.parquet")
    assert types == [
        {"word": word, "count": n}
        for word, n in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]
    characters: Counter[str] = Counter()
    for word, n in counts.items():
        for character in word:
            characters[character] += n
    assert planted.manifest["vocabulary"] == {
        "words": len(counts),
        "words_kept": sum(n >= PAPER.min_word_count for n in counts.values()),
        "characters": len(characters),
        "characters_kept": sum(n >= PAPER.min_character_count for n in characters.values()),
    }


def test_hashes_in_the_manifest_are_those_of_the_files(planted: Planted) -> None:
    [source] = planted.manifest["sources"]
    assert source["sha256"] == sha256(planted.source)
    assert source["bytes"] == planted.source.stat().st_size
    assert source["lines"] == source["documents"] == len(planted.rows)
    assert planted.manifest["store"] == {path.name: sha256(path) for path in planted.corpus.files}
    tables = planted.corpus.folder.glob("*.parquet")
    assert planted.manifest["files"] == {path.name: sha256(path) for path in tables}


def test_every_flipped_bit_of_a_file_that_is_read_is_noticed(
    planted: Planted, tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(planted.corpus.folder, tmp_path / "corpus"))
    draws = random.Random(1)
    for name in ("manifest.json", "labels.parquet", "copies.parquet", "documents/00000.parquet"):
        data = (copy / name).read_bytes()
        for _ in range(20):
            place, bit = draws.randrange(len(data)), draws.randrange(8)
            flipped = data[:place] + bytes([data[place] ^ (1 << bit)]) + data[place + 1 :]
            (copy / name).write_bytes(flipped)
            with pytest.raises(InputError):
                describe_corpus(Corpus.open(copy))
        (copy / name).write_bytes(data)


def test_what_two_authors_share_is_marked_and_in_no_pair(planted: Planted) -> None:
    ids = [row["id"] for table in planted.corpus.tables(["id"]) for row in table.to_pylist()]
    copied = {ids[i] for i in np.flatnonzero(planted.corpus.labels.copied)}
    assert copied == {f"rows.jsonl:{line}" for line in planted.shared}
    assert planted.manifest["copied"] == {"documents": 2, "pairs": 1}
    assert any("share text with another author" in line for line in planted.manifest["warnings"])


def test_no_author_is_in_two_parts(planted: Planted) -> None:
    labels = planted.table("labels.parquet")
    for part in ("split", "fold"):
        parts = {(row["author"], row[part]) for row in labels}
        assert len(parts) == len({row["author"] for row in labels}) == 41
    assert {name: planted.manifest["authors"][name] for name in SPLITS} == {
        "train": 33,
        "dev": 4,
        "test": 4,
    }
    assert set(Counter(fold for _, fold in parts).values()) == {8, 9}


def test_cells_are_equal_no_pair_comes_twice_and_epochs_differ(planted: Planted) -> None:
    labels = planted.corpus.labels
    epochs = []
    for split in SPLITS:
        assert planted.manifest["pairs"][split] is not None
    for epoch in range(2):
        table = labels.draw(labels.indices("train"), seed=1, epoch=epoch)
        pairs = [
            frozenset(pair) for pair in zip(table.left.tolist(), table.right.tolist(), strict=True)
        ]
        assert len(set(table.cells().values())) == 1
        assert len(set(pairs)) == len(pairs) == sum(table.cells().values()) > 20
        assert {labels.splits[place] for pair in pairs for place in pair} == {0}
        epochs.append(set(pairs))
        if epoch == 0:
            assert planted.manifest["pairs"]["train"] == table.cells()
    assert epochs[0] != epochs[1]
    documents = planted.corpus.documents(np.concatenate([table.left, table.right]))
    for pair in make_pairs(table.side_pairs(), documents):
        [left], [right] = pair.left, pair.right
        assert (left.author == right.author) == pair.same_author
        assert (left.topic == right.topic) == pair.same_topic


def test_another_seed_gives_other_splits_and_other_pairs(
    make: Any, source: Path, tmp_path: Path
) -> None:
    built = []
    for seed in (1, 2):
        make.build(source, tmp_path / str(seed), replace(make.settings, seed=seed))
        built.append(Corpus.open(tmp_path / str(seed)))
    one, other = built
    assert one.label("author") == other.label("author")
    assert one.label("split") != other.label("split")
    assert one.label("fold") != other.label("fold")
    everything = np.arange(len(one.labels.authors))
    tables = [c.labels.draw(everything, seed=i, epoch=0) for i, c in enumerate(built, 1)]
    assert not np.array_equal(tables[0].left, tables[1].left)


def splits_of(folder: Path) -> dict[str, int]:
    corpus = Corpus.open(folder)
    return dict(zip(corpus.label("author"), corpus.label("split"), strict=True))


def test_the_order_of_the_lines_moves_no_author(make: Any, tmp_path: Path) -> None:
    rows = make.rows()
    for name, ordered in (("one", rows), ("other", rows[::-1])):
        make.build(make.write(ordered, tmp_path / name / "rows.jsonl"), tmp_path / f"{name}.corpus")
    assert splits_of(tmp_path / "one.corpus") == splits_of(tmp_path / "other.corpus")


def test_more_test_documents_leave_the_training_vocabulary_as_it_is(
    make: Any, tmp_path: Path
) -> None:
    rows = make.rows()
    make.build(make.write(rows, tmp_path / "rows.jsonl"), tmp_path / "before")
    splits = splits_of(tmp_path / "before")
    author = next(name for name, split in splits.items() if split == SPLITS.index("test"))
    text = "There was a zeppelin over the river when we came, and it is not to be seen in winter."
    rows += [{"author": author, "topic": "Rome", "text": text}]
    manifest = make.build(make.write(rows, tmp_path / "rows.jsonl"), tmp_path / "after")
    assert manifest["documents"]["total"] == 241
    assert splits_of(tmp_path / "after") == splits
    before, after = (tmp_path / name / "types.parquet" for name in ("before", "after"))
    assert before.read_bytes() == after.read_bytes()


def test_two_documents_in_a_line_are_counted_in_the_funnel(make: Any, tmp_path: Path) -> None:
    """PAN's lines hold pairs; an author is known by the truth beside them."""
    texts = [row["text"] for row in make.rows()]
    pairs = [{"id": str(i), "pair": texts[2 * i : 2 * i + 2]} for i in range(60)]
    truth = [
        {"id": str(i), "same": i % 2 == 0, "authors": [f"a{i % 20}", f"b{i % 30}"]}
        for i in range(60)
    ]
    for row in truth:
        if row["same"]:
            row["authors"] = row["authors"][:1] * 2
    make.write(pairs, tmp_path / "pan" / "pairs.jsonl")
    make.write(truth, tmp_path / "pan" / "truth.jsonl")
    manifest = make.build(tmp_path / "pan", tmp_path / "corpus")
    steps = {step["step"]: step for step in manifest["funnel"]}
    assert steps["lines read"]["left"] == 60
    assert steps["further documents in a line"] == {
        "step": "further documents in a line",
        "removed": -60,
        "left": 120,
    }
    for before, step in pairwise(manifest["funnel"]):
        assert step["left"] == before["left"] - step["removed"]
    assert step["left"] == manifest["documents"]["total"] == 120


def test_a_corpus_too_small_for_all_splits_says_so(make: Any, tmp_path: Path) -> None:
    source = make.write(make.rows(2), tmp_path / "rows.jsonl")
    manifest = make.build(source, tmp_path / "corpus")
    assert manifest["documents"] == {"total": 12, "train": 12, "dev": 0, "test": 0}
    assert manifest["pairs"]["train"] is not None
    assert manifest["pairs"]["dev"] is None
    assert any(warning.startswith("dev: no pairs of") for warning in manifest["warnings"])


def test_one_topic_only_is_a_warning_and_pairs_have_no_cells_by_topic(
    make: Any, tmp_path: Path
) -> None:
    manifest = make.build(
        make.write(make.rows(topics=["Rome"]), tmp_path / "rows.jsonl"), tmp_path / "corpus"
    )
    assert any("one topic only (Rome)" in warning for warning in manifest["warnings"])
    assert set(manifest["pairs"]["train"]) == {"same author", "different authors"}


def test_short_documents_have_no_sample_and_are_built_all_the_same(
    make: Any, tmp_path: Path
) -> None:
    """Five words have no 8-gram: the sketch of every bucket is empty."""
    rows = [{"author": f"author{i // 3}", "text": f"This is the number {i}."} for i in range(30)]
    manifest = make.build(
        make.write(rows, tmp_path / "rows.jsonl"),
        tmp_path / "corpus",
        replace(make.settings, min_tokens=1),
    )
    assert manifest["documents"]["total"] == 30
