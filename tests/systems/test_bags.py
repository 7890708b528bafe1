from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from similitude.systems.strings import bags as bags_module
from similitude.systems.strings.bags import ngram_bags, shared_entries
from similitude.systems.strings.symbols import read_symbols

TEXTS = st.lists(st.text("ab ", max_size=12), min_size=2, max_size=6)


def grams(text: str, n: int) -> Counter[str]:
    text = " ".join(text.split())
    if 0 < len(text) < n:
        return Counter({text: 1})
    return Counter(text[i : i + n] for i in range(len(text) - n + 1) if text)


@pytest.mark.parametrize("most", [2**62, 1])  # 1: every step renumbers the grams, as huge vocabularies do
@settings(max_examples=60, deadline=None)
@given(texts=TEXTS, n=st.integers(1, 5))
def test_bags_are_the_counters(most: int, texts: list[str], n: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bags_module, "_MOST", most)
        bags = ngram_bags(read_symbols(texts, "character"), n)
        pairs = [(i, j) for i in range(len(texts)) for j in range(len(texts))]
        shared = shared_entries(bags, *np.array(pairs).T)
    assert bags.sizes.tolist() == [len(grams(text, n)) for text in texts]
    assert bags.sums(bags.counts.astype(float)).tolist() == [grams(text, n).total() for text in texts]
    dots = np.bincount(shared.pair, bags.counts[shared.left] * bags.counts[shared.right], minlength=len(pairs))
    assert dots.tolist() == [
        sum(count * grams(texts[j], n)[gram] for gram, count in grams(texts[i], n).items()) for i, j in pairs
    ]


def test_no_texts() -> None:
    bags = ngram_bags(read_symbols([], "word"), 3)
    assert bags.sizes.tolist() == []
    assert shared_entries(bags, np.empty(0, np.intp), np.empty(0, np.intp)).pair.tolist() == []
