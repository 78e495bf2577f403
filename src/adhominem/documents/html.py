"""Reads the visible text of web pages and HTML mails."""

from html.parser import HTMLParser

from adhominem.documents.quoted import BLOCK_QUOTE, REPLY, SIGNATURE, TextLine

_UNSEEN = {"script", "style", "head", "template", "noscript", "svg", "math", "title"}
_BREAKS = {
    *("p", "div", "br", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre"),
    *("hr", "section", "article", "header", "footer", "ul", "ol", "table", "dt", "dd"),
}
# Classes by which mail programs mark quotations and signatures.
_CLASSES = {
    **dict.fromkeys(("gmail_quote", "yahoo_quoted", "moz-cite-prefix", "protonmail_quote"), REPLY),
    **dict.fromkeys(("gmail_signature", "moz-signature", "protonmail_signature_block"), SIGNATURE),
}


def html_lines(page: str) -> list[TextLine]:
    """The lines of a page that are not empty, each with the kind of passage that is marked."""
    reader = _PageReader()
    reader.feed(page)
    reader.close()
    reader.end_line()
    return reader.lines


class _PageReader(HTMLParser):
    """Collects lines. A hidden element hides its whole content, a quotation marks its content."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[TextLine] = []
        self._pieces: list[str] = []
        self._hidden_by: str | None = None
        self._kind: str | None = None
        self._marked_by, self._depth = "", 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._hidden_by is None and tag in _UNSEEN:
            self._hidden_by = tag
        elif tag in _BREAKS:
            self.end_line()
        if tag == "body":  # ends hidden elements that were not closed
            self._hidden_by = None
        if self._kind is None:
            attributes = dict(attrs)
            classes = (attributes.get("class") or "").split()
            quote = REPLY if attributes.get("type") == "cite" else BLOCK_QUOTE
            other = quote if tag == "blockquote" else None
            self._kind = next((_CLASSES[name] for name in classes if name in _CLASSES), other)
            self._marked_by = tag
        self._depth += self._kind is not None and tag == self._marked_by

    def handle_endtag(self, tag: str) -> None:
        if tag == self._hidden_by:
            self._hidden_by = None
        elif tag in _BREAKS:
            self.end_line()
        if self._kind is not None and tag == self._marked_by:
            self._depth -= 1
            if not self._depth:
                self.end_line()
                self._kind = None

    def handle_data(self, data: str) -> None:
        if self._hidden_by is None:
            self._pieces.append(data)

    def end_line(self) -> None:
        text = " ".join("".join(self._pieces).split())
        self._pieces = []
        if text:
            self.lines.append(TextLine(text, self._kind))
