"""What a network looks at, by a reader whose attention is known, and by slow loops."""

import json
import math
import random
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem.errors import InputError, ModelError
from adhominem.instrument.linguistics.habits import find_habits
from adhominem.instrument.model_folder import load
from adhominem.instrument.pair_files import write_pairs
from adhominem.laboratory.evaluation import attention_lift
from adhominem.laboratory.evaluation.analysis import analyse, analyse_corpora, compare_models
from adhominem.laboratory.evaluation.attention_lift import (
    mark_top,
    relative_weights,
    resampled_means,
    tally,
)
from adhominem.laboratory.evaluation.text_samples import SampleSettings, TextSample, sample_texts
from adhominem.laboratory.evaluation.token_labels import (
    CATEGORY_NAMES,
    Labelled,
    classify,
    label_categories,
)
from adhominem.laboratory.verifiers.cosine import Chance
from adhominem.records import Document, Pair

ROOT = Path(__file__).parents[3]
VERBS = {"lift": "analyse", "robustness": "robustness"}
HEAVY = {"definately": 8.0, "&": 5.0, "i": 3.0, "the": 0.25, "definitely": 2.0, "and": 0.5}


def drawn(texts: list[str], *, n_authors: int = 12) -> TextSample:
    authors = tuple(f"author{i % n_authors}" for i in range(len(texts)))
    return TextSample(tuple(texts), authors, {"name": "made", "texts": len(texts)})


def test_lift_is_what_a_slow_loop_says(looking: ModuleType) -> None:
    texts = looking.some_texts(40, seed=1)
    reader = looking.Looking(HEAVY)
    rows = {row["name"]: row for row in analyse(reader, drawn(texts), classify)["categories"]}
    sums, counts, tops = (dict.fromkeys(CATEGORY_NAMES, 0.0) for _ in range(3))
    for text in texts:
        attended = reader.attention([text])
        weights = (attended.word_attention * attended.line_attention[attended.line]).tolist()
        mean = sum(weights) / len(weights)
        five = sorted(range(len(weights)), key=lambda t: -weights[t])[:5]
        hits = find_habits(text).hits
        for name in CATEGORY_NAMES:
            for token, weight in enumerate(weights):
                start, end = attended.texts.starts[token], attended.texts.ends[token]
                if any(
                    hit.category == name and hit.start < end and hit.end > start for hit in hits
                ):
                    sums[name] += weight / mean
                    counts[name] += 1
                    tops[name] += token in five
    met = [name for name in CATEGORY_NAMES if counts[name]]
    assert {"special character", "missing characters", "accumulated punctuation"} <= set(met)
    for name in met:
        assert rows[name]["tokens"] == counts[name]
        assert rows[name]["lift"]["value"] == pytest.approx(sums[name] / counts[name])
        assert rows[name]["lift"]["low"] <= rows[name]["lift"]["value"] + 1e-9
        assert rows[name]["lift"]["high"] >= rows[name]["lift"]["value"] - 1e-9
    n_top = sum(min(5, len(find_words(text))) for text in texts)
    assert rows["special character"]["top_share"] == pytest.approx(
        tops["special character"] / n_top
    )


def find_words(text: str) -> list[str]:
    from adhominem.instrument.text.tokenise import tokenise

    return tokenise([text]).words()


def test_misspellings_and_forms_of_definitely(looking: ModuleType) -> None:
    texts = ["We definately recieve a lot of post here.", "It was definatly seperate from us."]
    found = analyse(looking.Looking(HEAVY), drawn(texts), classify)
    rows = {row["name"]: row for row in found["categories"]}
    assert rows["any misspelling"]["tokens"] == 4
    assert rows["“definitely”, misspelt"]["tokens"] == 2
    assert rows["“definitely”, misspelt"]["share"] == pytest.approx(2 / found["tokens"])


@settings(max_examples=50)
@given(st.lists(st.lists(st.floats(0.01, 10), min_size=1, max_size=8), min_size=1, max_size=6))
def test_relative_weights_have_the_mean_one(texts: list[list[float]]) -> None:
    owner = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    values = relative_weights(np.concatenate(texts), owner, len(texts))
    for number, text in enumerate(texts):
        assert values[owner == number].mean() == pytest.approx(1)
        assert values[owner == number] == pytest.approx(np.array(text) / (sum(text) / len(text)))
    everything = Labelled(np.arange(len(owner)), np.zeros(len(owner), np.int64), 1)
    is_top = np.zeros(len(owner), dtype=bool)
    sums, counts, _ = tally(values, owner, is_top, everything, len(texts))
    assert sums.sum() / counts.sum() == pytest.approx(1)


