"""The command line: verbs that parse, call a function of the package and print what it returns."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import NoReturn

import typer

from adhominem.errors import AdhominemError
from adhominem.extras import optional_imports

# Every verb is the function of this name in the file of this name; --help lists them in this order.
VERBS = (
    "verify",
    "explain",
    "whatif",
    "rank",
    "index",
    "case",
    "reproduce",
    "serve",
    "corpus",
    "train",
    "adapt",
    "evaluate",
    "faithfulness",
    "crossval",
    "compare",
    "analyse",
    "robustness",
    "models",
)
app = typer.Typer(
    name="adhominem",
    help="Did one author write both texts? Prints a verdict, its strength and the words behind it.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for _name in VERBS:
    _verb = getattr(import_module(f"adhominem.cli.{_name}"), _name)
    if isinstance(_verb, typer.Typer):
        app.add_typer(_verb, name=_name)
    else:
        app.command()(_verb)


def _print_version(asked: bool) -> None:
    if asked:
        from adhominem import __version__

        print(__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", is_eager=True, callback=_print_version, help="Print the version."
    ),
) -> None: ...


def main() -> None:
    """Run the command line; an expected error becomes one line on stderr and exit status 1."""
    command = typer.main.get_command(app)
    # A flag with no default makes typer load pydantic to convert None, which doubles the time
    # that every --help takes.
    if option := command.get_help_option(typer.Context(command)):
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
        if error.filename is None:  # no file that we opened: the standard output
            _close_stdout()
        _stop(f"{error.filename or 'standard output'}: {error.strerror or error}")
    except KeyboardInterrupt:
        _stop("stopped", status=130)


def _stop(message: str, *, status: int = 1) -> NoReturn:
    from adhominem.instrument.report.plain_text import visible

    print(f"adhominem: {visible(message)}", file=sys.stderr)
    sys.exit(status)


def _close_stdout() -> None:
    """Let the rest of the output go nowhere, so that the end of the process is silent."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
