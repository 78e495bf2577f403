"""Generated texts, damaged and hostile files, and odd requests: no crash, no hang, no wrong answer.

    python benchmarks/fuzz.py -o results/fuzz.json --texts 1000000 --files 90000 --requests 10000

Everything is drawn by a seed. Every text is tokenised, and its tokens must stand where they say;
one in twenty is judged by the shipped model, and its score must be finite. A file is damaged
blindly, or changed by somebody who writes new hashes: it must be refused with one line of the
package's errors, or mean the same, or, where it was changed with its hashes, still give finite
answers. A request must get an answer that is no server error.

The work is cut into pieces. The report is written after each, with the memory of the process; the
same command goes on after the last one, and --minutes ends it between two pieces.
"""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import math
import random
import resource
import sys
import tempfile
import time
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI
from generated import WORDS, altered, damaged, make_text
from timing import new_parser
from victims import Victim, make_victims

from adhominem import load
from adhominem.bench.case.bundle import read_bundle
from adhominem.bench.web.app import create_app
from adhominem.bench.web.settings import Limits
from adhominem.documents.read import read_bytes
from adhominem.errors import AdhominemError
from adhominem.files import read_sealed, sealed_json
from adhominem.instrument.model_folder import load_model
from adhominem.instrument.pair_files import BadLine, read_pairs
from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.verifier import Verifier
from adhominem.records import Pair

PIECES = 50
BLOCK, JUDGED = 1000, 20  # texts that are tokenised at once; one of so many is judged
SLOW = 30.0  # seconds from which on it is a hang


class Log:
    """Outcomes by kind, problems, the slowest piece of work, and the memory of each process after
    each of its pieces; it goes on from the report of an earlier process."""

    def __init__(self, report: dict[str, Any]) -> None:
        self.outcomes = {kind: Counter(n) for kind, n in report.get("outcomes", {}).items()}
        self.problems: list[str] = report.get("problems", [])
        self.slowest: dict[str, float] = report.get("slowest_seconds", {})
        self.memory: list[list[int]] = [*report.get("megabytes", []), []]
        self.seconds: float = report.get("seconds", 0)

    @property
    def pieces(self) -> int:
        """Number of pieces that are done."""
        return sum(map(len, self.memory))

    def note(self, kind: str, outcome: str, *, problem: str | None = None, n: int = 1) -> None:
        self.outcomes.setdefault(kind, Counter())[outcome] += n
        if problem is not None:
            self.problems.append(f"{kind}: {problem[:300]}")

    def timed(self, kind: str, began: float) -> None:
        seconds = time.monotonic() - began
        self.slowest[kind] = round(max(self.slowest.get(kind, 0), seconds), 2)
        if seconds > SLOW:
            self.problems.append(f"{kind}: took {seconds:.0f} s")

    def end_piece(self, began: float) -> None:
        self.seconds += round(time.monotonic() - began)
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        self.memory[-1].append(pages * resource.getpagesize() >> 20)

    def report(self) -> dict[str, Any]:
        return {
            "pieces": self.pieces,
            "seconds": self.seconds,
            "unicode": unicodedata.unidata_version,
            "outcomes": {kind: dict(sorted(n.items())) for kind, n in self.outcomes.items()},
            "slowest_seconds": self.slowest,
            "megabytes": self.memory,
            "problems": self.problems,
        }


def fuzz_texts(n: int, draws: random.Random, verifier: Verifier, log: Log) -> None:
    for done in range(0, n, BLOCK):
        texts = [make_text(draws) for _ in range(min(BLOCK, n - done))]
        began = time.monotonic()
        try:
            check_tokens(texts)
            log.note("texts", "tokenised", n=len(texts))
            judged = texts[::JUDGED]
            pairs = [
                Pair.of_texts(a, b) for a, b in zip(judged, judged[1:] + judged[:1], strict=True)
            ]
            for decision in verifier.decide(pairs, distinct=True):
                is_sound = math.isfinite(decision.llr) and 0 <= decision.score <= 1
                log.note("texts", "judged", problem=None if is_sound else f"score {decision.score}")
        except Exception as error:
            log.note("texts", "crashed", problem=f"{type(error).__name__} {error} {texts[0]!r:.80}")
        log.timed("a thousand texts", began)


