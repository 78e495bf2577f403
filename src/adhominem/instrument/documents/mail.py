"""Mails: a single one (eml) or many in one file (mbox). Only their bodies are texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesParser
from email.utils import parseaddr
from typing import IO, cast

from adhominem.errors import InputError
from adhominem.instrument.documents.file_texts import FileText
from adhominem.instrument.documents.html import html_lines
from adhominem.instrument.documents.plain import decode
from adhominem.instrument.documents.quoted import FORWARD, TextLine, plain_lines
from adhominem.instrument.lines import iterate_lines

_ESCAPED = re.compile(rb">+From ")
_MOST_BYTES = 32 * 1024 * 1024  # of one mail, its attachments included
_DEEPEST = 20  # messages inside messages
_HEADERS = ("from", "to", "subject", "date", "received", "message-id")


def mail_text(data: bytes, name: str, notes: list[str]) -> FileText:
    """The body of one mail. Its sender is not taken for its author: that may be the question."""
    left_out: Counter[str] = Counter()
    text, _ = _read(data, name, left_out)
    _note(left_out, name, notes)
    return text


def mbox_texts(stream: IO[bytes], name: str, notes: list[str]) -> Iterator[FileText]:
    """The body of each mail, with the address of its sender as author."""
    left_out: Counter[str] = Counter()
    for number, data in enumerate(_split(stream), 1):
        try:
            if len(data) > _MOST_BYTES:
                raise InputError("too large")
            text, sender = _read(data, f"{name}, mail {number}", left_out)
        except InputError:
            left_out["mail that cannot be read"] += 1
            continue
        yield FileText(text.name, text.text, sender, None, text.passages, text.whole)
    _note(left_out, name, notes)


def _split(stream: IO[bytes]) -> Iterator[bytes]:
    """The mails of an mbox: each begins with a line "From " after an empty line. Of a mail that is
    too large only the beginning is kept."""
    mail: list[bytes] = []
    size, is_after_empty, has_begun = 0, True, False
    for line in iterate_lines(stream, max_line=_MOST_BYTES):
        data = line.data
        if is_after_empty and data.startswith(b"From "):
            if has_begun:
                yield b"\n".join(mail)
            mail, size, has_begun = [], 0, True
        elif size <= _MOST_BYTES:
            mail.append(data[1:] if _ESCAPED.match(data) else data)
            size += len(data) + 1
        is_after_empty = not data
    if any(mail):
        yield b"\n".join(mail)


def _read(data: bytes, name: str, left_out: Counter[str]) -> tuple[FileText, str | None]:
    """The text of a mail and the address of its sender."""
    try:
        message = BytesParser().parsebytes(data)
        if not any(header in message for header in _HEADERS):
            raise InputError(f"{name} is not a mail: it begins with no header")
        lines = _lines(message, left_out)
        sender = parseaddr(str(make_header(decode_header(message.get("from", "")))))[1].lower()
    except InputError:
        raise
    except Exception as error:  # a broken mail makes the parser stumble in many ways
        raise InputError(f"{name} cannot be read as a mail ({type(error).__name__})") from None
    return FileText.of_lines(name, lines), sender or None


def _lines(message: Message, left_out: Counter[str], depth: int = 0) -> list[TextLine]:
    kind = message.get_content_type()
    parts = cast(list[Message], message.get_payload() if message.is_multipart() else [])
    if kind == "multipart/alternative":
        for wanted in ("text/plain", "text/html", "multipart/"):
            for part in parts:
                if part.get_content_type().startswith(wanted):
                    lines = _lines(part, left_out, depth)
                    if any(line.text.strip() for line in lines):
                        return lines
        return []
    if kind.startswith("message/"):
        if depth >= _DEEPEST:
            left_out["message inside too many others"] += 1
            return []
        inner = [line for part in parts for line in _lines(part, left_out, depth + 1)]
        return [TextLine(line.text, FORWARD) for line in inner]
    if parts:
        return [line for part in parts for line in _lines(part, left_out, depth)]
    if message.get_content_disposition() == "attachment" or not kind.startswith("text/"):
        left_out["attachment"] += kind != "application/pgp-signature"
        return []
    text = _body(message)
    if not text.strip():
        return []
    return html_lines(text) if kind == "text/html" else plain_lines(text)


def _body(message: Message) -> str:
    data = cast(bytes, message.get_payload(decode=True) or b"").replace(b"\0", b"")
    try:
        text = decode(data, "", [], message.get_content_charset("utf-8"))
    except InputError:  # the mail is wrong about its charset
        text = decode(data, "", [])
    if message.get_param("format") == "flowed":
        # Lines that end in a space go on in the next, but for the dashes before a signature.
        text = re.sub(r"(?m)^(?!-- $|>)(.* )\n(?!>|-- $)", r"\1", text)
    return text.strip("\n")


def _note(left_out: Counter[str], name: str, notes: list[str]) -> None:
    if found := +left_out:
        words = ", ".join(f"{n:,} {what}{'s' if n > 1 else ''}" for what, n in found.items())
        notes.append(f"Left out of {name}: {words}.")
