import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import JaroWinkler

from similitude.errors import ArgumentError
from similitude.systems.strings import word_alignment as word_matching
from similitude.systems.strings.monge_elkan import MongeElkan

SENTENCES = st.lists(st.text("abc", min_size=1, max_size=4), min_size=1, max_size=6)


def textbook_monge_elkan(left: list[str], right: list[str]) -> float:
    def one_way(own: list[str], other: list[str]) -> float:
        return sum(max(JaroWinkler.similarity(a, b) for b in other) for a in own) / len(own)

    return (one_way(left, right) + one_way(right, left)) / 2


def test_by_hand() -> None:
    # Levenshtein inside. martha-marhta 1 - 2/6 = 2/3, smith-smyth 4/5; "jr" has nothing in common with any word.
    # left: (2/3 + 4/5) / 2; right: (2/3 + 4/5 + 0) / 3
    system = MongeElkan(inner="levenshtein")
    expected = ((2 / 3 + 4 / 5) / 2 + (2 / 3 + 4 / 5) / 3) / 2
    assert system.similarities(["Martha Smith"], ["Marhta Smyth oo"]) == pytest.approx([expected])


def test_a_word_that_occurs_twice_counts_twice() -> None:
    # left: (1 + 1 + 0) / 3, right: 1
    assert MongeElkan().similarities(["a a x"], ["a"]) == pytest.approx([(2 / 3 + 1) / 2])


@pytest.mark.parametrize("cells", [1, 1_000_000])
@settings(max_examples=80, deadline=None)
@given(pairs=st.lists(st.tuples(SENTENCES, SENTENCES), min_size=1, max_size=5))
def test_agrees_with_the_textbook(cells: int, pairs: list[tuple[list[str], list[str]]]) -> None:
    lefts, rights = [" ".join(left) for left, _ in pairs], [" ".join(right) for _, right in pairs]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(word_matching, "_BLOCK_CELLS", cells)
        scores = MongeElkan().similarities(lefts, rights)
    np.testing.assert_allclose(scores, [textbook_monge_elkan(*pair) for pair in pairs], rtol=0, atol=1e-12)


def test_unknown_inner() -> None:
    with pytest.raises(ArgumentError, match="jaro-winkler, jaro, levenshtein"):
        MongeElkan(inner="cosine")  # type: ignore[arg-type]
