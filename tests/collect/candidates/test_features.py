"""Features of pairs: every value derived by hand."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from candidate_pairs import FixedScorer, block_of, described, values_of

from similitude.collect.candidates.features import DescribedPairs, TextProperties, catalogue, make_feature
from similitude.collect.candidates.features.text_languages import text_codes
from similitude.collect.candidates.features.vectors import cosines
from similitude.collect.candidates.filters import Names, make_features
from similitude.collect.candidates.filters import described as with_columns
from similitude.collect.candidates.pairs import PairBlock
from similitude.data.item import Items
from similitude.data.texts import Texts
from similitude.errors import ArgumentError, PredictionError, UnknownNameError
from similitude.inspect.words import word_overlaps


def test_iou_is_of_sets_without_stop_words():
    # {man, plays, guitar} and {man, plays, flute}: 2 of 4. "A", "the" and "is" are stop words; case does not matter.
    assert values_of("iou", ["A man plays the guitar."], ["The MAN is... plays a flute!"]) == [0.5]


def test_repeated_words_count_once_unless_counts_is_set():
    left, right = ["dog dog cat"], ["dog dog dog bird"]
    assert values_of("iou", left, right) == [1 / 3]  # {dog} of {dog, cat, bird}
    assert values_of("iou(counts=true)", left, right) == [2 / 5]  # min: dog 2; max: dog 3, cat 1, bird 1


def test_iou_with_stop_words():
    # {a, man} and {a, dog}: 1 of 3
    assert values_of("iou(stop_words=true)", ["A man"], ["a dog"]) == [1 / 3]


def test_iou_is_undefined_without_content_words_but_not_if_one_text_has_some():
    found = values_of("iou", ["the of", "the of"], ["and a", "a cat"])
    assert math.isnan(found[0])
    assert found[1] == 0


@pytest.mark.parametrize(
    ("language", "left", "right", "value"),
    [
        ("de", "Der Hund ist nicht hier", "Ein Hund mit Katze", 1 / 2),  # {hund}, {hund, katze}
        ("de-AT", "Der Hund", "Ein Hund mit Katze", 1 / 2),
        ("fr", "l'homme n’est pas là", "un homme d'Italie", 1 / 2),  # {homme}, {homme, italie}
        ("en", "Der Hund", "der Hund mit", 2 / 3),  # {der, hund}, {der, hund, mit}
        ("tlh", "the cat", "the dog", 1 / 3),  # no stop words are known
    ],
)
def test_stop_words_are_those_of_the_language(language, left, right, value):
    assert values_of("iou", [left], [right], language=[language] * 2) == [value]


def test_chinese_words_are_found_by_jieba():
    # {来到, 北京, 清华大学} and {来到, 北京}: 我 and 他 are stop words
    found = values_of("iou", ["我来到北京清华大学"], ["他来到北京"], language=["zh", "zh"])
    assert found == [2 / 3]


def test_texts_of_several_languages_keep_their_rows():
    found = values_of("words", ["我来到北京", "one two"], ["a b c d e", "x"], language=["zh", "en", "en", "de"])
    assert found == [3, 1]


def test_apostrophes_and_hyphens_inside_a_word():
    # {e-mail, 5g, o'clock}: nothing is cut
    assert values_of("iou(stop_words=true)", ["e-mail 5G o’clock"], ["o'clock, 5g; e-mail"]) == [1.0]


def test_word_overlap_is_that_of_inspect():
    lefts = ["a a b", "A man eats", "", "x", "one\x1ctwo three"]
    rights = ["a c", "a man sleeps", "", "", "two"]
    expected = word_overlaps(Items.from_pairs(lefts, rights)).tolist()
    assert expected[0] == 0.75  # (2 + 1) / (3 + 1)
    assert values_of("word_overlap", lefts, rights) == expected


def test_lengths_are_those_of_the_shorter_text_unless_said_otherwise():
    left, right = ["ab cd"], ["abc def gh"]
    assert values_of("chars", left, right) == [5]
    assert [
        values_of(f"chars(of={of})", left, right) for of in ("most", "mean", "sum", "difference", "left", "right")
    ] == [
        [10],
        [7.5],
        [15],
        [5],
        [5],
        [10],
    ]
    assert values_of("words", left, right) == [2]
    assert values_of("words(of=mean)", left, right) == [2.5]


def test_length_ratio_is_short_over_long_and_undefined_without_words():
    found = values_of("length_ratio", ["a b c", "a", ""], ["a b c d", "", " "])
    assert found[:2] == [0.75, 0.0]
    assert math.isnan(found[2])


def unit(*rows):
    found = np.array(rows, dtype=np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def test_cosine_and_l2_of_unit_vectors():
    # left: x, x, x; right: 60 degrees, opposite, the same. |a - b| = 1, 2, 0, so 1 - L2 / 2 = 0.5, 0, 1
    vectors = unit([1, 0], [1, 0], [1, 0], [0.5, math.sqrt(0.75)], [-1, 0], [1, 0])
    assert values_of("cosine", "abc", "def", vectors=vectors) == [0.5, -1.0, 1.0]
    assert values_of("l2", "abc", "def", vectors=vectors) == [0.5, 0.0, 1.0]


def test_cosines_do_not_depend_on_blocks_and_are_rounded():
    rng = np.random.default_rng(3)
    vectors = unit(*rng.standard_normal((50, 37)))
    left, right = rng.integers(0, 50, 3000), rng.integers(0, 50, 3000)
    whole = cosines(vectors, left, right)
    assert (whole == whole.round(6)).all()
    for size in (1, 7, 1000):
        parts = [cosines(vectors, left[at : at + size], right[at : at + size]) for at in range(0, 3000, size)]
        np.testing.assert_array_equal(np.concatenate(parts), whole)
    exact = np.einsum("ij,ij->i", vectors[left].astype(np.float64), vectors[right].astype(np.float64))
    np.testing.assert_allclose(whole, exact, atol=1e-6)


def test_cosine_without_vectors_names_the_remedy():
    with pytest.raises(ArgumentError, match=r"'cosine' compares vectors, and these pairs have none; .*--pair use"):
        values_of("cosine", ["a"], ["b"])


@pytest.mark.parametrize(
    ("kind", "text", "found"),
    [
        ("numbers", "In 1999, 3,5 of 10:30 and 1/2", 4),
        ("dates", "2020-01-31, 3.5.2020, 3 May 2020, May 3rd and am 12. März; may I", 5),
        ("times", "at 17:12, 5 pm and um 9 Uhr, not 12", 3),
        ("money", "$5, 3,000.50 euros and EUR 7, but 8 apples", 3),
        ("percentages", "5 %, 3.2 percent, 10", 2),
        ("urls", "see https://a.org/b?c and www.d.de.", 2),
        ("emails", "a.b@c.org, @me", 1),
        ("handles", "@me and #this, a@b.org", 2),
        ("names", "The man met Angela Merkel in the House of Commons. He left Paris", 3),
        ("acronyms", "NATO and the U.S. met I", 2),
    ],
)
def test_mentions_of_each_type(kind, text, found):
    assert values_of(kind, [text], [text]) == [found]
    assert values_of(f"{kind}(of=difference)", [text], ["nothing"]) == [found]


def test_shared_mentions():
    # {1999, 5} and {5, 7}: 1 of 3; neither has any: undefined
    found = values_of("shared(numbers)", ["1999 and 5", "none"], ["5, 7", "here"])
    assert found[0] == 1 / 3
    assert math.isnan(found[1])


@pytest.mark.parametrize(
    ("language", "text", "found"),
    [
        (None, "I don't know; nobody can not say no, cannot", 5),
        ("en", "nothing knows a knot without notes", 2),
        ("de", "Nicht ohne keinen Kein kleines Nichts", 5),
        ("fr", "Il n'a rien, il ne sait pas", 3),
        ("zh", "我不知道, 没有", 2),
        ("tlh", "no not never", 0),
    ],
)
def test_negations(language, text, found):
    languages = pl.Series([language] * 2, dtype=pl.String)
    assert values_of("negations(of=left)", [text], [""], language=languages) == [found]


def test_richness_of_the_less_rich_text():
    # rttr: 2 / sqrt(2) and 1 / sqrt(2)
    assert values_of("rttr", ["one two"], ["one one"]) == [pytest.approx(1 / math.sqrt(2))]
    assert math.isnan(values_of("mtld", ["one"], [""])[0])


def test_language_is_that_of_both_texts():
    found = values_of("language", "abcd", "efgh", language=["de-AT", "en", "de", None, "de", "de", "de", "en"])
    assert found == ["de", "de+en", "de", None]


def test_a_language_that_no_text_states_is_guessed():
    assert values_of("language", ["Wo ist der Hund?", "Where is it?"], ["Das ist nicht gut.", "Wo ist es?"]) == [
        "de",
        "de+en",
    ]
    texts = Texts(pl.DataFrame({"id": ["1", "2"], "text": ["a", "b"], "language": [None, "de"]}))
    assert make_feature("language").notes(texts) == ["1 text states no language; it is guessed"]


def test_columns_of_texts_and_whether_they_are_the_same():
    columns = {"source": ["news", "news", None, "news", "wiki", "wiki"]}
    assert values_of("source", "abc", "def", **columns) == ["news", "news+wiki", None]
    found = values_of("same(source)", "abc", "def", **columns)
    assert found[:2] == [1, 0]
    assert math.isnan(found[2])


def test_a_further_column_of_the_texts():
    assert values_of("same(image)", "ab", "cd", image=[1, 2, 1, 1]) == [1, 0]


def test_a_column_of_lists():
    assert values_of("same(tags)", "ab", "cd", tags=[["x"], ["x"], ["x"], ["x", "y"]]) == [1, 0]


def test_strata_have_names():
    block = block_of("ab", "cd")
    block = PairBlock(block.texts, block.left, block.right, np.array([2, 4], np.uint8))
    found = described(block, []).value_of(make_feature("stratum"))
    assert found.to_list() == ["random", "given"]


def test_agreement_is_the_share_of_the_most_frequent_label():
    columns = {
        "l1": np.array(["e", "e", "n", None], dtype=object),
        "l2": np.array(["e", "n", "c", None], dtype=object),
        "l3": np.array(["e", "e", None, None], dtype=object),
    }
    found = values_of("agreement(l1, l2, l3)", "abcd", "efgh", columns=columns)
    assert found[:3] == [1.0, 2 / 3, 1 / 2]
    assert math.isnan(found[3])


def test_agreement_of_numbers():
    columns = {"l1": np.array([1, 2]), "l2": np.array([1.0, np.nan]), "l3": np.array([0, 3])}
    assert values_of("agreement(l1, l2, l3)", "ab", "cd", columns=columns) == [2 / 3, 1 / 2]


def test_disagreement_maps_each_system_from_its_range():
    # half: 0.5 of 0..1; five: 4 of 0..5 is 0.8, 9 counts as 5, -1 as 0
    found = values_of("disagreement(half, five)", "abc", ["x 4", "x 9", "x -1"], scorer=FixedScorer())
    assert found == [0.3, 0.5, 0.5]


def test_the_first_criterion_of_usts():
    # |4 / 5 - (1 - L2)| with 1 - L2 = 0.5 as above: 0.3
    vectors = unit([1, 0], [0.5, math.sqrt(0.75)])
    assert values_of("disagreement(five, l2)", ["a"], ["x 4"], vectors=vectors, scorer=FixedScorer()) == [0.3]


def test_disagreement_of_three_is_the_largest_difference():
    # 0.5, 4 / 5, and iou 0
    assert values_of("disagreement(half, five, iou)", ["a cat"], ["x 4"], scorer=FixedScorer()) == [0.8]


def test_disagreement_needs_ranges():
    with pytest.raises(ArgumentError, match=r"'rangeless' declares no range, .* such as levenshtein"):
        make_features(["disagreement(half, rangeless)"], Names(scorer=FixedScorer()))
    with pytest.raises(ArgumentError, match="disagreement takes two scores or more, not 1"):
        make_features(["disagreement(half)"], Names(scorer=FixedScorer()))


def test_sigma_of_a_system_that_gives_one_and_of_one_that_does_not():
    assert values_of("sigma(unsure)", ["a"], ["x 4"], scorer=FixedScorer()) == [0.4]
    with pytest.raises(PredictionError, match="system 'five' gives no standard deviations; take a system that does"):
        values_of("sigma(five)", ["a"], ["x 4"], scorer=FixedScorer())
    with pytest.raises(ArgumentError, match="'iou' is no system"):
        make_features(["sigma(iou)"])


def test_a_system_scores_a_block_once():
    scorer = FixedScorer()
    block = block_of("ab", ["x 1", "x 2"])
    features = make_features(
        ["unsure(model='m')", "sigma(unsure('m'))", "sigma(unsure(model=m))"], Names(scorer=scorer)
    )
    pairs = described(block, features, scorer)
    kept = with_columns(pairs, features)
    assert scorer.calls == ["unsure(model=m)", "unsure(m)"]
    assert kept.columns["unsure(model=m)"].tolist() == [1, 2]


def test_a_column_that_was_computed_before_is_not_computed_again():
    block = block_of(["a"], ["b"], columns={"cosine": np.array([0.25])})
    (feature,) = make_features(["cosine"])
    assert described(block, [feature]).value_of(feature).tolist() == [0.25]


def test_a_scorer_that_is_missing():
    (feature,) = make_features(["half"], Names(scorer=FixedScorer()))
    with pytest.raises(ArgumentError, match="nobody here to score pairs by 'half'"):
        described(block_of(["a"], ["b"]), [feature]).value_of(feature)


def test_a_property_that_was_not_computed_is_named():
    block = block_of(["a"], ["b"])
    with pytest.raises(ArgumentError, match=r"the texts have no property 'words'; .*there are: none"):
        DescribedPairs(block, TextProperties()).value_of(make_feature("words"))


def test_a_language_that_is_not_stated_is_guessed():
    # as above: Chinese by its script; German by its words, so that "der", "ist" and "nicht" are stop words
    assert values_of("iou", ["我来到北京清华大学"], ["他来到北京"]) == [2 / 3]
    assert values_of("iou", ["Der Hund ist nicht hier"], ["Ein Hund mit Katze"]) == [1 / 2]


def test_a_stated_language_is_not_guessed_and_what_cannot_be_guessed_is_unknown():
    texts = pl.DataFrame({"text": ["Der Hund ist nicht hier", "OK", None], "language": ["en-GB", None, None]})
    assert text_codes(texts).to_list() == ["en", "", ""]


def test_notes_say_whose_language_is_guessed_or_has_no_stop_words():
    texts = Texts(pl.DataFrame({"id": ["1", "2", "3"], "text": ["a"] * 3, "language": [None, "tlh", "de"]}))
    assert make_feature("iou").notes(texts) == [
        "1 text states no language; stop words are those of the guessed one (a column 'language' states it)",
        "no stop words are known for tlh (1 texts)",
    ]
    assert make_feature("iou(stop_words=true)").notes(texts) == []
    assert make_feature("chars").notes(texts) == []


def test_every_feature_is_listed_with_its_meaning():
    listed = {str(one).partition("(")[0]: one.meaning for one in catalogue()}
    assert {
        "iou",
        "cosine",
        "l2",
        "length_ratio",
        "chars",
        "words",
        "word_overlap",
        "negations",
        "numbers",
        "dates",
    } <= set(listed)
    assert all(listed.values())


def test_an_unknown_feature_suggests_the_nearest():
    with pytest.raises(UnknownNameError, match="did you mean 'length_ratio'"):
        make_features(["lenght_ratio"])


def test_a_column_of_texts_that_is_not_there():
    with pytest.raises(UnknownNameError, match=r"no column of the texts named 'sorce'; did you mean 'source'\?"):
        make_features(["same(sorce)"])
