"""The command line as a user meets it: exit codes, one-line errors, answers in order."""

import gzip
import json
import lzma
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import adhominem
from adhominem.cli import batch
from adhominem.cli.app import GROUPS, VERBS
from adhominem.instrument.model_folder import shipped_models
from adhominem.instrument.report.render import find_browser

ROOT = Path(__file__).parents[2]
LEFT, RIGHT = str(ROOT / "demo" / "left.txt"), str(ROOT / "demo" / "right.txt")


Run = Callable[..., Any]


def one_line(done: Any, *parts: str, code: int = 1) -> None:
    assert done.code == code, done
    assert done.out == ""
    assert done.err.startswith("adhominem: ")
    assert done.err.count("\n") == 1, done.err
    for part in parts:
        assert part in done.err


GROUPED = {v.__name__: f"{group} {v.__name__}" for group, (_, vs) in GROUPS.items() for v in vs}


@pytest.mark.parametrize(
    "verb",
    [
        *(verb.__name__ for verb in VERBS),
        *("model list", "model show"),
        *GROUPED.values(),
    ],
)
def test_help_has_examples(run: Run, verb: str) -> None:
    done = run(*verb.split(), "--help")
    assert done.code == 0
    assert f"adhominem {verb}" in done.out.split("Examples:")[1]
    assert "-q, --quiet" in done.out
    assert run(*verb.split(), "-h").out == done.out


def test_version_and_no_arguments(run: Run) -> None:
    assert run("--version").out.strip() == run("-V").out.strip() == adhominem.__version__
    assert "verify" in run().err


@pytest.mark.parametrize("group", ["", "model", "bench", "corpus"])
def test_help_lists_whole_summaries(run: Run, group: str) -> None:
    listed = run(*group.split(), "-h").out.split("Commands:")[1]
    assert "..." not in listed
    assert listed.strip().endswith(".")


def test_a_former_name_is_an_error_that_says_the_new_one(run: Run) -> None:
    for old, new in {**GROUPED, "models": "model list"}.items():
        one_line(run(old, "-h"), f"'{old}' is now '{new}'", code=2)
        assert run(*new.split(), "-h").code == 0
    for old, new in (("--also-left", "--known"), ("--also-right", "--questioned")):
        one_line(run("verify", LEFT, RIGHT, old, LEFT), f"'{old}' is now '{new}'", code=2)
        one_line(run("verify", LEFT, RIGHT, f"{old}={LEFT}"), f"'{old}' is now '{new}'", code=2)


def test_the_list_of_models_says_what_the_genres_are(run: Run) -> None:
    listed = json.loads(run("model", "list", "--json").out)[0]
    assert set(listed["labels"]) == set(listed["calibrations"])
    assert any(words != name for name, words in listed["labels"].items())
    told = run("model", "list").out
    for name, words in listed["labels"].items():
        assert words == name or words.endswith(f" ({name})")
        assert words in told


def test_completion_is_there(run: Run) -> None:
    assert "--install-completion" in run("-h").out


def test_sides_may_be_named(run: Run) -> None:
    told = run("verify", LEFT, RIGHT, "--json").out
    assert run("verify", "--known", LEFT, "--questioned", RIGHT, "--json").out == told
    assert run("verify", "--questioned", RIGHT, "--known", LEFT, "--json").out == told
    assert run("verify", RIGHT, "--known", LEFT, "--json").out == told
    done = run("verify", "--known", LEFT)
    assert done.code == 2 and "--questioned FILE" in done.err
    both = ["--known", LEFT, "--questioned", RIGHT]
    assert "known text" in run("whatif", *both, "--replace", "tho=though").out


def test_doctor_tells_what_is_installed(run: Run) -> None:
    done = run("doctor")
    assert done.code == 0
    assert ", works" in done.out
    assert set(json.loads(run("doctor", "--json").out)) >= {"extra lab", "extra bench", "python"}


