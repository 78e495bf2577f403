"""Candidates and their texts, out of a folder or a corpus, one text after another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from adhominem.errors import InputError
from adhominem.instrument.text.read import read_text

_MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Known:
    """Candidate i has `n_texts[i]` of the texts, which come with its number."""

    names: tuple[str, ...]
    n_texts: tuple[int, ...]
    texts: Iterator[tuple[int, str]]


def candidate_files(folder: Path) -> dict[str, list[Path]]:
    """A file, or a folder of files, for each candidate."""
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder: expected one with texts of each candidate")
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.iterdir()):
        if path.name.startswith("."):
            continue
        if path.is_dir():
            files = [p for p in path.rglob("*") if p.is_file() and p.name[0] != "."]
            found[path.name] = found.get(path.name, []) + sorted(files)
        else:
            found.setdefault(path.stem, []).append(path)
    if not found:
        raise InputError(f"{folder} is empty: expected a text or a folder of texts per candidate")
    return found


def known_of(source: Path, *, each_text: bool = False, encoding: str = "utf-8") -> Known:
    """A corpus folder, or a folder of texts. With `each_text` every text is a candidate."""
    if (source / _MANIFEST).is_file():
        return _of_corpus(source, each_text)
    return _of_files(candidate_files(source), each_text, encoding)


def _of_files(files: dict[str, list[Path]], each_text: bool, encoding: str) -> Known:
    if each_text:
        files = {f"{name}/{path.name}": [path] for name, ps in files.items() for path in ps}
    if empty := [name for name, paths in files.items() if not paths]:
        raise InputError(f"candidate '{empty[0]}' has no text: give one at least")
    return Known(
        tuple(files),
        tuple(map(len, files.values())),
        (
            (number, read_text(path, encoding=encoding))
            for number, paths in enumerate(files.values())
            for path in paths
        ),
    )


def _of_corpus(folder: Path, each_text: bool) -> Known:
    import numpy as np

    from adhominem.laboratory.corpus.store import Corpus

    corpus = Corpus.open(folder)
    authors = np.array(corpus.label("author"), dtype=object)
    names, number = np.unique(authors.astype(str), return_inverse=True)
    if each_text:
        names = np.array(
            [f"{author}/{place}" for place, author in enumerate(authors)], dtype=object
        )
        number = np.arange(len(authors))
    texts = (text for table in corpus.tables(["text"]) for text in table["text"].to_pylist())
    return Known(
        tuple(names.tolist()),
        tuple(np.bincount(number, minlength=len(names)).tolist()),
        zip(number.tolist(), texts, strict=True),
    )
