from __future__ import annotations

from collections.abc import Callable

import pytest

import adhominem
from adhominem.instrument.report.layers import Scale, heaviest_words, layers_for
from adhominem.instrument.report.layout import lay_out, whole_sentences
from adhominem.instrument.report.render import render
from adhominem.records import Explanation, Sentence, TextExplanation, Word

Explain = Callable[..., Explanation]


def test_shared_characters_belong_to_the_first_word() -> None:
    text = TextExplanation(
        "½ left",
        (Word("1", 0, 1, 0.1, 0), Word("/2", 0, 1, 0.2, 0), Word("left", 2, 6, 0.7, 0)),
        (Sentence(0, 6, 1.0),),
    )
    [[passage]], _ = lay_out([text])
    assert [piece.text for piece in passage.pieces] == ["½", "", " ", "left"]
    assert [piece.word is None for piece in passage.pieces] == [False, False, True, False]


def test_words_are_counted_over_all_texts_of_a_side(explain: Explain) -> None:
    explanation = explain("a b c", "d e\nf g")
    layouts, left_out = lay_out([*explanation.left, *explanation.right], max_words=4)
    shown = ["".join(p.text for passage in own for p in passage.pieces) for own in layouts]
    assert shown == ["a b c", "d"]
    assert left_out.startswith("Shown are the first 4 words.")
    assert left_out.endswith("3 more words (6 characters).")


def test_marker_after_the_last_word_shown_is_kept(explain: Explain) -> None:
    [passages], _ = lay_out(explain("a b\nc d").left, max_words=2)
    words = [piece.word for passage in passages for piece in passage.pieces if piece.word]
    assert [word.text for word in words] == ["a", "b", "<sentence-end>"]


def test_both_is_the_product_for_attention_alone(explain: Explain) -> None:
    [text] = explain("a b c\nd e").left
    attention, occlusion = layers_for("attention")[0].words, layers_for("occlusion")[0].words
    for word in text.words:
        sentence = text.sentences[word.sentence]
        assert attention.value(word, sentence) == word.weight * sentence.weight
        assert occlusion.value(word, sentence) == word.weight


def test_heaviest_words_are_those_of_a_full_sort(explain: Explain) -> None:
    [text] = explain("a b c d e f\ng h i j k l\nm n o").left
    slow = sorted(text.words, key=lambda w: -w.weight * text.sentences[w.sentence].weight)[:10]
    heaviest = heaviest_words([text], layers_for("attention"))
    assert [word for word, _, _ in heaviest] == slow


def test_word_of_a_missing_sentence_is_refused() -> None:
    text = TextExplanation("a", (Word("a", 0, 1, 1.0, 1),), (Sentence(0, 1, 1.0),))
    with pytest.raises(ValueError, match="sentence 1, but its text has 1 sentences"):
        layers_for("attention")[0].scales([text])


def test_strength_is_linear_up_to_the_largest() -> None:
    measure = layers_for("occlusion")[0].words
    scale = Scale(measure, 0.5)
    strengths = [scale.strength(w) for w in (0.0, 0.25, -0.25, 0.5, 0.6)]
    assert strengths == [0.0, 0.5, 0.5, 1.0, 1.0]
    assert Scale(measure, 0.0).strength(0.0) == 0.0
    assert Scale(measure, 1.0).strength(float("nan")) == 0.0


def test_a_sentence_that_was_cut_for_the_network_is_shown_as_one() -> None:
    """Shares of words sum to 1 over the whole sentence, and their products stay as they were."""
    long = "we walked " + "and walked " * 30 + "to the sea. It was cold."
    explanation = adhominem.load().explain_texts(long, long.replace("walked", "went"))
    [text] = explanation.left
    whole = whole_sentences(text)
    assert [long[s.start : s.end] for s in whole.sentences] == [long[:-13], "It was cold."]
    assert len(text.sentences) > len(whole.sentences) == 2
    for old, new in zip(text.words, whole.words, strict=True):
        product = old.weight * text.sentences[old.sentence].weight
        assert new.weight * whole.sentences[new.sentence].weight == pytest.approx(product)
    for i in range(2):
        assert sum(w.weight for w in whole.words if w.sentence == i) == pytest.approx(1, abs=1e-4)
    total = sum(s.contribution or 0.0 for s in text.sentences)
    assert sum(s.contribution or 0.0 for s in whole.sentences) == pytest.approx(total)
    assert render(explanation).count('class="sentence together"') == 4  # two on each side
    assert render(explanation, form="text").count("\u23ce") >= 2  # the cuts are still marked


def test_sentences_without_a_cut_stay_as_they_are(explain: Explain) -> None:
    [text] = explain("a b c\nd e").left
    assert whole_sentences(text) is text
