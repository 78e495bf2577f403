"""Reads documents of word processors: docx and odt, which are zipped XML."""

from typing import NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from adhominem.documents.archive import Archive
from adhominem.documents.quoted import BLOCK_QUOTE, TextLine
from adhominem.errors import InputError

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_STRICT = b"http://purl.oclc.org/ooxml/wordprocessingml/main"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_ODF = "urn:oasis:names:tc:opendocument:xmlns:"
_W, _TEXT, _STYLE = f"{{{_WORD}}}", f"{{{_ODF}text:1.0}}", f"{{{_ODF}style:1.0}}"
_ANNOTATION = f"{{{_ODF}office:1.0}}annotation"
_QUOTES = ("quote", "intense quote", "block text")  # names of styles; their ids are translated
_MOST_SPACES = 100


class _Dialect(NamedTuple):
    """The XML elements of a format by their role."""

    paragraphs: set[str]
    texts: set[str]  # with characters of the text
    spaces: dict[str, str]  # elements that stand for white space
    hidden: set[str]  # left out
    changes: set[str]  # tracked changes


_DOCX = _Dialect(
    {f"{_W}p"},
    {f"{_W}t"},
    {f"{_W}tab": "\t", f"{_W}br": "\n", f"{_W}cr": "\n", f"{_W}noBreakHyphen": "-"},
    {_FALLBACK, f"{_W}moveFrom"},  # texts of drawings and moved texts are in the document twice
    {f"{_W}ins", f"{_W}del", f"{_W}moveFrom"},
)
_ODT = _Dialect(
    {f"{_TEXT}p", f"{_TEXT}h"},
    {f"{_TEXT}{tag}" for tag in ("p", "h", "span", "a", "meta")},
    {f"{_TEXT}tab": "\t", f"{_TEXT}line-break": "\n", f"{_TEXT}s": " "},
    {f"{_TEXT}tracked-changes", f"{_TEXT}note", _ANNOTATION},
    {f"{_TEXT}tracked-changes"},
)


def docx_lines(archive: Archive, name: str, notes: list[str]) -> list[TextLine]:
    """The paragraphs of a Word document without deleted text and field codes."""
    quotes = set()
    if archive.has("word/styles.xml"):
        for style in _tree(archive, "word/styles.xml", name).iter(f"{_W}style"):
            called = style.find(f"{_W}name")
            if called is not None and called.get(f"{_W}val", "").lower() in _QUOTES:
                quotes.add(style.get(f"{_W}styleId"))
    for part in ("comments", "footnotes", "endnotes"):
        if archive.has(f"word/{part}.xml") and b"<w:t" in archive.read_named(f"word/{part}.xml"):
            notes.append(f"The {part} of {name} were left out.")
    return _lines(_tree(archive, "word/document.xml", name), _DOCX, quotes, name, notes)


def odt_lines(archive: Archive, name: str, notes: list[str]) -> list[TextLine]:
    """The paragraphs of an OpenDocument text without deleted text, notes and comments."""
    manifest = "META-INF/manifest.xml"
    if archive.has(manifest) and b"encryption-data" in archive.read_named(manifest):
        raise InputError(f"{name} is locked by a password: save it without one")
    tree, parent = _tree(archive, "content.xml", name), f"{_STYLE}parent-style-name"
    styles = [style for style in tree.iter(f"{_STYLE}style") if style.get(parent) == "Quotations"]
    if any(element.tag in (f"{_TEXT}note", _ANNOTATION) for element in tree.iter()):
        notes.append(f"The notes and comments of {name} were left out.")
    quotes = {"Quotations", *(style.get(f"{_STYLE}name") for style in styles)}
    return _lines(tree, _ODT, quotes, name, notes)


def _lines(
    tree: Element, dialect: _Dialect, quotes: set[str | None], name: str, notes: list[str]
) -> list[TextLine]:
    lines: list[TextLine] = []
    pieces: list[str] = []

    def walk(element: Element) -> None:
        if element.tag in dialect.hidden:
            return
        is_text = element.tag in dialect.texts
        count = element.get(f"{_TEXT}c", "1")
        times = min(int(count), _MOST_SPACES) if count.isdecimal() else 1
        pieces.append(dialect.spaces.get(element.tag, "") * times)
        pieces.append((element.text or "").replace("\n", " ") if is_text else "")
        for child in element:
            walk(child)
            pieces.append((child.tail or "").replace("\n", " ") if is_text else "")
        if element.tag in dialect.paragraphs:
            word = element.find(f"{_W}pPr/{_W}pStyle")
            style = element.get(f"{_TEXT}style-name") if word is None else word.get(f"{_W}val")
            kind = BLOCK_QUOTE if style in quotes else None
            lines.extend(TextLine(text, kind) for text in "".join(pieces).split("\n"))
            pieces.clear()

    try:
        walk(tree)
    except RecursionError:
        raise InputError(f"{name} is nested too deeply: save it again") from None
    if any(element.tag in dialect.changes for element in tree.iter()):
        change = "inserted text was read, whoever wrote it, and deleted text was left out"
        notes.append(f"{name} has tracked changes: {change}.")
    filled = [i for i, line in enumerate(lines) if line.text]
    return lines[filled[0] : filled[-1] + 1] if filled else []


class _Builder(ElementTree.TreeBuilder):
    def doctype(self, *_: object) -> None:
        """Refuse a document type declaration, because it can declare entities."""
        raise InputError("it declares a document type, which no such document needs")


def _tree(archive: Archive, path: str, name: str) -> Element:
    xml = archive.read_named(path).replace(_STRICT, _WORD.encode())
    try:
        return ElementTree.fromstring(xml, ElementTree.XMLParser(target=_Builder()))
    except (ElementTree.ParseError, InputError) as error:
        raise InputError(f"{name} is not a whole document ({error}): save it again") from None
