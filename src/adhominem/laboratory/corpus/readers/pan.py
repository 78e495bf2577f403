"""PAN's verification problems as documents with authors.

2020 and later: a line with `pair`, its authors in the truth file, `fandoms` or `discourse_types`
as topics. 2013 to 2015: `known` texts and an `unknown` one, as lines or as one folder per problem.
There the authors have no names: the known texts of a problem are by "EN01", its unknown text as
well if the truth says so, else by somebody of whom nothing more is known.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from adhominem.errors import InputError
from adhominem.instrument.lines import iterate_lines, open_bytes
from adhominem.laboratory.corpus.readers.rows import Found, RecordError, as_name, name_of, sound


def is_problem(record: Mapping[str, Any]) -> bool:
    return "pair" in record or ("known" in record and "unknown" in record)


def is_truth(record: Mapping[str, Any]) -> bool:
    return "id" in record and "same" in record and not is_problem(record)


def read_problem(record: dict[str, Any], line: int, truth: Mapping[str, Any]) -> list[Found]:
    if not is_problem(record):
        raise RecordError("missing text", "neither 'pair' nor 'known' and 'unknown'")
    name = as_name(record.get("id", ""), "id")
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
    names = [as_name(author, "authors") for author in authors]
    if not all(names):
        raise RecordError("missing author", "the problem has neither an 'id' nor 'authors'")
    return [
        Found(author, topic, text, line, part, is_local)
        for part, (author, topic, text) in enumerate(zip(names, topics, texts, strict=True))
    ]


def _texts(value: Any, name: str) -> list[str]:
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise RecordError("wrong type", f"'{name}' is {name_of(value)}, expected texts")
    return [sound(text) for text in texts]


def _topics(record: Mapping[str, Any]) -> list[str | None]:
    value = record.get("fandoms", record.get("discourse_types"))
    if isinstance(value, list) and len(value) == 2 and all(isinstance(v, str) for v in value):
        return [sound(topic) or None for topic in value]
    return [None, None]


def read_truth(path: Path) -> dict[str, dict[str, Any]]:
    """Answers by problem; lines that are none are passed over, their problems then lack one."""
    answers: dict[str, dict[str, Any]] = {}
    with open_bytes(path) as stream:
        for line in iterate_lines(stream):
            try:
                record = json.loads(line.data)
            except (ValueError, RecursionError):
                continue
            if isinstance(record, dict) and is_truth(record):
                with suppress(RecordError):
                    answers[as_name(record["id"], "id")] = record
    return answers


def find_truth(problems: Path) -> Path | None:
    """truth.jsonl beside pairs.jsonl, or name-truth.jsonl beside name.jsonl."""
    stem, ending = problems.name.split(".")[0], ".jsonl"
    names = [f"{stem}-truth", f"{stem}_truth", "truth"]
    if "pairs" in stem:
        names.insert(0, stem.replace("pairs", "truth"))
    for name in names:
        for path in (problems.with_name(name + ending), problems.with_name(f"{name}{ending}.gz")):
            if path != problems and path.is_file():
                return path
    return None


def is_problem_folder(folder: Path) -> bool:
    beside = (folder / "truth.txt").is_file() or any(folder.glob("*/known*.txt"))
    return beside and any(folder.glob("*/unknown.txt"))


def folder_truth(folder: Path) -> dict[str, bool]:
    """Lines such as "EN01 Y"."""
    answers = {}
    if not (folder / "truth.txt").is_file():
        raise InputError(f"{folder} holds PAN problems without their truth.txt: put it there")
    for line in (folder / "truth.txt").read_text("utf-8-sig", errors="replace").splitlines():
        name, _, answer = line.strip().partition(" ")
        if answer.strip() in ("Y", "N"):
            answers[name] = answer.strip() == "Y"
    if not answers:
        raise InputError(f"{folder / 'truth.txt'} holds no answers: expected lines like 'EN01 Y'")
    return answers