def test_intervals_are_by_authors_and_not_by_texts() -> None:
    """One author with many texts of one kind must not look like many observations."""
    sums = np.array([[2.0]] * 50 + [[0.0]] * 50)
    counts = np.ones_like(sums)
    few = resampled_means(sums, counts, ["a"] * 50 + ["b"] * 50)[0]
    many = resampled_means(sums, counts, [str(i) for i in range(100)])[0]
    unknown = resampled_means(sums, counts, [""] * 100)[0]
    assert few["value"] == many["value"] == 1
    assert (few["low"], few["high"]) == (0, 2)
    assert 0.7 < many["low"] < 1 < many["high"] < 1.3
    assert 0.7 < unknown["low"] < 1 < unknown["high"] < 1.3


def test_top_words_by_a_slow_loop(looking: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [*looking.some_texts(30, seed=2), "Two words", ""]
    attended = looking.Looking(noise=3).attention(texts)
    is_top = mark_top(attended)
    expected: dict[str, int] = {}
    for text, (first, last) in zip(
        texts, zip(attended.documents[:-1], attended.documents[1:], strict=True), strict=True
    ):
        pairs = sorted(
            zip(attended.weights[first:last], find_words(text), strict=True), reverse=True
        )
        for _, word in pairs[:5]:
            expected[word] = expected.get(word, 0) + 1
    monkeypatch.setattr(attention_lift, "_FEWEST_TEXTS", 1)
    monkeypatch.setattr(attention_lift, "_SHOWN", 10_000)
    rows = attention_lift.top_rows(attended, is_top)
    assert {row["word"]: row["times"] for row in rows} == expected
    words = [word for text in texts for word in find_words(text)]
    for row in rows:
        assert row["share"] == pytest.approx(row["times"] / sum(expected.values()))
        assert row["chosen"] == pytest.approx(row["times"] / words.count(row["word"]))
    monkeypatch.setattr(attention_lift, "_FEWEST_TEXTS", len(texts) + 1)
    assert not attention_lift.top_rows(attended, is_top)


def test_a_misspelt_word_against_the_same_word_spelt_right(looking: ModuleType) -> None:
    """Among n tokens of one sentence, the others of weight 1, w is n w / (n - 1 + w) means."""
    text = "we will definately come back to this place"
    n = 8
    found = analyse(
        looking.Looking(HEAVY, unknown=frozenset({"definately"})), drawn([text] * 25), classify
    )
    rows = {row["name"]: row for row in found["matched"]}
    row = rows["misspelt word"]
    before, after = n * 8 / (n - 1 + 8), n * 2 / (n - 1 + 2)
    assert row["matches"] == 25
    assert row["before"]["value"] == pytest.approx(before)
    assert row["after"]["value"] == pytest.approx(after)
    assert row["difference"]["low"] == pytest.approx(before - after)
    assert row["attended_more"]["value"] == 1
    assert row["sentence_difference"]["value"] == pytest.approx(0)
    assert rows["misspelt word, not known"]["matches"] == 25
    assert "misspelt word, known to the model" not in rows


def test_one_edit_at_a_time_and_by_its_kind(looking: ModuleType) -> None:
    text = "Bread & butter & jam were definately good here."
    found = analyse(looking.Looking(HEAVY), drawn([text] * 25), classify)
    rows = {row["name"]: row for row in found["matched"]}
    assert rows["special character"]["matches"] == 50
    n = len(find_words(text))
    others = n - 3 + 8  # all but both & and the misspelt word
    before, after = n * 5 / (others + 10), n * 0.5 / (others + 5 + 0.5)
    assert rows["special character"]["difference"]["value"] == pytest.approx(before - after)


def test_last_sentences_and_fifths(looking: ModuleType) -> None:
    def twice(i: int, n: int) -> float:
        return 2.0 if i == n - 1 else 1.0

    texts = ["One is here. " * 9 + "Here is the end.", "Two is short. Not counted."] * 8
    places = analyse(looking.Looking(of_line=twice), drawn(texts), classify)["places"]
    rows = {row["name"]: row for row in places["rows"]}
    assert places["texts"] == 8
    assert places["highest_by_chance"] == pytest.approx(0.1)
    assert rows["last sentence"]["lift"]["value"] == pytest.approx(20 / 11)
    assert rows["last sentence"]["highest"] == 1
    assert rows["first sentence"]["lift"]["value"] == pytest.approx(10 / 11)
    assert rows["first sentence"]["highest"] == 0
    assert rows["last fifth"]["lift"]["value"] == pytest.approx(15 / 11)
    assert rows["third fifth"]["lift"]["value"] == pytest.approx(10 / 11)


def test_all_groups_cover_all_tokens_but_the_categories(looking: ModuleType) -> None:
    found = analyse(looking.Looking(HEAVY), drawn(looking.some_texts(30, seed=4)), classify)
    for group in ("parts_of_speech", "kinds", "vocabulary"):
        assert sum(row["tokens"] for row in found[group]) == found["tokens"]
        assert sum(row["top_share"] for row in found[group]) == pytest.approx(1)
        mean = sum(row["share"] * row["lift"]["value"] for row in found[group])
        assert mean == pytest.approx(1)
    assert found["on_markers"] == pytest.approx(0.1)
    json.dumps(found, allow_nan=False)


def test_words_of_few_texts_are_not_told(looking: ModuleType) -> None:
    heavy = {"Zanzibar": 50.0, "zebra": 40.0}
    texts = ["We saw a zebra that day in Zanzibar, all of us."] + ["We saw a zebra all day."] * 6
    found = analyse(looking.Looking(heavy), drawn(texts), classify)
    told = [row["word"] for row in found["top"]["words"]]
    assert "zebra" in told
    assert "Zanzibar" not in json.dumps(found)


def test_a_token_bears_a_category_once(looking: ModuleType) -> None:
    text = "It was soooo goood!!! We dont know, we dont care"
    attended = looking.Looking().attention([text])
    members = label_categories(attended, [find_habits(text)])
    pairs = list(zip(members.token.tolist(), members.label.tolist(), strict=True))
    assert len(pairs) == len(set(pairs)) > 5


def test_drawing_out_of_pairs(tmp_path: Path) -> None:
    documents = [Document(f"Text number {i}", author=f"a{i % 7}") for i in range(20)]
    pairs = [Pair((documents[i],), (documents[i + 1],), False) for i in range(19)]
    path = tmp_path / "pairs.jsonl"
    write_pairs(pairs, path)
    everything = sample_texts(path, SampleSettings(most=99))
    assert list(everything.texts) == [document.text for document in documents]
    assert everything.source["authors"] == 7
    some = sample_texts(path, SampleSettings(most=5, seed=3))
    assert len(some.texts) == 5
    assert some == sample_texts(path, SampleSettings(most=5, seed=3))
    assert some.texts != sample_texts(path, SampleSettings(most=5, seed=4)).texts
    places = [everything.texts.index(text) for text in some.texts]
    assert places == sorted(places)
    assert [everything.authors[i] for i in places] == list(some.authors)
    (tmp_path / "none.jsonl").write_text("")
    with pytest.raises(InputError, match="no texts to analyse"):
        sample_texts(tmp_path / "none.jsonl", SampleSettings())


def test_other_methods_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="chance model has no attention"):
        analyse_corpora(Chance(), [tmp_path], SampleSettings(), "rules")
    with pytest.raises(ModelError, match="chance model has no attention"):
        compare_models(Chance(), {}, [tmp_path], SampleSettings())


def test_same_texts_same_figures(looking: ModuleType) -> None:
    texts = looking.some_texts(20, seed=5)
    random.Random(0).shuffle(texts)
    one, other = (analyse(looking.Looking(HEAVY), drawn(texts), classify) for _ in range(2))
    assert one == other
    assert not math.isnan(one["categories"][0]["lift"]["low"])


@pytest.mark.parametrize("name", ["lift", "robustness"])
def test_results_were_measured_with_the_shipped_model(name: str) -> None:
    report = json.loads((ROOT / "results" / f"{name}.json").read_text(encoding="utf-8"))
    identity = load().identity
    assert identity is not None
    assert report["model"]["sha256"] == identity.sha256
    assert report["command"].startswith(f"adhominem model {VERBS[name]} adhominem ")
