"""Reads a file of any format that has texts in it."""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import nullcontext
from pathlib import Path

from adhominem.errors import InputError
from adhominem.instrument.documents.file_texts import FileLimits, FileTexts
from adhominem.instrument.documents.formats import FORMS, MAX_BYTES, form_of, read_bytes
from adhominem.records import Document, Reason

SOURCE = "source"  # code of notes on files
_CHOICE = "::"  # between a file and one of its authors
_LIMITS = FileLimits(max_rows=200_000, max_case=MAX_BYTES, max_unpacked=MAX_BYTES)


def read_file(path: Path, *, encoding: str = "utf-8", keep_quoted: bool = False) -> FileTexts:
    """The texts of a file, or of the standard input for `-`.

    The ending of its name says what it is; one that is not known is read as plain text.
    `mails.mbox::ann@example.org` are the texts of one author in a file of several.

    encoding      of plain text and web pages
    keep_quoted   True keeps quoted replies, forwarded messages, block quotes and signatures

    >>> [text.name for text in read_file(Path("demo/left.txt")).texts]
    ['left.txt']
    """
    name, chosen, author = path.name.partition(_CHOICE)
    path = path.with_name(name) if chosen and not path.exists() else path
    form = form_of(path.name) if form_of(path.name) in FORMS else "txt"
    options = {"encoding": encoding, "author": author if chosen else None}
    try:
        if path.is_dir():
            raise InputError(f"{path} is a folder: give a file with a text")
        with nullcontext(sys.stdin.buffer) if str(path) == "-" else path.open("rb") as file:
            return read_bytes(
                path.name, file, _LIMITS, form=form, keep_quoted=keep_quoted, **options
            )
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None


def read_documents(
    path: Path, *, encoding: str = "utf-8", keep_quoted: bool = False
) -> list[Document]:
    """The texts of a file that holds texts of one author; the first has the notes on the file.

    >>> [document.id for document in read_documents(Path("demo/left.txt"))]
    ['left.txt']
    """
    found = read_file(path, encoding=encoding, keep_quoted=keep_quoted)
    authors = Counter(text.author or "" for text in found.texts)
    if len(authors) > 1:
        most = ", ".join(f"{name or 'unknown'} ({n:,})" for name, n in authors.most_common(3))
        raise InputError(
            f"{path} has texts of {len(authors):,} authors ({most}): name one, as in "
            f"{path.name}{_CHOICE}{max(authors)}"
        )
    notes = tuple(Reason(SOURCE, note.rstrip(".")) for note in found.notes)
    return [
        Document(text.text, text.author, text.topic, text.name, () if i else notes)
        for i, text in enumerate(found.texts)
    ]
