"""Cleaning: what is rewritten, what is dropped and why, and that slices do not matter."""

from __future__ import annotations

import polars as pl
import pytest

from similitude.collect.candidates.clean import CleanRules, clean, clean_step, word_counts
from similitude.collect.candidates.clean.normal_text import normal_text
from similitude.collect.candidates.steps import Distribution
from similitude.data.reading.texts import read_texts
from similitude.data.texts import SPEAKERS, Texts
from similitude.errors import ArgumentError


def cleaned(texts: list[str], **rules):
    return clean(Texts.from_list(texts), CleanRules(**rules))


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("a  b\t\tc \n d", "a b c d"),
        ("  a\u00a0b  ", "a b"),
        ("\u3000a\u3000b", "a b"),
        ("cafe\u0301", "caf\u00e9"),
        ("be\x07ll \x00x", "bell x"),
        ("zero\u200bwidth \ufeffmark so\u00adft", "zerowidth mark soft"),
        ('""Quoted""', '"Quoted"'),
        ("“““Quoted”””", "“Quoted”"),
        ("wait -- what --- now", "wait - what - now"),
        ("well ——— yes –– no", "well — yes – no"),
        ("no!!! why??? so,, it;; is::", "no! why? so, it; is:"),
        ("why?!?!", "why?!?!"),
        ("end.. more... most.... .", "end. more... most... ."),
        ("太好了！！！", "太好了！"),
        ("it's o'clock - a 'b' \"c\"", "it's o'clock - a 'b' \"c\""),
        ("1,000.50 e-mail", "1,000.50 e-mail"),
        ("family 👨‍👩‍👧 می‌کنند", "family 👨‍👩‍👧 می‌کنند"),  # joiners inside emoji and words are no noise
    ],
)
def test_normal_form(written, normal):
    assert normal_text(pl.Series([written])).to_list() == [normal]


def test_punctuation_stays_if_asked():
    texts = pl.Series(["no!!!  why--so...."])
    assert normal_text(texts, punctuation=False).to_list() == ["no!!! why--so...."]


def test_every_loss_is_counted_once_with_the_first_reason():
    found = cleaned(
        ["", " \n", "short", "lost \ufffd letter", "schÃ¶nes Wetter", "x" * 21, "just right, it fits", "y" * 20],
        characters="6..20",
    )
    assert found.rows.tolist() == [6, 7]
    assert dict(found.tally.losses) == {
        "blank": 2,
        "damaged by a wrong encoding": 2,
        "under 6 characters": 1,
        "over 20 characters": 1,
    }


@pytest.mark.parametrize(("length", "is_kept"), [(5, False), (6, True), (20, True), (21, False)])
def test_both_ends_of_a_range_belong_to_it(length, is_kept):
    assert len(cleaned(["x" * length], characters="6..20").texts) == is_kept


def test_words():
    texts = ["It's 5 - now!", "…", "我们在 Berlin 市。", "e-mail a.b@c.de"]
    assert word_counts(pl.Series(texts)).to_list() == [4, 1, 5, 2]
    assert cleaned(["one two", "one two three", "one two three four"], words="3..3").rows.tolist() == [1]


def test_damaged_texts_stay_if_asked():
    assert len(cleaned(["lost \ufffd letter"], damaged=False).texts) == 1


class TestLongTexts:
    HUGE = "word " * 4_000_000

    def test_one_huge_text_is_dropped_and_counted(self):
        found = cleaned([self.HUGE, "a text"])
        assert found.texts.texts == ["a text"]
        assert dict(found.tally.losses) == {"over 10,000 characters": 1}
        shown = clean_step([found.tally]).examples
        assert all(len(example.left) <= 300 for example in shown)

    def test_or_cut_at_a_space(self):
        found = cleaned([self.HUGE, "a text", "x" * 50], longest=30, long="cut")
        assert found.texts.texts == ["word word word word word word", "a text", "x" * 30]
        assert found.tally.changes["cut"] == 2
        assert not found.tally.losses

    def test_cut_in_the_midst_if_the_last_space_is_far(self):
        assert cleaned(["a " + "x" * 30], longest=20, long="cut").texts.texts == ["a " + "x" * 18]

    def test_the_limit_itself_is_not_long(self):
        assert len(cleaned(["x" * 20], longest=20).texts) == 1
        assert not cleaned(["x" * 21], longest=20).texts.texts


