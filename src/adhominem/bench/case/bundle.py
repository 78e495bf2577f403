"""A case bundle: one zip with all that is needed to ask the same question again.

bundle.json       kind, version of the package, model, settings, and the texts by file and sha256
texts/00001.txt   the texts, in UTF-8
results.json      what came out: a decision, or all of a case
README.txt        how to repeat it

No date and no name given by a user is used for a file, so the same question gives the same bytes.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from adhominem import __version__
from adhominem.bench.case.as_json import case_dict
from adhominem.bench.case.study import CaseResult
from adhominem.bench.case.texts import NamedText
from adhominem.instrument.report.as_json import decision_dict
from adhominem.records import Decision, ModelIdentity

FORMAT = "adhominem-bundle-1"
MANIFEST, RESULTS, README = "bundle.json", "results.json", "README.txt"
PAIR, CASE = "pair", "case"
_DATE = (1980, 1, 1, 0, 0, 0)
_HOW = """\
A case bundle of adhominem {version}, made with the model {model}.

    adhominem reproduce bundle.zip

reads the texts again with the same model and compares all numbers with results.json.
The bundle holds the texts themselves: keep it as you keep them.
"""


@dataclass(frozen=True, slots=True)
class Bundle:
    """`texts` of a pair have the side, "left" or "right", as their author; `genre` where its kind
    was said."""

    kind: str
    version: str
    model: ModelIdentity | None
    texts: tuple[NamedText, ...]
    questioned: str | None
    results: dict[str, Any]
    genre: str | None = None

    def side(self, name: str) -> list[str]:
        return [text.text for text in self.texts if text.author == name]


def pair_bundle(
    left: Sequence[str], right: Sequence[str], decision: Decision, *, genre: str | None = None
) -> bytes:
    texts = [
        NamedText(f"{side} {number}", text, side)
        for side, given in (("left", left), ("right", right))
        for number, text in enumerate(given, 1)
    ]
    return _pack(
        Bundle(
            PAIR,
            __version__,
            decision.model,
            tuple(texts),
            None,
            decision_dict(decision),
            genre,
        )
    )


def case_bundle(texts: Sequence[NamedText], result: CaseResult) -> bytes:
    return _pack(
        Bundle(
            CASE,
            __version__,
            result.model,
            tuple(texts),
            result.questioned,
            case_dict(result),
            result.genre,
        )
    )


def text_bytes(text: str) -> bytes:
    """Also a text that UTF-8 has no bytes for comes back as it was."""
    return text.encode("utf-8", "surrogatepass")


def text_file(number: int) -> str:
    return f"texts/{number:05}.txt"


def _pack(bundle: Bundle) -> bytes:
    files = {text_file(n): text_bytes(text.text) for n, text in enumerate(bundle.texts, 1)}
    files[RESULTS] = _json(bundle.results)
    model = "without a name" if bundle.model is None else bundle.model.name
    files[README] = _HOW.format(version=bundle.version, model=model).encode()
    manifest = {
        "format": FORMAT,
        "kind": bundle.kind,
        "version": bundle.version,
        "model": bundle.model and asdict(bundle.model),
        "questioned": bundle.questioned,
        "genre": bundle.genre,
        "texts": [
            {"file": text_file(n), "name": text.name, "author": text.author}
            for n, text in enumerate(bundle.texts, 1)
        ],
        "sha256": {name: hashlib.sha256(data).hexdigest() for name, data in files.items()},
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {MANIFEST: _json(manifest), **files}.items():
            entry = zipfile.ZipInfo(name, _DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return buffer.getvalue()


def _json(value: Any) -> bytes:
    """In ASCII, so that even a lone surrogate can be written and read back."""
    return json.dumps(value, indent=1, allow_nan=False).encode() + b"\n"
