"""Tokens to parquet and back, and corpus folders that are not whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import IO

import numpy as np
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from adhominem.errors import InputError
from adhominem.files import sealed_json
from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.text.tokenised import Tokenised
from adhominem.laboratory.corpus import store
from adhominem.laboratory.corpus.store import (
    FORMAT,
    LABELS,
    MANIFEST,
    Corpus,
    read_tokens,
    token_columns,
    write_table,
)

TEXTS = ["Good room. Bad bed!", "", "   \n ", "We came, we saw.\n\nWe left 🙂 for 3,50 €.", "room"]


def equal(one: Tokenised, other: Tokenised) -> bool:
    return one.types == other.types and all(
        np.array_equal(getattr(one, name), getattr(other, name))
        and getattr(one, name).dtype == getattr(other, name).dtype
        for name in ("tokens", "starts", "ends", "sentences", "documents")
    )


def through_parquet(texts: Tokenised, path: Path) -> Tokenised:
    write_table(pyarrow.table(token_columns(texts)), path)
    return read_tokens(parquet.read_table(path))


@given(texts=st.lists(st.text("ab .!\n🙂é", max_size=40) | st.sampled_from(TEXTS), max_size=6))
@settings(max_examples=80)
def test_tokens_survive_the_way_through_a_file(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    corpus = tokenise(texts)
    path = tmp_path_factory.mktemp("store") / "tokens.parquet"
    assert equal(through_parquet(corpus, path), corpus)
    assert equal(read_tokens(pyarrow.table(token_columns(corpus))), corpus)


def test_row_groups_and_chosen_documents_make_no_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "ROW_GROUP", 2)
    corpus = tokenise(TEXTS * 3)
    chosen = np.array([14, 3, 1, 0, 8])
    assert equal(through_parquet(corpus, tmp_path / "all.parquet"), corpus)
    part = through_parquet(corpus.select(chosen), tmp_path / "part.parquet")
    assert part.words() == corpus.select(chosen).words()
    assert equal(part, tokenise([(TEXTS * 3)[i] for i in chosen]))


def make_corpus(folder: Path) -> Corpus:
    """Two files of documents with their labels, as a build leaves them."""
    (folder / "documents").mkdir(parents=True)
    names = []
    for i, texts in enumerate((TEXTS[:3], TEXTS[3:])):
        columns = {
            "id": [f"file:{3 * i + j}" for j in range(len(texts))],
            "author": ["A"] * len(texts),
            "topic": [None if i else "t"] * len(texts),
            "text": texts,
        }
        names.append(f"{i:05d}.parquet")
        table = pyarrow.table({**columns, **token_columns(tokenise(texts))})
        write_table(table, folder / "documents" / names[-1])
    labels = {
        "author": ["B", "A", "B", "A", "A"],
        "topic": ["t", None, "s", "t", None],
        "n_tokens": [6, 0, 0, 13, 1],
        "split": [0, 1, 0, 1, 1],
        "fold": [4, 0, 4, 0, 0],
        "copied": [False, True, False, False, False],
    }
    write_table(pyarrow.table(labels), folder / LABELS)
    manifest = {"format": FORMAT, "store": dict.fromkeys(names, "")}
    (folder / MANIFEST).write_bytes(sealed_json(manifest))
    return Corpus.open(folder)


def test_a_corpus_gives_its_labels_documents_and_tokens(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path / "corpus")
    assert corpus.labels.authors.tolist() == [1, 0, 1, 0, 0]
    assert corpus.labels.topics.tolist() == [1, -1, 0, 1, -1]
    assert corpus.labels.indices("dev").tolist() == [1, 3, 4]
    assert corpus.labels.copied.tolist() == [False, True, False, False, False]
    found = corpus.documents(np.array([4, 0, 3, 0]))
    assert {place: document.text for place, document in found.items()} == {
        0: TEXTS[0],
        3: TEXTS[3],
        4: TEXTS[4],
    }
    assert [found[i].id for i in (0, 3, 4)] == ["file:0", "file:3", "file:4"]
    assert corpus.documents(np.zeros(0, np.int64)) == {}
    assert equal(corpus.tokenised(), tokenise(TEXTS))


def use(folder: Path) -> None:
    corpus = Corpus.open(folder)
    assert len(corpus.labels.authors) == 5
    corpus.documents(np.array([0, 4]))
    corpus.tokenised()


def cut_file(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


DAMAGES: dict[str, Callable[[Path], object]] = {
    "no manifest": lambda folder: (folder / MANIFEST).unlink(),
    "half a manifest": lambda folder: cut_file(folder / MANIFEST),
    "a manifest of bytes": lambda folder: (folder / MANIFEST).write_bytes(b"\xff\xfe\x00"),
    "a manifest that is a list": lambda folder: (folder / MANIFEST).write_text("[1, 2]"),
    "a manifest that is a number": lambda folder: (folder / MANIFEST).write_text("7"),
    "another format": lambda folder: (folder / MANIFEST).write_bytes(
        sealed_json({"format": "other"})
    ),
    "a manifest without files": lambda folder: (folder / MANIFEST).write_bytes(
        sealed_json({"format": FORMAT})
    ),
    "a manifest without its hash": lambda folder: (folder / MANIFEST).write_text(
        json.dumps({"format": FORMAT, "store": {}})
    ),
    "no labels": lambda folder: (folder / LABELS).unlink(),
    "half the labels": lambda folder: cut_file(folder / LABELS),
    "labels of something else": lambda folder: write_table(
        pyarrow.table({"a": [1]}), folder / LABELS
    ),
    "a missing file": lambda folder: (folder / "documents" / "00001.parquet").unlink(),
    "a file too many": lambda folder: (folder / "documents" / "9.parquet").write_bytes(b""),
    "half a file": lambda folder: cut_file(folder / "documents" / "00001.parquet"),
    "an empty file": lambda folder: (folder / "documents" / "00000.parquet").write_bytes(b""),
    "a file of something else": lambda folder: write_table(
        pyarrow.table({"a": [1]}), folder / "documents" / "00000.parquet"
    ),
}


@pytest.mark.parametrize("kind", DAMAGES)
def test_a_damaged_or_incomplete_corpus_is_one_line(tmp_path: Path, kind: str) -> None:
    folder = make_corpus(tmp_path / "corpus").folder
    use(folder)
    DAMAGES[kind](folder)
    with pytest.raises(InputError) as caught:
        use(folder)
    message = str(caught.value)
    assert str(folder) in message
    assert "\n" not in message
    assert "build" in message or "cannot be read" in message


def test_a_folder_that_is_no_corpus_is_one_line(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "missing"):
        with pytest.raises(InputError, match="is not a corpus"):
            Corpus.open(folder)


def test_a_table_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_off(_: pyarrow.Table, file: IO[bytes], **__: object) -> None:
        file.write(b"PAR1")
        raise OSError("No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(parquet, "write_table", break_off)
        with pytest.raises(OSError, match="No space"):
            write_table(pyarrow.table({"a": [1]}), tmp_path / "a.parquet")
    assert not list(tmp_path.iterdir())
    write_table(pyarrow.table({"a": [1]}), tmp_path / "a.parquet")
    assert [path.name for path in tmp_path.iterdir()] == ["a.parquet"]
