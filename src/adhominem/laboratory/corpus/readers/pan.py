"""Verification problems of PAN, read as documents with authors.

Since 2020, a line has a `pair`, with `fandoms` or `discourse_types` as topics; the authors are in
the truth file. From 2013 to 2015, a problem has `known` texts and an `unknown` one, on a line or in
a folder, and its authors have no names: the author of the known texts of problem EN01 is called
"EN01", another author of the unknown text "EN01 (unknown)".
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from adhominem.errors import InputError
from adhominem.files import sha256
from adhominem.laboratory.corpus.readers import reader as base
from adhominem.laboratory.corpus.readers.plain_files import AuthorFolders, LineFile, read_files
from adhominem.lines import iterate_lines, open_bytes
from adhominem.rows import RecordError, parse_object, storable, to_name, type_name

TRUTH = "truth"  # format of files with the answers to problems, one per line


class PanProblems(LineFile):
    """A file of problems, one per line. Its companion is the truth file."""

    name = "pan"

    def sniffs(self, path: Path, head: base.Head) -> bool:
        return is_problem(head.special)

    def complete(self, source: base.Source, others: Sequence[base.Source]) -> base.Source:
        truths = [other.path for other in others if other.format == TRUTH]
        beside = [path for path in truths if path.parent == source.path.parent]
        truth = find_truth(source.path) or (beside[0] if len(beside) == 1 else None)
        return replace(source, companions=(truth,) if truth else ())

    def describe(self, source: base.Source) -> dict[str, Any]:
        truths = [{"name": path.name, "sha256": sha256(path)} for path in source.companions]
        return super().describe(source) | ({"truth": truths[0]} if truths else {})

    def documents(
        self, record: dict[str, Any], line: int, source: base.Source
    ) -> list[base.RawDocument]:
        answers = _read_truth_once(source.companions[0]) if source.companions else {}
        return read_problem(record, line, answers)

    def document_id(self, shard: base.Shard, document: base.RawDocument) -> str:
        return f"{super().document_id(shard, document)}#{document.part}"


class PanFolders(AuthorFolders):
    """A folder with one folder per problem and the answers in truth.txt."""

    name = "problems"

    def sniffs(self, path: Path, head: base.Head) -> bool:
        return path.is_dir() and is_problem_folder(path)

    def read(self, shard: base.Shard) -> base.Records:
        answers = folder_truth(shard.path)

        def document(name: str, text: str, number: int) -> base.RawDocument | base.Rejected:
            problem, _, file = name.partition("/")
            if problem not in answers:
                detail = storable(f"truth.txt has no line for '{problem}'")
                return base.Rejected(number, "no truth", detail, storable(name))
            is_other = file.startswith("unknown") and not answers[problem]
            author = storable(f"{problem} (unknown)" if is_other else problem)
            return base.RawDocument(author, None, text, number, is_local=True)

        return read_files(shard, document)


def is_problem(record: Mapping[str, Any]) -> bool:
    return "pair" in record or ("known" in record and "unknown" in record)


def is_truth(record: Mapping[str, Any]) -> bool:
    return "id" in record and "same" in record and not is_problem(record)


def read_problem(
    record: dict[str, Any], line: int, truth: Mapping[str, Any]
) -> list[base.RawDocument]:
    """Return the documents of a problem, the known ones first, given the answers by problem."""
    if not is_problem(record):
        raise RecordError("missing text", "neither 'pair' nor 'known' and 'unknown'")
    name = to_name(record.get("id", ""), "id")
    answer = truth.get(name, record)
    if not isinstance(answer.get("same"), bool):
        raise RecordError("no truth", f"the truth does not say who wrote problem '{name}'")
    if "pair" in record:
        n_known, texts, topics = 1, _texts(record["pair"], "pair"), _topics(record)
        if len(texts) != 2:
            raise RecordError("wrong type", f"'pair' holds {len(texts)} texts, expected two")
    else:
        known, unknown = _texts(record["known"], "known"), _texts(record["unknown"], "unknown")
        n_known, texts, topics = len(known), known + unknown, [None] * len(known + unknown)
    authors = answer.get("authors")
    is_local = not (isinstance(authors, list) and len(authors) == len(texts))
    if is_local:
        other = name if answer["same"] else f"{name} (unknown)"
        authors = [name] * n_known + [other] * (len(texts) - n_known)
    names = [to_name(author, "authors") for author in authors]
    if not all(names):
        raise RecordError("missing author", "the problem has neither an 'id' nor 'authors'")
    return [
        base.RawDocument(author, topic, text, line, part, is_local)
        for part, (author, topic, text) in enumerate(zip(names, topics, texts, strict=True))
    ]


def _texts(value: Any, name: str) -> list[str]:
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise RecordError("wrong type", f"'{name}' is {type_name(value)}, expected texts")
    return [storable(text) for text in texts]


def _topics(record: Mapping[str, Any]) -> list[str | None]:
    value = record.get("fandoms", record.get("discourse_types"))
    if isinstance(value, list) and len(value) == 2 and all(isinstance(v, str) for v in value):
        return [storable(topic) or None for topic in value]
    return [None, None]


def read_truth(path: Path) -> dict[str, dict[str, Any]]:
    """Return the answers by problem; other lines are skipped."""
    answers: dict[str, dict[str, Any]] = {}
    with open_bytes(path) as stream:
        for line in iterate_lines(stream):
            with suppress(RecordError):
                record = parse_object(line.data)
                if is_truth(record):
                    answers[to_name(record["id"], "id")] = record
    return answers


_read_truth_once = lru_cache(maxsize=4)(read_truth)


def find_truth(problems: Path) -> Path | None:
    """Return the truth file of a problem file, such as truth.jsonl beside pairs.jsonl or
    NAME-truth.jsonl beside NAME.jsonl; None if there is none."""
    stem = problems.name.split(".")[0]
    names = [f"{stem}-truth", f"{stem}_truth", "truth"]
    if "pairs" in stem:
        names.insert(0, stem.replace("pairs", "truth"))
    paths = [problems.with_name(name + end) for name in names for end in (".jsonl", ".jsonl.gz")]
    return next((path for path in paths if path != problems and path.is_file()), None)


def is_problem_folder(folder: Path) -> bool:
    has_known = (folder / "truth.txt").is_file() or any(folder.glob("*/known*.txt"))
    return has_known and any(folder.glob("*/unknown.txt"))


def folder_truth(folder: Path) -> dict[str, bool]:
    """Return the answers in truth.txt, whose lines are like "EN01 Y"."""
    path = folder / "truth.txt"
    if not path.is_file():
        raise InputError(f"{folder} holds PAN problems without their truth.txt: put it there")
    rows = [line.split() for line in path.read_text("utf-8-sig", errors="replace").splitlines()]
    answers = {row[0]: row[1] == "Y" for row in rows if row[1:] in (["Y"], ["N"])}
    if not answers:
        raise InputError(f"{path} holds no answers: expected lines like 'EN01 Y'")
    return answers
