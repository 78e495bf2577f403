"""Pretrained vectors; gensim is the witness for `.bin`, written-out rows are it for text."""

from __future__ import annotations

import gzip
import struct
import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adhominem.errors import InputError
from adhominem.instrument.text.vocabulary import RESERVED_WORDS
from adhominem.laboratory.experiment.word_vectors import (
    MAGIC,
    Vectors,
    combine,
    load_vectors,
    read_text,
)

Rows = npt.NDArray[np.float32]
WORDS = ["the", "hotel", "Zürich", "日本", "été"]
DIM = 4

BROKEN_OFF = gzip.compress(b"2 2\nthe 1 2\na 1 2\n", mtime=0)[:-9]  # the same in every second


def rows(n: int = len(WORDS), dim: int = DIM, seed: int = 1) -> Rows:
    return np.random.default_rng(seed).normal(0, 2, (n, dim)).astype(np.float32)


def text_file(
    path: Path, words: Sequence[str], matrix: Rows, *, header: bool = True, end: str = " \n"
) -> Path:
    """fastText ends its rows with a space; `repr` of a float32 gives the same float32 back."""
    first = f"{len(words)} {matrix.shape[1]}\n" if header else ""
    body = "".join(
        f"{word} {' '.join(map(str, row))}{end}" for word, row in zip(words, matrix, strict=True)
    )
    data = (first + body).encode("utf-8")
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def binary_file(
    path: Path,
    words: Sequence[str],
    matrix: Rows,
    *,
    magic: int = MAGIC,
    version: int = 12,
    max_n: int = 6,
    n_labels: int = 0,
    n_pruned: int = -1,
    is_quantised: bool = False,
) -> Path:
    """A model as `FastText::saveModel` writes it; the rows after those of the words are buckets."""
    n_buckets = len(matrix) - len(words)
    entries = [(word, 0) for word in words] + [(f"__label__{i}", 1) for i in range(n_labels)]
    data = struct.pack("<2i", magic, version)
    data += struct.pack(
        "<12id", matrix.shape[1], 5, 1, 1, 5, 1, 2, 2, n_buckets, 3, max_n, 100, 1e-4
    )
    data += struct.pack("<3i2q", len(entries), len(words), n_labels, 99, n_pruned)
    for word, kind in entries:
        data += word.encode("utf-8") + b"\0" + struct.pack("<qb", 7, kind)
    data += struct.pack("<?2q", is_quantised, *matrix.shape) + matrix.tobytes()
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("name", ["v.vec", "v.vec.gz", "v.txt", "v.txt.gz"])
def test_text_gives_back_the_rows_that_were_written(tmp_path: Path, name: str) -> None:
    path = text_file(tmp_path / name, WORDS, rows(), header=".vec" in name)
    chosen = ["日本", "the", "Zürich"]
    vectors = load_vectors(path, chosen)
    np.testing.assert_array_equal(vectors.matrix, rows()[[3, 0, 2]])
    assert vectors.matrix.dtype == np.float32
    assert vectors.found.tolist() == [True] * 3
    assert vectors.matrix.shape[1] == DIM


@given(
    words=st.lists(
        st.text(st.characters(codec="utf-8", exclude_characters=" \n"), min_size=1),
        min_size=1,
        max_size=8,
        unique=True,
    ).filter(lambda words: "first" not in words),
    header=st.booleans(),
)
def test_any_word_without_a_space_is_found_in_text(
    tmp_path_factory: pytest.TempPathFactory, words: list[str], header: bool
) -> None:
    first = [] if header else ["first"]  # a first row must not look like a header
    path = text_file(
        tmp_path_factory.mktemp("any") / "v.txt",
        first + words,
        rows(len(first + words)),
        header=header,
    )
    found = read_text(path, words)
    assert list(found) == words
    np.testing.assert_array_equal(
        np.stack(list(found.values())), rows(len(first + words))[len(first) :]
    )


def test_lower_case_is_tried_second(tmp_path: Path) -> None:
    path = text_file(tmp_path / "v.txt", ["us", "US", "hotel"], rows(3), header=False)
    vectors = load_vectors(path, ["US", "us", "HOTEL", "Hotel", "inn"])
    np.testing.assert_array_equal(vectors.matrix[:4], rows(3)[[1, 0, 2, 2]])
    assert vectors.found.tolist() == [True, True, True, True, False]


