"""Every route answers what the library answers."""

from __future__ import annotations

import io
import json
import shutil
import zipfile

import httpx
import numpy as np
import pytest

from adhominem.bench.case.bundle import read_bundle
from adhominem.bench.case.reproduce import reproduce
from adhominem.bench.web.models import References
from adhominem.bench.web.replies import RefusedError
from adhominem.bench.web.workbench import Workbench
from adhominem.instrument.linguistics.rewrites import Edit, find_edits, rewrite
from adhominem.instrument.report.as_json import decision_dict, explanation_dict
from adhominem.instrument.report.render import render
from adhominem.instrument.report.wording import decision_words, faithfulness_words
from adhominem.instrument.verifier import Verifier
from adhominem.records import Pair

Sides = dict[str, list[str]]


@pytest.fixture(scope="module")
def verifier(bench: Workbench) -> Verifier:
    return bench.models.load(None)


def test_verify(client: httpx.Client, verifier: Verifier, pair: Sides) -> None:
    answer = client.post("/api/verify", json=pair).json()
    decision = verifier.verify(**pair)
    assert answer["decision"] == json.loads(json.dumps(decision_dict(decision)))
    assert answer["words"] == decision_words(decision)
    assert answer["words"]["verdict"] in render(verifier.explain_texts(**pair), form="html")


def test_several_texts_on_a_side(client: httpx.Client, verifier: Verifier, pair: Sides) -> None:
    turned = " ".join(reversed(pair["right"][0].split()))  # no copy
    both = {"left": [*pair["left"], turned], "right": pair["right"]}
    answer = client.post("/api/verify", json=both).json()["decision"]
    assert answer["llr"] == verifier.verify(**both).llr
    assert answer["left"]["stretches"] == 2


def test_explain(client: httpx.Client, verifier: Verifier, pair: Sides) -> None:
    answer = client.post("/api/explain", json=pair).json()
    expected = verifier.explain(Pair.of_texts(**pair))
    assert answer["explanation"] == json.loads(json.dumps(explanation_dict(expected)))
    words = {**decision_words(expected.decision), "faithfulness": faithfulness_words(expected)}
    assert answer["words"] == words


def test_explain_with_attention_alone(client: httpx.Client, pair: Sides) -> None:
    asked = {**pair, "contributions": False, "habits": False}
    answer = client.post("/api/explain", json=asked).json()
    found = answer["explanation"]
    assert found["habits"] is None and found["contributions"] is None
    words = found["left"][0]["words"]
    assert all(word["contribution"] is None for word in words)
    assert any(word["weight"] > 0 for word in words)


def test_fields_of_the_answers(client: httpx.Client, pair: Sides) -> None:
    decision = {
        *("verdict", "score", "llr", "distance", "tau_s", "tau_d", "terms", "reliable", "bounds"),
        *("reasons", "reason_codes", "notes", "note_codes", "left", "right", "track_record"),
        "model",
    }
    explained = {"method", "contributions", "faithfulness", "left", "right", "habits", "audit"}
    words = {"verdict", "score", "llr", "support", "ratio", "bound", "reliability", "track_record"}
    candidates = [{"name": "one", "texts": pair["left"]}]
    edited = {"side", "moved", "budget", "tried", "edits", "before", "after", "text"}
    for path, asked, fields in (
        ("verify", pair, {"decision", "words"}),
        ("explain", pair, {"explanation", "words"}),
        ("features", {"texts": pair["left"]}, {"features", "readings"}),
        ("edits", {"text": "a"}, {"edits"}),
        ("attack", {**pair, "budget": 1}, edited | {"words_before", "words_after"}),
    ):
        answer = client.post(f"/api/{path}", json=asked).json()
        assert set(answer) == fields
        for name, inner in (("decision", decision), ("before", decision), ("words_before", words)):
            assert set(answer.get(name, inner)) == inner
        assert set(answer.get("words", words)) - {"faithfulness"} == words
        assert set(answer.get("explanation", explained)) - {"decision"} == explained
    asked = {"questioned": pair["left"], "candidates": candidates}
    ranked = client.post("/api/rank", json=asked).json()
    assert set(ranked) == {"answer", "none", "others", "n_others", "prior", "candidates"}
    assert set(ranked["candidates"][0]) == decision | {"name", "probability"}


def test_too_short_is_an_answer(client: httpx.Client) -> None:
    answer = client.post("/api/verify", json={"left": ["Hello."], "right": [""]}).json()
    assert answer["decision"]["verdict"] == "undecided"
    assert "tokens" in answer["decision"]["reasons"][0]
    assert answer["decision"]["reason_codes"] == ["too-short", "too-short"]
    assert client.post("/api/explain", json={"left": [""], "right": [""]}).status_code == 200


def test_features(client: httpx.Client, verifier: Verifier, pair: Sides) -> None:
    texts = [*pair["left"], "", *pair["right"]]
    answer = client.post("/api/features", json={"texts": texts}).json()
    one, none, other = answer["features"]
    assert none is None
    distance = np.linalg.norm(np.array(one) - np.array(other))
    assert distance == pytest.approx(verifier.verify(**pair).distance, abs=1e-5)
    assert [reading["tokens"] > 0 for reading in answer["readings"]] == [True, False, True]