def check_tokens(texts: list[str]) -> None:
    """Raise ValueError where a token does not stand in its text where it says."""
    read = tokenise(texts)
    edges = read.sentences[read.documents]
    for number, text in enumerate(texts):
        starts, ends = (a[edges[number] : edges[number + 1]] for a in (read.starts, read.ends))
        inside = (starts >= 0).all() and (starts <= ends).all() and (ends <= len(text)).all()
        if not inside or (starts[1:] < starts[:-1]).any():
            raise ValueError(f"tokens outside of {text!r:.80}")


def outcome_of(log: Log, kind: str, read: Callable[[], bool]) -> None:
    """Note whether reading was refused, gave the same or a sound answer, or anything else."""
    began = time.monotonic()
    try:
        is_sound = read()
        log.note(kind, "accepted", problem=None if is_sound else "accepted with another meaning")
    except AdhominemError as error:
        one_line = len(str(error).splitlines()) == 1
        log.note(kind, "refused", problem=None if one_line else f"several lines: {error}")
    except Exception as error:
        log.note(kind, "crashed", problem=f"{type(error).__name__}: {error}")
    log.timed(kind, began)


def fuzz_damage(n: int, draws: random.Random, victims: list[Victim], log: Log) -> None:
    """Blind damage to every kind of file."""
    expected = {victim.name: victim.read() for victim in victims}
    places = [(victim, path) for victim in victims for path in victim.files]
    for number in range(n):
        victim, path = places[number % len(places)]
        whole = path.read_bytes()
        data = damaged(whole, draws)
        path.write_bytes(data)
        outcome_of(
            log,
            f"damaged {victim.name}",
            lambda victim=victim: victim.read() == expected[victim.name],
        )
        path.write_bytes(whole)


def fuzz_models(n: int, draws: random.Random, folder: Path, log: Log) -> None:
    """Models by somebody who changes a value and writes new hashes."""
    text = " ".join(WORDS[:60])
    files = {name: (folder / name).read_bytes() for name in ("model.json", "vocabulary.json")}
    description = read_sealed(files["model.json"])

    def read() -> bool:
        decision = load_model(folder).verify(text, text[:200])
        return math.isfinite(decision.llr) and 0 <= decision.score <= 1

    for number in range(n):
        if number % 5:
            content = sealed_json(altered(description, draws))
        else:
            vocabulary = json.dumps(altered(json.loads(files["vocabulary.json"]), draws)).encode()
            (folder / "vocabulary.json").write_bytes(vocabulary)
            digest = hashlib.sha256(vocabulary).hexdigest()
            hashes = {**description["files"], "vocabulary.json": digest}
            content = sealed_json({**description, "files": hashes})
        (folder / "model.json").write_bytes(content)
        outcome_of(log, "hostile model", read)
        for name, data in files.items():
            (folder / name).write_bytes(data)


def fuzz_bundles(n: int, draws: random.Random, whole: bytes, log: Log) -> None:
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    manifest = read_sealed(files["bundle.json"])
    for _ in range(n):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            for name, data in files.items():
                hostile = sealed_json(altered(manifest, draws)) if name == "bundle.json" else data
                archive.writestr(name, hostile)
        packed = buffer.getvalue()
        outcome_of(log, "hostile bundle", lambda packed=packed: bool(read_bundle(packed)))


def fuzz_pairs(n: int, draws: random.Random, lines: list[bytes], log: Log) -> None:
    def read(data: bytes) -> bool:
        return all(isinstance(item, Pair | BadLine) for item in read_pairs(io.BytesIO(data), "x"))

    for _ in range(n):
        chosen = draws.sample(lines, 4)
        if draws.random() < 0.5:
            chosen[0] = json.dumps(altered(json.loads(chosen[0]), draws)).encode() + b"\n"
        data = b"".join(chosen)
        data = damaged(data, draws) if draws.random() < 0.7 else data
        outcome_of(log, "pairs file", lambda data=data: read(data))


