"""The workbench in a real browser: a server of its own, and a first visit for each test."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

SAMPLE = (
    Path(__file__).parents[4]
    / "src"
    / "adhominem"
    / "bench"
    / "web"
    / "page"
    / "sample"
    / "sample.json"
)
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
SLOW = 60_000  # milliseconds, beside other busy processes
VERDICT = re.compile("Probably the same author|Probably different authors|Inconclusive|Cannot say")
Compare = Callable[..., None]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Last of all: the browser's event loop runs until the end, and none can start beside it."""
    items.sort(key=lambda item: Path(__file__).parent in item.path.parents)


@pytest.fixture(scope="session")
def sample() -> Any:
    return json.loads(SAMPLE.read_bytes())


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if path is None:
        pytest.skip("no browser is installed here: see `make browser`")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def address(browser: Browser) -> Iterator[str]:
    del browser  # without which there is nobody to serve
    command = [sys.executable, "-m", "adhominem", "serve", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        said = []
        for line in server.stderr:
            said.append(line)
            if found := re.search(r"http://\S+", line):
                yield found[0]
                break
        else:
            pytest.fail("".join(said))
        server.terminate()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A first visit. No script may fail and nothing may be refused by the security policy."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(SLOW)
    expect.set_options(timeout=SLOW)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    page.on("console", lambda said: wrong.append(said.text) if "Policy" in said.text else None)
    page.goto(address)
    page.wait_for_selector("html[data-ready]")
    yield page
    context.close()
    assert not wrong


@pytest.fixture
def put_in(page: Page) -> Compare:
    """Two texts, and the button below them."""

    def put(left: str, right: str) -> None:
        page.fill("#left-text-0", left)
        page.fill("#right-text-0", right)
        page.click("#compare-button")

    return put


@pytest.fixture
def compare(page: Page, put_in: Compare, sample: Any) -> Compare:
    """Waits for the verdict; by default about the first of the known texts."""

    def run(left: str = sample["left"][0], right: str = sample["right"][0]) -> None:
        put_in(left, right)
        expect(page.locator("#verdict")).to_have_text(VERDICT)

    return run


@pytest.fixture
def go_to(page: Page) -> Callable[[str], None]:
    def go(view: str) -> None:
        page.click(f".masthead nav a[href='#{view}']")

    return go
