"""What one split gives away about another."""

from __future__ import annotations

from typing import Any

from similitude.data import Benchmark
from similitude.inspect.checks import Finding, check


def found(**columns: Any) -> list[Finding]:
    return list(check(Benchmark.from_columns(**columns), only=["split-leaks"]).findings)


def test_a_pair_in_two_splits_in_either_order_and_near_verbatim() -> None:
    # {a cat, a dog} in train and, swapped and in capitals, in test: 1 pair; its 2 texts are 2 of test's 4
    pairs, texts = found(
        left=["a cat", "one", "A  DOG", "three"],
        right=["a dog", "two", "a cat", "four"],
        split=["train", "train", "test", "test"],
    )
    assert (pairs.code, pairs.severity, pairs.count) == ("split-leaks-pairs", "error", 1)
    assert pairs.examples == ("1, 3: 'a cat' | 'a dog' (train, test)",)
    assert (texts.code, texts.severity, texts.count) == ("split-leaks-texts", "warning", 2)
    assert "2 of the 4 texts of split 'test' (50 %) also occur in 'train'" in texts.message
    assert texts.examples == ("3: 'A  DOG'", "3: 'a cat'")


def test_the_condition_does_not_hide_a_leaked_pair_but_the_context_makes_another() -> None:
    same: dict[str, Any] = {"left": ["yes", "yes"], "right": ["no", "no"], "split": ["train", "test"]}
    assert found(**same, condition=["colour", "size"])[0].code == "split-leaks-pairs"
    assert [each.code for each in found(**same, context=[["Tea?", "yes"], ["Go?", "yes"]])] == ["split-leaks-texts"]


def test_each_split_is_compared_with_those_before_it_train_first() -> None:
    # file order is test, dev, train; order of use is train, dev, test.
    # dev's 2 texts: b is in train (1). test's 4 texts: b is in train, d is in dev (2).
    dev, test = found(left=["b", "x", "d", "a"], right=["d", "y", "b", "b"], split=["test", "test", "dev", "train"])[1:]
    assert "1 of the 2 texts of split 'dev' (50 %) also occurs in 'train'" in dev.message
    assert "2 of the 4 texts of split 'test' (50 %) also occur in 'train', 'dev'" in test.message


def test_a_text_often_in_one_split_is_no_leak() -> None:
    assert found(left=["a", "a", "c"], right=["b", "b", "d"], split=["train", "train", "test"]) == []


def test_one_split_or_none_cannot_leak() -> None:
    assert found(left=["a", "a"], right=["b", "b"], split=["train", None]) == []
    assert found(left=["a", "a"], right=["b", "b"]) == []
