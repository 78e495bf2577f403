"""Takes all pictures in docs/images that show answers again, with the shipped model.

python docs/screenshots.py

Needs chromium and pdftoppm (poppler-utils). The pictures show the sample case: the workbench, the
report on a screen, on a phone and on paper, and a notebook. docs/images/screenshots.json says which
model they show.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from markupsafe import Markup
from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

import adhominem
from adhominem.bench.web import fragments
from adhominem.files import write_whole
from adhominem.instrument.report.cover import Cover
from adhominem.instrument.report.render import find_browser, print_page

IMAGES = Path(__file__).parent / "images"
RECORD = IMAGES / "screenshots.json"
SAMPLE = json.loads((fragments.FOLDER / "sample" / "sample.json").read_bytes())
COVER = Cover(
    title="Who wrote about the Anchor?",
    case="17/26",
    examiner="R. Marlow",
    left=("wren-1.txt", "wren-2.txt"),
    right=("anonymous.txt",),
)
CELLS = (
    "import adhominem\n\nverifier = adhominem.load()",
    'decision = verifier.verify(known, questioned, genre="hotels")\ndecision',
    'pairs = verifier.verify_pairs(known, [questioned] * 2, genre="hotels")\n'
    'pairs[["verdict", "llr", "reliable"]]',
)
NOTEBOOK = Markup("""<!doctype html><meta charset="utf-8"><title>Notebook</title><style>
body {{ font: 15px/1.5 sans-serif; max-width: 60rem; margin: 1.5rem auto; color: #222 }}
.cell {{ display: grid; grid-template-columns: 4rem 1fr; gap: .5rem; margin-bottom: .8rem }}
.cell > :first-child {{ color: #307fc1; font: 13px/1.6 monospace; text-align: right }}
pre {{ margin: 0; padding: .5rem .8rem; background: #f5f5f5; border: 1px solid #ddd }}
table {{ border-collapse: collapse }} td, th {{ padding: .2rem .7rem; text-align: right }}
</style>{}""")
CELL = Markup('<div class="cell"><span>{}</span><div>{}</div></div>')
PAGE_WIDTH, PAGES_A_ROW, MOST_PAGES = 620, 3, 6


def save(picture: Image.Image, name: str) -> None:
    few = picture.convert("RGB").quantize(
        256, Image.Quantize.MAXCOVERAGE, kmeans=4, dither=Image.Dither.NONE
    )
    few.save(IMAGES / f"{name}.png", optimize=True)
    print(f"{name}: {(IMAGES / f'{name}.png').stat().st_size // 1000} kB")


def keep(page: Page, name: str, height: int) -> None:
    page.mouse.move(2, 400)
    width = page.viewport_size["width"] if page.viewport_size else 1280
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_timeout(400)
    save(Image.open(io.BytesIO(page.screenshot())), name)


@contextmanager
def serving() -> Iterator[str]:
    """The address of a workbench on a free port."""
    command = [sys.executable, "-m", "adhominem", "serve", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            said = (re.search(r"http://\S+", line) for line in server.stderr or ())
            found = next(filter(None, said), None)
            if found is None:
                sys.exit("screenshots: the workbench did not start")
            yield found[0]
        finally:
            server.terminate()


def take_workbench(page: Page) -> None:
    page.click("#welcome-start")
    page.select_option("#kind", "hotels")
    page.click("#guide .primary")
    page.wait_for_selector(".result")
    page.click("#guide .quiet-button")
    page.evaluate("scrollTo(0, 0)")
    keep(page, "workbench", 1180)
    page.click("label[for=layer-habits]")
    page.locator(".heat b").filter(has_text="cuz").first.click()
    page.evaluate("document.querySelector('.heatmaps').scrollIntoView()")
    keep(page, "concordance", 900)
    page.goto(page.url.split("#")[0] + "#whatif")
    page.locator(".undo").last.locator(".change").wait_for()
    page.locator(".undo", has_text="& → and").click()
    page.wait_for_selector(".changes .changed")
    expect(page.locator(".undo", has_text="& → and")).to_have_count(0)
    expect(page.locator(".undo:not(:has(.change))")).to_have_count(0, timeout=60_000)
    page.evaluate("document.querySelector('.whatif-maps').scrollIntoView()")
    keep(page, "whatif", 1180)
    page.goto(page.url.split("#")[0] + "#case")
    page.click("#case-start")
    page.wait_for_selector(".cluster")
    page.evaluate("document.querySelector('.ranking').scrollIntoView()")
    keep(page, "case", 1000)


def show(browser: Browser, content: str, name: str, width: int, height: int) -> None:
    """A page without a server."""
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme="light")
    page.set_content(content, wait_until="load")
    keep(page, name, height)
    page.close()


def take_paper(report: str) -> None:
    """The first pages of the report as they are printed."""
    with tempfile.TemporaryDirectory() as folder:
        pdf = Path(folder) / "report.pdf"
        pdf.write_bytes(print_page(report))
        stem = Path(folder) / "page"
        size = ["-scale-to-x", str(PAGE_WIDTH), "-scale-to-y", "-1"]
        command = ["pdftoppm", "-png", "-l", str(MOST_PAGES), *size, str(pdf), str(stem)]
        subprocess.run(command, check=True)
        pages = [Image.open(path).convert("RGB") for path in sorted(Path(folder).glob("page*.png"))]
    rows = -(-len(pages) // PAGES_A_ROW)
    width, height = (side + 12 for side in pages[0].size)
    sheet = Image.new("RGB", (12 + width * PAGES_A_ROW, 12 + height * rows), "#d8d8d8")
    for number, page in enumerate(pages):
        row, column = divmod(number, PAGES_A_ROW)
        sheet.paste(page, (12 + width * column, 12 + height * row))
    save(sheet, "report-paper")


def notebook(known: list[str], questioned: str) -> str:
    """The cells with what a notebook shows of their last lines."""
    names: dict[str, Any] = {"known": known, "questioned": questioned}
    cells = []
    for number, code in enumerate(CELLS, 1):
        cells.append(CELL.format(f"In [{number}]:", Markup("<pre>{}</pre>").format(code)))
        *statements, last = code.split("\n")
        exec("\n".join(statements), names)
        if "=" in last:
            exec(last, names)
        else:
            shown = eval(last, names)
            cells.append(CELL.format(f"Out[{number}]:", Markup(shown._repr_html_())))
    return NOTEBOOK.format(Markup("").join(cells))


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    verifier = adhominem.load()
    known, questioned = SAMPLE["left"], SAMPLE["right"]
    explanation = verifier.explain_texts(known, questioned, genre="hotels")
    report = adhominem.render(explanation, form="html", cover=COVER)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        show(browser, report, "report-screen", 1280, 1700)
        show(browser, report, "report-phone", 390, 1500)
        show(browser, notebook(known, questioned[0]), "notebook", 1080, 1330)
        with serving() as address:
            page = browser.new_page(
                viewport={"width": 1280, "height": 900},
                color_scheme="light",
                reduced_motion="reduce",
            )
            page.set_default_timeout(120_000)
            page.goto(address)
            page.wait_for_selector("html[data-ready]")
            take_workbench(page)
        browser.close()
    take_paper(report)
    assert verifier.identity is not None
    pictures = sorted(IMAGES.glob("*.png"))
    record = {
        "model": asdict(verifier.identity),
        "sha256": {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in pictures},
    }
    write_whole(RECORD, json.dumps(record, indent=2) + "\n")


if __name__ == "__main__":
    main()
