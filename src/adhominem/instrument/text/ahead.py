"""Tokenises in another process while this one loads a model, so that spaCy need not be loaded here.

The texts go through a pipe and what their chunks are made of comes back, as JSON. Whatever goes
wrong on the way only costs the time that was to be saved.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Thread

_PATIENCE = 20  # seconds beyond what the block takes; then this process does it alone
_COMMAND = ("-P", "-m", "adhominem.instrument.text.ahead")


@contextmanager
def tokenising_ahead(texts: Iterable[str]) -> Iterator[None]:
    """After the block, the chunks of the texts are known here."""
    process = None if "spacy" in sys.modules else _start()
    if process is None:
        yield
        return
    question = json.dumps(list(texts)).encode()
    answers: list[bytes] = []
    talk = Thread(target=lambda: answers.append(process.communicate(question)[0]), daemon=True)
    talk.start()
    try:
        yield
        talk.join(_PATIENCE)
    finally:
        process.kill()  # nothing happens to one that has ended
        talk.join()
    if process.returncode == 0:
        _adopt(answers[0])


def _start() -> subprocess.Popen[bytes] | None:
    same_modules = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    try:
        return subprocess.Popen(
            [sys.executable, *_COMMAND],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=same_modules,
        )
    except OSError:
        return None


def _adopt(answer: bytes) -> None:
    from adhominem.instrument.text.chunks import known_chunks

    try:
        found = json.loads(answer)
    except ValueError:
        return
    memory = known_chunks()
    memory.tokens |= {chunk: tuple(words) for chunk, words in found["tokens"].items()}
    memory.kinds |= found["kinds"]


def _answer(texts: list[str]) -> bytes:
    from adhominem.instrument.text.chunks import known_chunks
    from adhominem.instrument.text.tokenise import tokenise

    tokenise(texts)
    memory = known_chunks()
    return json.dumps({"tokens": memory.tokens, "kinds": memory.kinds}).encode()


if __name__ == "__main__":
    sys.stdout.buffer.write(_answer(json.load(sys.stdin.buffer)))
