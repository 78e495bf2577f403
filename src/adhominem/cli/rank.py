"""adhominem rank, index: which of several authors wrote a text."""

import json
from collections.abc import Iterator
from pathlib import Path

from typer import Argument, Option

from adhominem.cli import options
from adhominem.cli.options import Judge, Machines
from adhominem.cli.progress import Bar


def rank(
    *,
    questioned: Path = Argument(help="The text of unknown author."),
    candidates: Path = Argument(help="Folder with texts of each candidate, or an index."),
    top: int | None = Option(None, min=1, help="List the best N only; default for an index: 20."),
    prior: float = Option(0.5, help="Prior probability that one of the candidates wrote it."),
    judge: Judge,
    as_json: options.AsJson = False,
) -> None:
    """Rank the candidate authors of one text. The answer may be none of them.

    \b
    Examples:
      adhominem rank questioned.txt candidates/
      adhominem rank questioned.txt candidates/ --json
      adhominem rank questioned.txt index/ --top 20 --prior 0.1

    The folder holds a file or a folder of files for each candidate: candidates/smith.txt,
    candidates/jones/letter1.txt, candidates/jones/letter2.txt. `adhominem index` makes an index.
    """
    from adhominem.instrument.report.as_json import ranking_dict
    from adhominem.instrument.report.render import ranking_text

    text, verifier = judge.texts([questioned]), judge.verifier()
    if (candidates / "index.json").is_file():
        from adhominem.bench.case.index import open_index
        from adhominem.bench.case.search import search

        index = open_index(candidates, verifier)
        ranking = search(verifier, text, index, top=top or 20, prior=prior, genre=judge.genre)
    else:
        from adhominem.instrument.evidence.attribution import rank as rank_candidates

        known = dict(_candidates(candidates, judge))
        ranking = rank_candidates(verifier, text, known, prior=prior, genre=judge.genre)
        ranking = ranking if top is None else ranking.best(top)
    print(json.dumps(ranking_dict(ranking), indent=2) if as_json else ranking_text(ranking))


def _candidates(
    folder: Path, judge: Judge, *, each_text: bool = False
) -> Iterator[tuple[str, list[str]]]:
    """Read the candidates of a folder, or with `each_text` their texts one by one."""
    from adhominem.bench.case.texts import candidate_files

    for name, paths in candidate_files(folder).items():
        if each_text:
            for path in paths:
                documents = judge.documents([path])
                options.print_notes(documents[0].notes)
                for document in documents:
                    own = document.id if len(documents) > 1 else path.name
                    yield f"{name}/{own}", [document.text]
        else:
            yield name, judge.texts(paths)


def index(
    *,
    sources: list[str] = Argument(
        metavar="SOURCE...",
        help="Folder with texts of each author; or corpora, and files or globs as for a corpus: "
        "csv, jsonl, parquet (plain, .gz, .zst, .xz, .bz2).",
    ),
    output: Path = Option(..., "-o", "--output", help="Index folder."),
    each_text: bool = Option(
        False,
        help="Make every text a candidate, not every author; several texts of a file are several "
        "candidates.",
    ),
    author: options.AuthorColumn = None,
    text: options.TextColumn = None,
    model: options.Model = None,
    genre: options.Genre = None,
    encoding: options.Encoding = "utf-8",
    keep_quoted: options.KeepQuoted = False,
    machines: Machines,
    force: options.Force = False,
) -> None:
    """Prepare many candidates for fast searches with `rank`. Stores no text.

    \b
    Examples:
      adhominem index candidates/ -o index
      adhominem index corpus -o index --each-text
      adhominem index posts.jsonl.gz --author user --text body --each-text -o index --workers 8
      adhominem rank questioned.txt index --top 20

    After an interruption the same command continues; only a folder is read again from the start.
    """
    from adhominem.bench.case.building import build_index
    from adhominem.bench.case.index import DESCRIPTION, QUARANTINE, write_index
    from adhominem.files import check_writable

    check_writable(output, force=force, folder_with=DESCRIPTION)
    judge = Judge(model, genre, None, encoding, keep_quoted)
    folder = Path(sources[0])
    if len(sources) == 1 and folder.is_dir() and not (folder / "manifest.json").is_file():
        known = _candidates(folder, judge, each_text=each_text)
        counts = write_index(judge.verifier(), known, output, genre)
    else:
        with Bar("looking") as bar:
            named = {"author": author, "text": text, "model": judge.place, "genre": genre}
            engine = machines.engine()
            counts = build_index(sources, output, engine, bar.stage, each_text=each_text, **named)
        if n_bad := sum(counts["rejected"].values()):
            lines = f"{n_bad:,} line{'s' * (n_bad != 1)}"
            options.print_notes([f"{lines} could not be read: see {output / QUARANTINE}"])
    print(f"{counts['candidates']:,} candidates, {counts['texts']:,} texts in {output}")