def test_rank(client: httpx.Client, pair: Sides) -> None:
    candidates = [{"name": "one", "texts": pair["left"]}, {"name": "two", "texts": pair["right"]}]
    asked = {"questioned": pair["left"], "candidates": candidates}
    answer = client.post("/api/rank", json=asked).json()
    assert answer["answer"] == "one"
    total = answer["none"] + sum(one["probability"] for one in answer["candidates"])
    assert total == pytest.approx(1)


def test_edits(client: httpx.Client, pair: Sides) -> None:
    [text] = pair["left"]
    found = client.post("/api/edits", json={"text": text}).json()["edits"]
    assert tuple(Edit(**edit) for edit in found) == find_edits(text) != ()


def test_attack(client: httpx.Client, verifier: Verifier, pair: Sides) -> None:
    answer = client.post("/api/attack", json={**pair, "side": "right", "budget": 2}).json()
    edits = [
        Edit(**{k: e[k] for k in ("start", "end", "kind", "old", "new")}) for e in answer["edits"]
    ]
    assert 0 < len({(edit.kind, edit.old) for edit in edits}) <= 2
    assert answer["text"] == rewrite(pair["right"][0], edits).text
    after = verifier.verify(pair["left"], [answer["text"]])
    assert answer["after"]["llr"] == pytest.approx(after.llr, abs=1e-6)
    assert answer["moved"] == (answer["before"]["verdict"] != answer["after"]["verdict"])
    assert answer["words_before"]["verdict"] and answer["words_after"]["verdict"]


def test_a_kind_of_text_that_is_told(client: httpx.Client, verifier: Verifier, pair: Sides) -> None:
    [model] = client.get("/api/models").json()["models"][:1]
    assert model["genres"] == list(verifier.calibrations_)
    assert model["labels"].items() <= verifier.kind_labels().items()
    assert set(model["detectable"]) == set(verifier.detectable_genres())
    for genre in model["genres"]:
        asked = {**pair, "genre": genre}
        expected = verifier.verify(**pair, genre=genre).llr
        assert client.post("/api/verify", json=asked).json()["decision"]["llr"] == expected
        light = client.post("/api/explain", json={**asked, "contributions": False}).json()
        assert light["explanation"]["decision"]["llr"] == expected
        answer = client.post("/api/bundle", json={**asked, "kind": "pair"})
        assert reproduce(read_bundle(answer.content), verifier).is_same
    ranked = {"questioned": pair["right"], "candidates": [{"name": "a", "texts": pair["left"]}]}
    ranking = client.post("/api/rank", json={**ranked, "genre": genre}).json()
    assert ranking["candidates"][0]["llr"] == expected
    case = [{"name": "a", "text": pair["left"][0]}, {"name": "b", "text": pair["right"][0]}]
    answer = client.post("/api/bundle", json={"kind": "case", "texts": case, "genre": genre})
    bundle = read_bundle(answer.content)
    assert bundle.results["llr"][0][1] == pytest.approx(expected, abs=1e-6)
    assert reproduce(bundle, verifier).is_same
    found = client.post("/api/attack", json={**asked, "budget": 1}).json()
    assert found["before"]["llr"] == expected


@pytest.mark.parametrize("form", ["html", "json"])
def test_report(client: httpx.Client, verifier: Verifier, pair: Sides, form: str) -> None:
    answer = client.post("/api/report", json={**pair, "form": form})
    assert answer.text == render(verifier.explain_texts(**pair), form=form)
    assert answer.headers["content-disposition"] == (
        f'attachment; filename="adhominem-report.{form}"'
    )


def test_report_of_a_case(client: httpx.Client, verifier: Verifier, pair: Sides) -> None:
    texts = [{"name": side, "text": pair[side][0]} for side in ("left", "right")]
    asked = {"texts": texts, "questioned": "right", "cover": {"case": "17/26"}}
    answer = client.post("/api/case-report", json=asked)
    assert answer.headers["content-disposition"] == 'attachment; filename="adhominem-case.html"'
    assert "17/26" in answer.text and "2 texts, each against every other" in answer.text
    numbers = client.post("/api/case-report", json={**asked, "form": "json"}).json()
    assert numbers["llr"][0][1] == pytest.approx(verifier.verify(**pair).llr, abs=1e-6)


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no chromium is installed here")
def test_report_as_pdf(client: httpx.Client, pair: Sides) -> None:
    from pypdf import PdfReader

    answer = client.post("/api/report", json={**pair, "form": "pdf"})
    assert answer.headers["content-type"] == "application/pdf"
    text = "".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages)
    assert "author" in text


