"""adhominem corpus: build, describe and pairs."""

from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from adhominem.cli import options
from adhominem.cli.progress import Bar


class _Default:
    """Default of a corpus setting, looked up when needed so that start-up loads no laboratory."""

    def __init__(self, setting: str) -> None:
        self.setting = setting

    def __call__(self) -> Any:
        from adhominem.laboratory.corpus import CorpusSettings

        return getattr(CorpusSettings(), self.setting)

    def __str__(self) -> str:
        return str(self())


CorpusFolder = Annotated[Path, Argument(metavar="CORPUS", help="Corpus folder.")]


def build(
    sources: list[str] = Argument(
        metavar="SOURCE...",
        help="Files, folders or globs: Amazon and PAN dumps, csv, tsv, jsonl, parquet "
        "(plain, .gz, .zst, .xz, .bz2), folders author/*.txt.",
    ),
    output: Path = Option(..., "-o", "--output", help="Corpus folder."),
    author: options.AuthorColumn = None,
    topic: str | None = Option(None, help="Column of the topic."),
    text: options.TextColumn = None,
    min_tokens: int = Option(_Default("min_tokens"), help="Fewest tokens of a document."),
    max_tokens: int = Option(_Default("max_tokens"), help="Most tokens of a document."),
    min_documents: int = Option(_Default("min_documents"), help="Fewest documents of an author."),
    max_documents: int = Option(_Default("max_documents"), help="Most documents of an author."),
    any_language: bool = Option(False, help="Keep texts that are not English."),
    folds: int = Option(_Default("folds"), help="Number of folds for cross-validation."),
    seed: int = Option(_Default("seed"), help="Seed of splits, folds, caps and pairs."),
    workers: options.Workers = 2,
    cluster: options.Cluster = None,
    as_json: options.AsJson = False,
    force: options.Force = False,
) -> None:
    """Build a corpus. After an interruption the same command continues.

    \b
    Examples:
      adhominem corpus build reviews_*.json.gz -o corpus
      adhominem corpus build posts.csv --author user --topic forum --text body -o corpus
      adhominem corpus build letters/ --min-tokens 50 -o corpus
      adhominem corpus build dump.jsonl.zst --workers 16 --cluster ray://head:10001 -o corpus
    """
    from adhominem.laboratory.corpus import CorpusSettings
    from adhominem.laboratory.corpus.build import build_corpus
    from adhominem.laboratory.corpus.build.engine import Engine
    from adhominem.laboratory.report.corpus import funnel_text

    settings = CorpusSettings(
        author=author,
        topic=topic,
        text=text,
        english_only=not any_language,
        min_tokens=min_tokens,
        max_tokens=max_tokens,
        min_documents=min_documents,
        max_documents=max_documents,
        folds=folds,
        seed=seed,
    )
    asked, engine = (sources, output, settings), Engine(workers, cluster)
    with Bar("looking") as bar:
        manifest = build_corpus(*asked, engine=engine, force=force, progress=bar.stage)
    options.print_report(manifest, funnel_text, as_json=as_json)


def describe(
    folder: CorpusFolder,
    html: Path | None = Option(None, help="Write a page with figures to this file."),
    no_texts: bool = Option(False, help="Leave out the example sentences."),
    as_json: options.AsJson = False,
    force: options.Force = False,
) -> None:
    """Describe a corpus. Its documents, the steps of its build and possible leaks.

    \b
    Examples:
      adhominem corpus describe corpus
      adhominem corpus describe corpus --html corpus.html
      adhominem corpus describe corpus --no-texts --json
    """
    from adhominem.files import check_writable, write_whole
    from adhominem.laboratory.corpus.describe import describe_corpus, without_texts
    from adhominem.laboratory.corpus.store import Corpus
    from adhominem.laboratory.report.corpus import corpus_page, describe_text

    check_writable(html, force=force)
    with Bar("looking for leaks") as bar:
        description = describe_corpus(Corpus.open(folder), bar.stage)
    if no_texts:
        description = without_texts(description)
    if html is not None:
        write_whole(html, corpus_page(description))
    options.print_report(description, describe_text, as_json=as_json)


def pairs(
    folder: CorpusFolder,
    output: Path = Option(..., "-o", "--output", help="Pairs file (.jsonl, .jsonl.gz)."),
    split: options.Split = "test",
    fold: options.Fold = None,
    epoch: int = Option(0, help="Number of the draw; each pairs the documents anew.", min=0),
    seed: int | None = Option(None, help="Default: the seed of the corpus."),
    most: int | None = Option(None, help="Most pairs per cell.", min=1),
    force: options.Force = False,
) -> None:
    """Draw pairs of texts, equally many in each (same author, same topic) cell.

    \b
    Examples:
      adhominem corpus pairs corpus -o test.jsonl.gz
      adhominem corpus pairs corpus --fold 0 --most 2000 -o fold-0.jsonl.gz
    """
    from adhominem.files import check_writable
    from adhominem.instrument.pair_files import write_pairs
    from adhominem.laboratory.corpus.store import Corpus

    opened = Corpus.open(folder)
    settings = opened.manifest["settings"]
    if fold is not None and fold >= settings["folds"]:
        raise typer.BadParameter(f"the corpus has the folds 0 to {settings['folds'] - 1}")
    check_writable(output, force=force)
    documents = opened.labels.indices(split, fold=fold)
    seed = settings["seed"] if seed is None else seed
    table = opened.labels.draw(documents, seed=seed, epoch=epoch)
    if most is not None:
        table = table.at_most(most)
    drawn = opened.pairs(table, prefix=split if fold is None else f"fold-{fold}")
    print(f"{write_pairs(drawn, output):,} pairs in {output}")