def test_first_of_two_rows_counts_and_words_with_a_space_are_passed_over(tmp_path: Path) -> None:
    words = ["the", ". . .", ".", "."]
    path = text_file(tmp_path / "v.txt", words, rows(4), header=False, end="\n")
    np.testing.assert_array_equal(load_vectors(path, ["."]).matrix, rows(4)[[2]])


def test_reserved_words_are_not_looked_up_and_padding_is_zero(tmp_path: Path) -> None:
    words = [*RESERVED_WORDS, "<PADDING>", "hotel", "inn"]
    matrix = rows(len(words)) + 100
    vectors = load_vectors(text_file(tmp_path / "v.vec", words, matrix), words)
    n = len(RESERVED_WORDS)
    assert not vectors.found[:n].any()
    assert vectors.found[n:].all()
    assert not vectors.matrix[0].any()
    assert (vectors.matrix[1:n] != 0).all()
    assert (np.abs(vectors.matrix[1:n]) < 50).all()
    no_capitals = load_vectors(
        text_file(tmp_path / "w.vec", ["<padding>", "a"], rows(2)), [*words, "a"]
    )
    assert no_capitals.found.tolist() == [False] * len(words) + [True]


def test_missing_rows_have_mean_zero_and_the_deviation_of_the_found(tmp_path: Path) -> None:
    scale = np.array([0.1, 1.0, 10.0, 0.0], dtype=np.float32)
    known = [f"known{i}" for i in range(500)]
    matrix = (rows(500) * scale + 3).astype(np.float32)
    path = text_file(tmp_path / "v.vec", known, matrix)
    vectors = load_vectors(path, known + [f"other{i}" for i in range(4000)])
    drawn = vectors.matrix[~vectors.found]
    deviation = matrix.std(axis=0)
    assert len(drawn) == 4000
    np.testing.assert_allclose(drawn.std(axis=0), deviation, rtol=0.1)
    assert (np.abs(drawn.mean(axis=0)) <= deviation / 10).all()


def test_same_seed_same_bytes(tmp_path: Path) -> None:
    path = text_file(tmp_path / "v.vec", WORDS, rows())
    words = [*RESERVED_WORDS, *WORDS, "inn", "motel"]
    first, again, other = (load_vectors(path, words, seed=seed) for seed in (3, 3, 4))
    assert first.matrix.tobytes() == again.matrix.tobytes()
    assert (first.matrix[~first.found][1:] != other.matrix[~other.found][1:]).all()
    np.testing.assert_array_equal(first.matrix[first.found], other.matrix[other.found])


