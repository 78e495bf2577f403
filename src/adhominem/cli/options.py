"""Options that several verbs share, and the steps that go with them."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

Left = Annotated[Path, typer.Argument(help="A text file, or - for standard input.")]
Right = Annotated[Path, typer.Argument(help="The other text file.")]
AlsoLeft = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE", help="Another text by the author of LEFT. Repeatable."),
]
AlsoRight = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE", help="Another text by the author of RIGHT. Repeatable."),
]
Model = Annotated[
    str | None, typer.Option(help="Model folder or name; default: the shipped model.")
]
ModelArgument = Annotated[
    str, typer.Argument(metavar="MODEL", help="Model folder, or the name of a shipped model.")
]
Genre = Annotated[
    str | None,
    typer.Option(
        help="Genre of the texts, one of those that `adhominem models` lists. Without it, texts "
        "of a genre that the model does not recognise get cautious answers."
    ),
]
Encoding = Annotated[str, typer.Option(help="Encoding of the text files.")]
PageOutput = Annotated[
    Path | None, typer.Option("-o", "--output", help="Write a page (.html) or data (.json).")
]
JsonOutput = Annotated[
    Path | None, typer.Option("-o", "--output", help="Write the figures to this JSON file.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite existing output.")]
Device = Annotated[str, typer.Option(help="cpu or cuda.")]
Vectors = Annotated[
    list[Path] | None,
    typer.Option(help="Word vectors: fastText .bin or .vec, GloVe text. Repeatable: all are used."),
]


def check_output(output: Path | None, endings: tuple[str, ...], *, force: bool) -> None:
    """Refuse an output file of an unknown kind, or one that cannot be written, before any work."""
    from adhominem.files import check_writable

    if output is not None and output.suffix not in endings:
        *others, last = endings
        raise typer.BadParameter(f"{output.name} must end in {', '.join(others)} or {last}")
    check_writable(output, force=force)


def read_side(first: Path, others: list[Path] | None, *, encoding: str) -> list[str]:
    """Read the texts of one side."""
    from adhominem.instrument.text.read import read_text

    return [read_text(path, encoding=encoding) for path in (first, *(others or []))]


@contextmanager
def without_collection() -> Iterator[None]:
    """Garbage collection is off in the block and never looks at what the block made: imports and a
    model stay to the end of the process, and searching them for garbage would take long."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def print_report(
    report: dict[str, Any],
    as_text: Callable[[dict[str, Any]], str],
    *,
    as_json: bool,
    output: Path | None = None,
) -> None:
    """Print figures as JSON or as text, and write them as JSON if an output file was given."""
    from adhominem.files import write_whole
    from adhominem.instrument.report.plain_text import visible_lines

    data = json.dumps(report, indent=2)
    if output is not None:
        write_whole(output, data + "\n")
    print(data if as_json else visible_lines(as_text(report)))
