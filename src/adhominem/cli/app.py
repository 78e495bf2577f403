"""The command line: each verb parses, calls a function of the package and prints the result."""

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NoReturn

import typer
from typer import Option

from adhominem.cli import bench, case, corpus, measure, model, pair, rank, serve
from adhominem.cli.options import with_groups
from adhominem.errors import AdhominemError, optional_imports
from adhominem.instrument.report.plain_text import visible

Verb = Callable[..., None]
Verbs = tuple[Verb, ...]
VERBS: Verbs = (  # in the order of --help
    *(pair.verify, pair.explain, pair.whatif, rank.rank, case.case, serve.serve),
    *(bench.validate, case.reproduce, rank.index, serve.doctor),
)
_MEASURES: Verbs = (measure.evaluate, measure.faithfulness, measure.analyse, measure.robustness)
_CORPUS: Verbs = (corpus.build, corpus.describe, corpus.pairs)
GROUPS: dict[str, tuple[str, Verbs]] = {
    "model": ("List, train, adapt and measure models.", (model.train, model.adapt, *_MEASURES)),
    "bench": ("Compare methods on a corpus.", (bench.crossval, bench.compare)),
    "corpus": ("Build a corpus from raw dumps, describe it, draw pairs.", _CORPUS),
}
_FORMER = {  # what was once typed, and what is typed now
    **{verb.__name__: f"{group} {verb.__name__}" for group in GROUPS for verb in GROUPS[group][1]},
    **{"models": "model list", "--also-left": "--known", "--also-right": "--questioned"},
}
_HELP = ["-h", "--help"]
app = typer.Typer(
    name="adhominem",
    help="Did one author write both texts? Prints a verdict, its strength and the words behind it.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": _HELP},
)


def _add(group: typer.Typer, verb: Verb, name: str = "") -> None:
    """Add a verb with its first sentence as summary."""
    name = name or verb.__name__
    context = {"auto_envvar_prefix": "ADHOMINEM"} if name == "serve" else None
    words = (verb.__doc__ or "").partition("\n")[0].partition(". ")[0].rstrip(".") + "."
    group.command(name, short_help=words, context_settings=context)(with_groups(verb))


for _verb in VERBS:
    _add(app, _verb)
for _group, (_help, _verbs) in GROUPS.items():
    _typer = typer.Typer(help=_help, no_args_is_help=True, rich_markup_mode=None)
    for _name in ("list", "show") if _group == "model" else ():
        _add(_typer, model.models, _name)
    for _verb in _verbs:
        _add(_typer, _verb)
    app.add_typer(_typer, name=_group)


def _print_version(asked: bool) -> None:
    if asked:
        from adhominem import __version__

        print(__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: bool = Option(
        False, "-V", "--version", is_eager=True, callback=_print_version, help="Print the version."
    ),
) -> None: ...


def main() -> None:
    """Run the command line; an expected error becomes one line on stderr and exit status 1."""
    _refuse_former_names(sys.argv[1:])
    command = typer.main.get_command(app)
    # Without a default for this flag, typer loads pydantic, which doubles the time of --help.
    if option := command.get_help_option(typer.Context(command, help_option_names=_HELP)):
        option.default = False
    try:
        with optional_imports():
            try:
                command()
            finally:
                sys.stdout.flush()
    except AdhominemError as error:
        _stop(str(error))
    except BrokenPipeError:
        sys.stderr.close()
        _close_stdout()
        sys.exit(1)
    except OSError as error:
        if error.filename is None:  # standard output
            _close_stdout()
        _stop(f"{error.filename or 'standard output'}: {error.strerror or error}")
    except KeyboardInterrupt:
        _stop("stopped", status=130)


def _refuse_former_names(words: Sequence[str]) -> None:
    options = (word.partition("=")[0] for word in words if word.startswith("--"))
    for name in (*words[:1], *options):
        if name in _FORMER:
            _stop(f"'{name}' is now '{_FORMER[name]}'", status=2)


def _stop(message: str, *, status: int = 1) -> NoReturn:
    print(f"adhominem: {visible(message)}", file=sys.stderr)
    sys.exit(status)


def _close_stdout() -> None:
    """Redirect stdout to the null device, so that flushing it at exit raises no error."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
