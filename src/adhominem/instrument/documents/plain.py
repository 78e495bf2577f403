"""Bytes of plain text to a text."""

import codecs

from adhominem.errors import InputError

_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


def decode(data: bytes, name: str, notes: list[str], encoding: str | None = None) -> str:
    """The text with plain line feeds; without an encoding, UTF-8 is tried before Windows-1252."""
    marked = next((e for mark, e in _MARKS.items() if data.startswith(mark)), "utf-8")
    given = marked if encoding is None else encoding
    try:
        if codecs.lookup(given).name == "utf-8" and b"\0" in data:
            raise InputError(
                f"{name} is a binary file: save its text as txt, docx, html or pdf first"
            )
        text = data.decode(given)
    except UnicodeDecodeError as error:
        if encoding is not None:
            raise InputError(
                f"{name} is not {encoding} text (byte 0x{data[error.start]:02x} at "
                f"{error.start}): name its encoding, for instance --encoding cp1252"
            ) from None
        text = data.decode("cp1252", "replace")
        notes.append(f"{name} is not UTF-8 and was read as Windows-1252: look at its letters.")
    except LookupError:
        raise InputError(f"unknown encoding '{encoding}': try utf-8, cp1252 or utf-16") from None
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
