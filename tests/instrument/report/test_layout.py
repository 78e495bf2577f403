from __future__ import annotations

from collections.abc import Callable

import pytest

from adhominem.instrument.report.layout import lay_out
from adhominem.instrument.report.ranking import heaviest_words
from adhominem.instrument.report.scale import peaks, share, weigh
from adhominem.records import Explanation, Sentence, TextExplanation, Word

Explain = Callable[..., Explanation]


def test_shared_characters_belong_to_the_first_word() -> None:
    text = TextExplanation(
        "½ left",
        (Word("1", 0, 1, 0.1, 0), Word("/2", 0, 1, 0.2, 0), Word("left", 2, 6, 0.7, 0)),
        (Sentence(0, 6, 1.0),),
    )
    [layout] = lay_out([text])
    [passage] = layout.passages
    assert [piece.text for piece in passage.pieces] == ["½", "", " ", "left"]
    assert [piece.word is None for piece in passage.pieces] == [False, False, True, False]


def test_words_are_counted_over_all_texts_of_a_side(explain: Explain) -> None:
    explanation = explain("a b c", "d e\nf g")
    layouts = lay_out([*explanation.left, *explanation.right], most_words=4)
    assert [layout.words_shown for layout in layouts] == [3, 1]
    assert [layout.words_left_out for layout in layouts] == [0, 3]
    assert [layout.characters_left_out for layout in layouts] == [0, 6]


def test_marker_after_the_last_word_shown_is_kept(explain: Explain) -> None:
    [layout] = lay_out(explain("a b\nc d").left, most_words=2)
    words = [piece.word for passage in layout.passages for piece in passage.pieces if piece.word]
    assert [word.text for word in words] == ["a", "b", "<sentence-end>"]


def test_importance_is_the_product_for_attention_alone(explain: Explain) -> None:
    [text] = explain("a b c\nd e").left
    for word in text.words:
        sentence = text.sentences[word.sentence].weight
        assert weigh(word, text, "attention").importance == word.weight * sentence
        assert weigh(word, text, "occlusion").importance == word.weight


def test_heaviest_words_are_those_of_a_full_sort(explain: Explain) -> None:
    [text] = explain("a b c d e f\ng h i j k l\nm n o").left
    slow = sorted(text.words, key=lambda w: -w.weight * text.sentences[w.sentence].weight)[:10]
    assert [one.word for one in heaviest_words([text], "attention")] == slow


def test_word_of_a_missing_sentence_is_refused() -> None:
    text = TextExplanation("a", (Word("a", 0, 1, 1.0, 1),), (Sentence(0, 1, 1.0),))
    with pytest.raises(ValueError, match="sentence 1, but its text has 1 sentences"):
        peaks([text], "attention")


def test_share_is_linear_up_to_the_largest() -> None:
    assert [share(w, 0.5) for w in (0.0, 0.25, -0.25, 0.5, 0.6)] == [0.0, 0.5, 0.5, 1.0, 1.0]
    assert share(0.0, 0.0) == 0.0
    assert share(float("nan"), 1.0) == 0.0
