"""An uploaded file to its texts, by the ending of its name."""

from __future__ import annotations

from collections.abc import Iterator

from adhominem.bench.web.settings import Limits
from adhominem.bench.web.uploads.archive import Archive
from adhominem.bench.web.uploads.documents import decode, docx_text, html_text, pdf_text
from adhominem.bench.web.uploads.rows import json_texts, table_texts
from adhominem.bench.web.uploads.upload import Upload, UploadedText, clean_name, gather
from adhominem.errors import AdhominemError, InputError

PLAIN = ("txt", "md")
FORMS = (*PLAIN, "html", "htm", "docx", "pdf", "csv", "tsv", "jsonl", "zip")


def read_upload(name: str, data: bytes, limits: Limits = Limits()) -> Upload:
    name = clean_name(name).rpartition("/")[2]
    notes: list[str] = []
    if form_of(name) == "zip":
        return gather(_unpack(name, data, limits, notes), notes, limits)
    return gather(_read(name, data, limits, notes), notes, limits)


def form_of(name: str) -> str:
    """The ending of a name in small letters, "txt" where it has none."""
    stem, dot, ending = name.rpartition(".")
    return ending.lower() if dot and stem else "txt"


def _read(name: str, data: bytes, limits: Limits, notes: list[str]) -> Iterator[UploadedText]:
    match form_of(name):
        case form if form in PLAIN:
            yield UploadedText(name, decode(data, name, notes))
        case "html" | "htm":
            yield UploadedText(name, html_text(decode(data, name, notes)))
        case "docx":
            yield UploadedText(name, docx_text(data, name, limits))
        case "pdf":
            yield UploadedText(name, pdf_text(data, name, notes))
        case "csv" | "tsv":
            yield from table_texts(data, name, notes)
        case "jsonl":
            yield from json_texts(data, name, notes)
        case _:
            raise InputError(f"{name} is of no kind that can be read: {', '.join(FORMS)} are")


def _unpack(name: str, data: bytes, limits: Limits, notes: list[str]) -> Iterator[UploadedText]:
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
            for text in _read(inner, content, limits, notes):
                yield UploadedText(text.name, text.text, text.author or folder, text.topic)
        except AdhominemError as error:
            notes.append(f"{inner} was left out: {error}.")


def _common_folder(paths: list[str]) -> str:
    tops = {path.partition("/")[0] if "/" in path else "" for path in paths}
    return f"{tops.pop()}/" if len(tops) == 1 and "" not in tops else ""
