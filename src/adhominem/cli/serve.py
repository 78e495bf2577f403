"""adhominem serve, doctor: the workbench in a browser, a check of the installation."""

import secrets
import sys
from importlib.util import find_spec
from pathlib import Path

from typer import Option

from adhominem.cli.options import AsJson, print_report


def serve(
    port: int = Option(8017, min=0, max=65535, help="0 for any free port."),
    host: str = Option("127.0.0.1", help="Address to listen on; one open to others needs a token."),
    name: list[str] | None = Option(None, help="Another host name of the server. Repeatable."),
    token: str | None = Option(None, help="Token for other machines; default: a random one."),
    model: str | None = Option(None, help="Name of the first model; default: the shipped model."),
    models: Path | None = Option(None, help="Folder of further models and of adapted models."),
    root_path: str = Option("", help="Path prefix of the server behind a proxy: /adhominem."),
    log: bool = Option(False, help="Print a line for each request, without any text."),
    no_browser: bool = Option(False, help="Open no browser window."),
) -> None:
    """Open the workbench in a browser. Compare texts, ask what if, export reports.

    \b
    Examples:
      adhominem serve
      adhominem serve --port 9000 --models models --no-browser
      adhominem serve --host 0.0.0.0 --name bench.example.org
      adhominem serve --name example.org --root-path /adhominem --log
      ADHOMINEM_PORT=9000 ADHOMINEM_TOKEN=... adhominem serve
    """
    from adhominem.bench.web.serving import serve as run
    from adhominem.bench.web.settings import LOOPBACK, Settings
    from adhominem.errors import InputError

    if models is not None and not models.is_dir():
        raise InputError(f"{models} is not a folder: create it first, models are stored there")
    settings = Settings(
        host=host,
        names=tuple(name or ()),
        token=token or (None if host in LOOPBACK else secrets.token_urlsafe(24)),
        model=model,
        models=models,
        root="/" + root_path.strip("/") if root_path.strip("/") else "",
        log=_print_status if log else None,
    )
    run(settings, port=port, opens_browser=not no_browser, say=_print_status)


def _print_status(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def doctor(as_json: AsJson = False) -> None:
    """Check the installation. Versions, optional packages, the shipped model and the browser.

    \b
    Examples:
      adhominem doctor
      adhominem doctor --json
    """
    import platform

    from adhominem import __version__, load
    from adhominem.errors import PACKAGES
    from adhominem.instrument.network.cores import n_cores
    from adhominem.instrument.report.render import find_browser

    model = load()  # raises ModelError if it is damaged
    model.verify("a short text", "another one")
    assert model.identity is not None
    found = {
        "adhominem": __version__,
        "python": f"{platform.python_version()}, {platform.system()} {platform.machine()}",
        "cores": f"{n_cores()}",
        "model": f"{model.identity.name} {model.identity.version}, works",
        "PDF reports": find_browser() or "no chromium is installed: print pages yourself",
    }
    for extra, packages in PACKAGES.items():
        missing = ", ".join(package for package in packages if find_spec(package) is None)
        lacks = f'lacks {missing}: pip install "adhominem[{extra}]"'
        found[f"extra {extra}"] = lacks if missing else "installed"
    as_text = "\n".join(f"{name:14} {told}" for name, told in found.items())
    print_report(found, lambda _: as_text, as_json=as_json)
