"""Case bundles: a zip with everything that is needed to repeat a result.

bundle.json       kind, version of the package, model, settings, names and authors of the texts,
                  sha256 of the other files and of its own content
texts/00001.txt   the texts, in UTF-8
results.json      a decision, or a whole case
pairs.bin         the answers to all pairs of a large case, in five bytes each (`pairs.PACKED`)
README.txt        how to repeat the result

The same question gives the same bytes. A bundle that is read may come from anybody: only known
file names are accepted, sizes are limited before and while a file is unpacked, and every hash is
checked.
"""

import hashlib
import io
import json
import math
import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from adhominem import __version__
from adhominem.bench.case.pairs import Packed, pack, unpack
from adhominem.bench.case.study import CaseResult, case_dict
from adhominem.bench.case.texts import MAX_TEXTS, NamedText
from adhominem.documents.archive import Archive
from adhominem.documents.file_texts import FileLimits
from adhominem.errors import InputError
from adhominem.files import read_regular, read_sealed, sealed_json
from adhominem.instrument.model_schema import record_from
from adhominem.instrument.report import html
from adhominem.instrument.report.as_json import decision_dict, fields_of
from adhominem.records import Decision, ModelIdentity

PAIR, CASE = "pair", "case"
MAX_BYTES = 256 * 1024 * 1024  # unpacked
_FORMAT = "adhominem-bundle-1"
_MANIFEST, _RESULTS, _README = "bundle.json", "results.json", "README.txt"
_PAIRS = "pairs.bin"
_NAME = re.compile(r"(bundle|results)\.json|README\.txt|pairs\.bin|texts/\d{5}\.txt")
_FIELDS = ("kind", "version", "model", "questioned", "genre")
_DATE = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Bundle:
    """The content of a case bundle."""

    kind: str  # PAIR or CASE
    version: str  # of the package
    model: ModelIdentity | None
    texts: tuple[NamedText, ...]  # the author of a text of a pair is "left" or "right"
    questioned: str | None
    results: dict[str, Any] = field(default_factory=dict)
    genre: str | None = None  # stated genre of all texts
    pairs: Packed | None = None  # answers of a large case, whose results have no tables

    def side(self, name: str) -> list[str]:
        return [text.text for text in self.texts if text.author == name]


def pair_bundle(
    left: Sequence[str], right: Sequence[str], decision: Decision, *, genre: str | None = None
) -> bytes:
    texts = [NamedText(f"left {n}", text, "left") for n, text in enumerate(left, 1)]
    texts += [NamedText(f"right {n}", text, "right") for n, text in enumerate(right, 1)]
    asked = (tuple(texts), None, decision_dict(decision), genre)
    return _pack(Bundle(PAIR, __version__, decision.model, *asked))


def case_bundle(result: CaseResult) -> bytes:
    asked = (result.texts, result.questioned, case_dict(result), result.genre)
    pairs = pack(result.evidence) if result.drawn_in_part else None
    return _pack(Bundle(CASE, __version__, result.verifier.identity, *asked, pairs))


def read_bundle(data: bytes, name: str = "the file") -> Bundle:
    """The bundle in the bytes of a zip; `name` stands for it in an error."""
    files = _unpack(data, name)
    try:
        manifest = read_sealed(files[_MANIFEST])
        if (other := manifest["format"]) != _FORMAT:
            found = f"the bundle has the format {other!r:.60}, this version reads '{_FORMAT}'"
            raise InputError(f"{found}: update adhominem")
        hashes, results = manifest["sha256"], json.loads(files[_RESULTS])
        for file, content in files.items():
            if file != _MANIFEST and hashlib.sha256(content).hexdigest() != hashes.get(file):
                raise InputError(f"{file} of the bundle was changed: its sha256 is another")
        if missing := hashes.keys() - files.keys():
            raise InputError(f"the bundle lacks {len(missing)} files: ask for it again")
        own = {name: manifest[name] for name in _FIELDS} | {"texts": []}
        for n, row in enumerate(manifest["texts"], 1):
            text = files[_text_file(n)].decode("utf-8", "surrogatepass")
            own["texts"].append({"name": row["name"], "text": text, "author": row["author"]})
        bundle = record_from(Bundle, own)
        if bundle.kind not in (PAIR, CASE):
            raise ValueError(f"unknown kind {bundle.kind!r:.60}")
        if not isinstance(results, dict):
            raise ValueError(f"{_RESULTS} is not an object")
        pairs = unpack(files[_PAIRS], len(bundle.texts)) if _PAIRS in files else None
        return replace(bundle, results=results, pairs=pairs)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        problem = str(error).splitlines()[0][:100] if str(error) else type(error).__name__
        raise InputError(f"the bundle is damaged ({problem}): ask for it again") from None


def read_bundle_file(path: Path) -> Bundle:
    return read_bundle(read_regular(path, most=MAX_BYTES), str(path))


def _pack(bundle: Bundle) -> bytes:
    # Lone surrogates are kept, here and in results.json.
    texts = (text.text.encode("utf-8", "surrogatepass") for text in bundle.texts)
    files = {_text_file(n): text for n, text in enumerate(texts, 1)}
    files[_RESULTS] = json.dumps(bundle.results, indent=1, allow_nan=False).encode() + b"\n"
    if bundle.pairs is not None:
        files[_PAIRS] = bundle.pairs.tobytes()
    model = "without a name" if bundle.model is None else bundle.model.name
    how = html.text("bundle", "adhominem.bench.case", version=bundle.version, model=model)
    files[_README] = f"{how}\n".encode()
    manifest = {
        "format": _FORMAT,
        **fields_of(bundle, *_FIELDS),
        "texts": [
            {"file": _text_file(n), "name": text.name, "author": text.author}
            for n, text in enumerate(bundle.texts, 1)
        ],
        "sha256": {name: hashlib.sha256(data).hexdigest() for name, data in files.items()},
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in {_MANIFEST: sealed_json(manifest, indent=1), **files}.items():
            entry = zipfile.ZipInfo(name, _DATE)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _unpack(data: bytes, name: str) -> dict[str, bytes]:
    limits = FileLimits(max_rows=MAX_TEXTS + 4, max_unpacked=MAX_BYTES, max_ratio=math.inf)
    files: dict[str, bytes] = {}
    try:
        archive = Archive(data, name, limits)
        for member in archive.members():
            if not _NAME.fullmatch(member.filename) or member.filename in files:
                raise InputError(f"it holds {member.filename!r:.60}, which no bundle does")
            files[member.filename] = archive.read(member)
    except InputError as error:
        raise InputError(f"{name} is not a case bundle ({error})") from None
    return files


def _text_file(number: int) -> str:
    return f"texts/{number:05}.txt"
