"""Writes the answers to all pairs of a case as a table, and packs them for a bundle.

Each pair is in the order of the texts: (0, 1), (0, 2) and so on.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from adhominem.errors import optional_imports
from adhominem.files import whole_file
from adhominem.instrument.evidence.matrix import EvidenceMatrix
from adhominem.records import Verdict

FORMS = (".parquet", ".jsonl")
# `answer` is the index in _VERDICTS, plus 4 if it is reliable, plus 8 for copied text.
PACKED = np.dtype([("llr", "<f4"), ("answer", "u1")])
Packed = npt.NDArray[np.void]
_VERDICTS = [verdict.value for verdict in (Verdict.UNDECIDED, Verdict.DIFFERENT, Verdict.SAME)]
_TEXTS = 200  # a block has the pairs of so many texts with later texts, a million at most


def write_pairs(names: Sequence[str], evidence: EvidenceMatrix, path: Path) -> None:
    """Write a row for each pair as parquet or, if the file is named .jsonl, as JSON lines: names of
    both texts, verdict, log10 LR, whether it is reliable and whether text was copied."""
    # Lone surrogates of a name are escaped.
    names = [name.encode("utf-8", "backslashreplace").decode() for name in names]
    words = {"left": names, "right": names, "verdict": _VERDICTS}
    with whole_file(path) as file:
        (_write_lines if path.suffix == ".jsonl" else _write_parquet)(evidence, words, file)


def pack(evidence: EvidenceMatrix) -> Packed:
    n = len(evidence.readings)
    packed, done = np.empty(n * (n - 1) // 2, dtype=PACKED), 0
    for block in _blocks(evidence):
        part = packed[done : done + len(block["llr"])]
        part["llr"] = block["llr"]
        part["answer"] = block["verdict"] + 4 * block["reliable"] + 8 * block["copied"]
        done += len(part)
    return packed


def unpack(data: bytes, n: int) -> Packed:
    """The packed answers for n texts; ValueError if their number is wrong."""
    packed = np.frombuffer(data, dtype=PACKED)
    if len(packed) != n * (n - 1) // 2:
        raise ValueError(f"{len(packed)} answers for the pairs of {n} texts")
    return packed


def _blocks(evidence: EvidenceMatrix) -> Iterator[dict[str, npt.NDArray[Any]]]:
    """Yield columns of blocks of pairs; `left`, `right` and `verdict` are indices."""
    n = len(evidence.readings)
    for start in range(0, n - 1, _TEXTS):
        rows = np.arange(start, min(start + _TEXTS, n - 1))
        left, right = np.nonzero(rows[:, None] < np.arange(n))
        left += start
        llr, decided = evidence.llr[left, right], evidence.decided[left, right]
        yield {
            "left": left.astype(np.int32),
            "right": right.astype(np.int32),
            "verdict": np.where(decided, np.where(llr > 0, 2, 1), 0).astype(np.int32),
            "llr": llr,
            "reliable": evidence.reliable[left, right],
            "copied": evidence.copied[left, right],
        }


def _write_lines(evidence: EvidenceMatrix, words: dict[str, list[str]], file: Any) -> None:
    for block in _blocks(evidence):
        block["llr"] = block["llr"].astype(np.float64).round(6)
        columns = {name: column.tolist() for name, column in block.items()}
        for name, values in words.items():
            columns[name] = [values[number] for number in columns[name]]
        for row in zip(*columns.values(), strict=True):
            file.write(json.dumps(dict(zip(columns, row, strict=True))).encode() + b"\n")


def _write_parquet(evidence: EvidenceMatrix, words: dict[str, list[str]], file: Any) -> None:
    with optional_imports("write .jsonl"):
        import pyarrow
        from pyarrow import parquet
    kinds = {
        **dict.fromkeys(words, pyarrow.dictionary(pyarrow.int32(), pyarrow.string())),
        "llr": pyarrow.from_numpy_dtype(evidence.llr.dtype),
        **dict.fromkeys(("reliable", "copied"), pyarrow.bool_()),
    }
    schema = pyarrow.schema(kinds)
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        for block in _blocks(evidence):
            encode = pyarrow.DictionaryArray.from_arrays
            named = {name: encode(block[name], values) for name, values in words.items()}
            writer.write_table(pyarrow.table(block | named, schema=schema))
