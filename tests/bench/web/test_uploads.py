"""Files to texts: as they are meant, and as somebody hostile would make them."""

from __future__ import annotations

import io
import json
import sys
import time
import zipfile
import zlib
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

import docx
import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfWriter

from adhominem.bench.web import apart
from adhominem.bench.web.apart import read_apart
from adhominem.bench.web.settings import Limits
from adhominem.documents.file_texts import clean_name
from adhominem.documents.read import FORMS, read_bytes
from adhominem.errors import AdhominemError, InputError

WORD = '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'


def zipped(files: Iterable[tuple[str, bytes]]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return buffer.getvalue()


def word(*paragraphs: str) -> bytes:
    """By another hand than the reader's."""
    document = docx.Document()
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def pdf(text: str) -> bytes:
    """The smallest file that shows a line."""
    stream = f"BT /F1 12 Tf 72 700 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    body, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 6\n0000000000 65535 f \n" + table
    return body + head + b"trailer << /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % len(body)


def only(name: str, data: bytes) -> str:
    [text] = read_bytes(name, data).texts
    return text.text


def test_plain_text() -> None:
    assert only("a.txt", "\ufeffOne\r\ntwo\rthree".encode()) == "One\ntwo\nthree"
    assert only("letter", "Größe".encode("utf-16")) == "Größe"
    found = read_bytes("old.txt", b"caf\xe9 \x93quoted\x94")
    assert found.texts[0].text == "café “quoted”"
    assert "Windows-1252" in found.notes[0]


def test_a_page_is_what_its_reader_sees() -> None:
    page = b"""<html><head><title>No</title><style>p {}</style></head>
    <body><script>alert(1)</script> <p>Fish &amp; chips&nbsp;here.</p>
    <p>a &lt;script&gt; in words</p><!-- not this --></body></html>"""
    assert only("page.html", page) == "Fish & chips here.\na <script> in words"


def test_word_document() -> None:
    assert only("letter.docx", word("Dear Sir,", "I write\tto you.", "")) == (
        "Dear Sir,\nI write\tto you."
    )


def test_word_document_without_what_was_deleted() -> None:
    xml = (
        f"{WORD}<w:body><w:p><w:r><w:t>kept</w:t></w:r><w:del><w:r><w:delText>gone</w:delText>"
        "</w:r></w:del><w:r><w:br/><w:instrText>PAGE</w:instrText><w:t>too</w:t></w:r></w:p>"
        "</w:body></w:document>"
    )
    assert only("x.docx", zipped([("word/document.xml", xml.encode())])) == "kept\ntoo"


def test_pdf() -> None:
    found = read_bytes("letter.pdf", pdf("Dear Sir, I write to you."))
    assert found.texts[0].text.strip() == "Dear Sir, I write to you."
    assert "pdf" in found.notes[0]


def test_pages_without_text_are_told() -> None:
    writer = PdfWriter()
    writer.append(io.BytesIO(pdf("Dear Sir, I write to you.")))
    writer.add_blank_page(100, 100)
    buffer = io.BytesIO()
    writer.write(buffer)
    assert "1 of 2 pages" in read_bytes("letter.pdf", buffer.getvalue()).notes[0]


def test_table() -> None:
    data = 'author,text,topic\nsmith,"a, b\nc",sea\n,no author,\n,,\nonly one field\n'
    found = read_bytes("rows.csv", data.encode())
    assert [(t.author, t.text, t.topic) for t in found.texts] == [
        ("smith", "a, b\nc", "sea"),
        (None, "no author", None),
    ]
    assert len({text.name for text in found.texts}) == 2
    assert "1 lines were left out" in found.notes[0]
    assert only("rows.tsv", b"Text\tAuthor\na, b\tsmith\n") == "a, b"
    with pytest.raises(InputError, match="'text'"):
        read_bytes("rows.csv", b"who,what\na,b\n")
    with pytest.raises(InputError, match=r"it has who, wh\\x1cat"):
        read_bytes("rows.csv", b"who,wh\x1cat\na,b\n")


def test_json_lines() -> None:
    rows = [{"author": "smith", "text": "one", "name": "../a"}, {"text": 5}, {"text": "two"}]
    data = "\n".join(json.dumps(row) for row in rows) + "\nnot json\n"
    found = read_bytes("rows.jsonl", data.encode())
    assert [(t.name, t.author, t.text) for t in found.texts] == [
        ("a", "smith", "one"),
        ("rows.jsonl, line 3", None, "two"),
    ]
    assert "2 lines" in found.notes[0]


def test_folders_of_an_archive_are_authors() -> None:
    files = [
        ("case/smith/1.txt", b"one"),
        ("case/smith/2.docx", word("two")),
        ("case/jones/1.txt", b"three"),
        ("case/questioned.txt", b"four"),
        ("__MACOSX/case/._1.txt", b"\0\0"),
        ("case/.hidden", b"no"),
        ("case/empty.txt", b"  "),
        ("case/picture.jpg", b"\xff\xd8"),
    ]
    found = read_bytes("case.zip", zipped(files))
    assert [(t.name, t.author, t.text) for t in found.texts] == [
        ("smith/1.txt", "smith", "one"),
        ("smith/2.docx", "smith", "two"),
        ("jones/1.txt", "jones", "three"),
        ("questioned.txt", None, "four"),
    ]
    assert any("picture.jpg" in note for note in found.notes)


def test_names_that_would_climb() -> None:
    files = [("../../evil.txt", b"one"), ("/etc/evil.txt", b"two"), ("C:\\evil.txt", b"three")]
    found = read_bytes("../../evil.zip", zipped(files))
    for text in found.texts:
        assert ".." not in text.name and not text.name.startswith("/") and "\\" not in text.name
    assert [text.text for text in found.texts] == ["one", "two", "three"]


@given(st.text(max_size=300))
def test_names_are_fit_to_be_shown(name: str) -> None:
    shown = clean_name(name)
    assert 0 < len(shown) <= 120
    assert shown.isprintable()
    assert not set(shown.split("/")) & {"", ".", ".."}


def test_a_bomb_is_refused_while_it_unpacks() -> None:
    bomb = zipped([("bomb.txt", b"a" * (20 << 20))])
    assert len(bomb) < 1 << 16
    with pytest.raises(InputError, match="times its size"):
        read_bytes("bomb.zip", bomb)
    random_like = [(f"{n}.txt", zlib.compress(b"%d" % n) * 20_000) for n in range(30)]
    with pytest.raises(InputError, match="more than 1 MB"):
        read_bytes("large.zip", zipped(random_like), Limits(max_unpacked=1 << 20, max_ratio=1e9))


def test_a_bomb_in_a_word_document_is_refused() -> None:
    xml = f"{WORD}<w:body><w:p><w:r><w:t>{'a' * (20 << 20)}".encode()
    with pytest.raises(InputError, match="times its size"):
        read_bytes("bomb.docx", zipped([("word/document.xml", xml)]))


def test_size_is_counted_and_not_believed() -> None:
    """The directory says one byte."""
    data = bytearray(zipped([("a.txt", b"a" * (2 << 20))]))
    place = data.rindex(b"PK\1\2")
    data[place + 24 : place + 28] = (1).to_bytes(4, "little")
    with pytest.raises(InputError):
        read_bytes("liar.zip", bytes(data), Limits(max_unpacked=1 << 20))


def test_an_archive_in_an_archive_stays_closed() -> None:
    inner = zipped([("a.txt", b"one")])
    found = read_bytes("outer.zip", zipped([("inner.zip", inner), ("b.txt", b"two")]))
    assert [text.text for text in found.texts] == ["two"]
    assert "not opened" in found.notes[0]
    with pytest.raises(InputError, match="not opened"):
        read_bytes("outer.zip", zipped([("inner.zip", inner)]))


def test_too_many_files_are_refused() -> None:
    files = [(f"{n}.txt", b"x") for n in range(50)]
    with pytest.raises(InputError, match="more than 40"):
        read_bytes("many.zip", zipped(files), Limits(max_rows=40))
    rows = b"text\n" + b"".join(b"row %d\n" % n for n in range(50))
    found = read_bytes("many.csv", rows, Limits(max_rows=40))
    assert len(found.texts) == 40 and "first 40" in found.notes[0]


def test_entities_are_refused() -> None:
    laughs = '<!DOCTYPE w [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
    outside = '<!DOCTYPE w [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    for declared in (laughs, outside):
        xml = f'<?xml version="1.0"?>{declared}{WORD}<w:p><w:t>&b;&a;</w:t></w:p></w:document>'
        with pytest.raises(InputError, match="document type"):
            read_bytes("x.docx", zipped([("word/document.xml", xml.encode())]))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("x.docx", b"not a zip"),
        ("x.docx", word("whole")[:-100]),
        ("x.docx", zipped([("other.xml", b"<x/>")])),
        ("x.docx", zipped([("word/document.xml", b"<w:p><unclosed>")])),
        ("x.zip", b"PK\3\4 and no more"),
        ("x.zip", zipped([])),
        ("x.pdf", b"%PDF-1.4 broken"),
        ("x.pdf", b""),
        ("x.txt", b""),
        ("x.txt", b"\0\1\2"),
        ("x.exe", b"MZ"),
        ("x.csv", b""),
        ("x.csv", b'text,author\n"never closed,\n'),
        ("x.jsonl", b"[" * 100_000),
    ],
)
def test_what_cannot_be_read_is_told_in_a_line(name: str, data: bytes) -> None:
    with pytest.raises(AdhominemError) as caught:
        read_bytes(name, data)
    assert str(caught.value) and "\n" not in str(caught.value)


