"""Changed pairs: rated ones with a part of a text less or more, none known, none twice, none blank."""

from collections import Counter

import numpy as np
import pytest

from similitude.data.item import Items
from similitude.samples import read_sample
from similitude.training import text_augmentation as module
from similitude.training.text_augmentation import changed_pairs

TEN = "one two three four five six seven eight nine ten"
CHINESE = "我们今天去公园看花。"


def made(items: Items, count: int, seed: int = 0, **options) -> Items:
    return changed_pairs(items, count, rng=np.random.default_rng(seed), **options)


def sets(items: Items) -> list[frozenset[str]]:
    return [frozenset(pair) for pair in zip(items.lefts, items.rights, strict=True)]


def pairs(*several: tuple[str, str]) -> Items:
    return Items.from_pairs([left for left, _ in several], [right for _, right in several])


def texts_instead_of(text: str, items: Items) -> list[str]:
    """What stands beside a text: the other one of each pair that has it as it was."""
    return [right for left, right in zip(items.lefts, items.rights, strict=True) if left == text]


@pytest.mark.parametrize("count", [1, 40, 800])
def test_nothing_known_nothing_twice_and_no_text_with_itself(count):
    items = read_sample("opinions").items
    new = made(items, count)
    there = set(items.texts())
    assert len(set(sets(new))) == count
    assert all(len(pair) == 2 for pair in sets(new))
    assert not any(pair <= there for pair in sets(new)), "one text at least is new"
    assert not any(text != text.strip() or not text for text in new.texts())
    assert new.ids == [f"changed-{number:06d}" for number in range(1, count + 1)]


def test_a_quarter_has_two_changed_texts():
    items = read_sample("opinions").items
    there = set(items.texts())
    changed = [(left not in there) + (right not in there) for left, right in map(tuple, sets(made(items, 800)))]
    assert set(changed) == {1, 2}
    assert np.mean([number == 2 for number in changed]) == pytest.approx(0.25, abs=0.05)


def test_what_is_left_out_is_a_stretch_of_20_to_60_percent():
    # Of ten words, round(10 u) with u uniform on 0.2..0.6: 2 and 6 in an eighth of the cases, 3, 4 and 5 in a quarter.
    # 'x' is one word, so it loses nothing; what is added to the ten words makes them more than ten.
    several = pairs(*((f"x{number}", TEN) for number in range(600)))
    lost = []
    new = made(several, 3000)
    for left, right in zip(new.lefts, new.rights, strict=True):
        words = right.split()
        if len(words) < 10 and len(left.split()) == 1:
            lost.append(10 - len(words))
            missing = [word for word in TEN.split() if word not in words]
            assert " ".join(missing) in TEN, "the words that are missing stood side by side"
            assert " ".join(word for word in TEN.split() if word in words) == right, "the others are in their order"
    shares = {number: count / len(lost) for number, count in Counter(lost).items()}
    assert shares == pytest.approx({2: 1 / 8, 3: 1 / 4, 4: 1 / 4, 5: 1 / 4, 6: 1 / 8}, abs=0.06)


def test_what_is_added_is_a_stretch_of_a_text_at_the_end():
    new = made(pairs(("x", TEN)), 30)
    added = [text.removeprefix(f"{TEN} ") for text in texts_instead_of("x", new) if text.startswith(TEN)]
    assert added
    assert all(text == "x" or (text in TEN and 2 <= len(text.split()) <= 6) for text in added)


def test_chinese_is_cut_between_characters_and_english_between_words():
    chinese = made(pairs(("x", CHINESE)), 30)
    shorter = [text for text in texts_instead_of("x", chinese) if len(text) < len(CHINESE)]
    assert shorter
    assert all(set(text) <= set(CHINESE) for text in shorter)
    assert any("公" in text and "园" not in text for text in shorter), "words of two characters are cut too"
    longer = [text for text in texts_instead_of("x", chinese) if len(text) > len(CHINESE) + 2]
    assert longer
    assert all(" " not in text for text in longer), "what is added follows without a blank"
    short = made(pairs(("A dog barks.", "It rained.")), 40)
    assert set(" ".join(short.texts()).split()) == {"A", "dog", "barks.", "It", "rained."}


