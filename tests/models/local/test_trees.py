"""Trees of tokens."""

import numpy as np

from similitude.models.language.local.token_trie import TokenTrie, common_prefix


def grown(sequences):
    tree = TokenTrie()
    return tree, [tree.add(sequence) for sequence in sequences]


def test_what_is_common_stands_there_once():
    tree, (first, second) = grown([[1, 2, 3], [1, 2, 4]])
    assert tree.tokens == [1, 2, 3, 4]
    assert (first, second) == ([0, 1, 2], [0, 1, 3])


def test_the_same_token_elsewhere_is_another_node():
    tree, (first, second) = grown([[1, 1], [2, 1]])
    assert tree.tokens == [1, 1, 2, 1]
    assert first[1] != second[1]


def test_each_path_read_off_the_mask_is_its_sequence():
    rng = np.random.default_rng(0)
    sequences = [rng.integers(0, 3, rng.integers(1, 12)).tolist() for _ in range(40)]
    tree, paths = grown(sequences)
    sees, places = tree.visible(), tree.positions()
    for sequence, path in zip(sequences, paths, strict=True):
        seen = np.flatnonzero(sees[path[-1]])
        assert [tree.tokens[node] for node in seen] == sequence
        assert places[seen].tolist() == list(range(len(sequence)))


def test_a_sequence_within_another_takes_nothing():
    tree, _ = grown([[1, 2, 3], [1, 2]])
    assert len(tree.tokens) == 3


def test_in_common():
    assert common_prefix([], [1]) == 0
    assert common_prefix([1, 2], [1, 2, 3]) == 2
    assert common_prefix([2], [1]) == 0
