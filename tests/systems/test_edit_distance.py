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


# Winkler (2006), Overview of record linkage and current research directions, table 6: Jaro and Jaro-Winkler
WINKLER = [
    ("SHACKLEFORD", "SHACKELFORD", 0.970, 0.982),
    ("DUNNINGHAM", "CUNNIGHAM", 0.896, 0.896),
    ("NICHLESON", "NICHULSON", 0.926, 0.956),
    ("JONES", "JOHNSON", 0.790, 0.832),
    ("MASSEY", "MASSIE", 0.889, 0.933),
    ("ABROMS", "ABRAMS", 0.889, 0.922),
    ("JERALDINE", "GERALDINE", 0.926, 0.926),
    ("MARHTA", "MARTHA", 0.944, 0.961),
    ("MICHELLE", "MICHAEL", 0.869, 0.921),
    ("JULIES", "JULIUS", 0.889, 0.933),
    ("TANYA", "TONYA", 0.867, 0.880),
    ("DWAYNE", "DUANE", 0.822, 0.840),
    ("SEAN", "SUSAN", 0.783, 0.805),
    ("JON", "JOHN", 0.917, 0.933),
    ("DIXON", "DICKSONX", 0.767, 0.813),
]


@pytest.mark.parametrize(("left", "right", "jaro", "jaro_winkler"), WINKLER)
@pytest.mark.parametrize("definition", ["standard", "second-string"])
def test_published_names(left: str, right: str, jaro: float, jaro_winkler: float, definition) -> None:
    assert Jaro(definition=definition).similarities([left], [right]) == pytest.approx([jaro], abs=6e-4)
    system = JaroWinkler(definition=definition)
    assert system.similarities([left], [right]) == pytest.approx([jaro_winkler], abs=6e-4)


def test_the_prefix_always_counts_in_the_printed_formula_and_in_second_string() -> None:
    jaro = (1 / 2 + 1 / 3 + 1) / 3  # "ab" against "ayz", as above; common beginning "a"
    assert JaroWinkler(threshold=0.0).similarities(["ab"], ["ayz"]) == pytest.approx([jaro + 0.1 * (1 - jaro)])
    # "xabcd" and "xdabc": all five of the left match, of the right not d (1 -> 4, reach 3), so Jaro is 0; prefix "x"
    pair = ["xabcd"], ["xdabc"]
    assert Jaro(definition="second-string").similarities(*pair) == [0.0]
    assert JaroWinkler(definition="second-string").similarities(*pair) == pytest.approx([0.1])


def test_the_threshold_is_that_of_rapidfuzz_unless_another_is_given() -> None:
    pair = ["dwayne"], ["duane"]
    assert JaroWinkler(threshold=0.7).similarities(*pair).tolist() == JaroWinkler().similarities(*pair).tolist()
    assert JaroWinkler(threshold=0.9).similarities(*pair) == pytest.approx(Jaro().similarities(*pair))


def test_number_of_edits() -> None:
    # LevenshteinComparatorTest of DKPro: 1 and 6
    system = Levenshtein(lowercase=False, edits="number")
    scores = system.similarities(
        ["test String1", "This is my string", "a"], ["test String2", "That is your string", "a"]
    )
    assert scores.tolist() == [-1.0, -6.0, 0.0]
    assert system.range is None
    assert Damerau(edits="number").similarities(["ca"], ["abc"]).tolist() == [-2.0]


@pytest.mark.parametrize("made", [lambda: Jaro(definition="x"), lambda: JaroWinkler(definition="x")])
def test_unknown_definition(made) -> None:
    with pytest.raises(ArgumentError, match="standard, second-string"):
        made()


def test_unknown_way_to_count_edits() -> None:
    with pytest.raises(ArgumentError, match="share, number"):
        Levenshtein(edits="x")  # type: ignore[arg-type]
