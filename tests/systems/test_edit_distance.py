import pytest

from similitude.errors import ArgumentError
from similitude.systems import make_system
from similitude.systems.strings.edit_distance import Damerau, Jaro, JaroWinkler, Levenshtein


def test_levenshtein_by_hand() -> None:
    # kitten -> sitten -> sittin -> sitting: 3 edits, the longer has 7 characters
    assert Levenshtein().similarities(["kitten"], ["sitting"]) == pytest.approx([1 - 3 / 7])


def test_damerau_by_hand() -> None:
    # "ca" -> "ac" -> "abc": 2 edits, since a pair may be edited again after its exchange; Levenshtein needs 3
    assert Damerau().similarities(["ca"], ["abc"]) == pytest.approx([1 - 2 / 3])
    assert Levenshtein().similarities(["ca"], ["abc"]) == pytest.approx([0.0])


def test_jaro_by_hand() -> None:
    # dwayne, duane: d, a, n, e match within max(6, 5) // 2 - 1 = 2 places, none out of order
    assert Jaro().similarities(["dwayne"], ["duane"]) == pytest.approx([(4 / 6 + 4 / 5 + 4 / 4) / 3])


def test_jaro_winkler_by_hand() -> None:
    jaro = (4 / 6 + 4 / 5 + 1) / 3  # as above; common beginning "d"
    assert JaroWinkler().similarities(["dwayne"], ["duane"]) == pytest.approx([jaro + 0.1 * (1 - jaro)])
    assert JaroWinkler(prefix_weight=0.25).similarities(["dwayne"], ["duane"]) == pytest.approx(
        [jaro + 0.25 * (1 - jaro)]
    )


def test_jaro_winkler_ignores_the_beginning_of_unlike_texts() -> None:
    # "ab" against "ayz": a matches, so Jaro is (1/2 + 1/3 + 1) / 3 = 0.61, not above 0.7
    assert JaroWinkler().similarities(["ab"], ["ayz"]) == pytest.approx([(1 / 2 + 1 / 3 + 1) / 3])


@pytest.mark.parametrize("name", ["levenshtein", "damerau", "jaro", "jaro-winkler"])
def test_capitals_count_only_where_asked(name: str) -> None:
    assert make_system(name).similarities(["Bär"], ["bär"]) == [1.0]
    assert make_system(f"{name}(lowercase=false)").similarities(["Bär"], ["bär"]) < 1


@pytest.mark.parametrize("weight", [-0.1, 0.3, float("nan")])
def test_prefix_weight_out_of_range(weight: float) -> None:
    with pytest.raises(ArgumentError, match=r"prefix_weight.*from 0.0 to 0.25"):
        JaroWinkler(prefix_weight=weight)
