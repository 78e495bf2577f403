"""Options that several verbs share, and the texts that they name."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

AlsoLeft = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE", help="Another text by the author of LEFT. Repeat for more."),
]
AlsoRight = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE", help="Another text by the author of RIGHT."),
]
Model = Annotated[
    str | None, typer.Option(help="Model folder or name; the shipped one by default.")
]
Genre = Annotated[
    str | None,
    typer.Option(
        help="What kind of texts these are, where you know it: a genre of the model (see "
        "`adhominem models`). Answers are more cautious where the kind is not known."
    ),
]
Encoding = Annotated[str, typer.Option(help="Encoding of the text files.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite the output file.")]


def check_output(output: Path | None, endings: tuple[str, ...], *, force: bool) -> None:
    """Before any work is done: a kind of file that can be written, and none that is there."""
    from adhominem.files import refuse_overwrite

    if output is None:
        return
    if output.suffix not in endings:
        *others, last = endings
        raise typer.BadParameter(f"{output.name} must end in {', '.join(others)} or {last}")
    refuse_overwrite(output, force=force)


def read_side(first: Path, others: list[Path] | None, *, encoding: str) -> list[str]:
    from adhominem.instrument.text.read import read_text

    return [read_text(path, encoding=encoding) for path in (first, *(others or []))]
