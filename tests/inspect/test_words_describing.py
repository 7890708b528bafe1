"""What is known of a benchmark's texts: counted by hand, in parts, and against GiCCS and USTS."""

import json
import math
import sys

import numpy as np
import polars as pl
import pytest

import similitude as sim
from similitude.errors import ArgumentError, InputError, MissingExtraError, UnknownNameError
from similitude.inspect.words import describe_texts, plain_words, richness
from similitude.inspect.words.lemmas import _simplemma_languages
from similitude.samples import read_sample


@pytest.fixture
def dialogues():
    """Two German dialogues of three and two turns with two candidates each."""
    first, second = ["Guten Tag!", "Welche Züge?", "Der Zug um 7."], ["Ein Haus.", "Zwei Häuser, zwei."]
    return sim.Benchmark.from_columns(
        "two",
        left=[first[-1]] * 2 + [second[-1]] * 2,
        right=["Der Zug.", "Kein Zug.", "Häuser", "Der Zug."],
        context=[first, first, second, second],
        language=["de"] * 4,
        domain=["train", "train", "estate", "estate"],
        score=[1, 0, 0.55, 0.2],
        scale="0..1",
    )


@pytest.fixture
def pairs():
    return sim.Benchmark.from_columns(
        "pairs",
        left=["A cat sat.", "A cat sat.", "Two cats"],
        right=["A dog sat.", "No 7", "A cat sat."],
        language=["en"] * 3,
        source=["x", "x", "y"],
    )


def test_dialogues_by_hand(dialogues):
    three, two = sorted(describe_texts(dialogues).parts, key=lambda part: -part.passages)
    assert (three.part, two.part) == ((3, "train"), (2, "estate"))
    # Guten Tag! | Welche Züge? | Der Zug um 7.: 2 + 2 + 4 tokens in three turns, the dialogue once for its two items.
    assert (three.items, three.dialogues, three.passages, three.tokens) == (2, 1, 3, 8)
    assert three.passage_length == pytest.approx(8 / 3)
    # Words: guten tag welche züge der zug um. Lemmas: gut Tag welch Zug der um (Züge and Zug are one).
    assert (three.types, three.lemmas) == (7, 6)
    # Ein Haus. | Zwei Häuser, zwei.: words ein haus zwei häuser zwei; lemmas ein Haus zwei.
    assert (two.tokens, two.types, two.lemmas) == (5, 4, 3)
    # Left and right: Der Zug um 7. twice, Der Zug., Kein Zug.
    assert (three.texts, three.distinct_texts) == (4, 3)
    assert three.repeats.times == {1: 2, 2: 1}
    assert (three.repeats.most, three.repeats.example) == (2, "Der Zug um 7.")


def test_three_ways_to_measure_richness_by_hand(dialogues):
    _, two = sorted(describe_texts(dialogues).parts, key=lambda part: -part.passages)
    # Pooled, and as one dialogue: 4 types of 5 words. By turn: 2 of 2, then 2 of 3.
    assert two.richness["pooled"] == two.richness["dialogue"]
    assert two.richness["pooled"].rttr == pytest.approx(4 / math.sqrt(5))
    assert two.richness["text"].rttr == pytest.approx((2 / math.sqrt(2) + 2 / math.sqrt(3)) / 2)
    # zwei häuser zwei: 2/3 <= 0.72, one factor in three words both ways: 3. ein haus: no repetition: 2.
    assert two.richness["text"].mtld == pytest.approx(2.5)


def test_parts_stand_by_turns_and_all_holds_each_dialogue_once(dialogues):
    found = describe_texts(dialogues)
    assert found.by == ("turns", "domain")
    assert [part.part for part in found.parts] == [(2, "estate"), (3, "train")]
    assert (found.whole.dialogues, found.whole.tokens, found.whole.items) == (2, 13, 4)
    assert found.whole.lengths["turn"].tokens.mean == pytest.approx(13 / 5)
    assert found.notes == ()


