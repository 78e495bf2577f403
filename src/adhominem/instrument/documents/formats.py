"""A file to its texts, by the ending of its name."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import IO

from adhominem.errors import AdhominemError, InputError
from adhominem.instrument.documents.archive import Archive
from adhominem.instrument.documents.file_texts import (
    FileLimits,
    FileText,
    FileTexts,
    clean_name,
    gather,
)
from adhominem.instrument.documents.html import html_lines
from adhominem.instrument.documents.mail import mail_text, mbox_texts
from adhominem.instrument.documents.office import docx_lines, odt_lines
from adhominem.instrument.documents.pdf import pdf_text
from adhominem.instrument.documents.plain import decode
from adhominem.instrument.documents.quoted import BLOCK_QUOTE, TextLine, plain_lines
from adhominem.instrument.documents.rows import json_texts, table_texts
from adhominem.instrument.documents.rtf import rtf_text

PLAIN = ("txt", "md")
_TABLES = ("csv", "tsv", "jsonl")
FORMS = (*PLAIN, "html", "htm", "docx", "odt", "rtf", "pdf", "eml", "mbox", *_TABLES, "zip")


def read_bytes(
    name: str,
    data: bytes | IO[bytes],
    limits: FileLimits = FileLimits(),
    *,
    form: str | None = None,
    encoding: str | None = None,
    keep_quoted: bool = False,
) -> FileTexts:
    """The texts in the content of a file, given as bytes or, for an mbox, as an open file.

    form          one of FORMS; by default the ending of the name
    encoding      of plain text and web pages; None guesses between UTF-8 and Windows-1252
    keep_quoted   True keeps quoted replies, forwarded messages, block quotes and signatures
    """
    name = clean_name(name).rpartition("/")[2]
    notes: list[str] = []
    form = form or form_of(name)
    if form == "mbox":
        stream = io.BytesIO(data) if isinstance(data, bytes) else data
        texts = mbox_texts(stream, name, notes)
    else:
        content = data if isinstance(data, bytes) else data.read()
        texts = _read(name, content, form, limits, notes, encoding)
    return gather(texts, name, notes, limits, keep_quoted=keep_quoted)


def form_of(name: str) -> str:
    """The ending of a name in small letters, "txt" where it has none."""
    stem, dot, ending = name.rpartition(".")
    return ending.lower() if dot and stem else "txt"


def _read(
    name: str, data: bytes, form: str, limits: FileLimits, notes: list[str], encoding: str | None
) -> Iterator[FileText]:
    decoded = partial(decode, data, name, notes, encoding)
    match form:
        case "zip":
            yield from _unpack(name, data, limits, notes, encoding)
        case "csv" | "tsv":
            yield from table_texts(data, name, notes)
        case "jsonl":
            yield from json_texts(data, name, notes)
        case "mbox":
            yield from mbox_texts(io.BytesIO(data), name, notes)
        case "eml":
            yield mail_text(data, name, notes)
        case "md":
            yield FileText.of_lines(name, plain_lines(decoded()), mark=BLOCK_QUOTE)
        case _:
            readers: dict[str, Callable[[], list[TextLine]]] = {
                "txt": lambda: plain_lines(decoded()),
                "html": lambda: html_lines(decoded()),
                "htm": lambda: html_lines(decoded()),
                "docx": lambda: docx_lines(Archive(data, name, limits), name, notes),
                "odt": lambda: odt_lines(Archive(data, name, limits), name, notes),
                "rtf": lambda: plain_lines(rtf_text(data, name)),
                "pdf": lambda: plain_lines(pdf_text(data, name, notes)),
            }
            if form not in readers:
                known = ", ".join(FORMS)
                raise InputError(f"{name} is of no kind that can be read: {known} are")
            yield FileText.of_lines(name, readers[form]())


def _unpack(
    name: str, data: bytes, limits: FileLimits, notes: list[str], encoding: str | None
) -> Iterator[FileText]:
    """The texts in an archive. A folder in it is an author, as in smith/letter1.txt; one folder
    around everything is ignored."""
    archive = Archive(data, name, limits)
    members = {
        clean_name(member.filename): member
        for member in archive.members()
        if not member.filename.startswith("__MACOSX/")
        and not member.filename.rpartition("/")[2].startswith(".")
    }
    shared = _common_folder(list(members))
    for path, member in members.items():
        inner = path.removeprefix(shared)
        if form_of(path) == "zip":
            notes.append(f"{inner} was left out: an archive inside an archive is not opened.")
            continue
        folder = inner.rpartition("/")[0].partition("/")[0] or None
        content = archive.read(member)
        try:
            for text in _read(inner, content, form_of(inner), limits, notes, encoding):
                yield replace(text, author=text.author or folder)
        except AdhominemError as error:
            notes.append(f"{inner} was left out: {error}.")


def _common_folder(paths: list[str]) -> str:
    tops = {path.partition("/")[0] if "/" in path else "" for path in paths}
    return f"{tops.pop()}/" if len(tops) == 1 and "" not in tops else ""
