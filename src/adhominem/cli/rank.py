"""adhominem rank"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from adhominem.cli.options import AsJson, Encoding, Genre, Model

EXAMPLES = """
Examples:

  adhominem rank questioned.txt candidates/

  adhominem rank questioned.txt candidates/ --json

  adhominem rank questioned.txt index/ --top 20 --prior 0.1

The folder holds a file or a folder of files for each candidate: candidates/smith.txt,
candidates/jones/letter1.txt, candidates/jones/letter2.txt. Or it is an index of them.
"""


def rank(
    questioned: Annotated[Path, typer.Argument(help="The text whose author is sought.")],
    candidates: Annotated[
        Path, typer.Argument(help="Folder with texts of each candidate, or an index.")
    ],
    top: Annotated[
        int | None, typer.Option(min=1, help="List so many; of an index 20 by default.")
    ] = None,
    prior: Annotated[
        float | None,
        typer.Option(
            help="Probability beforehand that it was one of them: 0.5 for an index; by default "
            "each candidate is as probable as none."
        ),
    ] = None,
    model: Model = None,
    genre: Genre = None,
    encoding: Encoding = "utf-8",
    as_json: AsJson = False,
) -> None:
    """Which of several authors wrote a text, if any of them did."""
    from adhominem.bench.case.known import candidate_files
    from adhominem.instrument.text.read import read_text

    text = read_text(questioned, encoding=encoding)
    indexed = (candidates / "index.json").is_file()
    known = {
        name: [read_text(path, encoding=encoding) for path in paths]
        for name, paths in ({} if indexed else candidate_files(candidates)).items()
    }
    from adhominem import load
    from adhominem.instrument.report.as_json import ranking_dict
    from adhominem.instrument.report.ranking_text import ranking_text

    verifier = load(model)
    if indexed:
        from adhominem.bench.case.index import open_index
        from adhominem.bench.case.search import EVEN, search

        index = open_index(candidates, verifier)
        beforehand = EVEN if prior is None else prior
        ranking = search(verifier, text, index, top=top or 20, prior=beforehand, genre=genre)
    else:
        from adhominem.instrument.evidence.attribution import rank as rank_candidates

        ranking = rank_candidates(verifier, text, known, prior=prior, genre=genre)
        ranking = ranking if top is None else ranking.best(top)
    print(json.dumps(ranking_dict(ranking), indent=2) if as_json else ranking_text(ranking))
