"""The named texts of a case and the texts of candidates, read from folders."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from adhominem.documents.read import read_file
from adhominem.errors import InputError

MAX_TEXTS = 5_000  # of a case, in which every two are compared
_MORE = "search more with 'adhominem index' and 'adhominem rank'"


@dataclass(frozen=True, slots=True)
class NamedText:
    """A text of a case; `author` is None if unknown."""

    name: str
    text: str
    author: str | None = None


def check_texts(texts: Sequence[NamedText], questioned: str | None = None) -> None:
    if not 2 <= len(texts) <= MAX_TEXTS:
        problem = f"a case has 2 to {MAX_TEXTS:,} texts, this one has {len(texts):,}"
        raise InputError(f"{problem}: {_MORE}" if len(texts) > MAX_TEXTS else problem)
    name, times = Counter(text.name for text in texts).most_common(1)[0]
    if times > 1:
        raise InputError(f"{times} texts are named '{name}': each needs a name of its own")
    if questioned is not None and questioned not in {text.name for text in texts}:
        raise InputError(f"no text is named '{questioned}': name one of the case as questioned")


def candidates(texts: Sequence[NamedText], questioned: str) -> dict[str, list[str]]:
    """The texts but the questioned one by author; a text without author is a candidate itself."""
    others = [text for text in texts if text.name != questioned]
    authors = {text.author for text in others}
    known: dict[str, list[str]] = {}
    for text in others:
        own = f"{text.name} (text)" if text.name in authors else text.name
        known.setdefault(own if text.author is None else text.author, []).append(text.text)
    return known


def read_folder(
    folder: Path, *, encoding: str = "utf-8", keep_quoted: bool = False
) -> tuple[list[NamedText], list[str]]:
    """Read the texts of a case, and notes on their files. Names are paths within the folder. The
    author is the name of the subfolder or, for mails of an mbox, the sender."""
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder: expected one with the texts of the case")
    paths = _files(folder)
    if len(paths) > MAX_TEXTS:
        problem = f"{folder} has {len(paths):,} files, a case at most {MAX_TEXTS:,} texts"
        raise InputError(f"{problem}: {_MORE}")
    texts: list[NamedText] = []
    notes: list[str] = []
    for path in paths:
        within = path.relative_to(folder)
        author = within.parts[0] if len(within.parts) > 1 else None
        found = read_file(path, encoding=encoding, keep_quoted=keep_quoted)
        notes += found.notes
        for text in found.texts:
            name = within.parent / (text.name if len(found.texts) > 1 else path.name)
            texts.append(NamedText(name.as_posix(), text.text, author or text.author))
    return texts, notes


def candidate_files(folder: Path) -> dict[str, list[Path]]:
    """The files of each candidate: a file, or the files of a subfolder."""
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder: expected one with texts of each candidate")
    found: dict[str, list[Path]] = {}
    for path in sorted(path for path in folder.iterdir() if not path.name.startswith(".")):
        name, files = (path.name, _files(path)) if path.is_dir() else (path.stem, [path])
        found[name] = found.get(name, []) + files
    if not found:
        raise InputError(f"{folder} is empty: expected a text or a folder of texts per candidate")
    if empty := [name for name, paths in found.items() if not paths]:
        raise InputError(f"candidate '{empty[0]}' has no text: give one at least")
    return found


def _files(folder: Path) -> list[Path]:
    """All files that are not hidden, in order."""

    def is_hidden(path: Path) -> bool:
        return any(part.startswith(".") for part in path.relative_to(folder).parts)

    return [path for path in sorted(folder.rglob("*")) if path.is_file() and not is_hidden(path)]