@settings(max_examples=150)
@given(form=st.sampled_from(FORMS), data=st.binary(max_size=400))
def test_any_bytes_give_texts_or_a_line(form: str, data: bytes) -> None:
    try:
        found = read_bytes(f"any.{form}", data)
    except AdhominemError as error:
        assert "\n" not in str(error)
    else:
        assert all(text.text.strip() for text in found.texts)


@settings(max_examples=60)
@given(place=st.integers(0, 2000), byte=st.integers(0, 255), form=st.sampled_from(["docx", "zip"]))
def test_a_damaged_archive_gives_texts_or_a_line(place: int, byte: int, form: str) -> None:
    data = bytearray(word("Dear Sir, I write to you.") if form == "docx" else zipped([("a", b"b")]))
    data[place % len(data)] = byte
    try:
        read_bytes(f"any.{form}", bytes(data))
    except AdhominemError as error:
        assert "\n" not in str(error)


def test_a_file_without_a_name_is_passed_over() -> None:
    data = bytearray(zipped([("a", b"one"), ("b.txt", b"two words")]))
    entry = data.index(b"PK\x01\x02")
    data[entry + 28], data[entry + 30] = 0, 1  # the letter of its name becomes an extra field
    assert [text.name for text in read_bytes("x.zip", bytes(data)).texts] == ["b.txt"]


