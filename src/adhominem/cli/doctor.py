"""adhominem doctor: what is installed and whether it works."""

from __future__ import annotations

import json
from typing import Any

import typer

from adhominem.cli.options import AsJson


def doctor(as_json: AsJson = False) -> None:
    """Check the installation. Versions, optional packages, the shipped model and the browser.

    \b
    Examples:
      adhominem doctor
      adhominem doctor --json
    """
    checks = _checks()
    if as_json:
        print(json.dumps(checks, indent=2))
    else:
        width = max(map(len, checks))
        for name, told in checks.items():
            print(f"{name:{width}}  {told}")
    if checks["shipped model"].startswith("damaged"):
        raise typer.Exit(1)


def _checks() -> dict[str, Any]:
    """What is found, by the name of the thing."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    from adhominem import __version__
    from adhominem.extras import PACKAGES
    from adhominem.instrument.network.cores import n_cores
    from adhominem.instrument.report.printing import find_browser

    def found(package: str) -> str | None:
        try:
            return version({"sklearn": "scikit-learn"}.get(package, package))
        except PackageNotFoundError:
            return None

    checks = {
        "adhominem": __version__,
        "python": f"{platform.python_version()}, {platform.system()} {platform.machine()}",
        "processor cores": f"{n_cores()}",
        "base": ", ".join(f"{name} {found(name)}" for name in ("numpy", "spacy", "jinja2")),
    }
    for extra, packages in PACKAGES.items():
        missing = [name for name in packages if found(name) is None]
        checks[f"extra {extra}"] = "installed"
        if missing:
            told = f'lacks {", ".join(missing)}: pip install "adhominem[{extra}]"'
            checks[f"extra {extra}"] = told
    checks["shipped model"] = _model()
    checks["PDF reports"] = find_browser() or "no chromium is installed: print pages yourself"
    return checks


def _model() -> str:
    """The shipped model, with a test that it loads and answers."""
    from adhominem import load
    from adhominem.errors import AdhominemError

    try:
        verifier = load()
        verifier.verify("a short text", "another one")
    except AdhominemError as error:
        return f"damaged: {error}"
    identity = verifier.identity
    assert identity is not None
    return f"{identity.name} {identity.version}, sha256 {identity.sha256[:12]}, works"