def fuzz_uploads(n: int, draws: random.Random, whole: bytes, lines: list[bytes], log: Log) -> None:
    samples = {
        "zip": whole,
        "docx": whole,
        "jsonl": b"".join(lines[:5]).replace(b'"left"', b'"text"'),
        "csv": b"name,author,text\na,b,some words\n" * 3,
        "html": b"<p>some <b>words</b> &amp; more</p>" * 3,
        "txt": "Some words – and ü.".encode(),
    }
    for _ in range(n):
        form = draws.choice(list(samples))
        name = f"{make_text(draws)[:60]}.{form}"
        data = damaged(samples[form], draws)
        outcome_of(log, "upload", lambda n=name, d=data: bool(read_bytes(n, d, Limits()).texts))


async def fuzz_requests(n: int, draws: random.Random, app: FastAPI, log: Log) -> None:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    known = [(path, m.upper()) for path, ways in app.openapi()["paths"].items() for m in ways]
    known += [("/", "GET"), ("/static/api.js", "GET"), ("/none", "GET")]
    text = " ".join(WORDS[:40])
    body = {
        "left": [text],
        "right": [text[:120]],
        "genre": None,
        "texts": [{"name": "a", "text": text}],
    }
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        for _ in range(n):
            headers = {"X-Adhominem": "1", "Content-Type": "application/json"}
            if draws.random() < 0.2:
                headers[draws.choice(("Host", "Origin", "Content-Type", "X-Name", "Range"))] = (
                    "".join(c for c in make_text(draws)[:80] if c.isascii() and c.isprintable())
                )
            content = json.dumps(altered(body, draws)).encode()
            content = damaged(content, draws) if draws.random() < 0.5 else content
            path, method = draws.choice(known)
            path = path.replace("{", "").replace("}", "")
            if draws.random() < 0.1:
                method = draws.choice(("POST", "GET", "PUT", "DELETE", "OPTIONS"))
            began = time.monotonic()
            try:
                answer = await client.request(method, path, content=content, headers=headers)
                is_error = answer.status_code in (500, 504)
                log.note("request", str(answer.status_code), problem=path if is_error else None)
            except (httpx.HTTPError, ValueError) as error:
                log.note("request", type(error).__name__)
            log.timed("request", began)


async def fuzz(
    texts: int, files: int, requests: int, seed: int, output: Path, minutes: float
) -> Log:
    """Do the pieces that the report does not have yet, until the end of the time."""
    command = f"benchmarks/fuzz.py --texts {texts} --files {files} --requests {requests}"
    stated = {"command": f"{command} --seed {seed}", "seed": seed, "judged_one_in": JUDGED}
    report = json.loads(output.read_text()) if output.exists() else {}
    is_ours = stated.items() <= report.items()
    log, part = Log(report if is_ours else {}), files // 20 // PIECES
    app = create_app()
    app.state.bench.start()
    with tempfile.TemporaryDirectory() as name:
        folder, verifier = Path(name), load()
        victims = make_victims(folder)
        bundle = (folder / "case.zip").read_bytes()
        lines = (folder / "pairs.jsonl").open("rb").readlines()
        end = time.monotonic() + 60 * minutes
        while log.pieces < PIECES and time.monotonic() < end:
            draws, began = random.Random(f"{seed} {log.pieces}"), time.monotonic()
            fuzz_damage(5 * part, draws, victims, log)
            fuzz_models(2 * part, draws, folder / "run" / "model", log)
            fuzz_bundles(3 * part, draws, bundle, log)
            fuzz_pairs(6 * part, draws, lines, log)
            fuzz_uploads(4 * part, draws, bundle, lines, log)
            await fuzz_requests(requests // PIECES, draws, app, log)
            fuzz_texts(texts // PIECES, draws, verifier, log)
            log.end_piece(began)
            output.write_text(json.dumps({**stated, **log.report()}, indent=2) + "\n")
            print(f"piece {log.pieces}: {log.memory[-1][-1]} MB, {len(log.problems)} problems")
    app.state.bench.close()
    return log


def main() -> None:
    parser = new_parser(__doc__)
    for name, n in (("texts", 1_000_000), ("files", 90_000), ("requests", 10_000), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=n)
    parser.add_argument("--minutes", type=float, default=math.inf)
    log = asyncio.run(fuzz(**vars(parser.parse_args())))
    print("\n".join(log.problems[:20]) or "no problem")
    sys.exit(bool(log.problems))


if __name__ == "__main__":
    main()
