"""adhominem rank: which of several authors wrote a text."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from adhominem.cli import options
from adhominem.cli.options import AsJson, Encoding, Genre, KeepQuoted, Model, read_plain


def rank(
    questioned: Annotated[Path, typer.Argument(help="The text of unknown author.")],
    candidates: Annotated[
        Path, typer.Argument(help="Folder with texts of each candidate, or an index.")
    ],
    top: Annotated[
        int | None, typer.Option(min=1, help="List the best N only; default for an index: 20.")
    ] = None,
    prior: Annotated[
        float, typer.Option(help="Prior probability that one of the candidates wrote it.")
    ] = 0.5,
    model: Model = None,
    genre: Genre = None,
    reference: options.Reference = None,
    encoding: Encoding = "utf-8",
    keep_quoted: KeepQuoted = False,
    as_json: AsJson = False,
) -> None:
    """Rank the candidate authors of one text. None of them is an answer too.

    \b
    Examples:
      adhominem rank questioned.txt candidates/
      adhominem rank questioned.txt candidates/ --json
      adhominem rank questioned.txt index/ --top 20 --prior 0.1

    The folder holds a file or a folder of files for each candidate: candidates/smith.txt,
    candidates/jones/letter1.txt, candidates/jones/letter2.txt. `adhominem index` makes an index.
    """
    from adhominem.bench.case.texts import candidate_files
    from adhominem.instrument.report.as_json import ranking_dict
    from adhominem.instrument.report.candidates import ranking_text

    read = partial(read_plain, encoding=encoding, keep_quoted=keep_quoted)
    text = read([questioned])
    verifier = options.load_verifier(model, reference, encoding=encoding)
    if (candidates / "index.json").is_file():
        from adhominem.bench.case.index import open_index
        from adhominem.bench.case.search import search

        index = open_index(candidates, verifier)
        ranking = search(verifier, text, index, top=top or 20, prior=prior, genre=genre)
    else:
        from adhominem.instrument.evidence.attribution import rank as rank_candidates

        known = {name: read(paths) for name, paths in candidate_files(candidates).items()}
        ranking = rank_candidates(verifier, text, known, prior=prior, genre=genre)
        ranking = ranking if top is None else ranking.best(top)
    print(json.dumps(ranking_dict(ranking), indent=2) if as_json else ranking_text(ranking))
