"""Bytes to text, and a page to what a reader of it sees."""

from __future__ import annotations

import codecs
from html.parser import HTMLParser

from adhominem.errors import InputError

_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_UNSEEN = frozenset(("script", "style", "head", "template", "noscript", "svg", "math", "title"))
_BREAKS = frozenset(
    (
        *("p", "div", "br", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre"),
        *("hr", "section", "article", "header", "footer", "ul", "ol", "table", "dt", "dd"),
    )
)


def decode(data: bytes, name: str, notes: list[str]) -> str:
    """UTF-8, or what a mark at the beginning says; else Windows-1252, with a note. Line ends are
    unified."""
    encoding = next((e for mark, e in _MARKS.items() if data.startswith(mark)), "utf-8")
    if encoding != "utf-16" and b"\0" in data:
        raise InputError(f"{name} is a binary file: save its text as txt, docx, html or pdf first")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
        notes.append(f"{name} is not UTF-8 and was read as Windows-1252: look at its letters.")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def page_text(page: str) -> str:
    reader = _Reader(convert_charrefs=True)
    reader.feed(page)
    reader.close()
    lines = ("".join(reader.pieces)).split("\n")
    kept = [" ".join(line.split()) for line in lines]
    return "\n".join(line for line in kept if line)


class _Reader(HTMLParser):
    """An element that is not shown hides what is in it until it ends."""

    def __init__(self, *, convert_charrefs: bool) -> None:
        super().__init__(convert_charrefs=convert_charrefs)
        self.pieces: list[str] = []
        self._hidden_by: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if self._hidden_by is None and tag in _UNSEEN:
            self._hidden_by = tag
        elif tag in _BREAKS:
            self.pieces.append("\n")
        if tag == "body":  # whatever was left open before it
            self._hidden_by = None

    def handle_endtag(self, tag: str) -> None:
        if tag == self._hidden_by:
            self._hidden_by = None
        elif tag in _BREAKS:
            self.pieces.append("\n")

    def handle_data(self, data: str) -> None:
        if self._hidden_by is None:
            self.pieces.append(data.replace("\n", " "))
