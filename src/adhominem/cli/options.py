"""Options that several verbs share, and the steps that go with them."""

from __future__ import annotations

import gc
import inspect
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from adhominem.instrument.verifier import Verifier
    from adhominem.records import Document

Left = Annotated[
    Path | None,
    typer.Argument(metavar="KNOWN", help="A text of known author, or - for standard input."),
]
Right = Annotated[
    Path | None, typer.Argument(metavar="QUESTIONED", help="A text of questioned author.")
]
Known = Annotated[
    list[Path] | None,
    typer.Option("--known", "--also-left", metavar="FILE", help="A known text. Repeatable."),
]
Questioned = Annotated[
    list[Path] | None,
    typer.Option(
        "--questioned", "--also-right", metavar="FILE", help="A questioned text. Repeatable."
    ),
]
Model = Annotated[
    str | None, typer.Option(help="Model folder or name; default: the shipped model.")
]
ModelArgument = Annotated[
    str, typer.Argument(metavar="MODEL", help="Model folder, or the name of a shipped model.")
]
Genre = Annotated[
    str | None,
    typer.Option(
        help="Genre of the texts, one of those that `adhominem model list` shows. Without it, "
        "texts of a genre that the model does not recognise get cautious answers."
    ),
]
_MOST_REFERENCES = 2_000  # more say nothing new of a kind
Reference = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="PATH",
        help="Texts of the same kind by anybody, 50 or more: a folder, or a .jsonl, .csv or "
        ".parquet file with a column `text`. Repeatable.",
    ),
]
Encoding = Annotated[str, typer.Option(help="Encoding of the text files.")]
KeepQuoted = Annotated[
    bool,
    typer.Option(
        "--keep-quoted",
        help="Keep quoted replies, forwarded messages, block quotes and signatures, which are left "
        "out by default.",
    ),
]
PageOutput = Annotated[
    Path | None, typer.Option("-o", "--output", help="Write a page (.html) or data (.json).")
]
JsonOutput = Annotated[
    Path | None, typer.Option("-o", "--output", help="Write the figures to this JSON file.")
]
Title = Annotated[str, typer.Option(help="Title of the report.")]
CaseName = Annotated[str, typer.Option("--case", help="Name or number of the case.")]
Examiner = Annotated[str, typer.Option(help="Who made the examination.")]
Date = Annotated[str, typer.Option(help="Date of the report, as it is to be printed.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite existing output.")]
Split = Annotated[
    Literal["train", "dev", "test"], typer.Option(help="Take the authors of this split.")
]
Fold = Annotated[
    int | None, typer.Option(help="Take the authors of this fold instead of a split.", min=0)
]
TextSources = Annotated[
    list[str],
    typer.Argument(
        metavar="SOURCE...",
        help="Folder with texts of each author; or corpora, and files or globs as for a corpus: "
        "csv, jsonl, parquet (plain, .gz, .zst, .xz, .bz2).",
    ),
]
AuthorColumn = Annotated[str | None, typer.Option(help="Column of the author.")]
TextColumn = Annotated[str | None, typer.Option(help="Column of the text.")]
Workers = Annotated[int, typer.Option(help="Number of processes.", min=1)]
Cluster = Annotated[
    str | None, typer.Option(help="Address of a Ray cluster, or 'local' to start one.")
]
Device = Annotated[str, typer.Option(help="cpu or cuda.")]
Vectors = Annotated[
    list[Path] | None,
    typer.Option(help="Word vectors: fastText .bin or .vec, GloVe text. Repeatable: all are used."),
]


def with_quiet(verb: Callable[..., None], note: str = "") -> Callable[..., None]:
    """The verb with an option --quiet; without it, a note is printed to stderr first."""
    quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Show no progress and no hints.")]

    @wraps(verb)
    def call(*, quiet: bool = False, **values: Any) -> None:
        from adhominem.cli import progress

        progress.is_quiet = quiet
        if note and not quiet:
            print(f"adhominem: {note}", file=sys.stderr)
        verb(**values)

    signature, kind = inspect.signature(verb, eval_str=True), inspect.Parameter.KEYWORD_ONLY
    own = inspect.Parameter("quiet", kind, default=False, annotation=quiet)
    call.__annotations__ = {**verb.__annotations__, "quiet": quiet}
    parameters = [*signature.parameters.values(), own]
    call.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return call


def absolute(model: str | None) -> str | None:
    """The model as another process finds it."""
    return str(Path(model).absolute()) if model is not None and Path(model).exists() else model