def test_the_reader_apart_says_the_same() -> None:
    data = zipped([("smith/1.txt", "one \ud83c\udf0a".encode("utf-16", "surrogatepass"))])
    here = json.loads(json.dumps(asdict(read_bytes("case.zip", data))))
    assert read_apart("case.zip", data, Limits()) == here
    with pytest.raises(InputError, match="binary"):
        read_apart("x.html", b"\0", Limits())


def test_the_reader_apart_has_no_more_time_than_it_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(apart, "_SECONDS", 0)
    with pytest.raises(InputError, match="within"):
        read_apart("x.html", b"text", Limits())


def test_the_reader_apart_has_no_more_memory_than_it_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(apart, "_MEMORY", 100 << 20)
    large = bytes(range(1, 256)) * 200_000
    with pytest.raises(InputError, match="memory"):
        read_apart("x.html", large, Limits())


@pytest.mark.usefixtures("_no_new_files")
@pytest.mark.parametrize(
    ("name", "data", "status"),
    [
        ("letter.docx", word("<script>alert(1)</script>"), 200),
        ("..%2F..%2Fevil.txt", b"text", 200),
        ("evil.zip", zipped([("../evil.txt", b"one"), ("/evil.txt", b"two")]), 200),
        ("bomb.zip", zipped([("bomb.txt", b"a" * (20 << 20))]), 422),
        ("x%0d%0aSet-Cookie:%20a=b.txt", b"text", 200),
        ("x.txt%00.docx", b"text", 422),
        ("%ff%fe.txt", b"caf\xe9", 200),
        ("broken.docx", b"PK broken", 422),
    ],
)
def test_the_route(client: httpx.Client, name: str, data: bytes, status: int) -> None:
    headers = {"Content-Type": "application/octet-stream", "X-Name": name}
    answer = client.post("/api/read", content=data, headers=headers)
    assert answer.status_code == status, answer.text
    assert "set-cookie" not in answer.headers
    if status == 200:
        for text in answer.json()["texts"]:
            assert text["text"] and text["name"].isprintable() and ".." not in text["name"]
    else:
        assert set(answer.json()) == {"error"}


def test_a_name_is_needed(client: httpx.Client) -> None:
    headers = {"Content-Type": "application/octet-stream"}
    assert client.post("/api/read", content=b"text", headers=headers).status_code == 422


def test_equal_names_are_numbered_in_linear_time() -> None:
    rows = [*("same",) * 20_000]
    data = b"".join(b'{"name": "%s", "text": "words"}\n' % row.encode() for row in rows)
    start = time.monotonic()
    texts = read_bytes("rows.jsonl", data, Limits()).texts
    assert time.monotonic() - start < 10
    assert [text.name for text in texts[:3]] == ["same", "same (2)", "same (3)"]
    assert len({text.name for text in texts}) == len(rows)


def test_numbered_names_do_not_collide() -> None:
    names = ["a", "a (2)", "a", "a", "a (2)", "a (2) (2)"]
    data = b"".join(b'{"name": "%s", "text": "words"}\n' % name.encode() for name in names)
    found = [text.name for text in read_bytes("rows.jsonl", data, Limits()).texts]
    assert found == ["a", "a (2)", "a (3)", "a (4)", "a (2) (2)", "a (2) (2) (2)"]


def test_readers_end_with_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    endless = tmp_path / "endless"
    endless.write_text("#!/bin/sh\nexec sleep 60\n")
    endless.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(endless))
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(apart.read_apart, "x.pdf", b"%PDF", Limits())
        while not apart._readers:
            time.sleep(0.01)
        apart.end_readers()
        with pytest.raises(InputError, match="could not be read"):
            reading.result(timeout=10)
    assert not apart._readers
