"""The texts of a case out of a folder."""

from __future__ import annotations

from pathlib import Path

from adhominem.bench.case.texts import MOST_TEXTS, NamedText
from adhominem.errors import InputError
from adhominem.instrument.text.read import read_text


def read_folder(folder: Path, *, encoding: str = "utf-8") -> list[NamedText]:
    """A file is a text of unknown author, a folder has all texts of the author it is named after.
    Names are paths within the folder; hidden files are left out."""
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder: expected one with the texts of the case")
    paths = [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not any(p[0] == "." for p in path.relative_to(folder).parts)
    ]
    if len(paths) > MOST_TEXTS:
        raise InputError(
            f"{folder} has {len(paths):,} files, a case at most {MOST_TEXTS:,} texts: "
            "search more with 'adhominem index' and 'adhominem rank'"
        )
    texts = []
    for path in paths:
        within = path.relative_to(folder)
        author = within.parts[0] if len(within.parts) > 1 else None
        texts.append(NamedText(within.as_posix(), read_text(path, encoding=encoding), author))
    return texts
