"""The shipped model's views: kinds, reference texts, contributions and one voice."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import adhominem
from adhominem.errors import InputError
from adhominem.instrument.evidence.fusion import APART
from adhominem.instrument.evidence.limits import (
    DIFFERENT_KINDS,
    MANY_TEXTS,
    OUT_OF_DOMAIN,
    REST,
)
from adhominem.instrument.neural import NeuralVerifier
from adhominem.instrument.report.render import render
from adhominem.instrument.report.terminal import decision_text
from adhominem.instrument.views.kinds import NETWORK_TERMS, Counts
from adhominem.instrument.views.similarity import similarities
from adhominem.records import Document, Pair, Verdict

PAIRS = [json.loads(line) for line in Path("demo/pairs.jsonl").read_text().splitlines()]
TEXTS = [Path("demo/left.txt").read_text(), Path("demo/right.txt").read_text()]
STRANGERS = [
    "omg i cant even!!! this was sooo good lol, u have to see it, best nite ever xoxo " * 2,
    "Pursuant to the committee's deliberations, the undersigned respectfully submits that the "
    "aforementioned provisions be amended; moreover, the schedule ought to be reconsidered.",
    "Day three. Rain. Walked to the harbour, ate bread - dark, good bread - and wrote nothing. "
    "Perhaps tomorrow. Perhaps not. The gulls, at least, are busy with their own affairs.",
    "Hi all, just a quick heads-up: build 4512 fails on Windows because the path is too long. "
    "Workaround is to set TMP=C:\\t before you run make. I'll push a fix tonight, cheers.",
    "We stayed 4 nights. Room was clean. Staff was friendly. Breakfast was ok. Location is "
    "perfect. Price was fair. We would stay again. Parking is not free. Wifi works good.",
]


@pytest.fixture(scope="module")
def verifier() -> NeuralVerifier:
    loaded = adhominem.load()
    assert isinstance(loaded, NeuralVerifier)
    return loaded


def reference_texts(n: int = 60) -> list[str]:
    rng = np.random.default_rng(0)
    words = np.array(sorted({word for text in (*TEXTS, *STRANGERS) for word in text.split()}))
    return [" ".join(rng.choice(words, 60)) + "." for _ in range(n)]


@pytest.mark.parametrize("texts", [TEXTS, STRANGERS[:2]], ids=["one kind", "different kinds"])
def test_terms_and_contributions_sum_to_the_ratio_before_its_bounds(
    verifier: NeuralVerifier, texts: list[str]
) -> None:
    explanation = verifier.explain_texts(*texts)
    decision = explanation.decision
    names = [term.name for term in decision.terms]
    assert names[-1] == REST and (APART in names) == (texts is not TEXTS)
    total = sum(term.llr for term in decision.terms)
    low, high = decision.bounds or (0.0, 0.0)
    assert decision.llr == pytest.approx(np.clip(total, low, high), abs=1e-9)
    words = [w for side in (explanation.left, explanation.right) for t in side for w in t.words]
    assert sum(word.contribution or 0.0 for word in words) == pytest.approx(total, abs=1e-6)


@pytest.mark.parametrize("view", [0, 2])
def test_views_of_characters_are_those_of_a_slow_loop(verifier: NeuralVerifier, view: int) -> None:
    """A cosine of weighted z-scores of both texts, feature by feature."""
    assert verifier.views_ is not None
    kinds = verifier.views_.kinds
    place = kinds.names.index("hotels")
    products = [0.0, 0.0, 0.0]
    for number, feature in enumerate(kinds.views[view].features, kinds.edges[view]):
        weighted = []
        for text in TEXTS:
            total = len(text) - len(feature) + 1
            found = sum(text.startswith(feature, i) for i in range(total))
            root = math.sqrt(found / total)
            deviations = (root - kinds.mean[place, number]) / kinds.deviation[place, number]
            weighted.append(float(kinds.weight[number]) * min(max(deviations, -6.0), 6.0))
        one, other = weighted
        for i, product in enumerate((one * other, one * one, other * other)):
            products[i] += product
    expected = products[0] / math.sqrt(products[1] * products[2])
    left, right = (verifier.read_side([Document(text)], "hotels").vector for text in TEXTS)
    found = similarities(left, right, kinds.width, kinds.edges)
    assert found[NETWORK_TERMS + view] == pytest.approx(expected, abs=1e-5)


def test_a_view_is_weighed_by_removing_words(verifier: NeuralVerifier) -> None:
    """Keeping every word gives the terms of the whole pair."""
    for texts in (TEXTS, STRANGERS[:2]):
        pair = Pair.of_texts(*texts)
        effects = verifier.word_effects(pair)
        assert effects is not None
        whole = effects.llr(np.ones((1, effects.n_words), dtype=bool))[0]
        terms = verifier.decide([pair])[0].terms
        assert whole == pytest.approx(sum(term.llr for term in terms), abs=1e-5)


def test_sides_are_swapped_without_a_difference(verifier: NeuralVerifier) -> None:
    one, other = verifier.verify(*TEXTS), verifier.verify(*TEXTS[::-1])
    assert one.llr == pytest.approx(other.llr, abs=1e-9)


def test_a_stated_kind_does_not_switch_off_the_check(verifier: NeuralVerifier) -> None:
    pair = Pair.of_texts(STRANGERS[1] * 5, STRANGERS[3] * 5, "nus_sms")
    decision = verifier.decide([pair])[0]
    assert decision.verdict is Verdict.UNDECIDED
    assert {reason.code for reason in decision.reasons} == {OUT_OF_DOMAIN}
    assert "(nus_sms); left does not look like that" in str(decision.reasons[0])


def test_texts_of_different_kinds_are_noted(verifier: NeuralVerifier) -> None:
    """Evidence between them counts less, whatever it says; one more term takes off the rest. Stated
    kinds are taken at their word."""
    decision = verifier.verify(*STRANGERS[:2])
    assert DIFFERENT_KINDS in {note.code for note in decision.notes}
    terms = {term.name: term.llr for term in decision.terms}
    others = sum(llr for name, llr in terms.items() if name != APART)
    assert 0 < terms[APART] < -others
    alike = verifier.verify(*TEXTS)
    assert APART not in {term.name for term in alike.terms}
    assert DIFFERENT_KINDS not in {note.code for note in alike.notes}
    [stated] = verifier.decide([Pair.of_texts(*STRANGERS[:2], "blogs")])
    assert APART not in {term.name for term in stated.terms}


def test_kinds_are_shown_in_words(verifier: NeuralVerifier) -> None:
    assert verifier.views_ is not None
    kinds = verifier.views_.kinds
    words = dict(zip(kinds.names, kinds.labels, strict=True))
    explanation = verifier.explain_texts(*STRANGERS[:2])
    decision = explanation.decision
    names = [reading.recognised or "" for reading in (decision.left, decision.right)]
    assert all(words[name] != name for name in names)
    one, other = (f"{words[name]} ({name})" for name in names)
    [note] = [note for note in decision.notes if note.code == DIFFERENT_KINDS]
    labels = " and ".join(sorted((one, other)))
    assert str(note).startswith(f"the sides look like different kinds of text ({labels})")
    plain = " ".join(decision_text(decision, colour=False).split())
    assert f"nearest to {one}" in plain and f"nearest to {other}" in plain
    assert f"nearest to {one}" in render(explanation, form="html")
    assert decision.to_dict()["left"]["recognised"] == names[0]
    with pytest.raises(InputError, match="genre 'poems'") as error:
        verifier.verify(*TEXTS, genre="poems")
    assert one in str(error.value) and other in str(error.value)


@pytest.mark.parametrize("text", ["Hello", "", "der die das und nicht war " * 30, TEXTS[0]])
def test_a_pair_that_is_not_judged_has_no_terms_and_no_note_on_kinds(
    verifier: NeuralVerifier, text: str
) -> None:
    decision = verifier.verify(text, TEXTS[0])
    assert decision.verdict is Verdict.UNDECIDED
    assert decision.terms == ()
    assert decision.distance is None
    assert (decision.left.recognised is None) == (decision.left.tokens < 20)
    assert not {DIFFERENT_KINDS, "views-disagree"} & {note.code for note in decision.notes}


def test_reference_texts_replace_the_statistics_of_the_kind(verifier: NeuralVerifier) -> None:
    referring = verifier.with_reference(reference_texts())
    decision = referring.verify(*TEXTS)
    assert decision.left.genre == decision.right.genre == "reference"
    assert decision.track_record is not None and decision.track_record.genre == "reference"
    assert verifier.verify(*TEXTS).left.genre != "reference"
    with pytest.raises(InputError, match=r"^3 reference texts are long enough: at least 50"):
        verifier.with_reference(reference_texts(3))
    with pytest.raises(InputError, match=r"^1 reference text is long enough"):
        verifier.with_reference(reference_texts(1))
    with pytest.raises(InputError, match="genre 'reference' is not known"):
        verifier.verify(*TEXTS, genre="reference")


def test_a_text_is_never_in_its_own_reference(verifier: NeuralVerifier) -> None:
    """Adding the compared texts to the reference changes nothing."""
    plain = verifier.with_reference(reference_texts())
    beside = verifier.with_reference([*reference_texts(), *TEXTS])
    pairs = [Pair.of_texts(*TEXTS), Pair.of_texts(TEXTS[0], STRANGERS[2])]
    one, other = plain.decide(pairs), beside.decide(pairs)
    assert one[0].llr == pytest.approx(other[0].llr, abs=1e-6)
    expected = beside.explain_texts(*TEXTS).decision
    assert expected.llr == pytest.approx(one[0].llr, abs=1e-6)


def test_a_compared_text_does_not_widen_the_limit_of_its_reference(
    verifier: NeuralVerifier,
) -> None:
    """Whether a side is unlike the reference does not depend on its being among the texts."""
    odd = "zq xv wj kk qx zzv jjq vvx " * 20
    referring = verifier.with_reference([*reference_texts(), odd])
    assert referring.views_ is not None and verifier.views_ is not None
    kept = referring.views_.without([odd])
    plain = verifier.with_reference(reference_texts()).views_
    assert plain is not None
    assert kept.kinds.limits[-1] == pytest.approx(plain.kinds.limits[-1], rel=0.02)
    assert referring.views_.kinds.limits[-1] > 1.05 * kept.kinds.limits[-1]


def test_the_texts_of_a_matrix_are_not_in_their_own_reference(verifier: NeuralVerifier) -> None:
    """Adding any of the texts that are compared to the reference changes nothing."""
    sides = [(Document(text * 2),) for text in (*TEXTS, *STRANGERS)]
    own = [side[0].text for side in sides]
    plain = verifier.with_reference(reference_texts()).matrix(sides)
    beside = verifier.with_reference([*own[:4], *reference_texts()]).matrix(sides)
    np.testing.assert_allclose(plain.llr, beside.llr, atol=1e-6)
    with pytest.raises(InputError, match=r"^24 reference texts are not among those compared"):
        few = [(Document(text),) for text in reference_texts()[:36]]
        verifier.with_reference(reference_texts()).matrix(few)


@pytest.mark.parametrize(("texts", "is_said"), [(11, False), (18, True)])
def test_more_texts_than_were_calibrated_on_are_said(
    verifier: NeuralVerifier, texts: int, is_said: bool
) -> None:
    known, questioned = (
        [f"{text} We were {number} that day." for number in range(texts)]
        for text in (STRANGERS[2], STRANGERS[4])
    )
    pair = Pair.of_texts(known, questioned)
    [decision] = verifier.decide([pair])
    assert (MANY_TEXTS in {note.code for note in decision.notes}) == is_said
    said = " ".join(map(str, decision.notes))
    assert is_said == ("about 18 texts or stretches of long texts" in said)
    most = verifier.limits().most_stretches
    assert is_said == (f"calibration pairs at most {most:.0f}: expect more errors" in said)


def test_counts_of_a_side_are_sums(verifier: NeuralVerifier) -> None:
    views = verifier.views_
    assert views is not None
    read = verifier.read(TEXTS)
    counts = Counts.of([half for text in read for half in text.counts or ()])
    joined = verifier.read(["\n\n".join(TEXTS)])[0].counts
    assert joined is not None
    apart = views.kinds.frequencies(counts) - views.kinds.frequencies(Counts.of(joined))
    assert np.abs(apart).max() < 0.03  # a few sequences cross the seam


def test_a_model_with_views_is_saved_and_read(verifier: NeuralVerifier, tmp_path: Path) -> None:
    copy = adhominem.load()
    copy.save(tmp_path / "model", name="copy")
    again = adhominem.load(tmp_path / "model")
    one, other = verifier.verify(*TEXTS), again.verify(*TEXTS)
    assert one.llr == pytest.approx(other.llr, abs=1e-9)
    assert again.min_voice == verifier.min_voice
