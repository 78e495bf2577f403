"""Options that several verbs share, and the steps that go with them."""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from adhominem.records import Document

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
KeepQuoted = Annotated[
    bool,
    typer.Option(
        "--keep-quoted",
        help="Keep quoted replies, forwarded messages, block quotes and signatures, which are left "
        "out by default.",
    ),
]
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
    """Refuse an output file of an unknown kind, or one that exists, before any work is done."""
    from adhominem.files import refuse_overwrite

    if output is not None and output.suffix not in endings:
        *others, last = endings
        raise typer.BadParameter(f"{output.name} must end in {', '.join(others)} or {last}")
    refuse_overwrite(output, force=force)


def read_side(
    first: Path, others: list[Path] | None, *, encoding: str, keep_quoted: bool = False
) -> list[Document]:
    """Read the texts of one side."""
    from adhominem.instrument.documents.read import read_documents

    return [
        document
        for path in (first, *(others or []))
        for document in read_documents(path, encoding=encoding, keep_quoted=keep_quoted)
    ]


def read_plain(path: Path, *, encoding: str, keep_quoted: bool = False) -> list[str]:
    """Read the texts of one author for an answer that has no notes: these go to stderr."""
    documents = read_side(path, None, encoding=encoding, keep_quoted=keep_quoted)
    print_notes(note for document in documents for note in document.notes)
    return [document.text for document in documents]


def print_notes(notes: Iterable[object]) -> None:
    """Print notes on files to stderr."""
    for note in notes:
        print(f"adhominem: {note}", file=sys.stderr)


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

    data = json.dumps(report, indent=2)
    if output is not None:
        write_whole(output, data + "\n")
    print(data if as_json else as_text(report))