class TestLanguages:
    TEXTS = ("The dog is in the house.", "Der Hund ist im Haus.", "狗在家里。", "OK", "Le chien est dans la maison.")

    def test_others_are_dropped_and_guesses_filled_in(self):
        found = cleaned(list(self.TEXTS), languages=("en", "zh"))
        assert found.rows.tolist() == [0, 2, 3]
        assert found.texts.frame["language"].to_list() == ["en", "zh", None]
        assert dict(found.tally.losses) == {"not in en or zh": 2}
        assert found.tally.guessed == 4

    def test_unknown_ones_are_dropped_if_asked(self):
        found = cleaned(list(self.TEXTS), languages=("en",), unknown="drop")
        assert found.rows.tolist() == [0]
        assert dict(found.tally.losses) == {"not in en": 3, "of unknown language": 1}

    def test_what_the_data_states_is_believed_whatever_the_region(self):
        stated = Texts(pl.DataFrame({"id": ["1", "2"], "text": [self.TEXTS[1]] * 2, "language": ["en-GB", "de"]}))
        found = clean(stated, CleanRules(languages=("EN",)))
        assert (found.rows.tolist(), found.tally.guessed) == ([0], 0)
        assert found.texts.frame["language"].to_list() == ["en-GB"]

    def test_the_distribution_of_mixed_languages(self):
        step = clean_step([cleaned(list(self.TEXTS), languages=("en",)).tally])
        assert step.distributions[-1] == Distribution(
            name="language",
            edges=("de", "en", "fr", "unknown", "zh"),
            before=(1, 1, 1, 1, 1),
            after=(0, 1, 0, 1, 0),
        )

    def test_a_mixture_that_nobody_chose_is_told_and_nothing_filled_in(self):
        found = cleaned([*self.TEXTS, *[self.TEXTS[0]] * 16])
        assert found.texts.frame["language"].null_count() == 21
        (note,) = clean_step([found.tally]).notes
        assert "several languages, as far as they are stated or can be guessed (en 85%, de 5%, fr 5%, zh 5%)" in note
        more = cleaned([*self.TEXTS, *[self.TEXTS[0]] * 17])
        assert clean_step([more.tally]).notes == ()

    def test_a_mixture_that_was_chosen_is_not_told(self):
        step = clean_step([cleaned(list(self.TEXTS), languages=("en", "de")).tally])
        assert step.notes == ("the language was guessed for 4 texts",)


class TestDialogues:
    def test_turns_are_cleaned_and_blank_ones_left_out_with_their_speakers(self):
        turns = [{"role": "u", "content": "Hi  there!!"}, {"role": "b", "content": " "}, {"role": "b", "content": "A?"}]
        texts = read_texts([{"turns": turns}, {"turns": turns[:1]}])
        found = clean(texts)
        assert found.texts.frame["context"].to_list() == [["Hi there!", "A?"], ["Hi there!"]]
        assert found.texts.frame[SPEAKERS].to_list() == [["u", "b"], ["u"]]

    def test_a_blank_last_turn_is_a_blank_text(self):
        found = clean(read_texts([["Hi", " "], ["Hi", "Yes"]]))
        assert found.texts.texts == ["Yes"]
        assert dict(found.tally.losses) == {"blank": 1}

    def test_the_last_turn_is_the_text_after_a_cut(self):
        found = clean(read_texts([["one two", "x" * 50]]), CleanRules(longest=20, long="cut"))
        assert found.texts.frame["context"].to_list() == [["one two", "x" * 20]]
        assert found.texts.texts == ["x" * 20]


class TestStep:
    TEXTS = ("x" * 3, "x" * 8, "x" * 9, "", "a  b" * 5, "x" * 10, "x" * 11, "x" * 30, "x" * 12, "x" * 13, "x" * 7) * 3

    def test_slices_do_not_matter(self):
        texts, rules = (
            Texts.from_list(list(self.TEXTS)),
            CleanRules(characters="10..28", words="1..", languages=("en",)),
        )
        whole = clean(texts, rules)
        for size in (1, 4, 7, 20):
            parts = [clean(texts.slice(at, at + size), rules) for at in range(0, len(texts), size)]
            assert clean_step([part.tally for part in parts]) == clean_step([whole.tally])
            assert [text for part in parts for text in part.texts.texts] == whole.texts.texts

    def test_examples_are_those_nearest_to_each_border(self):
        step = clean_step([cleaned(list(self.TEXTS), characters="10..").tally])
        assert [(example.value, example.is_kept) for example in step.examples] == [
            (9, False), (9, False), (9, False), (10, True), (10, True), (10, True),
        ]  # fmt: skip
        assert (step.before, step.after) == (33, 18)
        assert dict(step.losses) == {"blank": 3, "under 10 characters": 12}

    def test_no_border_no_example(self):
        assert clean_step([cleaned(["a text", "another"], characters="3..").tally]).examples == ()

    def test_lengths_before_and_after(self):
        step = clean_step([cleaned(["x" * 9, "x" * 10, "x" * 19, "x" * 20, "x" * 20_000], characters="10..19").tally])
        lengths = step.distributions[0]
        assert (lengths.name, lengths.edges[:3]) == ("characters", (0, 10, 20))
        assert (lengths.before[:3], sum(lengths.before)) == ((1, 2, 1), 5)
        assert (lengths.after[:3], sum(lengths.after)) == ((0, 2, 0), 2)

    def test_what_was_rewritten_is_shown(self):
        step = clean_step([cleaned(["a  b", "a b", "c!!"]).tally])
        assert step.facts["changed"] == {"rewritten": 2}
        assert step.facts["changed_texts"] == [
            {"as read": "a  b", "as kept": "a b"},
            {"as read": "c!!", "as kept": "c!"},
        ]


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"characters": "many"}, "characters='many' is no range; write characters="),
        ({"characters": ".."}, r"characters='\.\.' is no range"),
        ({"words": "5..3"}, r"words='5\.\.3' holds no number"),
        ({"languages": ("english",)}, "'english' is no code of a language"),
        ({"long": "shorten"}, "long='shorten' is not known; known: drop, cut"),
        ({"unknown": "maybe"}, "unknown='maybe' is not known; known: keep, drop"),
        ({"longest": 0}, "longest=0 is no number of characters"),
        ({"longest": True}, "longest=True is no number of characters"),
    ],
)
def test_rules_that_make_no_sense(rules, message):
    with pytest.raises(ArgumentError, match=message):
        CleanRules(**rules)


def test_no_texts():
    assert len(cleaned([], characters="1..", languages=("en",)).texts) == 0
