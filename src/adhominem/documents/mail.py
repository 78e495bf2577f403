"""Reads the bodies of mails: a single mail (eml) or many in one file (mbox)."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesParser
from email.utils import parseaddr
from typing import IO, cast

from adhominem.documents.file_texts import FileText
from adhominem.documents.html import html_lines
from adhominem.documents.plain import decode
from adhominem.documents.quoted import FORWARD, TextLine, plain_lines
from adhominem.errors import InputError
from adhominem.lines import iterate_lines

_ESCAPED = re.compile(rb">+From ")
# In flowed text a line that ends in a space continues, except the dashes before a signature.
_FLOWED = re.compile(r"(?m)^(?!-- $|>)(.* )\n(?!>|-- $)")
_MAX_BYTES = 32 * 1024 * 1024  # of one mail, its attachments included
_MAX_DEPTH = 20  # messages inside messages
_HEADERS = ("from", "to", "subject", "date", "received", "message-id")


def mail_text(data: bytes, name: str, notes: list[str]) -> FileText:
    """The body of one mail, without an author: whether the sender wrote it may be in question."""
    left_out: Counter[str] = Counter()
    text = _read(data, name, left_out)
    _note(left_out, name, notes)
    return replace(text, author=None)


def mbox_texts(stream: IO[bytes], name: str, notes: list[str]) -> Iterator[FileText]:
    """The body of each mail, with the address of its sender as author."""
    left_out: Counter[str] = Counter()
    for number, data in enumerate(_split(stream), 1):
        try:
            yield _read(data, f"{name}, mail {number}", left_out)
        except InputError:
            left_out["mail that cannot be read"] += 1
    _note(left_out, name, notes)


def _split(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the mails of an mbox; each begins with a line "From " after an empty line."""
    mail: list[bytes] = []
    size, is_after_empty = 0, True
    for line in iterate_lines(stream, max_line=_MAX_BYTES):
        if is_after_empty and line.data.startswith(b"From "):
            if mail:
                yield b"\n".join(mail)
            mail, size = [], 0
        elif size <= _MAX_BYTES:  # the rest of a larger mail is dropped
            mail.append(line.data[1:] if _ESCAPED.match(line.data) else line.data)
            size += len(line.data) + 1
        is_after_empty = not line.data
    if any(mail):
        yield b"\n".join(mail)


def _read(data: bytes, name: str, left_out: Counter[str]) -> FileText:
    """The text of a mail, with the address of its sender as author."""
    if len(data) > _MAX_BYTES:
        raise InputError(f"{name} is larger than {_MAX_BYTES >> 20} MB")
    try:
        message = BytesParser().parsebytes(data)
        if not any(header in message for header in _HEADERS):
            raise InputError(f"{name} is not a mail: it begins with no header")
        sender = parseaddr(str(make_header(decode_header(message.get("from", "")))))[1].lower()
        return FileText.of_lines(name, _lines(message, left_out), sender or None)
    except InputError:
        raise
    except Exception as error:  # a broken mail makes the parser stumble in many ways
        raise InputError(f"{name} cannot be read as a mail ({type(error).__name__})") from None


def _lines(message: Message, left_out: Counter[str], depth: int = 0) -> list[TextLine]:
    """The lines of the body, preferably plain text; attached messages count as forwarded."""
    kind = message.get_content_type()
    if depth > _MAX_DEPTH:
        left_out["message inside too many others"] += 1
        return []
    if message.is_multipart():
        parts = cast(list[Message], message.get_payload())
        if kind == "multipart/alternative":
            parts = sorted(parts, key=lambda part: part.get_content_type() != "text/plain")
            found = (_lines(part, left_out, depth) for part in parts)
            return next((lines for lines in found if any(line.text for line in lines)), [])
        is_message = kind.startswith("message/")
        lines = [line for part in parts for line in _lines(part, left_out, depth + is_message)]
        return [TextLine(line.text, FORWARD) for line in lines] if is_message else lines
    if message.get_content_disposition() == "attachment" or not kind.startswith("text/"):
        left_out["attachment"] += 1
        return []
    data = cast(bytes, message.get_payload(decode=True) or b"")
    try:
        text = decode(data, "", [], message.get_content_charset("utf-8"))
    except InputError:  # the mail states a wrong charset
        text = decode(data.replace(b"\0", b""), "", [])
    if message.get_param("format") == "flowed":
        text = _FLOWED.sub(r"\1", text)
    text = text.strip("\n")
    return html_lines(text) if kind == "text/html" else plain_lines(text) if text else []


def _note(left_out: Counter[str], name: str, notes: list[str]) -> None:
    if left_out:
        words = ", ".join(f"{n:,} {what}{'s' if n > 1 else ''}" for what, n in left_out.items())
        notes.append(f"Left out of {name}: {words}.")
