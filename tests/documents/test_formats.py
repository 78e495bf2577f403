"""The formats that people have, as programs other than ours write them, and as they break."""

from __future__ import annotations

import io
import mailbox
import zipfile
from email.message import EmailMessage
from pathlib import Path

import docx
import pytest
from pypdf import PdfWriter

from adhominem.documents.file_texts import FileText
from adhominem.documents.read import read_bytes, read_documents, read_file
from adhominem.errors import InputError

ODT = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0">{}</office:document-content>'
)


def only(name: str, data: bytes) -> FileText:
    [text] = read_bytes(name, data).texts
    return text


def zipped(**files: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), content)
    return buffer.getvalue()


def mail(body: str, sender: str = "Ann <ann@example.org>") -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, "bob@example.org", "Greetings"
    message.set_content(body)
    return message


def blank_pdf(password: str | None = None) -> bytes:
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def test_a_mail_is_its_body() -> None:
    message = mail("Dear Bob,\n\nit was great.\n\n> was it?\n")
    message.add_attachment(b"\0\1", maintype="image", subtype="png", filename="a.png")
    found = read_bytes("a.eml", bytes(message))
    assert found.texts[0].text == "Dear Bob,\n\nit was great."
    assert found.texts[0].author is None
    assert "1 attachment" in found.notes[0] and '"> was it?"' in found.notes[1]
    assert "was it" in (found.texts[0].whole or "")
    kept = read_bytes("a.eml", bytes(message), keep_quoted=True)
    assert "was it" in kept.texts[0].text and kept.notes[1].startswith("Kept in")


def test_a_mail_in_html_alone() -> None:
    message = mail("")
    message.set_content(
        "<p>I do.</p><div class='gmail_quote'>On Monday <div>you said</div> this</div>"
        "<blockquote>wise words</blockquote><div class='gmail_signature'>Ann</div>",
        subtype="html",
    )
    text = only("a.eml", bytes(message))
    assert text.text == "I do."
    assert [passage.kind for passage in text.passages] == [
        *("quoted reply", "block quote", "signature"),
    ]


def test_charsets_and_flowed_lines() -> None:
    data = (
        b"From: a\nContent-Type: text/plain; charset=iso-8859-1; format=flowed\n\ncaf\xe9 \nau lait"
    )
    assert only("a.eml", data).text == "café au lait"
    wrong = b"From: a\nContent-Type: text/plain; charset=klingon\n\ncaf\xe9"
    assert only("a.eml", wrong).text == "café"


def test_forwards_inside_forwards_are_left_out() -> None:
    message = mail("the innermost words")
    for depth in range(30):
        outer = mail(f"words at depth {depth}")
        outer.add_attachment(message)
        message = outer
    found = read_bytes("a.eml", bytes(message))
    assert found.texts[0].text == "words at depth 29"
    assert [passage.kind for passage in found.texts[0].passages] == ["forwarded message"]
    assert "message inside too many others" in found.notes[0]
    bare = mail("")
    bare.add_attachment(mail("forwarded words"))
    with pytest.raises(InputError, match="nothing but 1 forwarded message"):
        read_bytes("a.eml", bytes(bare))
    assert read_bytes("a.eml", bytes(bare), keep_quoted=True).texts[0].text == "forwarded words"


def test_what_is_not_a_mail() -> None:
    for data in (b"", b"just words\n", b"\0\xff" * 50):
        with pytest.raises(InputError):
            read_bytes("a.eml", data)


def test_ten_thousand_mails(tmp_path: Path) -> None:
    path = tmp_path / "all.mbox"
    box = mailbox.mbox(path)
    for sender in ("ann@example.org", "Bob <BOB@example.org>"):
        box.add(mail("Words\n\nFrom here on it is fine.\n> quoted\n", sender))
    box.close()
    once = path.read_bytes()
    path.write_bytes(once * 5_000)
    found = read_file(path)
    assert len(found.texts) == 10_000
    assert {text.author for text in found.texts} == {"ann@example.org", "bob@example.org"}
    assert {text.text for text in found.texts} == {"Words\n\nFrom here on it is fine."}
    assert '10,000 quoted replies (10,000 lines, "> quoted")' in found.notes[0]
    path.write_bytes(once)
    with pytest.raises(InputError, match=r"texts of 2 authors .* as in all.mbox::"):
        read_documents(path)
    documents = read_documents(tmp_path / "all.mbox::bob@example.org")
    assert [document.author for document in documents] == ["bob@example.org"]
    assert documents[0].notes
    with pytest.raises(InputError, match="holds no text"):
        read_documents(tmp_path / "all.mbox::eve")


