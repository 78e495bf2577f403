"""adhominem index: prepare many candidates for `adhominem rank`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adhominem.cli.options import Encoding, Force, Genre, KeepQuoted, Model, print_notes


def index(
    source: Annotated[
        Path, typer.Argument(help="Folder with texts of each candidate, or a corpus.")
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="Index folder.")],
    each_text: Annotated[
        bool, typer.Option("--each-text", help="Make every text a candidate, not every author.")
    ] = False,
    model: Model = None,
    genre: Genre = None,
    encoding: Encoding = "utf-8",
    keep_quoted: KeepQuoted = False,
    force: Force = False,
) -> None:
    """Prepare many candidates for fast searches with `rank`. Stores no text.

    \b
    Examples:
      adhominem index candidates/ -o index
      adhominem index corpus -o index --each-text
      adhominem rank questioned.txt index --top 20
    """
    from adhominem import load
    from adhominem.bench.case.index import DESCRIPTION, write_index
    from adhominem.bench.case.texts import read_known
    from adhominem.cli.progress import Bar
    from adhominem.files import check_writable

    check_writable(output, force=force, folder_with=DESCRIPTION)
    known = read_known(source, each_text=each_text, encoding=encoding, keep_quoted=keep_quoted)
    with Bar("reading") as bar:
        write_index(load(model), known, output, bar.update, genre=genre)
    print_notes(known.notes)
    print(f"{len(known.names):,} candidates, {sum(known.n_texts):,} texts in {output}")
