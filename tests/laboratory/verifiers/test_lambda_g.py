"""LambdaG and its Kneser-Ney models, against plain dictionaries and published properties."""

import math
import statistics
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem.errors import InputError
from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.text.tokenised import offsets
from adhominem.instrument.views.ngrams import MaskedTokens
from adhominem.laboratory.verifiers.lambda_g import LambdaG, Sentences, log_likelihoods
from adhominem.records import Document, Pair, Verdict

V = 4  # masked tokens 1 to 4
START, END, UNKNOWN = "<s>", "</s>", "<unk>"
ORDER, REFERENCES = 4, 5
Text = Sequence[Sequence[Hashable]]  # sentences of symbols
TEXTS = st.lists(st.lists(st.integers(1, V), max_size=6), min_size=1, max_size=5)
ORDERS = st.integers(1, 5)
PROPERTY = settings(max_examples=60)
DISCOUNTS = st.sampled_from([0.1, 0.5, 0.75, 0.9])


class SlowModel:
    """All n-grams of all lengths in dictionaries, and the recursion as it is written down."""

    def __init__(
        self, text: Text, order: int, discount: float = 0.75, n_symbols: int = V + 2
    ) -> None:
        self.order, self.discount, self.n_symbols = order, discount, n_symbols
        whole = self.grams(text)
        self.counts = {order: Counter(whole)}
        for n in range(order - 1, 0, -1):
            longer = {gram[-n - 1 :] for gram in whole}
            self.counts[n] = Counter(gram[1:] for gram in longer)

    def grams(self, text: Text) -> list[tuple[Hashable, ...]]:
        padded = [[START] * (self.order - 1) + [*sentence, END] for sentence in text]
        ends = [(row, i + 1) for row in padded for i in range(self.order - 1, len(row))]
        return [tuple(row[end - self.order : end]) for row, end in ends]

    def probability(self, symbol: Hashable, context: tuple[Hashable, ...]) -> float:
        shorter = self.probability(symbol, context[1:]) if context else 1 / self.n_symbols
        grams = self.counts[len(context) + 1]
        following = {gram[-1]: n for gram, n in grams.items() if gram[:-1] == context}
        total = sum(following.values())
        if not total:
            return shorter
        own = max(following.get(symbol, 0) - self.discount, 0)
        return (own + self.discount * len(following) * shorter) / total

    def log_likelihood(self, text: Text) -> float:
        grams = self.grams(text)
        return sum(math.log10(self.probability(gram[-1], gram[:-1])) for gram in grams)


def sentences(text: list[list[int]]) -> Sentences:
    closed = [[*sentence, V + 1] for sentence in text]
    symbols = np.array([symbol for sentence in closed for symbol in sentence], dtype=np.int64)
    return Sentences(symbols, offsets([len(sentence) for sentence in closed]))


def fast(
    questioned: list[list[int]], known: list[list[list[int]]], order: int, discount: float = 0.75
) -> list[float]:
    found = log_likelihoods(
        sentences(questioned),
        [sentences(text) for text in known],
        order=order,
        discount=discount,
        n_symbols=V + 2,
    )
    return [float(value) for value in found]


@PROPERTY
@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=4), ORDERS, DISCOUNTS)
def test_likelihoods_equal_plain_dictionaries(
    questioned: list[list[int]], known: list[list[list[int]]], order: int, discount: float
) -> None:
    expected = [SlowModel(text, order, discount).log_likelihood(questioned) for text in known]
    assert fast(questioned, known, order, discount) == pytest.approx(expected, abs=1e-9)


@PROPERTY
@given(TEXTS, st.lists(st.integers(1, V), max_size=4), ORDERS, DISCOUNTS)
def test_probabilities_sum_to_one(
    known: list[list[int]], before: list[int], order: int, discount: float
) -> None:
    """Chen & Goodman (1999): an interpolated model is a distribution after every context. The
    unknown symbol, which no text has, gets what is left."""
    model = SlowModel(known, order, discount)
    context = tuple([START] * order + before)[len(before) + 1 :]
    total = sum(model.probability(symbol, context) for symbol in (*range(1, V + 1), END, UNKNOWN))
    assert total == pytest.approx(1)


@PROPERTY
@given(TEXTS, TEXTS, ORDERS)
def test_likelihoods_do_not_depend_on_the_other_models_or_the_order_of_sentences(
    questioned: list[list[int]], known: list[list[int]], order: int
) -> None:
    alone = fast(questioned, [known], order)[0]
    among = fast(questioned[::-1], [questioned, known[::-1], [[1, 1]]], order)[1]
    assert among == pytest.approx(alone, abs=1e-9)


