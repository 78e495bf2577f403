"""Many pairs: answers in the order of the lines, in blocks, the bad lines counted."""

from __future__ import annotations

import gzip
import json
import lzma
import os
import queue
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from adhominem.cli.progress import Bar
from adhominem.errors import InputError
from adhominem.files import refuse_overwrite
from adhominem.instrument.pair_files import BadLine, open_lines, read_pairs
from adhominem.instrument.verifier import Verifier
from adhominem.records import Decision, Pair

_BLOCK = 512  # pairs judged together
_ANSWER = ("score", "verdict", "distance", "llr", "reliable", "reasons")


def answer_file(pairs: Path, output: Path | None, *, model: str | None, force: bool) -> None:
    if output is not None:
        refuse_overwrite(output, force=force)
    with open_lines(pairs) as lines:
        from adhominem import load

        verifier = load(model)
        answered = bad = 0
        with _writer(output) as write, Bar("verifying", enabled=output is not None) as bar:
            for block in _blocks(read_pairs(lines, str(pairs))):
                for answer in _answer(verifier, block):
                    write(json.dumps(answer))
                    answered += 1
                    bad += "error" in answer
                bar.update(answered, None, note=f"{bad} bad lines" if bad else "")
            if not answered:
                raise InputError(f"{pairs} holds no pairs: expected one JSON object per line")
    if bad:
        print(f"adhominem: {bad} of {answered} lines could not be answered", file=sys.stderr)


def _answer(verifier: Verifier, block: list[Pair | BadLine]) -> Iterator[dict[str, Any]]:
    block = [_of_known_genre(verifier, item) for item in block]
    decisions = iter(verifier.decide([item for item in block if isinstance(item, Pair)]))
    for item in block:
        if isinstance(item, BadLine):
            yield {"id": item.id, "error": item.error}
        else:
            yield {"id": item.id, **_fields(next(decisions))}


def _of_known_genre(verifier: Verifier, item: Pair | BadLine) -> Pair | BadLine:
    if isinstance(item, Pair) and item.genre is not None:
        try:
            verifier.check_genre(item.genre)
        except InputError as error:
            return BadLine(0, item.id, str(error))
    return item


def _fields(decision: Decision) -> dict[str, Any]:
    return {name: getattr(decision, name) for name in _ANSWER}


def _blocks(items: Iterator[Pair | BadLine]) -> Iterator[list[Pair | BadLine]]:
    """What has arrived so far, in blocks: a slow stream is answered line by line, a file fast."""
    arrived: queue.Queue[Pair | BadLine | BaseException | None] = queue.Queue(maxsize=2 * _BLOCK)

    def read() -> None:
        try:
            for item in items:
                arrived.put(item)
            arrived.put(None)
        except BaseException as error:
            arrived.put(error)

    threading.Thread(target=read, daemon=True).start()
    open_ = True
    while open_:
        block: list[Pair | BadLine] = []
        while len(block) < _BLOCK and (not block or not arrived.empty()):
            item = arrived.get()
            if isinstance(item, BaseException):
                raise item
            if item is None:
                open_ = False
                break
            block.append(item)
        if block:
            yield block


@contextmanager
def _writer(output: Path | None) -> Iterator[Any]:
    """A function that writes one line; a file takes its name when all lines are written."""
    if output is None:

        def write_line(line: str) -> None:
            print(line, flush=True)

        yield write_line
        return
    temporary = output.with_name(f".{output.name}.{os.getpid()}")
    try:
        with _open(temporary, output.suffix) as file:

            def write(line: str) -> None:
                file.write(line.encode() + b"\n")

            yield write
        temporary.replace(output)
    finally:
        temporary.unlink(missing_ok=True)


def _open(path: Path, suffix: str) -> IO[bytes]:
    try:
        opener: Any = {".gz": gzip.open, ".xz": lzma.open}.get(suffix, open)
        file: IO[bytes] = opener(path, "wb")
        return file
    except OSError as error:
        raise InputError(f"{path.parent} cannot be written to: {error.strerror}") from None
