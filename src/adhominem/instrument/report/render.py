"""Renders explanations, what-if results and rankings as a page, text, JSON or PDF."""

import os
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path

from adhominem.errors import AdhominemError, MissingExtraError
from adhominem.instrument.evidence.attribution import Ranking
from adhominem.instrument.evidence.copies import COPIED_TEXT
from adhominem.instrument.explain.whatif import WhatIf
from adhominem.instrument.report.cover import Cover
from adhominem.records import Explanation

FORMS = ("html", "terminal", "text", "json")
WHAT_IF_FORMS = ("html", "text", "json")
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
_FLAGS = (
    *("--headless", "--disable-gpu", "--disable-background-networking"),
    *("--disable-dev-shm-usage", "--no-first-run", "--no-pdf-header-footer"),
)
_SECONDS = 40  # for printing
_one_at_a_time = threading.Lock()


def render(explanation: Explanation, *, form: str = "html", cover: Cover = Cover()) -> str:
    """The report: a page, coloured or plain text for a terminal, or JSON. Only the page and JSON
    have the cover.

    >>> explanation = adhominem.load().explain_texts("Too short.", "To be judged.")
    >>> render(explanation, form="html")[:15]
    '<!doctype html>'
    """
    from adhominem.instrument.report import as_json, html, terminal

    _check(form, FORMS)
    if form == "html":
        return html.html_page(explanation, cover)
    if form == "json":
        return as_json.json_text(as_json.explanation_dict(explanation, cover)) + "\n"
    return terminal.terminal_text(explanation, colour=form == "terminal")


def render_what_if(result: WhatIf, *, form: str = "text") -> str:
    """The verdict before and after edits: a page, text for a terminal, or JSON."""
    from adhominem.instrument.report import as_json, html

    _check(form, WHAT_IF_FORMS)
    if form == "html":
        return html.what_if_page(result)
    if form == "json":
        return as_json.json_text(as_json.what_if_dict(result))
    return html.text("what_if", result=result)


def ranking_text(ranking: Ranking) -> str:
    from adhominem.instrument.report import html

    return html.text("ranking", ranking=ranking, copied=COPIED_TEXT)


def _check(form: str, allowed: tuple[str, ...]) -> None:
    if form not in allowed:
        raise ValueError(f"unknown form {form!r}; allowed are {', '.join(map(repr, allowed))}")


def find_browser() -> str | None:
    return next((path for name in _BROWSERS if (path := shutil.which(name))), None)


def print_page(page: str) -> bytes:
    """Print a page, which has no scripts and loads nothing, as PDF by a headless browser."""
    browser = find_browser()
    if browser is None:
        raise MissingExtraError("no chromium is installed here: print the page from your browser")
    with tempfile.TemporaryDirectory(prefix="adhominem-print-") as name, _one_at_a_time:
        folder = Path(name)
        source, target = folder / "report.html", folder / "report.pdf"
        source.write_text(page, encoding="utf-8")
        command = [browser, *_FLAGS, f"--user-data-dir={folder / 'profile'}"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:  # chromium refuses its sandbox to root
            command.append("--no-sandbox")
        try:
            subprocess.run(
                [*command, f"--print-to-pdf={target}", source.as_uri()],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_SECONDS,
                check=True,
                env={**os.environ, "HOME": name},
            )
            return target.read_bytes()
        except (OSError, subprocess.SubprocessError) as error:
            problem = f"could not print the report ({type(error).__name__})"
            advice = "print the page from your browser"
            raise AdhominemError(f"{Path(browser).name} {problem}: {advice}") from None
