"""adhominem rank"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from adhominem.cli.options import AsJson, Encoding, Model

EXAMPLES = """
Examples:

  adhominem rank questioned.txt candidates/

  adhominem rank questioned.txt candidates/ --json

The folder holds a file or a folder of files for each candidate: candidates/smith.txt,
candidates/jones/letter1.txt, candidates/jones/letter2.txt.
"""


def rank(
    questioned: Annotated[Path, typer.Argument(help="The text whose author is sought.")],
    candidates: Annotated[Path, typer.Argument(help="Folder with texts of each candidate.")],
    model: Model = None,
    encoding: Encoding = "utf-8",
    as_json: AsJson = False,
) -> None:
    """Which of several authors wrote a text, if any of them did."""
    from adhominem.text.read import read_text

    text = read_text(questioned, encoding=encoding)
    known = {
        name: [read_text(path, encoding=encoding) for path in paths]
        for name, paths in _candidates(candidates).items()
    }
    from adhominem import load
    from adhominem.attribution import rank as rank_candidates
    from adhominem.report.as_json import ranking_dict
    from adhominem.report.ranking_text import ranking_text

    ranking = rank_candidates(load(model), text, known)
    print(json.dumps(ranking_dict(ranking), indent=2) if as_json else ranking_text(ranking))


def _candidates(folder: Path) -> dict[str, list[Path]]:
    from adhominem.errors import InputError

    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder: expected one with texts of each candidate")
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.iterdir()):
        if path.name.startswith("."):
            continue
        if path.is_dir():
            found[path.name] = sorted(
                p for p in path.rglob("*") if p.is_file() and p.name[0] != "."
            )
        else:
            found.setdefault(path.stem, []).append(path)
    if not found:
        raise InputError(f"{folder} is empty: expected a text or a folder of texts per candidate")
    return found
