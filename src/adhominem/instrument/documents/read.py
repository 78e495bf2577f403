"""Reads a file of any format that has texts in it."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

from adhominem.errors import InputError
from adhominem.instrument.documents.file_texts import FileLimits, FileTexts
from adhominem.instrument.documents.formats import FORMS, form_of, read_bytes
from adhominem.records import Document, Reason

MAX_BYTES = 64 * 1024 * 1024
SOURCE = "source"  # code of notes on files
CHOICE = "::"  # between a file and one of its authors


def read_file(path: Path, *, encoding: str = "utf-8", keep_quoted: bool = False) -> FileTexts:
    """The texts of a file, or of the standard input for `-`.

    The ending of its name says what it is; one that is not known is read as plain text.
    `mails.mbox::ann@example.org` are the texts of one author in a file of several.

    encoding      of plain text and web pages
    keep_quoted   True keeps quoted replies, forwarded messages, block quotes and signatures

    >>> [text.name for text in read_file(Path("demo/left.txt")).texts]
    ['left.txt']
    """
    author = None
    if CHOICE in path.name and not path.exists():
        name, _, author = path.name.partition(CHOICE)
        path = path.with_name(name)
    form = form_of(path.name)
    limits = FileLimits(max_rows=200_000, max_case=MAX_BYTES, max_unpacked=MAX_BYTES)
    try:
        if path.is_dir():
            raise InputError(f"{path} is a folder: give a file with a text")
        if str(path) == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        elif form == "mbox":
            with path.open("rb") as file:
                found = read_bytes(path.name, file, limits, keep_quoted=keep_quoted)
            return _of_author(found, path, author)
        else:
            with path.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    if len(data) > MAX_BYTES:
        raise InputError(f"{path} is larger than {MAX_BYTES >> 20} MB: give a part of it")
    form = form if form in FORMS else "txt"
    found = read_bytes(
        path.name, data, limits, form=form, encoding=encoding, keep_quoted=keep_quoted
    )
    return _of_author(found, path, author)


def read_documents(
    path: Path, *, encoding: str = "utf-8", keep_quoted: bool = False
) -> list[Document]:
    """The texts of a file that holds texts of one author; the first has the notes on the file.

    >>> [document.id for document in read_documents(Path("demo/left.txt"))]
    ['left.txt']
    """
    found = read_file(path, encoding=encoding, keep_quoted=keep_quoted)
    authors = Counter(text.author for text in found.texts)
    if len(authors) > 1:
        most = ", ".join(f"{name or 'unknown'} ({n:,})" for name, n in authors.most_common(3))
        first = next(filter(None, authors), "")
        raise InputError(
            f"{path} has texts of {len(authors):,} authors ({most}): name one, as in "
            f"{path.name}{CHOICE}{first}"
        )
    notes = tuple(Reason(SOURCE, note) for note in found.notes)
    return [
        Document(text.text, text.author, text.topic, text.name, () if i else notes)
        for i, text in enumerate(found.texts)
    ]


def _of_author(found: FileTexts, path: Path, author: str | None) -> FileTexts:
    if author is None:
        return found
    chosen = tuple(text for text in found.texts if (text.author or "").lower() == author.lower())
    if not chosen:
        raise InputError(f"{path} has no text of '{author}'")
    return replace(found, texts=chosen)
