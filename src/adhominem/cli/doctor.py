"""adhominem doctor: what is installed and whether it works."""

from __future__ import annotations

from importlib.util import find_spec

from adhominem.cli.options import AsJson, print_report


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

    model = load()  # a damaged one ends here, with its error
    model.verify("a short text", "another one")
    assert model.identity is not None
    found = {
        "adhominem": __version__,
        "python": f"{platform.python_version()}, {platform.system()} {platform.machine()}",
        "cores": f"{n_cores()}",
        "model": f"{model.identity.name} {model.identity.version}, works",
        "PDF reports": find_browser() or "no chromium is installed: print pages yourself",
        **{f"extra {extra}": _extra(extra, packages) for extra, packages in PACKAGES.items()},
    }
    as_text = "\n".join(f"{name:14} {told}" for name, told in found.items())
    print_report(found, lambda _: as_text, as_json=as_json)


def _extra(extra: str, packages: tuple[str, ...]) -> str:
    """Whether the packages of an extra are installed, and how to install those that are not."""
    missing = [package for package in packages if find_spec(package) is None]
    lacks = f'lacks {", ".join(missing)}: pip install "adhominem[{extra}]"'
    return lacks if missing else "installed"
