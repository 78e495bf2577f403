"""Many pairs of a file: verified in blocks, answered in order; bad lines are counted.

The blocks of a file are counted off, so that the same pairs are computed together in every run. A
pipe is answered as its lines come: whoever waits for an answer before asking again gets it.
"""

import json
import os
import queue
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import IO, Any

from adhominem.cli.options import Judge
from adhominem.cli.progress import Bar
from adhominem.errors import InputError
from adhominem.files import check_writable, whole_file
from adhominem.instrument.pair_files import BadLine, open_lines, read_pairs
from adhominem.instrument.report.as_json import decision_dict
from adhominem.instrument.verifier import Verifier
from adhominem.records import Pair

_BLOCK = 512  # pairs verified together
_FIELDS = (
    *("score", "verdict", "distance", "llr", "reliable"),
    *("reasons", "reason_codes", "notes", "note_codes", "terms"),
)


def answer_file(
    pairs: Path,
    output: Path | None,
    judge: Judge,
    *,
    strict: bool = False,
    force: bool = False,
) -> None:
    """Verify every pair of a file and write one JSON line each, to `output` or to stdout.

    A bad line is answered with an error, or ends all with InputError if `strict`. A file that
    breaks off is answered as far as it goes, and ends with InputError.
    """
    check_writable(output, force=force)
    n_lines = n_bad = 0
    breaks_off = False
    with open_lines(pairs) as lines, _line_writer(output) as write:
        verifier = judge.verifier()
        blocks = _counted if _is_regular(lines) else _arrived
        with Bar("verifying", enabled=output is not None) as bar:
            for items in blocks(read_pairs(lines, str(pairs))):
                block = [_check_genre(verifier, item) for item in items]
                for item, answer in zip(block, _answers(verifier, block), strict=True):
                    if isinstance(item, BadLine):
                        if strict:
                            before = f"{n_lines} line{'s' * (n_lines != 1)} before it"
                            raise InputError(f"{item.error}; {before} could be answered")
                        n_bad += 1
                        breaks_off |= item.breaks_off
                    write(json.dumps(answer))
                    n_lines += 1
                bar.update(n_lines, None, note=f"{n_bad} bad lines" if n_bad else "")
        if not n_lines:
            raise InputError(f"{pairs} holds no pairs: expected one JSON object per line")
    if breaks_off:
        raise InputError(f"{pairs} breaks off: {n_lines - n_bad} pairs before that are answered")
    if n_bad:
        print(f"adhominem: {n_bad} of {n_lines} lines could not be answered", file=sys.stderr)


def _is_regular(lines: IO[bytes]) -> bool:
    try:
        return stat.S_ISREG(os.fstat(lines.fileno()).st_mode)
    except OSError:  # no file of the system
        return False


def _answers(verifier: Verifier, block: list[Pair | BadLine]) -> Iterator[dict[str, Any]]:
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


def _counted(items: Iterator[Pair | BadLine]) -> Iterator[list[Pair | BadLine]]:
    while block := list(islice(items, _BLOCK)):
        yield block


def _arrived(items: Iterator[Pair | BadLine]) -> Iterator[list[Pair | BadLine]]:
    """Group the items that have arrived: one by one from a slow stream, many from a fast one."""
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
