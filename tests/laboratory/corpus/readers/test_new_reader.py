"""A new format is one class and one entry in the list of readers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adhominem.laboratory.corpus.readers import READERS
from adhominem.laboratory.corpus.readers.plain_files import LineFile
from adhominem.laboratory.corpus.readers.reader import Head, Source


class Diary(LineFile):
    """One entry per line: the author, a colon, the text."""

    name = "diary"

    def sniffs(self, path: Path, head: Head) -> bool:
        return path.suffix == ".diary" and bool(head.line)

    def record(self, data: bytes, source: Source) -> dict[str, Any]:  # noqa: ARG002
        author, _, text = data.decode().partition(": ")
        return {"author": author, "text": text}


def test_every_reader_is_listed_under_its_name() -> None:
    assert all(reader.name == name for name, reader in READERS.items())


def test_a_corpus_is_built_from_a_format_that_was_added(
    make: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(READERS, Diary.name, Diary())
    rows = make.rows()
    source = tmp_path / "rows.diary"
    source.write_text("".join(f"{row['author']}: {row['text']}\n" for row in rows))
    manifest = make.build(source, tmp_path / "corpus")
    assert manifest["documents"]["total"] == len(rows)
    assert [entry["format"] for entry in manifest["sources"]] == ["diary"]
