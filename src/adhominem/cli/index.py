"""adhominem index"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adhominem.cli.options import Encoding, Force, Model

EXAMPLES = """
Examples:

  adhominem index candidates/ -o index

  adhominem index corpus -o index --each-text

  adhominem rank questioned.txt index --top 20
"""


def index(
    source: Annotated[
        Path, typer.Argument(help="Folder with texts of each candidate, or a corpus.")
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="Index folder.")],
    each_text: Annotated[
        bool, typer.Option("--each-text", help="Every text is a candidate, not every author.")
    ] = False,
    model: Model = None,
    encoding: Encoding = "utf-8",
    force: Force = False,
) -> None:
    """Read the texts of all candidates once, to be searched by `rank`. No text is kept."""
    from adhominem.cli.progress import Bar
    from adhominem.errors import InputError
    from adhominem.files import refuse_overwrite

    refuse_overwrite(output, force=force)
    if output.exists() and not (output / "index.json").is_file():
        raise InputError(f"{output} is not an index: --force replaces nothing else")
    from adhominem.bench.case.known import known_of

    known = known_of(source, each_text=each_text, encoding=encoding)
    from adhominem import load
    from adhominem.bench.case.index import write_index

    with Bar("reading") as bar:
        write_index(load(model), known, output, bar.update)
    print(f"{len(known.names):,} candidates, {sum(known.n_texts):,} texts in {output}")
