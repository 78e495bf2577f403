"""Leaks that were planted, and nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adhominem.laboratory.corpus.describe import MANY_AUTHORS, find_leaks, overlap
from adhominem.laboratory.corpus.store import Corpus

Row = dict[str, Any]
Build = Callable[[list[Row]], Corpus]


@pytest.fixture
def build(make: Any, tmp_path: Path) -> Build:
    def built(rows: list[Row]) -> Corpus:
        source = make.write(rows, tmp_path / "rows.jsonl")
        make.build(source, tmp_path / "corpus")
        return Corpus.open(tmp_path / "corpus")

    return built


def test_a_corpus_without_leaks_has_none(make: Any, build: Build) -> None:
    leaks = find_leaks(build(make.rows()))
    assert leaks["shared_texts"]["documents"] == 0
    assert leaks["overlap"] == {"splits": 0, "folds": 0}
    assert leaks["signatures"] == {"documents": 0, "authors": 0, "examples": []}
    assert leaks["quotations"] == {"documents": 0}
    assert leaks["boilerplate"] == {"sentences": 0, "examples": []}


def test_a_closing_sentence_that_an_author_repeats_is_a_signature(make: Any, build: Build) -> None:
    rows = make.rows()
    for row in rows:
        if row["author"] == "author3":
            row["text"] += " Yours as ever, Anthony T."
    signatures = find_leaks(build(rows))["signatures"]
    assert signatures["authors"] == 1
    assert signatures["documents"] == sum(row["author"] == "author3" for row in rows)
    assert signatures["examples"][0]["sentence"].startswith("Yours as ever , Anthony")


def test_a_sentence_of_many_authors_is_boilerplate(make: Any, build: Build) -> None:
    rows = make.rows()
    said: set[str] = set()
    for row in rows:
        if row["author"] not in said:
            said.add(row["author"])
            first, _, rest = row["text"].partition(" ")
            row["text"] = f"Sent from my telephone today. {first} {rest}"
    found = find_leaks(build(rows))["boilerplate"]
    assert len(said) >= MANY_AUTHORS
    assert found["sentences"] == 1
    assert found["examples"] == [
        {"sentence": "Sent from my telephone today .", "authors": len(said)}
    ]


def test_quoted_lines_are_counted_by_document(make: Any, build: Build) -> None:
    rows = make.rows()
    rows[0]["text"] = "> you said so\n> twice\n\n" + rows[0]["text"]
    rows[1]["text"] = "On Monday Smith wrote:\n" + rows[1]["text"]
    rows[2]["text"] += " It is > than that."
    assert find_leaks(build(rows))["quotations"] == {"documents": 2}


def test_texts_of_two_authors_are_reported_and_never_paired(make: Any, build: Build) -> None:
    rows = make.rows()
    text = make.text(random.Random(9), 60)
    one, other = (next(r for r in rows if r["author"] == name) for name in ("author1", "author2"))
    one["text"], other["text"] = text, text
    corpus = build(rows)
    shared = find_leaks(corpus)["shared_texts"]
    assert (shared["documents"], shared["pairs"]) == (2, 1)
    assert shared["examples"][0]["text"] == text[:100]
    assert any("share text with another author" in w for w in corpus.manifest["warnings"])
    copied = np.flatnonzero(corpus.labels.copied)
    assert sorted(d.text for d in corpus.documents(copied).values()) == [text, text]
    for epoch in range(5):
        table = corpus.labels.draw(np.arange(len(corpus.labels.authors)), seed=1, epoch=epoch)
        assert not set(copied) & {*table.left.tolist(), *table.right.tolist()}


def test_an_author_in_two_parts_would_be_noticed(make: Any, build: Build) -> None:
    labels = build(make.rows()).labels
    assert overlap(labels) == {"splits": 0, "folds": 0}
    splits, folds = labels.splits.copy(), labels.folds.copy()
    splits[0], folds[0] = (splits[0] + 1) % 3, (folds[0] + 1) % 5
    assert overlap(replace(labels, splits=splits, folds=folds)) == {"splits": 1, "folds": 1}
