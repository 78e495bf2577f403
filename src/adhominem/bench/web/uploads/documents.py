"""Text files, web pages, Word documents and PDF files to plain text."""

from __future__ import annotations

import codecs
import io
from html.parser import HTMLParser
from xml.parsers import expat

from adhominem.bench.web.settings import Limits
from adhominem.bench.web.uploads.archive import Archive
from adhominem.errors import InputError
from adhominem.extras import optional_imports

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
_WORD = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main ",
    "http://purl.oclc.org/ooxml/wordprocessingml/main ",
)
_FALLBACK = "http://schemas.openxmlformats.org/markup-compatibility/2006 Fallback"
_SPACES = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_MAX_PAGES = 1000


def decode(data: bytes, name: str, notes: list[str]) -> str:
    """Bytes as UTF-8, or as the byte order mark says; else as Windows-1252, with a note. Line ends
    become line feeds."""
    encoding = next((e for mark, e in _MARKS.items() if data.startswith(mark)), "utf-8")
    if encoding != "utf-16" and b"\0" in data:
        raise InputError(f"{name} is a binary file: save its text as txt, docx, html or pdf first")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
        notes.append(f"{name} is not UTF-8 and was read as Windows-1252: look at its letters.")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def html_text(page: str) -> str:
    """The text that a reader of a web page sees."""
    reader = _PageReader()
    reader.feed(page)
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.pieces).split("\n"))
    return "\n".join(line for line in lines if line)


class _PageReader(HTMLParser):
    """An element that is not shown hides everything in it until it ends."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
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


def docx_text(data: bytes, name: str, limits: Limits) -> str:
    """The text of a Word document, without deleted text that is still tracked and without field
    codes. A document type, which alone can declare entities, is refused."""
    xml = Archive(data, name, limits).read_named("word/document.xml")
    reader = _WordReader(name)
    try:
        reader.parser.Parse(xml, True)
    except expat.ExpatError as error:
        raise InputError(f"{name} is not a whole docx file ({error}): save it again") from None
    return "".join(reader.pieces).strip("\n")


class _WordReader:
    def __init__(self, name: str) -> None:
        self.pieces: list[str] = []
        self._name = name
        self._reads = False
        self._fallbacks = 0  # of drawings, whose text was read before
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.StartDoctypeDeclHandler = self._refuse

    def _start(self, element: str, attributes: dict[str, str]) -> None:
        del attributes
        self._fallbacks += element == _FALLBACK
        if not self._fallbacks:
            local = _local(element)
            self._reads = local == "t"
            self.pieces.append(_SPACES.get(local, ""))

    def _end(self, element: str) -> None:
        self._reads = False
        self._fallbacks -= element == _FALLBACK
        if _local(element) == "p" and not self._fallbacks:
            self.pieces.append("\n")

    def _characters(self, data: str) -> None:
        if self._reads:
            self.pieces.append(data)

    def _refuse(self, *_: object) -> None:
        raise InputError(f"{self._name} declares a document type, as no Word document does")


def _local(element: str) -> str:
    return next((element[len(space) :] for space in _WORD if element.startswith(space)), "")


def pdf_text(data: bytes, name: str, notes: list[str]) -> str:
    """The text of a PDF, page by page."""
    with optional_imports():
        from pypdf import PdfReader
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise InputError(f"{name} is locked by a password: save it without one")
        n_pages = len(reader.pages)
        text = "\n".join(page.extract_text() for page in reader.pages[:_MAX_PAGES])
    except InputError:
        raise
    except Exception as error:  # a broken file makes pypdf stumble in many ways
        raise InputError(f"{name} cannot be read as pdf ({type(error).__name__})") from None
    if not text.strip():
        raise InputError(f"{name} holds no text: is it a scan?")
    if n_pages > _MAX_PAGES:
        notes.append(f"Only the first {_MAX_PAGES:,} pages of {name} were read.")
    notes.append(f"{name} is a pdf: look whether its lines and words were read rightly.")
    return text
