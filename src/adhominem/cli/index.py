"""adhominem index: prepare many candidates for `adhominem rank`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adhominem.cli import options
from adhominem.cli.options import Encoding, Force, Genre, KeepQuoted, Model, print_notes


def index(
    sources: options.TextSources,
    output: Annotated[Path, typer.Option("-o", "--output", help="Index folder.")],
    each_text: Annotated[
        bool, typer.Option("--each-text", help="Make every text a candidate, not every author.")
    ] = False,
    author: options.AuthorColumn = None,
    text: options.TextColumn = None,
    model: Model = None,
    genre: Genre = None,
    encoding: Encoding = "utf-8",
    keep_quoted: KeepQuoted = False,
    workers: options.Workers = 1,
    cluster: options.Cluster = None,
    force: Force = False,
) -> None:
    """Prepare many candidates for fast searches with `rank`. Stores no text.

    \b
    Examples:
      adhominem index candidates/ -o index
      adhominem index corpus -o index --each-text
      adhominem index posts.jsonl.gz --author user --text body -o index --workers 8
      adhominem rank questioned.txt index --top 20

    After an interruption the same command continues.
    """
    from adhominem import load
    from adhominem.bench.case.building import build_index
    from adhominem.bench.case.index import DESCRIPTION, QUARANTINE, write_index
    from adhominem.bench.case.texts import read_known
    from adhominem.cli.progress import Bar
    from adhominem.files import check_writable
    from adhominem.laboratory.corpus.build.engine import Engine
    from adhominem.laboratory.corpus.settings import Columns

    check_writable(output, force=force, folder_with=DESCRIPTION)
    notes: list[str] = []
    folder = Path(sources[0])
    if len(sources) == 1 and folder.is_dir() and not (folder / "manifest.json").is_file():
        reading = {"encoding": encoding, "keep_quoted": keep_quoted}
        known = read_known(folder, notes, each_text=each_text, **reading)
        counts = write_index(load(model), known, output, genre)
    else:
        with Bar("looking") as bar:
            counts = build_index(
                sources,
                output,
                Columns(author, "", text),
                Engine(workers, cluster),
                bar.stage,
                model=options.absolute(model),
                genre=genre,
                each_text=each_text,
            )
        if n_bad := sum(counts["rejected"].values()):
            notes.append(f"{n_bad:,} lines could not be read: see {output / QUARANTINE}")
    print_notes(notes)
    print(f"{counts['candidates']:,} candidates, {counts['texts']:,} texts in {output}")
