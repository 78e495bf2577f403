"""Documents of word processors: docx and odt, which are zipped XML.

A document type, which alone can declare entities, is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple
from xml.parsers import expat

from adhominem.errors import InputError
from adhominem.instrument.documents.archive import Archive
from adhominem.instrument.documents.quoted import BLOCK_QUOTE, TextLine

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main "
_STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main "
_FALLBACK = "http://schemas.openxmlformats.org/markup-compatibility/2006 Fallback"
_ODF = "urn:oasis:names:tc:opendocument:xmlns:"
_TEXT, _STYLE, _OFFICE = f"{_ODF}text:1.0 ", f"{_ODF}style:1.0 ", f"{_ODF}office:1.0 "
_QUOTES = frozenset(("quote", "intense quote", "block text"))  # styles, as styles.xml names them
_MOST_SPACES = 100
_Start = Callable[[str, dict[str, str]], None]


class Dialect(NamedTuple):
    """Elements of a format: paragraphs, elements whose characters are text, elements that stand for
    white space, elements that are left out with all in them, and tracked changes."""

    paragraphs: frozenset[str]
    texts: frozenset[str]
    spaces: dict[str, str]
    hidden: frozenset[str]
    changes: frozenset[str]


_DOCX = Dialect(
    frozenset((f"{_WORD}p",)),
    frozenset((f"{_WORD}t",)),
    {f"{_WORD}{tag}": s for tag, s in (("tab", "\t"), ("br", "\n"), ("cr", "\n"))}
    | {f"{_WORD}noBreakHyphen": "-"},
    # The text of a drawing stands twice, moved text at its old place too.
    frozenset((_FALLBACK, f"{_WORD}moveFrom")),
    frozenset(f"{_WORD}{tag}" for tag in ("ins", "del", "moveFrom")),
)
_ODT = Dialect(
    frozenset((f"{_TEXT}p", f"{_TEXT}h")),
    frozenset(f"{_TEXT}{tag}" for tag in ("p", "h", "span", "a", "meta")),
    {f"{_TEXT}tab": "\t", f"{_TEXT}line-break": "\n", f"{_TEXT}s": " "},
    frozenset((f"{_TEXT}tracked-changes", f"{_TEXT}note", f"{_OFFICE}annotation")),
    frozenset((f"{_TEXT}changed-region",)),
)


def docx_lines(archive: Archive, name: str, notes: list[str]) -> list[TextLine]:
    """The paragraphs of a Word document, without deleted text and field codes."""
    reader = _Reader(_DOCX, name)
    styles = _Styles()
    if archive.has("word/styles.xml"):
        _parse(archive.read_named("word/styles.xml"), name, start=styles.start)
        reader.quotes |= styles.quotes
    reader.read(archive.read_named("word/document.xml"))
    for part in ("comments", "footnotes", "endnotes"):
        path = f"word/{part}.xml"
        if archive.has(path) and b"<w:t" in archive.read_named(path):
            notes.append(f"The {part} of {name} were left out.")
    return reader.finish(notes)


def odt_lines(archive: Archive, name: str, notes: list[str]) -> list[TextLine]:
    """The paragraphs of an OpenDocument text, without deleted text, notes and comments."""
    manifest = "META-INF/manifest.xml"
    if archive.has(manifest) and b"encryption-data" in archive.read_named(manifest):
        raise InputError(f"{name} is locked by a password: save it without one")
    reader = _Reader(_ODT, name)
    reader.quotes.add("Quotations")
    reader.read(archive.read_named("content.xml"))
    if reader.seen & {f"{_TEXT}note", f"{_OFFICE}annotation"}:
        notes.append(f"The notes and comments of {name} were left out.")
    return reader.finish(notes)


class _Styles:
    """Ids of the styles that are named as quotes; an id depends on the language of the program."""

    def __init__(self) -> None:
        self.quotes: set[str] = set()
        self._id = ""

    def start(self, element: str, attributes: dict[str, str]) -> None:
        if element == f"{_WORD}style":
            self._id = attributes.get(f"{_WORD}styleId", "")
        elif element == f"{_WORD}name" and attributes.get(f"{_WORD}val", "").lower() in _QUOTES:
            self.quotes.add(self._id)


class _Reader:
    """Collects the lines of a document; `quotes` are the styles of block quotes, `seen` the
    elements that were left out or tell of changes."""

    def __init__(self, dialect: Dialect, name: str) -> None:
        self.quotes: set[str] = set()
        self.seen: set[str] = set()
        self._dialect, self._name = dialect, name
        self._lines: list[TextLine] = []
        self._pieces: list[str] = []
        self._open: list[str] = []
        self._hidden = 0
        self._style: str | None = None

    def read(self, xml: bytes) -> None:
        _parse(xml, self._name, start=self._start, end=self._end, characters=self._characters)

    def finish(self, notes: list[str]) -> list[TextLine]:
        """The lines without empty ones around them."""
        if self.seen & self._dialect.changes:
            notes.append(
                f"{self._name} has tracked changes: inserted text was read, whoever wrote it, and "
                "deleted text was left out."
            )
        filled = [i for i, line in enumerate(self._lines) if line.text]
        return self._lines[filled[0] : filled[-1] + 1] if filled else []

    def _start(self, element: str, attributes: dict[str, str]) -> None:
        self._open.append(element)
        self._hidden += element in self._dialect.hidden
        if element in self._dialect.hidden | self._dialect.changes:
            self.seen.add(element)
        if self._hidden:
            return
        if element in self._dialect.paragraphs:
            self._style = attributes.get(f"{_TEXT}style-name")
        elif element == f"{_WORD}pStyle":
            self._style = attributes.get(f"{_WORD}val")
        elif element == f"{_STYLE}style":
            if attributes.get(f"{_STYLE}parent-style-name") in self.quotes:
                self.quotes.add(attributes.get(f"{_STYLE}name", ""))
        elif space := self._dialect.spaces.get(element):
            count = attributes.get(f"{_TEXT}c", "1")
            times = min(int(count), _MOST_SPACES) if count.isdecimal() else 1
            self._pieces.append(space * times)

    def _end(self, element: str) -> None:
        self._open.pop()
        self._hidden -= element in self._dialect.hidden
        if element in self._dialect.paragraphs and not self._hidden:
            kind = BLOCK_QUOTE if self._style in self.quotes else None
            self._lines += [TextLine(t, kind) for t in "".join(self._pieces).split("\n")]
            self._pieces, self._style = [], None

    def _characters(self, data: str) -> None:
        if not self._hidden and self._open[-1] in self._dialect.texts:
            self._pieces.append(data.replace("\n", " "))


def _parse(
    xml: bytes,
    name: str,
    *,
    start: _Start,
    end: Callable[[str], None] | None = None,
    characters: Callable[[str], None] | None = None,
) -> None:
    def refuse(*_: object) -> None:
        raise InputError(f"{name} declares a document type, as no such document does")

    def usual(element: str, attributes: dict[str, str]) -> None:
        start(_usual(element), {_usual(key): value for key, value in attributes.items()})

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = usual
    parser.EndElementHandler = (lambda element: end(_usual(element))) if end else None
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(xml, True)
    except expat.ExpatError as error:
        raise InputError(f"{name} is not a whole document ({error}): save it again") from None


def _usual(name: str) -> str:
    """A name of the strict dialect of Word as the usual one."""
    return _WORD + name[len(_STRICT) :] if name.startswith(_STRICT) else name