@PROPERTY
@given(TEXTS, TEXTS, ORDERS)
def test_likelihoods_of_sentences_add_up(
    one: list[list[int]], other: list[list[int]], order: int
) -> None:
    known = [[1, 2, 3, 1, 2], [2, 4]]
    apart = fast(one, [known], order)[0] + fast(other, [known], order)[0]
    assert fast(one + other, [known], order)[0] == pytest.approx(apart, abs=1e-9)


def test_a_value_by_hand() -> None:
    """Two sentences "1 2" and "1 3", order 2: after 1 the symbols 2 and 3 follow once each. Of the
    five kinds of bigrams two end with the end symbol and one with each of 1, 2 and 3."""
    lowest = 0.75 * 4 / 5 / (V + 2)
    expected = [
        (2 - 0.75) / 2 + 0.75 * 1 / 2 * ((1 - 0.75) / 5 + lowest),  # 1 after the start
        (1 - 0.75) / 2 + 0.75 * 2 / 2 * ((1 - 0.75) / 5 + lowest),  # 2 after 1
        (1 - 0.75) / 1 + 0.75 * 1 / 1 * ((2 - 0.75) / 5 + lowest),  # the end after 2
    ]
    found = fast([[1, 2]], [[[1, 2], [1, 3]]], 2)[0]
    assert found == pytest.approx(math.log10(math.prod(expected)))


def test_sentences_of_texts_are_masked_and_closed() -> None:
    masked = MaskedTokens(("the", "."), ())
    read = Sentences.read(tokenise(["The dog. The cat.", "", "the the"]), masked)
    the, stop, noun = (masked.numbers(tokenise([word])).tolist()[0] for word in ("the", ".", "dog"))
    end = masked.n_numbers + 1
    assert read.symbols.tolist() == [the, noun, stop, end, the, noun, stop, end, the, the, end]
    assert read.edges.tolist() == [0, 4, 8, 11]
    assert read.before(2, np.arange(11)).tolist() == [0, 0, the, noun, 0, 0, the, noun, 0, 0, the]
    assert read.take(np.array([2])).symbols.tolist() == [the, the, end]


@pytest.fixture(scope="module")
def fitted(train_pairs: list[Pair], dev_pairs: list[Pair]) -> LambdaG:
    method = LambdaG(order=ORDER, references=REFERENCES, pool=12, words=20)
    return method.fit(train_pairs, dev_pairs)


def masked_sentences(fitted: LambdaG, text: str) -> Text:
    view = MaskedTokens(tuple(fitted.kept_), ())
    tokens = tokenise([text])
    words, edges = [view.mask(word) for word in tokens.words()], tokens.sentences.tolist()
    return [words[start:end] for start, end in pairwise(edges)]


def slow_t(fitted: LambdaG, known: Text, questioned: Text, donors: list[Text]) -> float:
    n = len(known)
    able = [d for d in donors if len(d) >= n]
    able += sorted((d for d in donors if len(d) < n), key=lambda d: -len(d))
    references = []
    for i in range(REFERENCES):
        run = [sentence for donor in (*able[i:], *able[:i]) for sentence in donor]
        references.append(run[:n])
    symbols = MaskedTokens(tuple(fitted.kept_), ()).n_numbers + 2
    own, *others = (
        SlowModel(text, ORDER, n_symbols=symbols).log_likelihood(questioned)
        for text in (known, *references)
    )
    ratios = [own - other for other in others]
    return statistics.mean(ratios) / statistics.stdev(ratios)


def donors_of(fitted: LambdaG, pairs: list[Pair]) -> list[tuple[str, list[str]]]:
    """The authors of the pool and their texts, in the order in which a permutation meets them."""
    documents = [d for p in pairs for d in p.left] + [d for p in pairs for d in p.right]
    texts = {d.text: d.author for d in documents}
    names = list(texts)
    found: dict[str, list[str]] = {}
    for i in np.random.default_rng(fitted.seed).permutation(len(names)).tolist():
        author = texts[names[i]]
        assert author is not None
        found.setdefault(author, []).append(names[i])
    return list(found.items())[: fitted.pool]


