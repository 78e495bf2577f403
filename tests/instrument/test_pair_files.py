"""Lines of pairs: every form that is read, and bad lines that stop no other."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem.errors import InputError
from adhominem.instrument import pair_files as module
from adhominem.instrument.pair_files import BadLine, open_lines, read_pairs, write_pairs
from adhominem.records import Document, Pair

GOOD = b'{"id": "good", "left": "one", "right": "two"}\n'
THE_GOOD = Pair((Document("one"),), (Document("two"),), id="good")
COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".bz2": bz2.compress,
}


def read(data: bytes) -> list[Pair | BadLine]:
    return list(read_pairs(io.BytesIO(data), "pairs.jsonl"))


def read_file(path: Path) -> list[Pair | BadLine]:
    with open_lines(path) as lines:
        return list(read_pairs(lines, path.name))


def read_row(row: dict[str, Any]) -> Pair:
    [pair] = read(json.dumps(row).encode())
    assert isinstance(pair, Pair), pair
    return pair


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"left": "a", "right": "b"}, Pair((Document("a"),), (Document("b"),))),
        (
            {"left": ["a", "b"], "right": ["c"]},
            Pair((Document("a"), Document("b")), (Document("c"),)),
        ),
        ({"left": "", "right": "b"}, Pair((Document(""),), (Document("b"),))),
        ({"id": 7, "pair": ["a", "b"]}, Pair((Document("a"),), (Document("b"),), id="7")),
        (
            {"pair": [["a", "b"], "c"]},
            Pair((Document("a"), Document("b")), (Document("c"),)),
        ),
        (
            {"left": ["a", "b"], "right": "c", "authors": ["X", "Y"]},
            Pair((Document("a", "X"), Document("b", "X")), (Document("c", "Y"),)),
        ),
        (
            {"left": "a", "right": "b", "authors": ["X", None]},
            Pair((Document("a", "X"),), (Document("b"),)),
        ),
        (
            {"left": "a", "right": "b", "authors": None, "same_author": None, "id": None},
            Pair((Document("a"),), (Document("b"),)),
        ),
        (
            {"left": "a", "right": "b", "same_author": False, "same_topic": True, "more": [1]},
            Pair((Document("a"),), (Document("b"),), same_author=False, same_topic=True),
        ),
        (
            {"pair": ["a", "b"], "same": True, "fandoms": ["x", "y"]},
            Pair((Document("a"),), (Document("b"),), same_author=True),
        ),
    ],
)
def test_every_form_is_read(row: dict[str, Any], expected: Pair) -> None:
    assert read_row(row) == expected


@given(st.text(), st.lists(st.text(), min_size=1), st.booleans() | st.none(), st.text())
@settings(max_examples=80)
def test_any_text_arrives_as_it_was_written(
    left: str, right: list[str], same_author: bool | None, name: str
) -> None:
    row = {"id": name, "left": left, "right": right, "same_author": same_author}
    expected = Pair((Document(left),), tuple(map(Document, right)), same_author, id=name)
    for ascii_only in (True, False):
        assert read(json.dumps(row, ensure_ascii=ascii_only).encode()) == [expected]


BAD = {
    b"hello": "is not JSON",
    b'{"left": "a", "right": "b"': "is not JSON",
    b"{'left': 'a', 'right': 'b'}": "is not JSON",
    b'{"left": "\xff", "right": "b"}': "is not JSON",
    b"\x00\x01\x02": "is not JSON",
    b"[" * 100_000: "is not JSON",
    b'{"left": ' + b"9" * 5000 + b', "right": "b"}': "is not JSON",
    b'["a", "b"]': "is not a JSON object",
    b"null": "is not a JSON object",
    b"NaN": "is not a JSON object",
    b"{}": "expected 'left' and 'right', or 'pair'",
    b'{"id": "x", "left": "a"}': "expected 'left' and 'right', or 'pair'",
    b'{"left": null, "right": "b"}': "'left' must be a text or a list of texts, not null",
    b'{"left": "a", "right": 3.5}': "'right' must be a text or a list of texts, not 3.5",
    b'{"left": NaN, "right": "b"}': "'left' must be a text or a list of texts, not NaN",
    b'{"left": [], "right": "b"}': "'left' must be a text or a list of texts, not []",
    b'{"left": ["a", 1], "right": "b"}': "'left' must be a text or a list of texts",
    b'{"left": {"text": "a"}, "right": "b"}': "'left' must be a text or a list of texts",
    b'{"pair": ["a"]}': "'pair' must be a list of two texts",
    b'{"pair": "ab"}': "'pair' must be a list of two texts",
    b'{"pair": ["a", "b", "c"]}': "'pair' must be a list of two texts",
    b'{"pair": ["a", null]}': "'right' must be a text or a list of texts, not null",
    b'{"left": "a", "right": "b", "authors": ["A"]}': "'authors' must be a list of two names",
    b'{"left": "a", "right": "b", "authors": "AB"}': "'authors' must be a list of two names",
    b'{"left": "a", "right": "b", "authors": [{}, []]}': "'authors' must be a list of two names",
    b'{"left": "a", "right": "b", "same_author": 1}': "'same_author' must be true or false, not 1",
    b'{"left": "a", "right": "b", "same": "yes"}': "'same_author' must be true or false",
    b'{"left": "a", "right": "b", "same_topic": NaN}': "must be true or false, not NaN",
}


@pytest.mark.parametrize("line", BAD, ids=[line[:40].decode("latin-1") for line in BAD])
def test_a_bad_line_is_named_and_stops_no_other(line: bytes) -> None:
    first, bad, last = read(GOOD + line + b"\n" + GOOD)
    assert first == last == THE_GOOD
    assert isinstance(bad, BadLine)
    assert bad.number == 2
    assert bad.error.startswith("line 2")
    assert BAD[line] in bad.error
    assert "\n" not in bad.error
    assert len(bad.error) < 200


def test_a_file_of_bad_lines_gives_one_answer_for_each() -> None:
    answers = read(b"\n".join(BAD) + b"\n" + GOOD)
    assert [answer.number for answer in answers[:-1] if isinstance(answer, BadLine)] == list(
        range(1, len(BAD) + 1)
    )
    assert answers[-1] == THE_GOOD


def test_a_bad_line_keeps_its_id() -> None:
    [bad] = read(b'{"id": 12, "left": "a"}')
    assert isinstance(bad, BadLine)
    assert bad.id == "12"


@pytest.mark.parametrize("key", ["left", "pair", "id", "authors", "same_author"])
def test_lists_in_lists_are_answered_at_any_depth(key: str) -> None:
    for depth in [10, *range(850, 1050)]:  # on both sides of what the JSON reader can nest
        nested = f'"{key}": ' + "[" * depth + "]" * depth
        answer, last = read(f'{{"left": "a", "right": "b", {nested}}}\n'.encode() + GOOD)
        assert isinstance(answer, Pair | BadLine)
        assert last == THE_GOOD


def test_empty_lines_are_passed_over_and_counted() -> None:
    answers = read(b"\n \t\n" + GOOD + b"\r\n\nbad\n" + GOOD.rstrip())
    assert [answers[0], answers[2]] == [THE_GOOD, THE_GOOD]
    assert isinstance(answers[1], BadLine)
    assert answers[1].number == 6
    assert read(b"") == read(b"\n\n") == []


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm() -> None:
    assert read(b"\xef\xbb\xbf" + GOOD.replace(b"\n", b"\r\n") * 2) == [THE_GOOD, THE_GOOD]


@pytest.mark.parametrize("excess", [0, 1, 2, 30, 31, 32, 500])
def test_a_line_that_is_too_long_is_passed_over(
    monkeypatch: pytest.MonkeyPatch, excess: int
) -> None:
    monkeypatch.setattr(module, "MAX_LINE", len(GOOD))
    line = GOOD.rstrip() + b" " * excess + b"\n"
    first, answer, last = read(GOOD + line + GOOD)
    assert first == last == THE_GOOD
    if excess:
        size, limit = len(GOOD) + excess, len(GOOD)
        assert answer == BadLine(
            2, None, f"pairs.jsonl, line 2: {size} bytes, at most {limit} are read"
        )
    else:
        assert answer == THE_GOOD
    assert len(read(GOOD + b"x" * (len(GOOD) + excess + 1))) == 2


@pytest.mark.parametrize("ending", ["", *COMPRESS])
@pytest.mark.parametrize("name", ["pairs.jsonl", "pairs.jsonl.gz", "pairs"])
def test_a_file_is_known_by_its_content(tmp_path: Path, ending: str, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(COMPRESS.get(ending, bytes)(GOOD * 3))
    assert read_file(path) == [THE_GOOD] * 3


@pytest.mark.parametrize("ending", COMPRESS)
def test_a_file_that_is_cut_off_gives_its_lines_and_then_a_bad_one(
    tmp_path: Path, ending: str
) -> None:
    """The texts are random, so the first half of the bytes holds about half of the lines."""
    rng = random.Random(1)
    rows = [{"left": "".join(rng.choices("abcdefgh", k=2000)), "right": "b"} for _ in range(200)]
    path = tmp_path / f"pairs.jsonl{ending}"
    data = COMPRESS[ending]("".join(json.dumps(row) + "\n" for row in rows).encode())
    path.write_bytes(data[: len(data) // 2])
    *pairs, bad = read_file(path)
    assert [p.left[0].text for p in pairs if isinstance(p, Pair)] == [
        row["left"] for row in rows[: len(pairs)]
    ]
    assert isinstance(bad, BadLine)
    assert bad.number == len(pairs) + 1
    assert f"the file breaks off after line {len(pairs)}" in bad.error
    assert path.name in bad.error
    if ending != ".bz2":  # which is read in blocks of 900 kB
        assert 50 < len(pairs) < 150


@pytest.mark.parametrize("ending", COMPRESS)
def test_a_damaged_file_gives_a_bad_line(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"pairs.jsonl{ending}"
    data = bytearray(COMPRESS[ending](GOOD * 500))
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)
    answers = read_file(path)
    assert isinstance(answers[-1], BadLine)
    assert "the file breaks off after line" in answers[-1].error


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (".", "is a folder"),
        ("missing.jsonl", "cannot be opened: No such file"),
        ("missing.jsonl.gz", "cannot be opened: No such file"),
        ("x" * 5000, "cannot be opened"),
    ],
)
def test_a_path_without_a_file_is_refused(tmp_path: Path, name: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        open_lines(tmp_path / name)


def test_a_dash_is_the_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(GOOD)))
    assert read_file(Path("-")) == [THE_GOOD]


SIDES = st.tuples(st.builds(Document, st.text(), author=st.text() | st.none()))
PAIRS = st.lists(
    st.builds(Pair, SIDES, SIDES, st.booleans(), st.booleans() | st.none(), st.text() | st.none())
)


@given(pairs=PAIRS)
@settings(max_examples=60)
@pytest.mark.parametrize("name", ["pairs.jsonl", "pairs.jsonl.gz"])
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, name: str, pairs: list[Pair]
) -> None:
    path = tmp_path_factory.mktemp("pairs") / name
    assert write_pairs(pairs, path) == len(pairs)
    assert read_file(path) == pairs
    assert [file.name for file in path.parent.iterdir()] == [name]


@pytest.mark.parametrize("name", ["pairs.jsonl", "pairs.jsonl.gz"])
def test_the_same_pairs_are_the_same_bytes(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = Pair((Document("a", "A"),), (Document("b", "B"),), False, None, "p-0")
    written = []
    for i, clock in enumerate((1e9, 2e9)):
        monkeypatch.setattr("time.time", lambda clock=clock: clock)
        path = tmp_path / str(i) / name
        path.parent.mkdir()
        write_pairs([pair] * 9, path)
        written.append(path.read_bytes())
    assert written[0] == written[1]


def test_pairs_that_break_off_leave_the_old_file(tmp_path: Path) -> None:
    def broken() -> Iterator[Pair]:
        yield THE_GOOD
        raise RuntimeError

    path = tmp_path / "pairs.jsonl"
    path.write_bytes(GOOD)
    with pytest.raises(RuntimeError):
        write_pairs(broken(), path)
    assert path.read_bytes() == GOOD
    assert [file.name for file in tmp_path.iterdir()] == ["pairs.jsonl"]
