"""A page as PDF, printed by a browser without a window where one is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path

from adhominem.errors import AdhominemError, MissingExtraError

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
_SECONDS = 40
_one_at_a_time = threading.Lock()


def find_browser() -> str | None:
    return next((path for name in _BROWSERS if (path := shutil.which(name))), None)


def print_page(page: str) -> bytes:
    """The page has no script and loads nothing; the browser gets a folder of its own."""
    browser = find_browser()
    if browser is None:
        raise MissingExtraError("no chromium is installed here: print the page from your browser")
    with tempfile.TemporaryDirectory(prefix="adhominem-print-") as name, _one_at_a_time:
        folder = Path(name)
        source, target = folder / "report.html", folder / "report.pdf"
        source.write_text(page, encoding="utf-8")
        command = [
            browser,
            "--headless",
            "--disable-gpu",
            "--disable-background-networking",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--no-pdf-header-footer",
            f"--user-data-dir={folder / 'profile'}",
            f"--print-to-pdf={target}",
        ]
        if hasattr(os, "geteuid") and os.geteuid() == 0:  # chromium refuses its sandbox to root
            command.append("--no-sandbox")
        try:
            subprocess.run(
                [*command, source.as_uri()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=_SECONDS,
                check=True,
                env={**os.environ, "HOME": name},
            )
            return target.read_bytes()
        except (OSError, subprocess.SubprocessError) as error:
            raise AdhominemError(
                f"{Path(browser).name} could not print the report ({type(error).__name__}): "
                "print the page from your browser"
            ) from None