def peak_of_load(path: Path, words: Sequence[str]) -> int:
    pytest.importorskip("gensim.models.fasttext_inner")  # so that its import is not measured
    tracemalloc.start()
    try:
        load_vectors(path, words)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_of_text_is_that_of_the_kept_rows(tmp_path: Path) -> None:
    n, dim = 200_000, 50
    with (tmp_path / "large.vec").open("w") as file:
        file.write(f"{n} {dim}\n")
        numbers = " ".join(["0.12345"] * dim)
        file.writelines(f"word{i} {numbers}\n" for i in range(n))
    wanted = [f"word{i}" for i in range(0, n, n // 100)]
    assert peak_of_load(tmp_path / "large.vec", wanted) < 500_000


def test_memory_of_a_model_is_that_of_the_kept_rows(tmp_path: Path) -> None:
    n_buckets, dim = 2_000_000, 50
    path = binary_file(tmp_path / "m.bin", WORDS, rows(dim=dim))
    data = bytearray(path.read_bytes()[: -len(WORDS) * dim * 4])
    struct.pack_into("<i", data, 8 + 8 * 4, n_buckets)
    struct.pack_into("<q", data, len(data) - 16, len(WORDS) + n_buckets)
    with path.open("wb") as file:
        file.write(data)
        file.truncate(len(data) + (len(WORDS) + n_buckets) * dim * 4)  # sparse, all zeros
    assert peak_of_load(path, [f"word{i}" for i in range(100)]) < 500_000


def test_hashes_are_the_published_ones() -> None:
    """FNV-1a test vectors of Noll's page; above 127 the byte is signed, as in `dictionary.cc`."""
    gensim: Any = pytest.importorskip("gensim").models.fasttext_inner
    assert gensim.compute_ngrams_bytes("foob", 6, 6) == [b"<foob>"]
    assert gensim.ft_hash_bytes(b"foobar") == 0xBF9CF968
    assert gensim.compute_ngrams_bytes("a", 1, 1) == [b"a"]  # a bracket alone is no n-gram
    assert gensim.ft_hash_bytes(b"a") == 0xE40C292C
    slow = 2166136261
    for byte in np.frombuffer("é".encode(), dtype=np.int8):
        slow = (slow ^ (int(byte) % 2**32)) * 16777619 % 2**32
    assert gensim.ft_hash_bytes("é".encode()) == slow


def test_model_rows_are_means_written_out(tmp_path: Path) -> None:
    matrix = rows(len(WORDS) + 7)
    path = binary_file(tmp_path / "m.bin", WORDS, matrix, n_labels=2)
    hashes = {
        "the": ["<th", "the", "he>", "<the", "the>", "<the>"],
        "inn": ["<in", "inn", "nn>", "<inn", "inn>", "<inn>"],
    }
    for word, ngrams in hashes.items():
        numbers = [WORDS.index(word)] if word in WORDS else []
        for ngram in ngrams:
            value = 2166136261
            for byte in ngram.encode():
                value = ((value ^ byte) * 16777619) % 2**32
            numbers.append(len(WORDS) + value % 7)
        vectors = load_vectors(path, [word])
        np.testing.assert_allclose(vectors.matrix[0], matrix[numbers].mean(axis=0), rtol=1e-5)
        assert vectors.found.all()


def test_model_without_ngrams_has_the_words_of_its_dictionary(tmp_path: Path) -> None:
    path = binary_file(tmp_path / "m.bin", WORDS, rows(), max_n=0, n_labels=1)
    vectors = load_vectors(path, ["Hotel", "inn", "日本", "</s>", "__label__0"])
    assert vectors.found.tolist() == [True, False, True, False, False]
    np.testing.assert_array_equal(vectors.matrix[[0, 2]], rows()[[1, 3]])


TEXT = """The hotel in Zürich was très agréable and the staff spoke 日本語
Das Hotel in Zürich hat schöne Zimmer and the breakfast was fine 🙂
the room was small but the été in Москва is warm </s>"""
SENTENCES = [line.split() for line in TEXT.splitlines()]
UNKNOWN = [
    "hotels",
    "Hôtel",
    "Zürcher",
    "日本",
    "Москве",
    "🙂🙂",
    "naïveté",
    "x",
    "ß",
    "The",
    "\ud800",
]


@pytest.mark.parametrize(("min_n", "max_n"), [(3, 6), (1, 3), (5, 5)])
def test_model_gives_the_vectors_of_gensim(tmp_path: Path, min_n: int, max_n: int) -> None:
    fasttext: Any = pytest.importorskip("gensim").models.fasttext
    model = fasttext.FastText(
        SENTENCES * 5, vector_size=16, min_count=1, bucket=97, min_n=min_n, max_n=max_n,
        sg=1, epochs=2, workers=1, seed=5,
    )  # fmt: skip
    path = tmp_path / "m.bin"
    fasttext.save_facebook_model(model, str(path))
    witness = fasttext.load_facebook_vectors(str(path))
    known = sorted({word for sentence in SENTENCES for word in sentence} - {"</s>"})
    unknown = [word for word in UNKNOWN if word.isprintable() and len(word) + 2 >= min_n]
    vectors = load_vectors(path, known + unknown)
    assert vectors.found.all()
    assert set(unknown) - set(known)
    expected = np.stack([witness[word] for word in known + unknown])
    np.testing.assert_allclose(vectors.matrix, expected, rtol=1e-5, atol=1e-7)
    # fastText knows the end of a sentence by its row alone, gensim by n-grams too.
    own = model.wv.vectors_vocab[model.wv.key_to_index["</s>"]]
    np.testing.assert_allclose(load_vectors(path, ["</s>"]).matrix[0], own, rtol=1e-6)
    assert load_vectors(path, UNKNOWN).matrix.shape == (len(UNKNOWN), 16)


def test_word_too_short_for_ngrams_is_drawn(tmp_path: Path) -> None:
    path = binary_file(tmp_path / "m.bin", WORDS, rows(len(WORDS) + 7))
    assert load_vectors(path, ["", "a", "the"]).found.tolist() == [False, True, True]


def test_combine_gives_each_part_its_share(tmp_path: Path) -> None:
    words = ["<padding>", *WORDS, "inn"]
    loud = load_vectors(text_file(tmp_path / "a.vec", WORDS, rows(dim=3) * 1000), words)
    quiet = load_vectors(text_file(tmp_path / "b.vec", ["hotel", "inn"], rows(2, dim=9)), words)
    both = combine([loud, quiet])
    assert both.matrix.shape == (7, 12)
    assert both.matrix.dtype == np.float32
    assert both.found.tolist() == [False, True, True, True, True, True, True]
    assert not both.matrix[0].any()
    for part, block in ((loud, both.matrix[:, :3]), (quiet, both.matrix[:, 3:])):
        norms = [sum(float(x) ** 2 for x in row) ** 0.5 for row in block[part.found]]
        assert sum(norms) / len(norms) == pytest.approx(part.matrix.shape[1] ** 0.5 / 2, rel=1e-6)
        ratio = block[1:] / part.matrix[1:]
        np.testing.assert_allclose(ratio, ratio[0, 0], rtol=1e-5)


def test_combine_refuses_a_part_without_vectors() -> None:
    part = Vectors(rows(), np.ones(len(WORDS), dtype=bool))
    with pytest.raises(InputError, match="part 2 has no found vector"):
        combine([part, Vectors(rows(), np.zeros(len(WORDS), dtype=bool))])


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("v.vec", b"", "begins with no vector"),
        ("v.vec", b"2 0\nthe\n", "begins with no vector"),
        ("v.vec", b"3 2\nthe 1 2\na 1 2\n", "has 2 of 3 rows"),
        ("v.vec", b"2 2\na 1 2\nthe 1\n", "line 3 is not a word and 2 numbers"),
        ("v.txt", b"a 1 2\nthe 1 2 3\n", "line 2 is not a word and 2 numbers"),
        ("v.txt", b"a 1 2\nthe 1 two\n", "line 2 is not a word and 2 numbers"),
        ("v.txt", b"a 1 2\nthe 1 nan\n", "not finite"),
        ("v.txt", b"a 1 2\nb 1 2\n", "none of the 1 words"),
        ("v.txt", b"Once upon a time\n", "line 1 is not a word and 3 numbers"),
        ("v.txt", b"\xff\xfe\x00\x01", "begins with no vector"),
        ("v.vec.gz", b"2 2\nthe 1 2\n", "cannot be read to its end"),
        (
            "v.vec.gz",
            gzip.compress(b"2 2\nthe 1 2\na 1 2\n", mtime=0)[:-9],
            "cannot be read to its end",
        ),
        ("m.bin.gz", b"", "unpack it"),
        ("m.bin", b"", "too short"),
        ("m.bin", b"400000 300\nthe " + bytes(2000), "begins with"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_clear_error(
    tmp_path: Path, name: str, data: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=message) as error:
        load_vectors(tmp_path / name, ["the"])
    assert "\n" not in str(error.value)
    assert name in str(error.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"magic": 1}, "begins with 1, 12"),
        ({"version": 11}, "begins with 793712314, 11"),
        ({"is_quantised": True}, "quantised"),
        ({"n_pruned": 0}, "quantised or pruned"),
    ],
)
def test_another_kind_of_model_is_refused(
    tmp_path: Path, options: dict[str, Any], message: str
) -> None:
    path = binary_file(tmp_path / "m.ftz", WORDS, rows(20), **options)
    with pytest.raises(InputError, match=message):
        load_vectors(path, ["the"])


def test_a_model_cut_anywhere_is_refused(tmp_path: Path) -> None:
    whole = binary_file(tmp_path / "m.bin", WORDS, rows(7)).read_bytes()
    for length in range(len(whole)):
        (tmp_path / "cut.bin").write_bytes(whole[:length])
        with pytest.raises(InputError, match="download it again"):
            load_vectors(tmp_path / "cut.bin", ["the"])


def test_a_model_whose_sizes_disagree_is_refused(tmp_path: Path) -> None:
    path = binary_file(tmp_path / "m.bin", WORDS, rows(7))
    data = bytearray(path.read_bytes())
    struct.pack_into("<i", data, 8, DIM + 1)
    path.write_bytes(data)
    with pytest.raises(InputError, match="7 x 4, its header says 7 x 5"):
        load_vectors(path, ["the"])


def test_no_file_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not a file"):
        load_vectors(tmp_path, ["the"])
