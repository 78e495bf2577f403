"""Reads the texts of a file; the format follows from the ending of its name."""

import io
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import IO

from adhominem.documents import html, mail, office, plain, quoted, rows
from adhominem.documents.archive import Archive
from adhominem.documents.file_texts import (
    FileLimits,
    FileText,
    FileTexts,
    clean_name,
    gather,
)
from adhominem.errors import AdhominemError, InputError
from adhominem.records import Document, Reason

SOURCE = "source"  # code of notes on files
_CHOICE = "::"  # separates a file and one of its authors
MAX_BYTES = 64 * 1024 * 1024
_LIMITS = FileLimits(max_rows=200_000, max_case=MAX_BYTES, max_unpacked=MAX_BYTES)
PLAIN = ("txt", "md")
_LINES = (*PLAIN, "html", "htm", "docx", "odt", "rtf", "pdf")
FORMS = (*_LINES, "eml", "mbox", "csv", "tsv", "jsonl", "zip")
_TABLES = {"csv": rows.table_texts, "tsv": rows.table_texts, "jsonl": rows.json_texts}
_OFFICE = {"docx": office.docx_lines, "odt": office.odt_lines}
_PLAIN_READERS = {"rtf": plain.rtf_text, "pdf": plain.pdf_text}


def read_file(path: Path, *, encoding: str = "utf-8", keep_quoted: bool = False) -> FileTexts:
    """Read the texts of a file, or of the standard input for `-`. A name without a known ending is
    read as plain text; `mails.mbox::ann@example.org` stands for the texts of one author.

    encoding      encoding of plain text and web pages
    keep_quoted   whether to keep quoted replies, forwarded messages, block quotes and signatures

    >>> [text.name for text in read_file(Path("demo/left.txt")).texts]
    ['left.txt']
    """
    name, chosen, author = path.name.partition(_CHOICE)
    path = path.with_name(name) if chosen and not path.exists() else path
    form = form_of(path.name) if form_of(path.name) in FORMS else "txt"
    options = {"form": form, "encoding": encoding, "author": author if chosen else None}
    try:
        if path.is_dir():
            raise InputError(f"{path} is a folder: give a file with a text")
        with nullcontext(sys.stdin.buffer) if str(path) == "-" else path.open("rb") as file:
            return read_bytes(path.name, file, _LIMITS, keep_quoted=keep_quoted, **options)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None


def read_documents(
    path: Path, *, encoding: str = "utf-8", keep_quoted: bool = False
) -> list[Document]:
    """Read a file with texts of one author. The first document carries the notes on the file.

    >>> [document.id for document in read_documents(Path("demo/left.txt"))]
    ['left.txt']
    """
    found = read_file(path, encoding=encoding, keep_quoted=keep_quoted)
    authors = Counter(text.author or "" for text in found.texts)
    if len(authors) > 1:
        most = ", ".join(f"{name or 'unknown'} ({n:,})" for name, n in authors.most_common(3))
        problem = f"{path} has texts of {len(authors):,} authors ({most})"
        raise InputError(f"{problem}: name one, as in {path.name}{_CHOICE}{max(authors)}")
    notes = tuple(Reason(SOURCE, note.rstrip(".")) for note in found.notes)
    return [
        Document(text.text, text.author, text.topic, text.name, () if i else notes)
        for i, text in enumerate(found.texts)
    ]


def read_bytes(
    name: str,
    data: bytes | IO[bytes],
    limits: FileLimits = FileLimits(),
    *,
    form: str | None = None,
    encoding: str | None = None,
    keep_quoted: bool = False,
    author: str | None = None,
) -> FileTexts:
    """Read the texts of a file that is given as bytes or as an open file.

    form       one of FORMS, by default the ending of the name
    encoding   None guesses; the other options are as in `read_file`
    author     reads the texts of this author only
    """
    name = clean_name(name).rpartition("/")[2]
    notes: list[str] = []
    stream = io.BytesIO(data) if isinstance(data, bytes) else data
    texts = _read(name, stream, form or form_of(name), limits, notes, encoding)
    if author is not None:
        texts = (text for text in texts if (text.author or "").lower() == author.lower())
    return gather(texts, name, notes, limits, keep_quoted=keep_quoted)


def form_of(name: str) -> str:
    """The ending of a name in lower case; "txt" if it has none."""
    stem, dot, ending = name.rpartition(".")
    return ending.lower() if dot and stem else "txt"


def _read(
    name: str,
    stream: IO[bytes],
    form: str,
    limits: FileLimits,
    notes: list[str],
    encoding: str | None,
) -> Iterator[FileText]:
    if form not in FORMS:
        raise InputError(f"{name} has an unknown format: expected {', '.join(FORMS)}")
    if form == "mbox":
        yield from mail.mbox_texts(stream, name, notes)
        return
    data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise InputError(f"{name} is larger than {MAX_BYTES >> 20} MB: give a part of it")
    if form == "zip":
        yield from _unpack(Archive(data, name, limits), limits, notes, encoding)
    elif form in _TABLES:
        yield from _TABLES[form](data, name, notes)
    elif form == "eml":
        yield mail.mail_text(data, name, notes)
    elif form in _OFFICE:
        yield FileText.of_lines(name, _OFFICE[form](Archive(data, name, limits), name, notes))
    else:
        read = _PLAIN_READERS.get(form) or partial(plain.decode, encoding=encoding)
        text = read(data, name, notes)
        lines = (html.html_lines if form in ("html", "htm") else quoted.plain_lines)(text)
        mark = quoted.BLOCK_QUOTE if form == "md" else quoted.REPLY
        yield FileText.of_lines(name, lines, mark=mark)


def _unpack(
    archive: Archive, limits: FileLimits, notes: list[str], encoding: str | None
) -> Iterator[FileText]:
    """Yield the texts of an archive. Top folders are authors, except one around all files."""
    members = {
        clean_name(member.filename): member
        for member in archive.members()
        if not member.filename.startswith("__MACOSX/")
        and not member.filename.rpartition("/")[2].startswith(".")
    }
    tops = {path.partition("/")[0] if "/" in path else "" for path in members}
    shared = f"{tops.pop()}/" if len(tops) == 1 and "" not in tops else ""
    for path, member in members.items():
        inner, form = path.removeprefix(shared), form_of(path)
        if form == "zip":
            notes.append(f"{inner} was left out: an archive inside an archive is not opened.")
            continue
        folder = inner.rpartition("/")[0].partition("/")[0] or None
        content = io.BytesIO(archive.read(member))
        try:
            for text in _read(inner, content, form, limits, notes, encoding):
                yield replace(text, author=text.author or folder)
        except AdhominemError as error:
            notes.append(f"{inner} was left out: {error}.")
