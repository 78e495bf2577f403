"""Bundles: the same bytes again, the same numbers again, and nothing hostile gets in."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adhominem.bench.case import bundle as bundles
from adhominem.bench.case.bundle import Bundle, case_bundle, pair_bundle, read_bundle
from adhominem.bench.case.reproduce import reproduce
from adhominem.bench.case.study import study
from adhominem.bench.case.texts import NamedText
from adhominem.errors import InputError, ModelError
from adhominem.files import read_sealed, sealed_json
from adhominem.instrument.verifier import Verifier
from adhominem.records import Document, ModelIdentity, Reason


@pytest.fixture(scope="module")
def case(small: Verifier, texts: list[NamedText]) -> bytes:
    return case_bundle(study(small, texts, "text 0"))


@pytest.fixture(scope="module")
def pair(small: Verifier, texts: list[NamedText]) -> bytes:
    left, right = [texts[0].text, texts[-1].text], [texts[1].text]
    return pair_bundle(left, right, small.verify(left, right))


def files_of(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {entry.filename: archive.read(entry) for entry in archive.infolist()}


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def test_the_same_question_gives_the_same_bytes(
    small: Verifier, texts: list[NamedText], case: bytes
) -> None:
    assert case_bundle(study(small, texts, "text 0")) == case


def test_texts_come_back_as_they_were(texts: list[NamedText], case: bytes, pair: bytes) -> None:
    bundle = read_bundle(case)
    assert bundle.texts == tuple(texts)
    assert bundle.questioned == "text 0"
    assert bundle.model is not None and bundle.model.name == "small"
    assert read_bundle(pair).side("left") == [texts[0].text, texts[-1].text]
    assert not any(text.name in files_of(case) for text in texts)


def test_reproduces_to_the_last_digit(small: Verifier, case: bytes, pair: bytes) -> None:
    for data in (case, pair):
        done = reproduce(read_bundle(data), small)
        assert done.is_same
        assert done.numbers == done.exact > 10
        assert done.version is None


def test_notes_on_files_are_not_compared(small: Verifier, texts: list[NamedText]) -> None:
    note = Reason("source", "Left out of a.eml: 1 signature")
    sides = [texts[0].text], [texts[1].text]
    decision = small.verify(Document(texts[0].text, notes=(note,)), sides[1])
    assert note in decision.notes
    assert reproduce(read_bundle(pair_bundle(*sides, decision)), small).is_same


def changed(bundle: Bundle, change: Callable[[dict[str, Any]], object]) -> Bundle:
    results = json.loads(json.dumps(bundle.results))
    change(results)
    return replace(bundle, results=results)


def test_says_what_differs(small: Verifier, case: bytes, pair: bytes) -> None:
    bundle = read_bundle(pair)
    shifted = changed(bundle, lambda r: r.update(llr=r["llr"] + 5e-7))
    done = reproduce(shifted, small)
    assert done.is_same and done.exact == done.numbers - 1
    done = reproduce(changed(bundle, lambda r: r.update(llr=r["llr"] + 1e-4)), small)
    assert [d.place for d in done.differences] == ["llr"]
    assert [d.place for d in reproduce(changed(bundle, lambda r: r.pop("llr")), small).differences]
    tables = changed(read_bundle(case), lambda r: r["verdict"][0].__setitem__(1, "maybe"))
    assert [(d.place, d.before) for d in reproduce(tables, small).differences] == [
        ("verdict[0][1]", "maybe")
    ]
    copied = changed(read_bundle(case), lambda r: r["copied"][0].__setitem__(1, None))
    assert [d.place for d in reproduce(copied, small).differences] == ["copied[0][1]"]
    drawn = changed(read_bundle(case), lambda r: r["map"].reverse())
    assert reproduce(drawn, small).is_same
    older = replace(bundle, version="0.0.1")
    assert reproduce(older, small).version == "0.0.1"


def test_another_model_is_refused(small: Verifier, pair: bytes) -> None:
    bundle = read_bundle(pair)
    other = replace(bundle, model=ModelIdentity("other", "1", "ab" * 32))
    with pytest.raises(ModelError, match=r"made with the model 'other', sha256 abababababab"):
        reproduce(other, small)
    with pytest.raises(ModelError, match="never saved"):
        reproduce(replace(bundle, model=None), small)


def broken_cases() -> list[Any]:
    def manifest(change: Callable[[dict[str, Any]], object]) -> Callable[[dict[str, bytes]], Any]:
        def apply(files: dict[str, bytes]) -> None:
            content = read_sealed(files["bundle.json"])
            change(content)
            files["bundle.json"] = sealed_json(content)

        return apply

    def renamed(files: dict[str, bytes]) -> bytes:
        return files["bundle.json"].replace(b"left 1", b"left 7")

    deep = b"[" * 100_000
    return [
        ("a path", lambda f: f.update({"../evil.txt": b"x"}), "which no bundle does"),
        ("an absolute path", lambda f: f.update({"/etc/passwd": b"x"}), "which no bundle does"),
        ("an archive inside", lambda f: f.update({"texts/more.zip": b"PK"}), "no bundle does"),
        ("a changed text", lambda f: f.update({"texts/00001.txt": b"x"}), "was changed"),
        ("a text more", lambda f: f.update({"texts/09999.txt": b"x"}), "was changed"),
        ("a text less", lambda f: f.pop("texts/00001.txt"), "lacks 1 files"),
        ("no manifest", lambda f: f.pop("bundle.json"), "damaged"),
        ("no JSON", lambda f: f.update({"bundle.json": b"{"}), "damaged"),
        ("too deep", lambda f: f.update({"bundle.json": deep}), "damaged"),
        ("a list", lambda f: f.update({"bundle.json": b"[]"}), "damaged"),
        ("a changed name", lambda f: f.update({"bundle.json": renamed(f)}), "was changed"),
        ("another format", manifest(lambda m: m.update(format="x")), "update adhominem"),
        ("another kind", manifest(lambda m: m.update(kind="x")), "damaged"),
        ("a name that is none", manifest(lambda m: m["texts"][0].update(name=7)), "damaged"),
        ("texts that are none", manifest(lambda m: m.update(texts=7)), "damaged"),
        ("a model that is none", manifest(lambda m: m.update(model=[])), "damaged"),
    ]


@pytest.mark.parametrize(("what", "change", "problem"), broken_cases())
def test_what_is_no_bundle_is_refused_in_one_line(
    pair: bytes, what: str, change: Callable[[dict[str, bytes]], object], problem: str
) -> None:
    files = files_of(pair)
    change(files)
    with pytest.raises(InputError, match=problem) as error:
        read_bundle(zipped(files))
    assert "\n" not in str(error.value), what


def test_bombs_and_odd_archives(pair: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    files = files_of(pair)
    with pytest.raises(InputError, match="packed in an unusual way"):
        read_bundle(zipped(files, zipfile.ZIP_LZMA))
    with pytest.raises(InputError, match="holds more than 5,004 files"):
        read_bundle(zipped({f"texts/{i:05}.txt": b"" for i in range(6_000)}))
    monkeypatch.setattr(bundles, "MAX_BYTES", 1 << 20)
    bomb = zipped({**files, "texts/00009.txt": b"0" * (4 << 20)})
    assert len(bomb) < 100_000
    with pytest.raises(InputError, match="unpacks to more than 1 MB"):
        read_bundle(bomb)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.floats(0, 1), byte=st.integers(0, 255), cut=st.booleans())
def test_a_damaged_file_is_an_error_or_the_same(
    pair: bytes, place: float, byte: int, cut: bool
) -> None:
    at = int(place * (len(pair) - 1))
    data = pair[:at] if cut else pair[:at] + bytes([byte]) + pair[at + 1 :]
    try:
        assert read_bundle(data) == read_bundle(pair)
    except InputError as error:
        assert "\n" not in str(error)