def slow_similarity(fitted: LambdaG, pair: Pair, pairs: list[Pair]) -> float:
    left, right = (
        [s for d in side for s in masked_sentences(fitted, d.text)]
        for side in (pair.left, pair.right)
    )
    documents = (*pair.left, *pair.right)
    donors = [
        [sentence for text in texts for sentence in masked_sentences(fitted, text)]
        for author, texts in donors_of(fitted, pairs)
        if all(d.author != author and d.text not in texts for d in documents)
    ]
    return statistics.mean(
        [slow_t(fitted, left, right, donors), slow_t(fitted, right, left, donors)]
    )


def test_similarities_equal_plain_dictionaries(
    fitted: LambdaG, train_pairs: list[Pair], dev_pairs: list[Pair]
) -> None:
    first = dev_pairs[0]
    long = Pair(tuple(d for p in dev_pairs[:12:2] for d in p.left), first.right)
    pairs = [*dev_pairs[:3], long]
    expected = [slow_similarity(fitted, pair, train_pairs) for pair in pairs]
    np.testing.assert_allclose(fitted.compare(pairs).similarity, expected, atol=1e-8)
    assert len({round(value, 2) for value in expected}) == len(pairs)


def test_authors_of_the_pair_and_of_its_texts_are_no_references(
    fitted: LambdaG, train_pairs: list[Pair], dev_pairs: list[Pair]
) -> None:
    [(author, [text, *_]), *_] = donors_of(fitted, train_pairs)
    everybody = set(range(12))
    stranger = dev_pairs[0].right
    named = Document("we never stay again", author=author)
    for document, barred in (
        (named, {0}),
        (replace(named, author=None), set()),
        (Document(text), {0}),
    ):
        found = fitted._donors(Pair((document,), stranger))
        assert set(found.tolist()) == everybody - barred
        pair = Pair((document,), stranger)
        expected = slow_similarity(fitted, pair, train_pairs)
        assert fitted.compare([pair]).similarity[0] == pytest.approx(expected, abs=1e-8)


def test_the_words_that_most_texts_use_are_kept(fitted: LambdaG, train_pairs: list[Pair]) -> None:
    texts = {d.text for pair in train_pairs for d in (*pair.left, *pair.right)}
    used = Counter(w for text in texts for w in {word.lower() for word in tokenise([text]).words()})
    kept = [used[word] for word in fitted.kept_]
    assert kept == sorted(used.values(), reverse=True)[:20]


def test_identical_sides_have_the_largest_value(fitted: LambdaG, dev_pairs: list[Pair]) -> None:
    one, other = dev_pairs[0].left[0], dev_pairs[0].right[0]
    pairs = [Pair((one,), (one,)), Pair((one, other, one), (other, one)), *dev_pairs]
    found = fitted.compare(pairs).similarity
    assert found[0] == found[1] == 20
    assert (np.abs(found[2:]) < 20).all()


def test_one_author_is_told_from_two(fitted: LambdaG, dev_pairs: list[Pair]) -> None:
    found = fitted.compare(dev_pairs).similarity
    same = np.array([bool(pair.same_author) for pair in dev_pairs])
    wins = found[same][:, None] > found[~same][None]
    assert wins.mean() > 0.8


def test_without_two_reference_authors_the_answer_is_undecided(dev_pairs: list[Pair]) -> None:
    text, other = "we never stay again " * 10, "the staff was good " * 10
    mine, yours = Document(text, author="a"), Document(other, author="b")
    fitted = LambdaG().fit([Pair((mine,), (yours,), False)], dev_pairs)
    decision = fitted.decide([Pair((mine,), (Document("a tiny room " * 10),))])[0]
    assert decision.verdict is Verdict.UNDECIDED
    assert [str(reason) for reason in decision.reasons] == ["there is nothing to compare"]


def test_training_texts_of_one_author_are_refused(dev_pairs: list[Pair]) -> None:
    one = tuple(Document(f"we never stay {word} " * 9, author="a") for word in ("here", "there"))
    with pytest.raises(InputError, match="texts of one author"):
        LambdaG().fit([Pair(one[:1], one[1:], True)], dev_pairs)


@pytest.mark.parametrize("settings", [{"order": 0}, {"discount": 1.0}, {"discount": 0.0}])
def test_settings_that_mean_nothing_are_refused(
    settings: dict[str, float], train_pairs: list[Pair], dev_pairs: list[Pair]
) -> None:
    with pytest.raises(InputError, match="order must be at least 1, discount between 0 and 1"):
        LambdaG(**settings).fit(train_pairs, dev_pairs)  # type: ignore[arg-type]
