"""The command: says where it is, answers there, and ends when told to."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

COMMAND = [sys.executable, "-m", "adhominem", "serve", "--no-browser"]


@contextmanager
def serving(*options: str, **variables: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address that it prints, and the process."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", **variables}
    process = subprocess.Popen(
        [*COMMAND, *options], stderr=subprocess.PIPE, text=True, env=environment
    )
    assert process.stderr is not None
    try:
        for line in process.stderr:
            if found := re.search(r"http://\S+", line):
                yield found[0], process
                break
        else:
            raise AssertionError("it never said where it is")
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def test_on_this_machine_alone() -> None:
    with serving("--port", "0") as (address, process):
        assert address.startswith("http://127.0.0.1:")
        page = httpx.get(address)
        assert page.is_success and "server" not in page.headers
        assert httpx.get(address, headers={"Host": "evil.example.org"}).status_code == 421
        port = address.strip("/").rpartition(":")[2]
        other = subprocess.run([*COMMAND, "--port", port], capture_output=True, text=True)
        assert other.returncode == 1
        assert other.stderr.count("\n") == 1 and "another --port" in other.stderr
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        assert "stopped" in process.stderr.read()
        assert process.wait(10) == 0


def test_half_a_head_holds_up_nobody() -> None:
    """Connections that never send a whole request are closed, the oldest first."""
    with serving("--port", "0") as (address, _):
        port = int(address.strip("/").rpartition(":")[2])
        slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(520)]
        try:
            for one in slow:
                with suppress(OSError):
                    one.sendall(b"GET / HTTP/1.1\r\nHost: local")
            assert all(httpx.get(f"{address}api/limits").is_success for _ in range(5))
            slow[0].settimeout(5)
            with suppress(ConnectionError):
                assert slow[0].recv(1) == b""
        finally:
            for one in slow:
                one.close()


def test_for_others_with_a_token() -> None:
    with serving("--host", "0.0.0.0", "--port", "0") as (address, _):
        plain, _, token = address.partition("?token=")
        assert len(token) >= 32
        assert httpx.get(plain).status_code == 401
        assert httpx.get(f"{plain}api/limits").status_code == 401
        with httpx.Client(follow_redirects=True) as browser:
            assert browser.get(address).is_success
            assert browser.get(f"{plain}api/limits").is_success
        bearer = {"Authorization": f"Bearer {token}"}
        assert httpx.get(f"{plain}api/limits", headers=bearer).is_success


def test_settings_come_from_the_environment_and_a_service_is_ended_politely() -> None:
    settings = {"HOST": "0.0.0.0", "PORT": "0", "TOKEN": "a-token-of-ours", "NO_BROWSER": "1"}
    environment = {f"ADHOMINEM_{name}": value for name, value in settings.items()}
    with serving(**environment) as (address, process):
        plain, _, token = address.partition("?token=")
        assert token == "a-token-of-ours"
        assert httpx.get(f"{plain}api/limits").status_code == 401
        assert httpx.get(f"{plain}api/health").json()["status"] == "ok"
        process.send_signal(signal.SIGTERM)
        assert process.stderr is not None
        assert "stopped" in process.stderr.read()
        assert process.wait(10) == 0


def test_the_container_runs_the_server() -> None:
    lines = (Path(__file__).parents[3] / "Containerfile").read_text().splitlines()
    steps = [line.split()[0] for line in lines if line[:1].isupper()]
    assert steps[0] == "FROM" and steps[-1] == "CMD" and "HEALTHCHECK" in steps
    assert 'CMD ["adhominem", "serve"]' in lines and "USER adhominem" in lines


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    options = ["--models", str(tmp_path / "none")]
    done = subprocess.run([*COMMAND, *options], capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.count("\n") == 1


def test_a_model_that_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "model.json").write_text("{}")
    options = ["--models", str(tmp_path), "--model", "broken", "--port", "0"]
    done = subprocess.run([*COMMAND, *options], capture_output=True, text=True)
    assert done.returncode == 1
    assert "model.json cannot be read" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("missing", ["fastapi", "uvicorn"])
def test_without_the_extra(missing: str) -> None:
    script = (
        f"import sys; sys.modules[{missing!r}] = None; sys.argv = ['adhominem', 'serve'];"
        "from adhominem.cli.app import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.strip() == (
        f'adhominem: {missing} is not installed: pip install "adhominem[bench]"'
    )