def test_texts_in_two_scripts_are_cut_where_each_can_be():
    new = made(pairs(("x", "我用 iPhone 看书 today")), 40)
    latin = {word for text in new.texts() for word in "".join(c if c.isascii() else " " for c in text).split()}
    assert latin == {"x", "iPhone", "today"}


def test_short_texts_end_and_give_fewer(monkeypatch):
    assert 1 <= len(made(pairs(("a", "b")), 100)) <= 8
    monkeypatch.setattr(module, "ROUNDS", 1000)
    # One word loses nothing, so each is as it was or has a or b added: that is 3 x 3 pairs without the rated one.
    lefts, rights = ("a", "a a", "a b"), ("b", "b a", "b b")
    every = {frozenset({left, right}) for left in lefts for right in rights}
    assert set(sets(made(pairs(("a", "b")), 100))) == every - {frozenset("ab")}
    # The same with characters that stand side by side.
    lefts, rights = ("好", "好好", "好人"), ("人", "人好", "人人")
    every = {frozenset({left, right}) for left in lefts for right in rights}
    assert set(sets(made(pairs(("好", "人")), 100))) == every - {frozenset("好人")}


def test_items_of_which_nothing_can_be_made():
    assert len(made(pairs(("", " ")), 10)) == 0
    assert len(made(Items.from_pairs([], []), 10)) == 0
    assert len(made(pairs((TEN, TEN)), 10)) == 10, "a text beside itself is two texts once one has changed"


def test_no_blank_text_comes_out_where_some_are_blank():
    several = pairs(("", "a b"), ("\u3000", "c d"), (" \n", "e f g"), ("h i", "k l"))
    new = made(several, 150)
    assert len(new) > 20
    assert all(text.strip() == text != "" for text in new.texts() if text not in several.texts())
    assert not any(not text.strip() for text in new.texts())


def test_others_that_must_not_be_made_in_either_order(monkeypatch):
    monkeypatch.setattr(module, "ROUNDS", 1000)
    items = pairs(("a", "b"))
    never = pairs(("b", "a a"), ("b a", "a b"), ("c", "a"))
    new = sets(made(items, 100, never=never))
    assert len(new) == 8 - 2
    assert not set(new) & set(sets(never))


def test_no_pair_that_could_be_made_of_texts_as_they_are():
    # 'a b' without a word is 'a' or 'b', which are texts that are there: those pairs are neighbours'.
    items = pairs(("a b", "c"), ("a", "b"))
    there = set(items.texts())
    assert not [pair for pair in sets(made(items, 200)) if pair <= there]


def test_the_seed_decides_and_the_order_of_items_does_not():
    items = read_sample("opinions").items
    new = made(items, 300)
    assert made(items.take(np.arange(len(items))[::-1]), 300).frame.equals(new.frame)
    assert not made(items, 300, seed=1).frame.equals(new.frame)
    assert made(items, 100).frame.equals(new.frame[:100]), "more pairs begin with the same ones"


def test_many_pairs_of_each_item():
    # 50 turns an item, and of two long texts hardly any change comes twice.
    long = " ".join(f"word{number}" for number in range(60))
    assert 40 <= len(made(pairs((long, long.upper())), 1000)) <= 50


def test_none_wanted():
    assert len(made(pairs((TEN, CHINESE)), 0)) == 0


def test_progress_is_told(hears):
    made(pairs((TEN, CHINESE), (CHINESE, TEN.upper())), 5, listener=hears)
    assert hears.told[0] == ("changing rated pairs", 0, 5)
    assert {stage for stage, _, _ in hears.told} == {"changing rated pairs"}
    reached = [done for _, done, _ in hears.told]
    assert reached == sorted(reached)
    assert not hears.notes
