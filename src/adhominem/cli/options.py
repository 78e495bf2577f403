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


def read_side(first: Path, others: list[Path] | None, *, encoding: str) -> list[str]:
    from adhominem.text.read import read_text

    return [read_text(path, encoding=encoding) for path in (first, *(others or []))]
