"""Options that several verbs share, alone or in groups, and functions that check and write output.

A group is a dataclass with the methods that use its options. A verb with a parameter of this type
gets the fields as options.
"""

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
from typer import Argument, Option

from adhominem.instrument.report.plain_text import visible, visible_lines

if TYPE_CHECKING:
    from adhominem.instrument.report.cover import Cover
    from adhominem.instrument.verifier import Verifier
    from adhominem.laboratory.corpus.build.engine import Engine
    from adhominem.records import Document

_MAX_REFERENCES = 2_000  # more texts hardly change the statistics
Known = Annotated[list[Path] | None, Option(metavar="FILE", help="Known text. Repeatable.")]
Questioned = Annotated[
    list[Path] | None, Option(metavar="FILE", help="Questioned text. Repeatable.")
]
Model = Annotated[str | None, Option(help="Model folder or name; default: the shipped model.")]
ModelArgument = Annotated[str, Argument(metavar="MODEL", help="Model folder or name.")]
Genre = Annotated[
    str | None,
    Option(
        help="Genre of the texts (see `adhominem model list`). Without it, texts of a genre that "
        "the model does not recognise get cautious answers."
    ),
]
Reference = Annotated[
    list[Path] | None,
    Option(
        metavar="PATH",
        help="Reference texts of the same kind by any authors, 50 or more: a folder, or a .jsonl, "
        ".csv or .parquet file with a column `text`. Repeatable.",
    ),
]
Encoding = Annotated[str, Option(help="Encoding of the text files.")]
KeepQuoted = Annotated[
    bool, Option("--keep-quoted", help="Keep quoted replies, forwards, block quotes, signatures.")
]
ReportOutput = Annotated[
    Path | None, Option("-o", "--output", help="Report (.html, .pdf, .json) or bundle (.zip).")
]
REPORTS = (".html", ".pdf", ".json", ".zip")
AsJson = Annotated[bool, Option("--json", help="Print JSON.")]
Force = Annotated[bool, Option("--force", help="Overwrite existing output.")]
Split = Annotated[Literal["train", "dev", "test"], Option(help="Take the authors of this split.")]
Fold = Annotated[int | None, Option(help="Take the authors of this fold, not of a split.", min=0)]
AuthorColumn = Annotated[str | None, Option(help="Column of the author.")]
TextColumn = Annotated[str | None, Option(help="Column of the text.")]
Workers = Annotated[int, Option(help="Number of processes.", min=1)]
Cluster = Annotated[str | None, Option(help="Address of a Ray cluster, or 'local' to start one.")]
Device = Annotated[str, Option(help="cpu or cuda.")]
Vectors = Annotated[
    list[Path] | None, Option(help="Word vectors: fastText .bin or .vec, GloVe text. Repeatable.")
]


@dataclass(frozen=True, slots=True)
class Sides:
    """Two sides of one or more files each, given as arguments, as options or as both."""

    left: Annotated[Path | None, Argument(metavar="KNOWN", help="Known text or - (stdin).")] = None
    right: Annotated[Path | None, Argument(metavar="QUESTIONED", help="Questioned text.")] = None
    known: Known = None
    questioned: Questioned = None

    @property
    def files(self) -> tuple[list[Path], list[Path]]:
        """The files of both sides."""
        left, right = self.left, self.right
        if left is not None and right is None and self.known and not self.questioned:
            left, right = None, left  # one argument beside --known is the questioned text
        sides = [left, *(self.known or [])], [right, *(self.questioned or [])]
        files = [[path for path in side if path is not None] for side in sides]
        if not all(files):
            given = "KNOWN QUESTIONED, or --known FILE --questioned FILE"
            raise typer.BadParameter(f"two texts are needed: {given}")
        return files[0], files[1]


@dataclass(frozen=True, slots=True)
class Judge:
    """A model, the genre of the texts or reference texts, and how files are read."""

    model: Model = None
    genre: Genre = None
    reference: Reference = None
    encoding: Encoding = "utf-8"
    keep_quoted: KeepQuoted = False

    @property
    def place(self) -> str | None:
        """Name of the model or absolute path of its folder, for other processes."""
        is_path = self.model is not None and Path(self.model).exists()
        return str(Path(self.model or "").absolute()) if is_path else self.model

    def verifier(self) -> "Verifier":
        """Load the model, with reference texts if given."""
        from adhominem import load

        verifier = load(self.model)
        if not self.reference:
            return verifier
        texts = [text for path in self.reference for text in _references(path, self.encoding)]
        return verifier.with_reference(texts[:_MAX_REFERENCES])

    @property
    def reading(self) -> dict[str, Any]:
        """Keyword arguments for reading files."""
        return {"encoding": self.encoding, "keep_quoted": self.keep_quoted}

    def documents(self, files: Iterable[Path]) -> "list[Document]":
        """Read the texts of one side."""
        from adhominem.documents.read import read_documents

        return [text for path in files for text in read_documents(path, **self.reading)]

    def texts(self, files: Iterable[Path]) -> list[str]:
        """Read the texts of one side and print the notes on them to stderr."""
        documents = self.documents(files)
        print_notes(note for document in documents for note in document.notes)
        return [document.text for document in documents]


