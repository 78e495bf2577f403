"""Bundles of folds: what is read is what was written."""

from dataclasses import fields
from pathlib import Path

import folds_bundle as bundle
import numpy as np

from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.text.vocabulary import Vocabulary
from adhominem.laboratory.corpus.labels import Labels
from adhominem.laboratory.experiment.word_vectors import read_text

TEXTS = ["One. Two two. Three.", "Four five.", "Six. Seven eight nine, nine. Ten."]


def _labels(n: int) -> Labels:
    numbers = np.arange(n)
    parts = np.zeros(n, dtype=np.int8)
    return Labels(numbers, numbers - 1, parts, parts, np.zeros(n, dtype=bool), numbers * 0)


def test_texts_and_labels_come_back(tmp_path: Path) -> None:
    texts, labels = tokenise(TEXTS), _labels(3)
    written = bundle.write_texts(tmp_path, texts, labels, parts=3)
    assert written.words() == texts.words()
    read, own = bundle.read_texts(tmp_path)
    assert read.words() == texts.words()
    assert read.types == written.types
    assert np.array_equal(read.sentences, texts.sentences)
    assert np.array_equal(read.documents, texts.documents)
    for field in fields(Labels):
        given, found = getattr(labels, field.name), getattr(own, field.name)
        assert np.array_equal(given, found), field.name
        assert given.dtype == found.dtype, field.name


def test_rare_words_of_a_large_corpus_come_back(tmp_path: Path) -> None:
    texts = tokenise([" ".join(f"w{i}" for i in range(70_000)) + ". w65000 w69999 w59998. Again."])
    bundle.write_texts(tmp_path, texts, _labels(1), parts=1)
    assert bundle.read_texts(tmp_path)[0].words() == texts.words()


def test_vocabularies_come_back(tmp_path: Path) -> None:
    texts = bundle.write_texts(tmp_path, tokenise(TEXTS), _labels(3), parts=1)
    vocabularies = [
        Vocabulary.fit(texts.counts(), min_word_count=least, min_character_count=1)
        for least in (1, 2)
    ]
    runs = [{"folder": "one", "vocabulary": 1}]
    bundle.write_runs(tmp_path, runs, vocabularies, texts)
    assert bundle.read_runs(tmp_path, texts.types) == (runs, vocabularies)


def test_vectors_are_rounded_to_steps_of_their_rows(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    rows = {name: rng.normal(size=20).astype(np.float32) for name in ("one", "two", "é")}
    rows["nought"] = np.zeros(20, dtype=np.float32)
    bundle.write_vectors(tmp_path, rows)
    bundle.unpack_vectors(tmp_path, tmp_path / "vectors.vec")
    read = read_text(tmp_path / "vectors.vec", rows)
    assert list(read) == list(rows)
    for word, row in rows.items():
        half = np.abs(row).max() / bundle.STEPS / 2
        assert np.abs(read[word] - row).max() <= half * 1.001, word
