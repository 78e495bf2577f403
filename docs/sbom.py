"""Writes what the package consists of, in CycloneDX 1.5: dependencies, data, licences.

    python docs/sbom.py -o dist/sbom.json

Dependencies are those of the base installation and of all extras, as far as they are installed in
this environment, with the versions found there. The same environment gives the same bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "adhominem"
DATA = ("models/*/*", "instrument/linguistics/data/*")
RESEARCH = "research use, see docs/reference/licences.md"
SCOWL = ("words", "names", "rare_words", "rare_names", "short", "varieties", "compounds")


def dependencies(name: str, extras: set[str], known: dict[str, Distribution]) -> None:
    """Add everything that a package needs, and what that needs."""
    for line in distribution(name).requires or []:
        requirement = Requirement(line)
        marker = requirement.marker
        if marker and not any(marker.evaluate({"extra": extra}) for extra in extras or {""}):
            continue
        key = re.sub(r"[-_.]+", "-", requirement.name).lower()
        if key in known or key == name:
            continue
        try:
            known[key] = distribution(requirement.name)
        except PackageNotFoundError:
            continue
        dependencies(requirement.name, set(requirement.extras), known)


def licence(found: Distribution) -> str:
    about = found.metadata
    classes = [line for line in about.get_all("Classifier", []) if line.startswith("License ::")]
    stated = about.get("License-Expression") or (about.get("License") or "").strip()
    short = stated.splitlines()[0] if stated else ""
    return short if 0 < len(short) <= 80 else classes[0].split(" :: ")[-1] if classes else "unknown"


def data_files() -> Iterator[dict[str, Any]]:
    """The model and the lists, each with its hash and terms."""
    for path in sorted(path for pattern in DATA for path in SOURCE.glob(pattern) if path.is_file()):
        is_learned = "models" in path.parts or path.name == "reference.json"
        terms = RESEARCH if is_learned else "SCOWL" if path.stem in SCOWL else "MIT"
        yield {
            "type": "machine-learning-model" if path.suffix == ".safetensors" else "data",
            "name": str(path.relative_to(SOURCE)),
            "hashes": [
                {"alg": "SHA-256", "content": hashlib.sha256(path.read_bytes()).hexdigest()}
            ],
            "licenses": [{"license": {"name": terms}}],
        }


def sbom() -> dict[str, Any]:
    own = distribution("adhominem")
    extras = set(own.metadata.get_all("Provides-Extra", []))
    known: dict[str, Distribution] = {}
    dependencies("adhominem", {*extras, ""}, known)
    packages = [
        {
            "type": "library",
            "name": key,
            "version": found.version,
            "purl": f"pkg:pypi/{key}@{found.version}",
            "licenses": [{"license": {"name": licence(found)}}],
        }
        for key, found in sorted(known.items())
    ]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "name": "adhominem",
                "version": own.version,
                "licenses": [{"license": {"id": "MIT"}}],
            }
        },
        "components": [*packages, *data_files()],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(json.dumps(sbom(), indent=2) + "\n")


if __name__ == "__main__":
    main()