def _references(path: Path, encoding: str) -> list[str]:
    """Reference texts of a folder, a file or the column `text` of a .parquet file."""
    from adhominem.documents.read import FORMS, form_of, read_file
    from adhominem.errors import InputError, optional_imports

    if path.suffix == ".parquet":
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


@dataclass(frozen=True, slots=True)
class Machines:
    """Number of processes and address of a cluster; by default only this process."""

    workers: Workers = 1
    cluster: Cluster = None

    def engine(self) -> "Engine":
        from adhominem.laboratory.corpus.build.engine import Engine

        return Engine(self.workers, self.cluster)


@dataclass(frozen=True, slots=True)
class Stated:
    """Statements of the user on the cover of a report."""

    title: Annotated[str, Option(help="Title of the report.")] = ""
    case: Annotated[str, Option("--case", help="Name or number of the case.")] = ""
    examiner: Annotated[str, Option(help="Name of the examiner.")] = ""
    date: Annotated[str, Option(help="Date to print on the report.")] = ""

    def cover(self, left: tuple[str, ...] = (), right: tuple[str, ...] = ()) -> "Cover":
        """Cover of a report on texts with these names."""
        from adhominem.instrument.report.cover import Cover

        return Cover(self.title, self.case, self.examiner, self.date, left, right)


@dataclass(frozen=True, slots=True)
class Figures:
    """How a report of numbers is printed, as text or JSON, and written, as JSON."""

    output: Annotated[Path | None, Option("-o", "--output", help="Write JSON to this file.")] = None
    as_json: AsJson = False
    force: Force = False

    def check(self, *files: Path | None, folder: Path | None = None) -> None:
        """Raise OutputError for files, or a folder of figures, that cannot be written."""
        from adhominem.files import check_writable

        check_writable(self.output, *files, force=self.force)
        check_writable(folder and folder / "figure.svg", force=True)

    def print(self, report: dict[str, Any], as_text: Callable[[dict[str, Any]], str]) -> None:
        print_report(report, as_text, as_json=self.as_json, output=self.output)


def with_groups(verb: Callable[..., None]) -> Callable[..., None]:
    """Replace option groups of a verb by their fields and add --quiet. Flags get no --no- form."""
    groups: dict[str, Any] = {}
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(verb, eval_str=True).parameters.items():
        if parameter.annotation is bool and not parameter.default.param_decls:
            parameter.default.param_decls = (f"--{name.replace('_', '-')}",)
        if is_dataclass(parameter.annotation):
            groups[name] = parameter.annotation
            parameters += inspect.signature(groups[name], eval_str=True).parameters.values()
        else:
            parameters.append(parameter)

    @wraps(verb)
    def call(*, quiet: bool = False, **values: Any) -> None:
        from adhominem.cli import progress

        progress.is_quiet = quiet
        for name, group in groups.items():
            values[name] = group(**{field.name: values.pop(field.name) for field in fields(group)})
        verb(**values)

    kind = inspect.Parameter.KEYWORD_ONLY
    quiet = Annotated[bool, Option("-q", "--quiet", help="Show no progress.")]
    parameters.append(inspect.Parameter("quiet", kind, default=False, annotation=quiet))
    whole = [parameter.replace(kind=kind) for parameter in parameters]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in whole}
    call.__signature__ = inspect.Signature(whole)  # type: ignore[attr-defined]
    return call


def check_output(
    output: Path | None, endings: tuple[str, ...], *, force: bool, has_reference: bool = False
) -> None:
    """Refuse an unknown file ending, an unwritable file, and a bundle with reference texts."""
    from adhominem.files import check_writable

    if output is not None and output.suffix not in endings:
        *others, last = endings
        raise typer.BadParameter(f"{output.name} must end in {', '.join(others)} or {last}")
    if has_reference and output is not None and output.suffix == ".zip":
        raise typer.BadParameter("a bundle holds no reference texts: write .html, .pdf or .json")
    check_writable(output, force=force)


def print_notes(notes: Iterable[object]) -> None:
    """Print notes on files to stderr."""
    for note in notes:
        print(f"adhominem: {visible(str(note))}", file=sys.stderr)


@contextmanager
def without_collection() -> Iterator[None]:
    """Switch garbage collection off in the block and exempt the objects it created: imports and a
    model live until the end, and scanning them is slow."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def write_report(output: Path, content: str | bytes) -> None:
    """Write a file and print its name; a .pdf is the page as printed by a browser."""
    from adhominem.files import write_whole
    from adhominem.instrument.report.render import print_page

    if output.suffix == ".pdf" and isinstance(content, str):
        content = print_page(content)
    write_whole(output, content)
    print(output)


def print_report(
    report: dict[str, Any],
    as_text: Callable[..., str],
    *,
    as_json: bool,
    output: Path | None = None,
) -> None:
    """Print a report as JSON or as text, and write it as JSON to the output file, if any."""
    from adhominem.files import write_whole

    data = json.dumps(report, indent=2)
    if output is not None:
        write_whole(output, data + "\n")
    print(data if as_json else visible_lines(as_text(report)))
