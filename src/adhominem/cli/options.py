"""Options that several verbs share, and the steps that go with them.

An option group is a dataclass: a verb that has a parameter of this type has the fields of the group
as options, and the group has the methods that need them.
"""

from __future__ import annotations

import gc
import inspect
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from adhominem.instrument.report.cover import Cover
    from adhominem.instrument.verifier import Verifier
    from adhominem.laboratory.corpus.build.engine import Engine
    from adhominem.records import Document

_MOST_REFERENCES = 2_000  # more say nothing new of a kind
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
ReportOutput = Annotated[
    Path | None,
    typer.Option("-o", "--output", help="Write a report (.html, .pdf, .json) or a bundle (.zip)."),
]
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


@dataclass(frozen=True, slots=True)
class Sides:
    """Two sides of one or more files; the first may stand as arguments, the others as options."""

    left: Annotated[
        Path | None,
        typer.Argument(metavar="KNOWN", help="A text of known author, or - for standard input."),
    ] = None
    right: Annotated[
        Path | None, typer.Argument(metavar="QUESTIONED", help="A text of questioned author.")
    ] = None
    known: Annotated[
        list[Path] | None,
        typer.Option("--known", "--also-left", metavar="FILE", help="A known text. Repeatable."),
    ] = None
    questioned: Annotated[
        list[Path] | None,
        typer.Option(
            "--questioned", "--also-right", metavar="FILE", help="A questioned text. Repeatable."
        ),
    ] = None

    @property
    def files(self) -> tuple[list[Path], list[Path]]:
        """The files of both sides."""
        left, right = self.left, self.right
        if left is not None and right is None and self.known and not self.questioned:
            left, right = None, left  # one argument beside --known is the questioned text
        sides = [left, *(self.known or [])], [right, *(self.questioned or [])]
        files = [[path for path in side if path is not None] for side in sides]
        if not all(files):
            raise typer.BadParameter(
                "two texts are needed: KNOWN QUESTIONED, or --known FILE --questioned FILE"
            )
        return files[0], files[1]


@dataclass(frozen=True, slots=True)
class Judge:
    """A model, what is known of the kind of texts, and how their files are read."""

    model: Model = None
    genre: Genre = None
    reference: Reference = None
    encoding: Encoding = "utf-8"
    keep_quoted: KeepQuoted = False

    @property
    def place(self) -> str | None:
        """The model as another process finds it."""
        here = self.model is not None and Path(self.model).exists()
        return str(Path(self.model or "").absolute()) if here else self.model

    def verifier(self) -> Verifier:
        return load_verifier(self.model, self.reference, encoding=self.encoding)

    def documents(self, files: Iterable[Path]) -> list[Document]:
        """Read the texts of one side."""
        from adhominem.instrument.documents.read import read_documents

        read = (
            read_documents(path, encoding=self.encoding, keep_quoted=self.keep_quoted)
            for path in files
        )
        return [document for documents in read for document in documents]

    def texts(self, files: Iterable[Path]) -> list[str]:
        """Read the texts of one side for an answer that has no notes: these go to stderr."""
        documents = self.documents(files)
        print_notes(note for document in documents for note in document.notes)
        return [document.text for document in documents]


@dataclass(frozen=True, slots=True)
class Machines:
    """Where many texts are read; by default in this process."""

    workers: Workers = 1
    cluster: Cluster = None

    def engine(self) -> Engine:
        from adhominem.laboratory.corpus.build.engine import Engine

        return Engine(self.workers, self.cluster)


@dataclass(frozen=True, slots=True)
class Stated:
    """What a person states about a report."""

    title: Annotated[str, typer.Option(help="Title of the report.")] = ""
    case: Annotated[str, typer.Option("--case", help="Name or number of the case.")] = ""
    examiner: Annotated[str, typer.Option(help="Who made the examination.")] = ""
    date: Annotated[str, typer.Option(help="Date of the report, as it is to be printed.")] = ""

    def cover(self, left: tuple[str, ...] = (), right: tuple[str, ...] = ()) -> Cover:
        """The cover of a report on texts with these names."""
        from adhominem.instrument.report.cover import Cover

        return Cover(self.title, self.case, self.examiner, self.date, left, right)


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures are printed as text or JSON, and written as JSON if an output file is given."""

    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write the figures to this JSON file.")
    ] = None
    as_json: AsJson = False
    force: Force = False

    def check(self, *files: Path | None, folder: Path | None = None) -> None:
        """Refuse output files, or a folder of figures, that cannot be written."""
        from adhominem.files import check_writable

        check_writable(self.output, *files, force=self.force)
        check_writable(folder and folder / "figure.svg", force=True)

    def print(self, report: dict[str, Any], as_text: Callable[[dict[str, Any]], str]) -> None:
        print_report(report, as_text, as_json=self.as_json, output=self.output)


def with_groups(verb: Callable[..., None], note: str = "") -> Callable[..., None]:
    """The verb with the fields of each option group in the place of the group, and an option
    --quiet; without it, a note is printed to stderr first."""
    groups: dict[str, Any] = {}
    parameters: dict[str, inspect.Parameter] = {}
    for name, parameter in inspect.signature(verb, eval_str=True).parameters.items():
        own = {name: parameter}
        if is_dataclass(parameter.annotation):
            groups[name] = parameter.annotation
            own = dict(inspect.signature(groups[name], eval_str=True).parameters)
        parameters |= own

    @wraps(verb)
    def call(*, quiet: bool = False, **values: Any) -> None:
        from adhominem.cli import progress

        progress.is_quiet = quiet
        if note and not quiet:
            print(f"adhominem: {note}", file=sys.stderr)
        for name, group in groups.items():
            values[name] = group(**{field.name: values.pop(field.name) for field in fields(group)})
        verb(**values)

    kind = inspect.Parameter.KEYWORD_ONLY
    quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Show no progress and no hints.")]
    parameters["quiet"] = inspect.Parameter("quiet", kind, default=False, annotation=quiet)
    whole = [parameter.replace(kind=kind) for parameter in parameters.values()]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in whole}
    call.__signature__ = inspect.Signature(whole)  # type: ignore[attr-defined]
    return call


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


def load_verifier(
    model: str | None, reference: list[Path] | None = None, *, encoding: str = "utf-8"
) -> Verifier:
    """Load a model, with reference texts if there are any."""
    from adhominem import load

    verifier = load(model)
    if not reference:
        return verifier
    from adhominem.bench.case.texts import read_references

    texts = [text for path in reference for text in read_references(path, encoding=encoding)]
    return verifier.with_reference(texts[:_MOST_REFERENCES])


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
    from adhominem.instrument.report.render import print_page

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