def test_word_marks_quotes_and_tracks_changes() -> None:
    document = docx.Document()
    document.add_paragraph("He said:")
    document.add_paragraph("To be or not to be", style="Quote")
    buffer = io.BytesIO()
    document.save(buffer)
    text = only("a.docx", buffer.getvalue())
    assert text.text == "He said:"
    assert text.passages[0].kind == "block quote"
    w = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    xml = (
        f'<w:document xmlns:w="{w}"><w:p><w:ins w:author="Eve"><w:r><w:t>new </w:t></w:r></w:ins>'
        "<w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom><w:del><w:r><w:delText>old</w:delText>"
        "</w:r></w:del><w:moveTo><w:r><w:t>moved</w:t></w:r></w:moveTo></w:p></w:document>"
    )
    found = read_bytes("a.docx", zipped(word__document_xml=xml))
    assert found.texts[0].text == "new moved"
    assert "tracked changes" in found.notes[0]


def test_open_document() -> None:
    xml = ODT.format(
        '<style:style style:name="P1" style:parent-style-name="Quotations"/>'
        "<text:tracked-changes><text:changed-region><text:p>gone</text:p></text:changed-region>"
        "</text:tracked-changes><text:h>A letter</text:h>"
        '<text:p>Dear<text:s text:c="2"/>Sir,<text:note><text:p>a note</text:p></text:note>'
        "<text:line-break/>I <text:span>write</text:span>\n to you.</text:p>"
        '<text:p text:style-name="P1">wise words</text:p>'
    )
    found = read_bytes("a.odt", zipped(content_xml=xml))
    assert found.texts[0].text == "A letter\nDear  Sir,\nI write  to you."
    assert found.texts[0].passages[0].text == "wise words"
    assert any("tracked changes" in note for note in found.notes)
    assert any("notes and comments" in note for note in found.notes)
    bomb = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><x>&b;</x>'
    with pytest.raises(InputError, match="document type"):
        read_bytes("a.odt", zipped(content_xml=bomb))
    locked = zipped(**{"META-INF__manifest_xml": "<x><encryption-data/></x>", "content_xml": "\1"})
    with pytest.raises(InputError, match="locked by a password"):
        read_bytes("a.odt", locked)


def test_rich_text() -> None:
    data = (
        rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Times;}}{\*\generator x;}{\info{\author Eve}}"
        rb"\f0 Dear \'e9lite,\par I\rquote ve {\b been} \u8364?5 \{there\}\line again"
        rb"{\footnote a note}{\deleted gone}\par}"
    )
    assert only("a.rtf", data).text == "Dear élite,\nI’ve been €5 {there}\nagain"
    for broken in (b"", b"words", b"{\\rtf1", b"{\\rtf1 }}}}\\u"):
        with pytest.raises(InputError):
            read_bytes("a.rtf", broken)


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("a.pdf", b"", "is empty"),
        ("a.pdf", blank_pdf(), "is it a scan"),
        ("a.pdf", blank_pdf("secret"), "locked by a password"),
        ("a.pdf", blank_pdf()[:200], "cannot be read as pdf"),
        ("a.docx", b"\xd0\xcf\x11\xe0" + bytes(600), "locked by a password or of an old format"),
        ("a.csv", b"text,author\n" + b'ann,"long text of a review "\n' * 40, "swapped"),
    ],
)
def test_bad_input_is_one_line(name: str, data: bytes, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        read_bytes(name, data)
    assert "\n" not in str(caught.value)