def test_verify_prints_the_promised_json(run: Run) -> None:
    done = run("verify", LEFT, RIGHT, "--json")
    assert done.code == 0
    decision = json.loads(done.out)
    assert list(decision) == [
        "verdict", "score", "llr", "distance", "tau_s", "tau_d", "reliable", "reasons",
        "reason_codes", "notes", "note_codes", "left", "right", "track_record", "model",
        "bounds", "terms",
    ]  # fmt: skip
    assert set(decision["left"]) == {
        *("tokens", "unknown", "english", "genre", "out_of_domain", "stretches", "norm"),
        *("recognised", "voice", "self_similarity"),
    }
    assert set(decision["model"]) == {"name", "version", "sha256"}
    assert {"genre", "pairs", "error", "reliable_error"} < set(decision["track_record"])
    total = sum(term["llr"] for term in decision["terms"])
    low, high = decision["bounds"]
    assert decision["llr"] == pytest.approx(min(max(total, low), high))


def test_verify_in_words(run: Run) -> None:
    done = run("verify", LEFT, RIGHT)
    assert "Probably the same author" in done.out
    assert "views" in done.out
    assert "known       187 tokens read" in done.out


def test_several_texts_and_stdin(run: Run) -> None:
    text = Path(RIGHT).read_bytes()
    done = run("verify", LEFT, "-", "--known", LEFT, "--json", stdin=text)
    assert json.loads(done.out)["left"]["tokens"] == 187  # a copy counts once


@pytest.fixture
def bad_files(tmp_path: Path) -> Path:
    (tmp_path / "binary").write_bytes(bytes(range(256)) * 4)
    (tmp_path / "latin1.txt").write_bytes("café ".encode("latin-1") * 40)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("missing.txt", ["missing.txt: no such file"]),
        (".", ["is a folder"]),
        ("binary", ["is a binary file"]),
        ("latin1.txt", ["not utf-8", "--encoding cp1252"]),
    ],
)
def test_files_that_cannot_be_read(run: Run, bad_files: Path, name: str, parts: list[str]) -> None:
    for verb in ("verify", "explain"):
        one_line(run(verb, bad_files / name, RIGHT), *parts)
        one_line(run(verb, LEFT, bad_files / name), *parts)


