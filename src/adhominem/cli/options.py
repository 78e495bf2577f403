"""Options that several verbs share, and functions that check and write output."""

import gc
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from typer import Argument, Option

from adhominem.instrument.report.plain_text import visible, visible_lines

Model = Annotated[str | None, Option(help="Model folder or name; default: the shipped model.")]
ModelArgument = Annotated[str, Argument(metavar="MODEL", help="Model folder or name.")]
Genre = Annotated[
    str | None,
    Option(
        help="Genre of the texts (see `adhominem model list`). Without it, texts of a genre that "
        "the model does not recognise get cautious answers."
    ),
]
Reference = Annotated[
    list[Path] | None,
    Option(
        metavar="PATH",
        help="Reference texts of the same kind by any authors, 50 or more: a folder, or a .jsonl, "
        ".csv or .parquet file with a column `text`. Repeatable.",
    ),
]
Encoding = Annotated[str, Option(help="Encoding of the text files.")]
KeepQuoted = Annotated[
    bool, Option("--keep-quoted", help="Keep quoted replies, forwards, block quotes, signatures.")
]
ReportOutput = Annotated[
    Path | None, Option("-o", "--output", help="Report (.html, .pdf, .json) or bundle (.zip).")
]
REPORTS = (".html", ".pdf", ".json", ".zip")
AsJson = Annotated[bool, Option("--json", help="Print JSON.")]
Force = Annotated[bool, Option("--force", help="Overwrite existing output.")]
Split = Annotated[Literal["train", "dev", "test"], Option(help="Take the authors of this split.")]
Fold = Annotated[int | None, Option(help="Take the authors of this fold, not of a split.", min=0)]
AuthorColumn = Annotated[str | None, Option(help="Column of the author.")]
TextColumn = Annotated[str | None, Option(help="Column of the text.")]
Workers = Annotated[int, Option(help="Number of processes.", min=1)]
Cluster = Annotated[str | None, Option(help="Address of a Ray cluster, or 'local' to start one.")]
Device = Annotated[str, Option(help="cpu or cuda.")]
Vectors = Annotated[
    list[Path] | None, Option(help="Word vectors: fastText .bin or .vec, GloVe text. Repeatable.")
]


def check_output(
    output: Path | None, endings: tuple[str, ...], *, force: bool, has_reference: bool = False
) -> None:
    """Refuse an unknown file ending, an unwritable file, and a bundle with reference texts."""
    from adhominem.files import check_writable

    if output is not None and output.suffix not in endings:
        *others, last = endings
        raise typer.BadParameter(f"{output.name} must end in {', '.join(others)} or {last}")
    if has_reference and output is not None and output.suffix == ".zip":
        raise typer.BadParameter("a bundle holds no reference texts: write .html, .pdf or .json")
    check_writable(output, force=force)


def print_notes(notes: Iterable[object]) -> None:
    """Print notes on files to stderr."""
    for note in notes:
        print(f"adhominem: {visible(str(note))}", file=sys.stderr)


@contextmanager
def without_collection() -> Iterator[None]:
    """Switch garbage collection off in the block and exempt the objects it created: imports and a
    model live until the end, and scanning them is slow."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def write_report(output: Path, content: str | bytes) -> None:
    """Write a file and print its name; a .pdf is the page as printed by a browser."""
    from adhominem.files import write_whole
    from adhominem.instrument.report.render import print_page

    if output.suffix == ".pdf" and isinstance(content, str):
        content = print_page(content)
    write_whole(output, content)
    print(output)


def print_report(
    report: dict[str, Any],
    as_text: Callable[..., str],
    *,
    as_json: bool,
    output: Path | None = None,
) -> None:
    """Print a report as JSON or as text, and write it as JSON to the output file, if any."""
    from adhominem.files import write_whole

    data = json.dumps(report, indent=2)
    if output is not None:
        write_whole(output, data + "\n")
    print(data if as_json else visible_lines(as_text(report)))
