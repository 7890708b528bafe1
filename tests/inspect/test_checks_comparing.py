"""When texts count as the same."""

from __future__ import annotations

import gc
import re
import unicodedata
import weakref

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from similitude.data import Benchmark
from similitude.inspect.checks import text_keys as comparing
from similitude.inspect.checks.text_keys import keyed, normalised


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The Cat", "the  cat "),
        ("Straße", "STRASSE"),
        ("ＡＢＣ　１２", "abc 12"),  # full width, ideographic space
        ("caf\u00e9", "cafe\u0301"),  # composed, decomposed
        ("ΛΟΓΟΣ", "λόγος".replace("ό", "ο")),  # final sigma
        ("ze\u200bro", "zero"),
        ("ﬁne", "fine"),
        ("a\nb", "a b"),
    ],
)
def test_near_verbatim_texts_are_one(one: str, other: str) -> None:
    first, second = normalised(pl.Series([one, other]))
    assert first == second


def test_other_texts_stay_apart_and_null_is_empty() -> None:
    assert normalised(pl.Series(["a cat", "a car", None, "a cat."])).to_list() == ["a cat", "a car", "", "a cat."]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=12), max_size=8))
@pytest.mark.slow
def test_each_text_is_changed_for_itself(texts: list[str]) -> None:
    """The shortcut for texts that need no change must neither mix up rows nor depend on the other rows."""
    together = normalised(pl.Series(texts, dtype=pl.String)).to_list()
    assert together == [normalised(pl.Series([text]))[0] for text in texts]


def test_characters_called_inert_are_left_alone_by_nfkc() -> None:
    """Each alone is unchanged, and none combines with what stands before it (combining class 0, no jamo)."""
    pattern = re.compile(re.sub(r"\\x\{([0-9A-F]+)\}", lambda m: chr(int(m[1], 16)), comparing.NOT_INERT))
    inert = [chr(code) for code in range(0x10000) if not 0xD800 <= code < 0xE000 and not pattern.match(chr(code))]
    assert len(inert) > 30_000  # CJK and Hangul alone are 32,000
    assert all(unicodedata.is_normalized("NFKC", mark) for mark in inert)
    assert all(unicodedata.combining(mark) == 0 for mark in inert)
    assert not any("\u1100" <= mark <= "\u11ff" for mark in inert)


def test_keys_are_computed_once_and_die_with_the_benchmark() -> None:
    benchmark = Benchmark.from_columns(left=["a", "b"], right=["b", "A"])
    frame = keyed(benchmark)
    assert keyed(benchmark) is frame
    assert frame["first_key"].n_unique() == 1
    assert frame["left_key"].n_unique() == 2
    gone = weakref.ref(benchmark)
    del benchmark
    gc.collect()
    assert gone() is None


def test_distinct_texts_have_distinct_keys() -> None:
    rng = np.random.default_rng(0)
    texts = [f"text {number}" for number in rng.permutation(20_000)]
    assert keyed(Benchmark.from_columns(left=texts, right=texts[::-1]))["left_key"].n_unique() == 20_000
