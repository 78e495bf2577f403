"""adhominem serve"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

EXAMPLES = """
Examples:

  adhominem serve

  adhominem serve --port 9000 --models models --no-browser

  adhominem serve --host 0.0.0.0 --name bench.example.org
"""


def serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 for any free one.")] = 8017,
    host: Annotated[
        str, typer.Option(help="Where to listen; others than this machine need a token.")
    ] = "127.0.0.1",
    name: Annotated[
        list[str] | None,
        typer.Option(help="A further name under which the server is reached. Repeatable."),
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="Name of the model to begin with; the shipped one else.")
    ] = None,
    models: Annotated[
        Path | None,
        typer.Option(help="Folder of further models; adapted ones are kept there."),
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Open no browser window.")
    ] = False,
) -> None:
    """Open the workbench: a page on this machine to compare texts, ask what if and export."""
    import secrets

    from adhominem.errors import InputError, MissingExtraError

    if models is not None and not models.is_dir():
        raise InputError(f"{models} is not a folder: make it first, models will be kept there")
    try:
        from adhominem.bench.web.serving import serve as run
        from adhominem.bench.web.settings import LOOPBACK, Settings
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("adhominem"):
            raise
        raise MissingExtraError(
            f"the workbench needs {error.name}: pip install 'adhominem[web]'"
        ) from None
    settings = Settings(
        host=host,
        names=tuple(name or ()),
        token=None if host in LOOPBACK else secrets.token_urlsafe(24),
        model=model,
        models=models,
    )
    run(settings, port=port, opens_browser=not no_browser, say=_say)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