def test_pairs_by_hand(pairs):
    found = describe_texts(pairs)
    assert (found.words_of, found.by) == ("pairs", ("source",))
    whole = found.whole
    # A cat sat. (3 times) | A dog sat. | No 7 | Two cats: each once: 3 + 3 + 2 + 2 tokens.
    assert (whole.texts, whole.distinct_texts, whole.passages, whole.tokens) == (6, 4, 4, 10)
    # a cat sat dog no two cats; lemmas a cat sit dog no two.
    assert (whole.types, whole.lemmas) == (7, 6)
    assert whole.dialogues is None
    assert set(whole.richness) == {"pooled", "text"}
    # Lengths are of every item: left 10, 10, 8 characters, right 10, 4, 10.
    assert whole.lengths["left"].characters == pytest.approx((28 / 3, 10, 10))
    assert whole.lengths["right"].characters == pytest.approx((8, 10, 10))
    assert whole.lengths["pair"].characters == pytest.approx((52 / 6, 10, 10))
    assert whole.lengths["pair"].tokens == pytest.approx((16 / 6, 3, 3))
    # A and sat. of three: 3/4; nothing of 3: 1/4; nothing of 3: 1/4.
    assert whole.word_overlap.mean == pytest.approx((3 / 4 + 1 / 4 + 1 / 4) / 3)


def test_the_words_of_pairs_can_be_counted_in_dialogues_too(dialogues):
    found = describe_texts(dialogues, words_of="pairs", by=["turns"])
    # Der Zug um 7. | Zwei Häuser, zwei. | Der Zug. | Kein Zug. | Häuser: 4 + 3 + 2 + 2 + 1.
    assert (found.whole.passages, found.whole.tokens) == (5, 12)
    assert [part.part for part in found.parts] == [(2,), (3,)]


def test_figures_do_not_depend_on_row_order_or_repeated_rows(dialogues):
    order = np.array([2, 0, 3, 1])
    shuffled = {part.part: part.record(("turns", "domain")) for part in describe_texts(dialogues.take(order)).parts}
    for part in describe_texts(dialogues).parts:
        assert shuffled[part.part]["tokens"] == part.tokens
        assert shuffled[part.part]["rttr"]["pooled"] == part.richness["pooled"].rttr
        assert shuffled[part.part]["repeats"] == part.record(("turns", "domain"))["repeats"]


def test_pooled_richness_is_that_of_all_turns_in_order():
    benchmark = read_sample("dialogues")
    once = benchmark.frame.unique("group", maintain_order=True)
    words = plain_words(" ".join(turn for turns in once["context"] for turn in turns))
    assert describe_texts(benchmark).whole.richness["pooled"] == pytest.approx(richness(words))


def test_the_sample_shows_which_reading_table_2_of_giccs_has():
    # find_restaurant has 10.47 and 11.36 tokens a turn, RTTR 3.04 and 3.01. At the same length our dialogues come near
    # that by turn, and not by dialogue or pooled.
    for part in describe_texts(read_sample("dialogues"), by=["turns"]).parts:
        assert 10 < part.passage_length < 11.5
        assert part.richness["text"].rttr == pytest.approx(3.04, abs=0.2)
        assert part.richness["dialogue"].rttr > 5
        assert part.richness["pooled"].rttr > 11


def test_json_can_be_written_and_names_every_part(dialogues):
    record = json.loads(json.dumps(describe_texts(dialogues).record(), allow_nan=False))
    assert record["parts"][0]["part"] == {"turns": 2, "domain": "estate"}
    assert record["whole"]["scores"]["counts"] == [1, 0, 1, 0, 0, 1, 0, 0, 0, 1]
    assert record["whole"]["sigmas"] is None
    assert "part" not in record["whole"]


def test_texts_without_words_have_no_richness_and_are_named():
    numbers = sim.Benchmark.from_columns(left=["1 2"], right=["3!"], language=["en"])
    found = describe_texts(numbers)
    assert all(math.isnan(value) for unit in found.whole.richness.values() for value in unit)
    assert found.whole.tokens == 3
    assert found.record()["whole"]["rttr"] == {"pooled": None, "text": None}
    assert any("2 texts have no words" in note for note in found.notes)


