"""Reads an upload in a process of its own, with limits on time and memory.

Parsers of documents are exposed to hostile bytes. Name and bytes go through a pipe; the child
process opens no files of the user and may write none.
"""

import json
import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from adhominem.bench.web.settings import Limits
from adhominem.documents.file_texts import clean_name
from adhominem.documents.read import PLAIN, form_of, read_bytes
from adhominem.errors import AdhominemError, InputError

_SECONDS = 30
_MEMORY = 2 * 1024**3
_places = threading.BoundedSemaphore(2)
_readers: set[subprocess.Popen[bytes]] = set()


def read_apart(name: str, data: bytes, limits: Limits) -> dict[str, Any]:
    """The texts of a file, as `FileTexts` in JSON. Plain text needs no parser and is read in this
    process, because uploaded folders may hold hundreds of files."""
    if form_of(clean_name(name)) in PLAIN:
        return asdict(read_bytes(name, data, limits))
    head = {"name": name, "limits": asdict(limits), "seconds": _SECONDS, "memory": _MEMORY}
    command = [sys.executable, "-P", "-m", "adhominem.bench.web.apart"]
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    with _places, subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nowhere) as reader:
        _readers.add(reader)
        try:
            sent = json.dumps(head).encode() + b"\n" + data
            read, _ = reader.communicate(sent, timeout=_SECONDS)
        except subprocess.TimeoutExpired:
            raise InputError(f"the file could not be read within {_SECONDS} s") from None
        finally:
            reader.kill()
            _readers.discard(reader)
    if reader.returncode:
        raise InputError("the file could not be read: it takes too much memory")
    answer: dict[str, Any] = json.loads(read)
    if "error" in answer:
        raise InputError(answer["error"])
    return answer


def end_readers() -> None:
    """End all reading processes, when the server ends."""
    for reader in list(_readers):
        reader.kill()


def _main() -> None:
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    head = json.loads(sys.stdin.buffer.readline())
    data = sys.stdin.buffer.read()
    with suppress(ImportError):  # on other systems only the time limit remains
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (head["seconds"], head["seconds"]))
        resource.setrlimit(resource.RLIMIT_AS, (head["memory"], head["memory"]))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    try:
        answer = asdict(read_bytes(head["name"], data, Limits(**head["limits"])))
    except AdhominemError as error:
        answer = {"error": str(error)}
    print(json.dumps(answer))


def _end_with(parent: int) -> None:
    """End this process when its parent has ended or was killed."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


if __name__ == "__main__":
    _main()
