"""adhominem corpus build, describe and pairs"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adhominem.cli.options import AsJson

BUILD_EXAMPLES = """
Examples:

  adhominem corpus build reviews_*.json.gz -o corpus

  adhominem corpus build posts.csv --author user --topic forum --text body -o corpus

  adhominem corpus build letters/ --min-tokens 50 -o corpus

  adhominem corpus build dump.jsonl.zst --workers 16 --cluster ray://head:10001 -o corpus
"""
app = typer.Typer(
    help="From raw dumps to a corpus of documents with authors, and to pairs.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command(epilog=BUILD_EXAMPLES)
def build(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...",
            help="Files, folders or globs: Amazon and PAN dumps, csv, tsv, jsonl, parquet "
            "(plain, .gz, .zst, .xz, .bz2), folders author/*.txt.",
        ),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="Corpus folder.")],
    author: Annotated[str | None, typer.Option(help="Column of the author.")] = None,
    topic: Annotated[str | None, typer.Option(help="Column of the topic.")] = None,
    text: Annotated[str | None, typer.Option(help="Column of the text.")] = None,
    min_tokens: Annotated[int, typer.Option(help="Shortest document.")] = 80,
    max_tokens: Annotated[int, typer.Option(help="Longest document.")] = 1000,
    min_documents: Annotated[int, typer.Option(help="Fewest documents of an author.")] = 2,
    max_documents: Annotated[int, typer.Option(help="Most documents of an author.")] = 100,
    any_language: Annotated[
        bool, typer.Option("--any-language", help="Keep texts that are not English.")
    ] = False,
    folds: Annotated[int, typer.Option(help="Folds for cross-validation.")] = 5,
    seed: Annotated[int, typer.Option(help="Decides splits, folds, caps and pairs.")] = 1,
    workers: Annotated[int, typer.Option(help="Processes.", min=1)] = 2,
    cluster: Annotated[
        str | None, typer.Option(help="Address of a Ray cluster, or 'local' to start one.")
    ] = None,
    as_json: AsJson = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing corpus.")] = False,
) -> None:
    """Build a corpus; the same command goes on after an interruption."""
    import json

    from adhominem.cli.progress import Bar
    from adhominem.corpus.build.build import build_corpus
    from adhominem.corpus.build.engine import Engine
    from adhominem.corpus.build.settings import BuildSettings
    from adhominem.corpus.readers.sources import Columns
    from adhominem.report.corpus_text import funnel_text

    settings = BuildSettings(
        columns=Columns(author, topic, text),
        english_only=not any_language,
        min_tokens=min_tokens,
        max_tokens=max_tokens,
        min_documents=min_documents,
        max_documents=max_documents,
        folds=folds,
        seed=seed,
    )
    with Bar("looking") as bar:
        manifest = build_corpus(
            sources,
            output,
            settings,
            engine=Engine(workers, cluster),
            force=force,
            progress=bar.stage,
        )
    print(json.dumps(manifest, indent=2) if as_json else funnel_text(manifest))
