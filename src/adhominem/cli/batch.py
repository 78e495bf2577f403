"""Many pairs of a file: verified in blocks, answered in order; bad lines are counted."""

from __future__ import annotations

import json
import queue
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from adhominem.cli.progress import Bar
from adhominem.errors import InputError
from adhominem.files import refuse_overwrite, whole_file
from adhominem.instrument.pair_files import BadLine, open_lines, read_pairs
from adhominem.instrument.report.as_json import decision_dict
from adhominem.instrument.verifier import Verifier
from adhominem.records import Pair

_BLOCK = 512  # pairs verified together
_FIELDS = (
    *("score", "verdict", "distance", "llr", "reliable"),
    *("reasons", "reason_codes", "notes", "note_codes"),
)


def answer_file(pairs: Path, output: Path | None, *, model: str | None, force: bool) -> None:
    """Verify every pair of a file and write one JSON line each, to `output` or to stdout."""
    from adhominem import load

    refuse_overwrite(output, force=force)
    with open_lines(pairs) as lines, _line_writer(output) as write:
        verifier = load(model)
        answered = bad = 0
        with Bar("verifying", enabled=output is not None) as bar:
            for block in _blocks(read_pairs(lines, str(pairs))):
                for answer in _answers(verifier, block):
                    write(json.dumps(answer))
                    answered += 1
                    bad += "error" in answer
                bar.update(answered, None, note=f"{bad} bad lines" if bad else "")
        if not answered:
            raise InputError(f"{pairs} holds no pairs: expected one JSON object per line")
    if bad:
        print(f"adhominem: {bad} of {answered} lines could not be answered", file=sys.stderr)


def _answers(verifier: Verifier, block: list[Pair | BadLine]) -> Iterator[dict[str, Any]]:
    block = [_check_genre(verifier, item) for item in block]
    pairs = [item for item in block if isinstance(item, Pair)]
    decisions = iter(verifier.decide(pairs, distinct=True))
    for item in block:
        if isinstance(item, BadLine):
            yield {"id": item.id, "error": item.error}
        else:
            fields = decision_dict(next(decisions))
            yield {"id": item.id, **{name: fields[name] for name in _FIELDS}}


def _check_genre(verifier: Verifier, item: Pair | BadLine) -> Pair | BadLine:
    """Replace a pair of a genre that the model does not know by a bad line."""
    if isinstance(item, Pair) and item.genre is not None:
        try:
            verifier.check_genre(item.genre)
        except InputError as error:
            return BadLine(0, item.id, str(error))
    return item


def _blocks(items: Iterator[Pair | BadLine]) -> Iterator[list[Pair | BadLine]]:
    """Group the items that have arrived: one by one from a slow stream, many from a file."""
    arrived: queue.Queue[Pair | BadLine | BaseException | None] = queue.Queue(maxsize=2 * _BLOCK)

    def read() -> None:
        try:
            for item in items:
                arrived.put(item)
            arrived.put(None)
        except BaseException as error:
            arrived.put(error)

    threading.Thread(target=read, daemon=True).start()
    more = True
    while more:
        block: list[Pair | BadLine] = []
        while more and len(block) < _BLOCK and (not block or not arrived.empty()):
            item = arrived.get()
            if isinstance(item, BaseException):
                raise item
            if item is None:
                more = False
            else:
                block.append(item)
        if block:
            yield block


@contextmanager
def _line_writer(output: Path | None) -> Iterator[Callable[[str], object]]:
    """A function that prints a line, or writes it to a file that appears when all are written."""
    if output is None:
        yield partial(print, flush=True)
        return
    with whole_file(output) as file:
        yield lambda line: file.write(line.encode() + b"\n")
