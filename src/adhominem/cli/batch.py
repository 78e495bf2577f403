"""Verifies the pairs of a file in blocks and answers them in order; bad lines are counted."""

import json
import os
import queue
import shutil
import stat
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import IO, Any

from adhominem.cli.options import Judge, Machines, print_notes
from adhominem.cli.progress import Bar
from adhominem.errors import InputError
from adhominem.files import check_writable, whole_file, write_whole
from adhominem.instrument.pair_files import BadLine, open_lines, parse_pairs, read_pairs
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
    machines: Machines = Machines(),
    *,
    strict: bool = False,
    force: bool = False,
) -> None:
    """Verify every pair of a file and write one JSON line each, to `output` or to stdout.

    A bad line is answered with an error, or raises InputError if `strict`. A truncated file is
    answered as far as possible before InputError is raised. A file is read in blocks of fixed size,
    so that the same pairs are computed together in every run; the lines of a pipe are answered as
    they arrive, also for a sender who waits for each answer.
    """
    check_writable(output, force=force)
    if machines == Machines():
        with open_lines(pairs) as lines, _line_writer(output) as write:
            verifier = judge.verifier()
            blocks = _counted if _is_regular(lines) else _arrived
            with Bar("verifying", enabled=output is not None) as bar:
                items = blocks(read_pairs(lines, str(pairs)))
                counts = _answer_blocks(verifier, items, write, bar.update, strict=strict)
            _check_lines(pairs, counts)
    elif output is None or str(pairs) == "-":
        raise InputError("several processes write into a file: give --pairs FILE -o FILE")
    else:
        counts = _answer_shards(pairs, output, judge, machines, strict=strict)
    n_lines, n_bad = counts["lines"], counts["bad"]
    if counts["broken off"]:
        raise InputError(f"{pairs} breaks off: {n_lines - n_bad} pairs before that are answered")
    if n_bad:
        print_notes([f"{n_bad} of {n_lines} lines could not be answered"])


def _check_lines(pairs: Path, counts: Counter[str]) -> None:
    if not counts["lines"]:
        raise InputError(f"{pairs} holds no pairs: expected one JSON object per line")


def _answer_blocks(
    verifier: Verifier,
    blocks: Iterable[list[Pair | BadLine]],
    write: Callable[[str], object],
    tell: Callable[[int, None, str], object] = lambda *_: None,
    *,
    strict: bool,
) -> Counter[str]:
    """Write the answers to all blocks; return the numbers of lines and of bad lines."""
    counts: Counter[str] = Counter()
    for items in blocks:
        block = [_check_genre(verifier, item) for item in items]
        pairs = [item for item in block if isinstance(item, Pair)]
        decisions = iter(verifier.decide(pairs, distinct=True))
        for item in block:
            if isinstance(item, BadLine):
                if strict:
                    n = counts["lines"]
                    lines = f"{n} line{'s' * (n != 1)}"
                    raise InputError(f"{item.error}; {lines} before it could be answered")
                counts.update({"bad": 1, "broken off": item.breaks_off})
                answer = {"error": item.error}
            else:
                fields = decision_dict(next(decisions))
                answer = {name: fields[name] for name in _FIELDS}
            write(json.dumps({"id": item.id, **answer}))
            counts["lines"] += 1
        tell(counts["lines"], None, f"{counts['bad']} bad lines" if counts["bad"] else "")
    return counts


def _answer_shards(
    pairs: Path, output: Path, judge: Judge, machines: Machines, *, strict: bool
) -> Counter[str]:
    """Answer a file in shards, with the engine of `corpus build`."""
    from adhominem.laboratory.corpus.build.plan import map_shards, working
    from adhominem.laboratory.corpus.readers.reader import Source

    identity = judge.verifier().identity
    settings = {
        "model": judge.place,
        "sha256": identity and identity.sha256,
        "reference": [str(path.absolute()) for path in judge.reference or []],
        "encoding": judge.encoding,
        "strict": strict,
    }
    source, function = Source(pairs.absolute(), "jsonl", str(pairs)), f"{__name__}:answer_shard"
    with Bar("reading") as bar, working(output) as work:
        done = map_shards(function, [source], settings, work, machines.engine(), bar.stage)
        counts = sum(map(Counter, done), Counter[str]())
        _check_lines(pairs, counts)
        with whole_file(output) as file:
            for number in range(len(done)):
                with work.answers(number).open("rb") as answers:
                    shutil.copyfileobj(answers, file)
    return counts


def answer_shard(task: dict[str, Any]) -> dict[str, int]:
    """Write the answers to a shard of a file and their counts; return the counts."""
    from adhominem.laboratory.corpus.build.plan import WorkFolder
    from adhominem.laboratory.corpus.readers.plain_files import lines_of
    from adhominem.laboratory.corpus.readers.reader import Shard

    work, shard = WorkFolder(Path(task["work"])), Shard.from_dict(task["shard"])
    blocks = _counted(parse_pairs(lines_of(shard), shard.source.name))
    verifier = _verifier(task["model"], tuple(task["reference"]), task["encoding"])
    with _line_writer(work.answers(task["number"])) as write:
        counts = _answer_blocks(verifier, blocks, write, strict=task["strict"])
    write_whole(work.shard_counts(task["number"]), json.dumps(counts))
    return counts


@cache
def _verifier(model: str | None, reference: tuple[str, ...], encoding: str) -> Verifier:
    return Judge(model, None, [Path(path) for path in reference], encoding).verifier()


def _is_regular(lines: IO[bytes]) -> bool:
    try:
        return stat.S_ISREG(os.fstat(lines.fileno()).st_mode)
    except OSError:  # not backed by a file
        return False


def _check_genre(verifier: Verifier, item: Pair | BadLine) -> Pair | BadLine:
    """Replace a pair whose genre the model does not know by a bad line."""
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
    """Blocks of all items that have arrived: small from a slow stream, large from a fast one."""
    arrived: queue.Queue[Pair | BadLine | BaseException | None] = queue.Queue(maxsize=2 * _BLOCK)

    def read() -> None:
        try:
            for item in items:
                arrived.put(item)
            arrived.put(None)
        except BaseException as error:
            arrived.put(error)

    threading.Thread(target=read, daemon=True).start()
    block: list[Pair | BadLine] = []
    while isinstance(item := arrived.get(), Pair | BadLine):
        block.append(item)
        if len(block) == _BLOCK or arrived.empty():
            yield block
            block = []
    if item is not None:
        raise item
    if block:
        yield block


@contextmanager
def _line_writer(output: Path | None) -> Iterator[Callable[[str], object]]:
    """A function that prints a line, or writes it to a file that appears when complete."""
    if output is None:
        yield partial(print, flush=True)
        return
    with whole_file(output) as file:
        yield lambda line: file.write(line.encode() + b"\n")