def side_files(
    left: Path | None, right: Path | None, known: list[Path] | None, questioned: list[Path] | None
) -> tuple[list[Path], list[Path]]:
    """The files of both sides; the first may stand as arguments, the others as options."""
    if left is not None and right is None and known and not questioned:
        left, right = None, left  # one argument beside --known is the questioned text
    sides = [left, *(known or [])], [right, *(questioned or [])]
    files = [[path for path in side if path is not None] for side in sides]
    if not all(files):
        raise typer.BadParameter(
            "two texts are needed: KNOWN QUESTIONED, or --known FILE --questioned FILE"
        )
    return files[0], files[1]


def check_output(
    output: Path | None,
    endings: tuple[str, ...],
    *,
    force: bool,
    has_reference: bool = False,
) -> None:
    """Refuse an output file of an unknown kind, one that cannot be written, or a bundle with
    reference texts, before any work."""
    from adhominem.files import check_writable

    if output is not None and output.suffix not in endings:
        *others, last = endings
        raise typer.BadParameter(f"{output.name} must end in {', '.join(others)} or {last}")
    if has_reference and output is not None and output.suffix == ".zip":
        raise typer.BadParameter("a bundle holds no reference texts: write .html, .pdf or .json")
    check_writable(output, force=force)


def read_side(files: list[Path], *, encoding: str, keep_quoted: bool = False) -> list[Document]:
    """Read the texts of one side."""
    from adhominem.instrument.documents.read import read_documents

    return [
        document
        for path in files
        for document in read_documents(path, encoding=encoding, keep_quoted=keep_quoted)
    ]


def load_verifier(
    model: str | None, reference: list[Path] | None = None, *, encoding: str = "utf-8"
) -> Verifier:
    """Load a model, with reference texts if there are any."""
    from adhominem import load

    verifier = load(model)
    if not reference:
        return verifier
    texts = [text for path in reference for text in _reference_texts(path, encoding)]
    return verifier.with_reference(texts[:_MOST_REFERENCES])


def _reference_texts(path: Path, encoding: str) -> list[str]:
    from adhominem.errors import InputError
    from adhominem.instrument.documents.formats import FORMS, form_of
    from adhominem.instrument.documents.read import read_file

    if path.suffix == ".parquet":
        from adhominem.errors import optional_imports

        with optional_imports():
            from pyarrow import ArrowException, parquet
        try:
            column = parquet.read_table(path, columns=["text"])["text"].to_pylist()
        except (OSError, KeyError, ArrowException) as error:
            problem = str(error).splitlines()[0][:100]
            raise InputError(f"{path} cannot be read ({problem}): give a column 'text'") from None
        return [text for text in column if isinstance(text, str)]
    files = [path]
    if path.is_dir():
        files = [file for file in sorted(path.rglob("*")) if form_of(file.name) in FORMS]
        if not files:
            raise InputError(f"{path} has no text files: give a folder of reference texts")
    return [text.text for file in files for text in read_file(file, encoding=encoding).texts]


def read_plain(files: list[Path], *, encoding: str, keep_quoted: bool = False) -> list[str]:
    """Read the texts of one side for an answer that has no notes: these go to stderr."""
    documents = read_side(files, encoding=encoding, keep_quoted=keep_quoted)
    print_notes(note for document in documents for note in document.notes)
    return [document.text for document in documents]


def print_notes(notes: Iterable[object]) -> None:
    """Print notes on files to stderr."""
    from adhominem.instrument.report.plain_text import visible

    for note in notes:
        print(f"adhominem: {visible(str(note))}", file=sys.stderr)


@contextmanager
def without_collection() -> Iterator[None]:
    """Garbage collection is off in the block and never looks at what the block made: imports and a
    model stay to the end of the process, and searching them for garbage would take long."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def write_report(output: Path, content: str | bytes) -> None:
    """Write a file, a page for .pdf as a browser prints it, and print its name."""
    from adhominem.files import write_whole
    from adhominem.instrument.report.printing import print_page

    if output.suffix == ".pdf" and isinstance(content, str):
        content = print_page(content)
    write_whole(output, content)
    print(output)


def print_report(
    report: dict[str, Any],
    as_text: Callable[[dict[str, Any]], str],
    *,
    as_json: bool,
    output: Path | None = None,
) -> None:
    """Print figures as JSON or as text, and write them as JSON if an output file was given."""
    from adhominem.files import write_whole
    from adhominem.instrument.report.plain_text import visible_lines

    data = json.dumps(report, indent=2)
    if output is not None:
        write_whole(output, data + "\n")
    print(data if as_json else visible_lines(as_text(report)))