def test_other_encodings(run: Run, bad_files: Path) -> None:
    done = run("verify", bad_files / "latin1.txt", LEFT, "--encoding", "cp1252", "--json")
    assert json.loads(done.out)["left"]["tokens"] == 40
    one_line(run("verify", LEFT, RIGHT, "--encoding", "nonsense"), "unknown encoding 'nonsense'")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("!", "left has 1 token, at least 20 are needed"),
        ("One two three", "left has 3 tokens, at least 20 are needed"),
        (
            "Wort Wort, это не по-английски, а совсем по-русски написано, и довольно длинно, чтобы "
            "хватило слов, хотя никто этого не прочтёт до самого конца сегодня.",
            "is it English?",
        ),
    ],
)
def test_texts_that_cannot_be_judged(run: Run, tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "text.txt"
    path.write_text(text, encoding="utf-8")
    done = run("verify", path, RIGHT, "--json")
    decision = json.loads(done.out)
    assert done.code == 0
    assert decision["verdict"] == "undecided"
    assert decision["score"] == 0.5
    assert reason in decision["reasons"][0]
    assert run("explain", path, RIGHT).code == 0


def test_wrong_usage_is_exit_two(run: Run) -> None:
    for arguments in (
        ["verify", LEFT],
        ["verify", LEFT, RIGHT, "--pairs", "x"],
        ["verify", "--no"],
    ):
        done = run(*arguments)
        assert done.code == 2
        assert "Usage" in done.err


def test_damaged_and_missing_models(run: Run, tmp_path: Path) -> None:
    one_line(run("verify", LEFT, RIGHT, "--model", tmp_path), "is not a model folder")


def line(**fields: object) -> bytes:
    return json.dumps(fields).encode() + b"\n"


@pytest.fixture
def pairs() -> list[bytes]:
    left, right = Path(LEFT).read_text(), Path(RIGHT).read_text()
    return [
        line(id="a", left=left, right=right),
        b"{broken\n",
        line(id="b", left=[left, right], right=right, same_author=True),
        line(id="c", left=left),
        line(id="d", pair=[left, right]),
        b'{"id": "e", "left": "\\ud800 lone", "right": "x"}\n',
        line(id="f", left=left, right=7),
    ]


def check_answers(text: str) -> None:
    answers = [json.loads(answer) for answer in text.splitlines()]
    assert [answer["id"] for answer in answers] == ["a", None, "b", "c", "d", "e", "f"]
    assert ["error" in answer for answer in answers] == [0, 1, 0, 1, 0, 0, 1]
    assert "line 2 is not JSON" in answers[1]["error"]
    assert "expected 'left' and 'right'" in answers[3]["error"]
    assert list(answers[0]) == [
        "id", "score", "verdict", "distance", "llr", "reliable", "reasons", "reason_codes",
        "notes", "note_codes", "terms",
    ]  # fmt: skip
    assert answers[0]["score"] == pytest.approx(answers[4]["score"], abs=1e-6)
    assert answers[5]["verdict"] == "undecided"


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz"])
def test_batch(run: Run, tmp_path: Path, pairs: list[bytes], suffix: str) -> None:
    compress = {"": bytes, ".gz": gzip.compress, ".xz": lzma.compress}[suffix]
    expand = {"": bytes, ".gz": gzip.decompress, ".xz": lzma.decompress}[suffix]
    source, target = tmp_path / f"pairs.jsonl{suffix}", tmp_path / f"answers.jsonl{suffix}"
    source.write_bytes(compress(b"".join(pairs)))
    done = run("verify", "--pairs", source, "-o", target)
    assert done.code == 0
    assert "3 of 7 lines could not be answered" in done.err
    check_answers(expand(target.read_bytes()).decode())
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([source.name, target.name])
    one_line(run("verify", "--pairs", source, "-o", target), "exists already", "--force")
    assert run("verify", "--pairs", source, "-o", target, "--force").code == 0


def test_batch_that_breaks_off(run: Run, tmp_path: Path, pairs: list[bytes]) -> None:
    """The answers before the damage are kept, and the exit status says that there is one."""
    noise = [
        line(id=str(i), left=random.Random(i).randbytes(3000).hex(), right="") for i in "12345"
    ]
    packed = gzip.compress(b"".join([pairs[0], *noise]))
    for source, data, answered in [
        ("cut.jsonl.gz", packed[: len(packed) * 2 // 3], None),
        ("flipped.jsonl.gz", packed[:-9] + bytes([packed[-9] ^ 4]) + packed[-8:], None),
        ("cut.jsonl", pairs[0] + pairs[0][:-30], 1),
    ]:
        (tmp_path / source).write_bytes(data)
        target = tmp_path / f"{source}.answers"
        done = run("verify", "--pairs", tmp_path / source, "-o", target)
        assert done.code == 1
        assert "breaks off" in done.err.splitlines()[-1]
        answers = [json.loads(answer) for answer in target.read_text().splitlines()]
        assert answers[0]["id"] == "a" and "error" not in answers[0]
        assert "error" in answers[-1]
        assert f": {answered or len(answers) - 1} pairs before" in done.err
    (tmp_path / "unended.jsonl").write_bytes(pairs[0].rstrip())
    assert run("verify", "--pairs", tmp_path / "unended.jsonl").code == 0


def test_strict_batch_stops_at_the_first_bad_line(
    run: Run, tmp_path: Path, pairs: list[bytes]
) -> None:
    (tmp_path / "pairs.jsonl").write_bytes(b"".join(pairs))
    target = tmp_path / "answers.jsonl"
    done = run("verify", "--pairs", tmp_path / "pairs.jsonl", "-o", target, "--strict")
    one_line(done, "line 2 is not JSON", "1 line before it")
    assert not target.exists()


def test_batch_gives_the_same_bytes_from_a_file_and_a_pipe(
    run: Run, tmp_path: Path, pairs: list[bytes]
) -> None:
    (tmp_path / "pairs.jsonl").write_bytes(b"".join(pairs))
    from_file = run("verify", "--pairs", tmp_path / "pairs.jsonl")
    assert from_file.out == run("verify", "--pairs", "-", stdin=b"".join(pairs)).out


def test_blocks_of_a_file_are_counted_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that stutters changes nothing."""
    monkeypatch.setattr(batch, "_BLOCK", 3)

    def stutter() -> Iterator[batch.BadLine]:
        for number in range(8):
            time.sleep(0.02 * (number % 3))
            yield batch.BadLine(number, None, "")

    assert [len(block) for block in batch._counted(stutter())] == [3, 3, 2]


@pytest.mark.parametrize(
    ("output", "problem"),
    [
        ("folder", "is a folder"),
        ("/dev/full", "not a regular file"),
        ("fifo", "not a regular file"),
        ("x" * 300, "File name too long"),
        ("pairs.jsonl/below", "Not a directory"),
    ],
)
def test_output_is_checked_before_the_work(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: str, problem: str
) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "pairs.jsonl").touch()
    monkeypatch.setattr(adhominem, "load", None, raising=False)  # nothing is loaded
    arguments = ("verify", "--pairs", tmp_path / "pairs.jsonl", "-o", tmp_path / output, "--force")
    one_line(run(*arguments), problem)


def test_nothing_from_outside_reaches_the_terminal(run: Run, tmp_path: Path) -> None:
    """Escapes in the name of a file, and in the card of a model from somebody else."""
    evil = "\x1b]0;owned\x07\u202e"
    done = run("verify", LEFT, tmp_path / f"{evil}.txt")
    assert done.code == 1 and "\\x1b]0;owned" in done.err
    folder = Path(shutil.copytree(shipped_models()["adhominem"], tmp_path / "model"))
    (folder / "README.md").write_text(f"# Card\n\n{evil}\n")
    card = run("model", "show", folder)
    assert "# Card\n\n\\x1b]0;owned\\x07\\u202e\n" in card.out
    for printed in (done.err, card.out):
        assert not set(evil[:1] + evil[-2:]) & set(printed)


def test_full_standard_output_is_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "adhominem", "model", "list"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 1
    assert done.stderr == "adhominem: standard output: No space left on device\n"


def test_batch_from_a_stream(run: Run, pairs: list[bytes]) -> None:
    check_answers(run("verify", "--pairs", "-", stdin=b"".join(pairs)).out)


def test_a_live_stream_is_answered_line_by_line(pairs: list[bytes]) -> None:
    """A producer that waits for each answer before it asks again is not left waiting."""
    process = subprocess.Popen(
        [sys.executable, "-m", "adhominem", "verify", "--pairs", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    for _ in range(3):
        process.stdin.write(pairs[0])
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == "a"
    process.stdin.close()
    assert process.wait(timeout=60) == 0
    process.stdout.close()


def test_batch_files_that_cannot_be_read(run: Run, tmp_path: Path) -> None:
    one_line(run("verify", "--pairs", tmp_path / "none.jsonl"), "cannot be opened")
    one_line(run("verify", "--pairs", tmp_path), "is a folder")
    (tmp_path / "empty.jsonl").touch()
    target = tmp_path / "answers.jsonl"
    one_line(run("verify", "--pairs", tmp_path / "empty.jsonl", "-o", target), "holds no pairs")
    assert not target.exists()


def test_explain_writes_a_page(run: Run, tmp_path: Path) -> None:
    hostile = tmp_path / "hostile.txt"
    hostile.write_text(Path(LEFT).read_text() + " <script>alert('x')</script> </style>")
    page = tmp_path / "report.html"
    done = run("explain", hostile, RIGHT, "-o", page)
    assert done.code == 0
    html = page.read_text(encoding="utf-8")
    assert "<script" not in html
    assert "Probably" in html
    one_line(run("explain", LEFT, RIGHT, "-o", page), "exists already")
    assert run("explain", LEFT, RIGHT, "-o", tmp_path / "report.odt").code == 2
    data = tmp_path / "report.json"
    assert run("explain", LEFT, RIGHT, "-o", data).code == 0
    assert json.loads(data.read_text())["method"] == "attention"


def test_a_report_has_a_cover(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    cover = {"title": 'The "Gazette" </style>', "case": "17/26", "examiner": "A & B", "date": "May"}
    options = [word for name, value in cover.items() for word in (f"--{name}", value)]
    assert run("explain", LEFT, RIGHT, "-o", page, *options).code == 0
    html = page.read_text(encoding="utf-8")
    for value in ("The &#34;Gazette&#34; &lt;/style&gt;", "17/26", "A &amp; B", "May"):
        assert value in html
    assert html.count("</style>") == 1
    assert "left.txt" in html and "right.txt" in html
    assert "(hotels), recognised" in html
    assert ">Left" not in html and ">Right" not in html
    data = tmp_path / "report.json"
    assert run("explain", LEFT, RIGHT, "-o", data, *options, "--genre", "blogs").code == 0
    told = json.loads(data.read_text())
    assert told["cover"]["left"] == ["left.txt"]
    assert told["audit"]["known text, name"] == "left.txt"
    assert told["audit"]["kind of text"].endswith("(blogs), as stated")


def test_explain_writes_a_bundle_that_can_be_reproduced(run: Run, tmp_path: Path) -> None:
    bundle = tmp_path / "pair.zip"
    assert run("explain", LEFT, RIGHT, "-o", bundle).code == 0
    assert "The same: all" in run("reproduce", bundle).out


@pytest.mark.skipif(find_browser() is None, reason="no browser is installed")
def test_explain_prints_a_document(run: Run, tmp_path: Path) -> None:
    document = tmp_path / "report.pdf"
    assert run("explain", LEFT, RIGHT, "-o", document).code == 0
    assert document.read_bytes().startswith(b"%PDF-")


def test_explain_in_words(run: Run) -> None:
    done = run("explain", LEFT, RIGHT)
    assert done.code == 0
    assert "definately" in done.out
    assert "\x1b" not in done.out


def test_train_with_force_removes_nothing_but_a_run(run: Run, tmp_path: Path) -> None:
    (tmp_path / "precious.txt").write_text("x")
    done = run("model", "train", ROOT / "experiments" / "smoke.toml", "-o", tmp_path, "--force")
    one_line(done, "is not a run folder")
    assert (tmp_path / "precious.txt").exists()


def test_models(run: Run) -> None:
    assert "adhominem  version" in run("model", "list").out
    assert "# adhominem" in run("model", "show", "adhominem").out
    assert json.loads(run("model", "list", "--json").out)[0]["name"] == "adhominem"
    one_line(run("model", "show", "nothing"), "not a model folder")


def test_evaluate(run: Run, tmp_path: Path) -> None:
    left, right = Path(LEFT).read_text(), Path(RIGHT).read_text()
    source = tmp_path / "pairs.jsonl"
    source.write_bytes(
        line(id=1, left=left, right=right, same_author=True, same_topic=True)
        + line(id=2, left=left, right=right, same_author=False, same_topic=True)
    )
    done = run("model", "evaluate", "adhominem", source, "--json", "-o", tmp_path / "out.json")
    report = json.loads(done.out)
    assert report["pairs"] == 2
    assert report["error"] == 0.5
    assert json.loads((tmp_path / "out.json").read_text()) == report
    assert "| all | 2 | 50.00 |" in run("model", "evaluate", "adhominem", source).out
    source.write_bytes(line(id=1, left=left, right=right))
    done = run("model", "evaluate", "adhominem", source)
    assert done.code == 1
    assert "1 of 1 test pairs have no same_author" in done.err


def test_validate(run: Run, tmp_path: Path) -> None:
    left, right = Path(LEFT).read_text(), Path(RIGHT).read_text()
    source, page = tmp_path / "pairs.jsonl", tmp_path / "report.html"
    source.write_bytes(
        line(id=1, left=left, right=right, same_author=True)
        + line(id=2, left=left, right=right, same_author=False)
    )
    report = json.loads(run("validate", source, "--json").out)
    evaluated = json.loads(run("model", "evaluate", "adhominem", source, "--json").out)
    assert {name: report[name] for name in evaluated} == evaluated
    assert run("validate", source, "-o", page, "--case", "17/26").code == 0
    assert "17/26" in page.read_text(encoding="utf-8")
    one_line(run("validate", source, "--min-tokens", "5000", "-q"), "choose wider")


def test_a_genre_can_be_given(run: Run) -> None:
    given = json.loads(run("verify", LEFT, RIGHT, "--genre", "blogs", "--json").out)
    assert given["left"]["genre"] == given["right"]["genre"] == "blogs"
    one_line(run("verify", LEFT, RIGHT, "--genre", "poems"), "'poems' is not known", "blogs")
    assert "(amazon), " in run("model", "list").out


def test_a_pair_of_an_unknown_genre_is_one_bad_line(run: Run) -> None:
    sides = {"left": Path(LEFT).read_text(), "right": Path(RIGHT).read_text()}
    pairs = [
        {"id": "good", **sides, "genre": "blogs"},
        {"id": "bad", **sides, "genre": "poems"},
        {"id": "odd", **sides, "genre": 3},
    ]
    stdin = "\n".join(json.dumps(pair) for pair in pairs).encode()
    good, bad, odd = map(json.loads, run("verify", "--pairs", "-", stdin=stdin).out.splitlines())
    assert good["verdict"] == "same"
    assert "'poems' is not known" in bad["error"]
    assert "must be a name" in odd["error"]


def test_a_mail_is_read_without_what_others_wrote(run: Run, tmp_path: Path) -> None:
    mail, box = tmp_path / "a.eml", tmp_path / "all.mbox"
    head = "From: {}@example.org\nSubject: x\n\n"
    body = Path(LEFT).read_text(encoding="utf-8") + "\n\n> your words\n-- \nAnn\n"
    mail.write_text(head.format("ann") + body, encoding="utf-8")
    box.write_text(
        "".join(f"From x\n{head.format(name)}{body}\n" for name in ("ann", "bob")), encoding="utf-8"
    )
    plain = json.loads(run("verify", LEFT, RIGHT, "--json", "--genre", "hotels").out)
    found = json.loads(run("verify", mail, RIGHT, "--json", "--genre", "hotels").out)
    assert found["left"]["tokens"] == plain["left"]["tokens"]
    assert found["score"] == pytest.approx(plain["score"], abs=1e-6)
    [note] = found["notes"]
    quoted, signed = '1 quoted reply (1 line, "> your words")', '1 signature (2 lines, "-- Ann")'
    assert note == f"Left out of a.eml: {quoted}, {signed}"
    assert found["note_codes"] == ["source"]
    kept = json.loads(run("verify", mail, RIGHT, "--json", "--keep-quoted").out)
    assert kept["left"]["tokens"] > found["left"]["tokens"]
    assert kept["notes"][0].startswith("Kept in a.eml")
    assert "Left out of a.eml" in run("explain", mail, RIGHT).out
    one_line(run("verify", box, RIGHT), "texts of 2 authors", "all.mbox::")
    bob = json.loads(run("verify", f"{box}::bob@example.org", RIGHT, "--json").out)
    assert bob["left"]["tokens"] == plain["left"]["tokens"]
    ranked = run("rank", mail, tmp_path / "known")
    assert ranked.code == 1
    (tmp_path / "known").mkdir()
    (tmp_path / "known" / "smith.txt").write_bytes(Path(RIGHT).read_bytes())
    ranked = run("rank", mail, tmp_path / "known")
    assert "Left out of a.eml" in ranked.err and "smith" in ranked.out