def test_unknown_languages_are_named():
    mixed = sim.Benchmark.from_columns(
        left=["Houses", "nuqneH", "我们学习"], right=["houses", "Qapla", "北京"], language=[None, "tlh", None]
    )
    found = describe_texts(mixed)
    assert any("4 texts have no stated language: their lemmas are the lower-cased" in note for note in found.notes)
    assert any("2 texts are in 'tlh', which simplemma does not know" in note for note in found.notes)
    assert any("2 texts have Chinese characters and no stated language" in note for note in found.notes)
    assert any("more than one language (not stated, tlh)" in note for note in found.notes)
    assert describe_texts(mixed, by=["language"]).parts[0].lemmas == 3, "houses, and two texts that were not cut"
    assert not any("lemmas" in note for note in describe_texts(mixed, lemmas=False).notes)


def test_languages_without_spaces_are_named():
    japanese = sim.Benchmark.from_columns(left=["猫がいる"], right=["犬がいる"], language=["ja"])
    assert any("which does not separate words in ja" in note for note in describe_texts(japanese).notes)


def test_items_without_context_among_dialogues_are_counted_and_named(dialogues):
    frame = dialogues.frame.with_columns(
        context=pl.when(pl.col("domain") == "train").then("context").otherwise(pl.lit([], dtype=pl.List(pl.String)))
    )
    found = describe_texts(sim.Benchmark(name="half", frame=frame, scale=dialogues.scale))
    assert [part.part for part in found.parts] == [(3, "train"), (None, "estate")]
    # Zwei Häuser, zwei. with Häuser, and with Der Zug.: 3 + 1 + 3 + 2 tokens.
    assert (found.parts[1].dialogues, found.parts[1].tokens) == (2, 9)
    assert "2 items have no context: their two texts are counted as a dialogue" in found.notes


def test_what_cannot_be_parted_by_is_refused(dialogues, pairs):
    with pytest.raises(
        UnknownNameError, match=r"did you mean 'domain'\? known: domain, language, source, split, turns"
    ):
        describe_texts(dialogues, by=["domian"])
    with pytest.raises(InputError, match=r"so items cannot be divided by turns; --by one of source, language"):
        describe_texts(pairs, by=["turns"])
    with pytest.raises(InputError, match="no item has a domain"):
        describe_texts(pairs, by=["domain"])
    with pytest.raises(InputError, match="no dialogues"):
        describe_texts(pairs, words_of="dialogues")
    with pytest.raises(ArgumentError, match="threshold"):
        describe_texts(pairs, threshold=2)


def test_without_simplemma_lemmas_must_be_left_out(pairs, monkeypatch):
    monkeypatch.setitem(sys.modules, "simplemma.strategies.dictionaries.dictionary_factory", None)
    _simplemma_languages.cache_clear()
    with pytest.raises(MissingExtraError, match=r"'\.\[words\]"):
        describe_texts(pairs)
    found = describe_texts(pairs, lemmas=False)
    assert found.whole.lemmas is None
    assert found.record()["whole"]["lemmas"] is None
    _simplemma_languages.cache_clear()


@pytest.mark.slow
def test_lengths_of_table_3_of_usts(evidence):
    both = [sim.read(evidence / "usts" / name) for name in ("ustsu", "ustsc")]
    frame = pl.concat([one.frame.with_columns(id=f"{one.name}-" + pl.col("id")) for one in both])
    usts = sim.Benchmark(name="usts", frame=frame, scale=both[0].scale)
    found = describe_texts(usts, by=["domain"], lemmas=False, whitespace=True)
    lengths = {
        part.part: tuple(round(part.lengths[side].characters.mean, 1) for side in ("left", "right", "pair"))
        for part in (*found.parts, found.whole)
    }
    assert lengths[("ted-x",)] == (39.0, 39.2, 39.1)
    assert lengths[("xnli",)] == (34.0, 16.9, 25.4)
    # Printed are 43.5, 43.3 and 43.4, and 36.8 for all pairs: see docs/words.md.
    assert lengths[("pawsx",)] == (43.4, 43.1, 43.2)
    assert lengths[()] == (38.6, 34.9, 36.7)
