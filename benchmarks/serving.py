"""The workbench under load: verdicts on pairs of 265 tokens over the loopback.

    python benchmarks/serving.py -o results/benchmark-serving.json

Starts a server of its own. First so many clients ask at a steady rate together, each in its turn;
then one edits a text and waits for its new colours; then one client asks at the rate of an attack,
and many clients do at the same rate together, while hundreds of connections send half the head of a
request and are opened again when they are closed: as much work, so the two can be compared. At last
all ask as fast as they are answered, which shows the most that the server can do. Texts are made
from a seed, as in verifiers.py.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from timing import machine, new_parser, write_json
from verifiers import make_documents

OURS = {"X-Adhominem": "1"}
N_AUTHORS = 250  # of four texts each
N_SLOW = 520  # connections of an attack


@dataclass
class Measured:
    seconds: list[float] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    megabytes: list[float] = field(default_factory=list)

    def summary(self, duration: float) -> dict[str, Any]:
        answered = np.array(self.seconds)
        third = max(len(self.megabytes) // 3, 1)
        return {
            "seconds": round(duration, 1),
            "requests": sum(self.statuses.values()),
            "statuses": dict(self.statuses),
            "answers_per_second": round(len(answered) / duration, 1),
            **{
                f"p{q}": round(float(np.percentile(answered, q)), 3) if len(answered) else None
                for q in (50, 95, 99)
            },
            "slowest": round(float(answered.max(initial=0)), 3),
            "megabytes_early": round(float(np.median(self.megabytes[:third])), 1),
            "megabytes_late": round(float(np.median(self.megabytes[-third:])), 1),
        }


def main() -> None:
    parser = new_parser(__doc__)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--rate", type=float, default=20.0, help="requests a second, all together")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--attack-rate", type=float, default=5.0, help="the same, under attack")
    arguments = parser.parse_args()
    texts = [d.text for d in make_documents(N_AUTHORS, np.random.default_rng(1))]
    described = machine()
    seconds, rate = arguments.seconds, arguments.attack_rate
    with server() as (address, process):
        load = Load(address, process, texts, arguments.clients)
        alone = Load(address, process, texts, 1)
        asyncio.run(load.run(seconds=5, rate=arguments.rate))  # to warm up
        steady = asyncio.run(load.run(seconds=seconds, rate=arguments.rate))
        live = edit(address, texts)
        one_client = asyncio.run(alone.run(seconds=seconds, rate=rate))
        under_attack = asyncio.run(attacked(load, seconds, rate, address))
        flood = asyncio.run(load.run(seconds=min(seconds, 20), rate=None))
    report = {
        "benchmark": "serving",
        "machine": described,
        "clients": arguments.clients,
        "rate": arguments.rate,
        "tokens_per_text": 265,
        "steady": steady,
        "live": live,
        "attack": {
            "rate": rate,
            "slow_connections": N_SLOW,
            "one_client": one_client,
            "attacked": under_attack,
            "p95_ratio": round(under_attack["p95"] / one_client["p95"], 2),
        },
        "flood": flood,
    }
    write_json(arguments.output, report)


async def attacked(load: Load, seconds: float, rate: float, address: str) -> dict[str, Any]:
    """The load beside slow connections."""
    slow = [asyncio.ensure_future(send_half_heads(address)) for _ in range(N_SLOW)]
    await asyncio.sleep(2)
    try:
        return await load.run(seconds=seconds, rate=rate)
    finally:
        for task in slow:
            task.cancel()
        await asyncio.gather(*slow, return_exceptions=True)


async def send_half_heads(address: str) -> None:
    """Open a connection, send half a head, wait until it is closed, and begin again."""
    url = httpx.URL(address)
    while True:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection(url.host, url.port)
            writer.write(b"GET / HTTP/1.1\r\nHost: local")
            await reader.read()
            writer.close()
        await asyncio.sleep(0.5)


def edit(address: str, texts: list[str], rounds: int = 40) -> dict[str, float]:
    """What an edit on the page waits for: verdict, attention and habits of a text that changed."""
    seconds = []
    with httpx.Client(headers=OURS, timeout=120) as client:
        for n in range(rounds + 5):
            asked = {"left": [f"{n} {texts[0]}"], "right": [texts[1]], "contributions": False}
            begun = time.perf_counter()
            client.post(f"{address}api/explain", json=asked).raise_for_status()
            seconds.append(time.perf_counter() - begun)
    return {f"p{q}": round(float(np.percentile(seconds[5:], q)), 3) for q in (50, 95)}


@contextmanager
def server() -> Iterator[tuple[str, subprocess.Popen[str]]]:
    command = [sys.executable, "-m", "adhominem", "serve", "--no-browser", "--port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        address = next(f[0] for line in process.stderr if (f := re.search(r"http://\S+", line)))
        yield address, process
        process.send_signal(signal.SIGINT)
        process.wait(30)
    finally:
        process.kill()


class Load:
    def __init__(
        self, address: str, process: subprocess.Popen[str], texts: list[str], n_clients: int
    ) -> None:
        self._address, self._pid = f"{address}api/verify", process.pid
        self._texts, self._n_clients = texts, n_clients
        self._asked = 0

    async def run(self, *, seconds: float, rate: float | None) -> dict[str, Any]:
        measured = Measured()
        begun, used = time.perf_counter(), self._cpu_seconds()
        watching = asyncio.ensure_future(self._watch(measured))
        clients = [self._client(n, begun, seconds, rate, measured) for n in range(self._n_clients)]
        await asyncio.gather(*clients)
        watching.cancel()
        used = self._cpu_seconds() - used
        return {
            **measured.summary(time.perf_counter() - begun),
            "cpu_seconds_per_answer": round(used / max(len(measured.seconds), 1), 4),
        }

    def _cpu_seconds(self) -> float:
        fields = Path(f"/proc/{self._pid}/stat").read_text().rpartition(") ")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    async def _client(
        self, number: int, begun: float, seconds: float, rate: float | None, measured: Measured
    ) -> None:
        """Its requests are due at fixed times: one that is late has waited since then."""
        apart = 0.0 if rate is None else self._n_clients / rate
        due = begun + apart * number / self._n_clients
        # verify=False: no certificates are loaded, which would take longer than an answer
        async with httpx.AsyncClient(headers=OURS, timeout=120, verify=False) as client:
            while due < begun + seconds:
                await asyncio.sleep(max(due - time.perf_counter(), 0))
                due = due if apart else time.perf_counter()
                status, wait = await self._ask(client)
                measured.statuses[status] += 1
                if status == "200":
                    measured.seconds.append(time.perf_counter() - due)
                await asyncio.sleep(wait)
                due = due + apart if apart else time.perf_counter()

    async def _ask(self, client: httpx.AsyncClient) -> tuple[str, float]:
        """The status, and how long the server asks to wait."""
        self._asked += 1
        left, right = (self._texts[(k * self._asked) % len(self._texts)] for k in (7, 13))
        try:
            answer = await client.post(self._address, json={"left": [left], "right": [right]})
        except httpx.HTTPError as error:
            return type(error).__name__, 0.0
        return str(answer.status_code), float(answer.headers.get("retry-after", 0))

    async def _watch(self, measured: Measured) -> None:
        """The memory of the server, every half second."""
        page = os.sysconf("SC_PAGE_SIZE")
        while True:
            pages = int(Path(f"/proc/{self._pid}/statm").read_text().split()[1])
            measured.megabytes.append(pages * page / 1e6)
            await asyncio.sleep(0.5)


if __name__ == "__main__":
    main()