def test_no_browser_to_print_with(
    client: httpx.Client, pair: Sides, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    answer = client.post("/api/report", json={**pair, "form": "pdf"})
    assert answer.status_code == 501 and "chromium" in answer.json()["error"]
    assert client.get("/api/limits").json()["pdf_report"] is False


def test_bundles(client: httpx.Client, pair: Sides) -> None:
    case = [{"name": "a", "text": pair["left"][0]}, {"name": "b", "text": pair["right"][0]}]
    for asked in ({"kind": "pair", **pair}, {"kind": "case", "texts": case}):
        answer = client.post("/api/bundle", json=asked)
        assert answer.headers["content-type"] == "application/zip"
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            manifest = json.loads(archive.read("bundle.json"))
            assert manifest["kind"] == asked["kind"]
            assert archive.read("texts/00001.txt").decode() == pair["left"][0]


def test_models(client: httpx.Client, verifier: Verifier) -> None:
    answer = client.get("/api/models").json()
    [model] = [one for one in answer["models"] if one["name"] == answer["current"]]
    assert verifier.identity is not None
    assert model["sha256"] == verifier.identity.sha256
    assert model["card"].startswith("# adhominem") and model["figures"]["track_record"]


def test_sample_can_be_asked(client: httpx.Client) -> None:
    sample = client.get("/api/sample").json()
    assert client.post("/api/verify", json={s: sample[s] for s in ("left", "right")}).is_success
    assert sample["questioned"] in {text["name"] for text in sample["case"]}


def test_limits(client: httpx.Client) -> None:
    limits = client.get("/api/limits").json()
    assert limits["max_body"] > limits["max_characters"] > 0
    assert {"txt", "html", "docx", "pdf", "zip", "csv", "jsonl"} <= set(limits["forms"])


def test_page_and_its_files(client: httpx.Client) -> None:
    import re

    page = client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    assert "unsafe" not in page.headers["content-security-policy"]
    own = re.findall(r'(?:src|href)="(static/[^"]+)"', page.text)
    assert own
    for path in own:
        assert client.get(path).is_success, path
    assert "<script>" not in page.text and " style=" not in page.text


def test_schema_names_every_route(client: httpx.Client) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    assert set(paths) == {
        *("/api/verify", "/api/explain", "/api/features", "/api/rank", "/api/edits"),
        *("/api/attack", "/api/read", "/api/cases", "/api/jobs/{id}", "/api/report"),
        *("/api/bundle", "/api/models", "/api/adaptations", "/api/sample", "/api/limits"),
        "/api/health",
        *("/api/references", "/api/case-report"),
    }
    assert client.get("/docs").status_code == 404


def test_reference_texts_are_given_once(
    client: httpx.Client,
    bench: Workbench,
    verifier: Verifier,
    pair: Sides,
    references: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = {"texts": [*references, references[0], "Too short."]}
    given = client.post("/api/references", json=asked).json()
    assert given["used"] == len(references)
    monkeypatch.setattr(type(verifier), "with_reference", None)  # not built again
    again = {"texts": [*asked["texts"]][::-1]}
    assert client.post("/api/references", json=again).json() == given
    referring = bench.references.get(bench.models.current, given["reference"])
    wanted = {**pair, "reference": given["reference"]}
    answer = client.post("/api/verify", json=wanted).json()["decision"]
    assert answer["llr"] == pytest.approx(referring.verify(**pair).llr, abs=1e-6)
    assert answer["left"]["genre"] == "reference"
    told = f"{len(references)} reference texts are the standard of comparison"
    assert told in answer["notes"]
    report = client.post("/api/report", json={**wanted, "form": "html"}).text
    assert told in report and "Kind of text: as in the reference texts." in report
    fragment = client.post("/api/explain", json=wanted, headers={"Accept": "text/html"}).text
    assert told in fragment


def test_reference_texts_that_cannot_be_used(
    client: httpx.Client, pair: Sides, references: list[str]
) -> None:
    few = client.post("/api/references", json={"texts": references[:9]})
    assert few.status_code == 422
    assert few.json()["error"].startswith("9 reference texts are long enough: at least 50")
    many = client.post("/api/references", json={"texts": ["x" * 1_000_001]})
    assert many.status_code == 413
    missing = client.post("/api/verify", json={**pair, "reference": "0" * 64})
    assert missing.status_code == 404 and "give them again" in missing.json()["error"]
    name = client.post("/api/references", json={"texts": references}).json()["reference"]
    both = client.post("/api/verify", json={**pair, "reference": name, "genre": "hotels"})
    assert both.status_code == 422 and "not both" in both.json()["error"]
    bundle = client.post("/api/bundle", json={**pair, "reference": name, "kind": "pair"})
    assert bundle.status_code == 422 and "a bundle holds no" in bundle.json()["error"]


def test_only_a_few_sets_of_reference_texts_are_kept(
    verifier: Verifier, references: list[str]
) -> None:
    kept = References(2)
    names = [kept.add("m", verifier, references[i:])[0] for i in range(3)]
    assert len(set(names)) == 3
    with pytest.raises(RefusedError, match="give them again"):
        kept.get("m", names[0])
    assert kept.get("m", names[2]) is kept.add("m", verifier, references[2:])[1]
