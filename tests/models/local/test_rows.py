"""Which prompts are read together."""

import numpy as np

from similitude.models.language.local.prompt_rows import PromptRow, rows_of
from similitude.models.language.local.token_trie import TokenTrie


def prompts(count: int = 60) -> list[list[int]]:
    rng = np.random.default_rng(3)
    return [[*range(int(rng.integers(2, 20))), *rng.integers(50, 60, 4).tolist()] for _ in range(count)]


def test_each_prompt_is_in_one_row():
    rows = rows_of(prompts(), [5] * 60, limit=50)
    assert sorted(position for row in rows for position in row.positions) == list(range(60))


def test_the_tokens_of_a_row_are_those_of_its_tree_and_within_the_limit():
    texts = prompts()
    for row in rows_of(texts, [0] * len(texts), limit=50):
        tree = TokenTrie()
        for position in row.positions:
            tree.add(texts[position])
        # A row counts what a prompt has in common with its neighbour; that is all, since neighbours are sorted.
        assert row.tokens == len(tree.tokens) <= 50


def test_a_prompt_longer_than_the_limit_has_a_row_of_its_own():
    assert rows_of([[1] * 9, [2]], [0, 0], limit=5) == [PromptRow([0], 9), PromptRow([1], 1)]


def test_order_does_not_matter_for_who_is_together():
    texts = list({tuple(text): text for text in prompts()}.values())
    turned = list(reversed(texts))
    together = [
        {frozenset(tuple(own[position]) for position in row.positions) for row in rows_of(own, [1] * len(own), 40)}
        for own in (texts, turned)
    ]
    assert together[0] == together[1]


def test_on_a_cpu_prompts_that_share_little_stay_alone():
    apart = rows_of([[1, 2, 3], [1, 5, 6]], [0, 0], limit=100, only_shared=True)
    joined = rows_of([[1, 2, 3], [1, 2, 6]], [0, 0], limit=100, only_shared=True)
    assert [row.positions for row in apart] == [[0], [1]]
    assert [row.positions for row in joined] == [[0, 1]]


def test_halves_hold_everything():
    left, right = PromptRow([3, 1, 4], 30).halves()
    assert (left.positions, right.positions) == ([3, 1], [4])


def test_nothing():
    assert rows_of([], [], 10) == []
