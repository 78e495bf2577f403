"""The command line: verbs that parse, call a function of the package and print what it returns."""

from __future__ import annotations

import sys

import typer

from adhominem.cli import (
    adapt,
    analyse,
    case,
    compare,
    corpus,
    crossval,
    evaluate,
    explain,
    faithfulness,
    index,
    models,
    rank,
    reproduce,
    robustness,
    serve,
    train,
    verify,
    whatif,
)
from adhominem.errors import AdhominemError

app = typer.Typer(
    name="adhominem",
    help="Did one author write both texts? A verdict, its strength, and the words that carried it.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command(epilog=verify.EXAMPLES)(verify.verify)
app.command(epilog=explain.EXAMPLES)(explain.explain)
app.command(epilog=whatif.EXAMPLES)(whatif.whatif)
app.command(epilog=rank.EXAMPLES)(rank.rank)
app.command(epilog=index.EXAMPLES)(index.index)
app.command(epilog=case.EXAMPLES)(case.case)
app.command(epilog=reproduce.EXAMPLES)(reproduce.reproduce)
app.command(epilog=serve.EXAMPLES)(serve.serve)
app.add_typer(corpus.app, name="corpus")
app.command(epilog=train.EXAMPLES)(train.train)
app.command(epilog=adapt.EXAMPLES)(adapt.adapt)
app.command(epilog=evaluate.EXAMPLES)(evaluate.evaluate)
app.command(epilog=faithfulness.EXAMPLES)(faithfulness.faithfulness)
app.command(epilog=crossval.EXAMPLES)(crossval.crossval)
app.command(epilog=compare.EXAMPLES)(compare.compare)
app.command(epilog=analyse.EXAMPLES)(analyse.analyse)
app.command(epilog=robustness.EXAMPLES)(robustness.robustness)
app.command(epilog=models.EXAMPLES)(models.models)


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
    command = typer.main.get_command(app)
    # A flag with no default makes typer load pydantic to convert None, which doubles the time
    # that every --help takes.
    if option := command.get_help_option(typer.Context(command)):
        option.default = False
    try:
        command()
    except AdhominemError as error:
        print(f"adhominem: {error}", file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except KeyboardInterrupt:
        print("adhominem: stopped", file=sys.stderr)
        sys.exit(130)
