"""The expression language of filters: what it means, and what it refuses."""

from __future__ import annotations

import operator
import pickle

import numpy as np
import pytest
from candidate_pairs import FixedScorer, block_of, described
from hypothesis import given, settings
from hypothesis import strategies as st

from similitude.collect.candidates.filters import Names, filtered, make_filters, needs
from similitude.errors import ArgumentError, ExtensionError, SimilitudeError, UnknownNameError

NUMBERS = Names(pair_columns=("a", "b", "c", "label"), scorer=FixedScorer())
VALUES = {
    "a": np.array([0.0, 1.0, 2.0, np.nan, 3.0, 2.0]),
    "b": np.array([2.0, 1.0, 0.0, 1.0, np.nan, 2.0]),
    "c": np.array([1, 1, 0, 0, 1, 0]),
    "label": np.array(["0", "1", "neutral", None, "it's", "0.0"], dtype=object),
}


def kept(written, values=VALUES):
    """The positions of the pairs that pass a filter."""
    size = len(next(iter(values.values())))
    block = block_of("x" * size, "y" * size, columns={**values, "place": np.arange(size)})
    filters = make_filters(written, NUMBERS)
    return filtered(described(block, filters), filters).pairs.columns["place"].tolist()


@pytest.mark.parametrize(
    ("written", "positions"),
    [
        ("a < 2", [0, 1]),
        ("a <= 2", [0, 1, 2, 5]),
        ("a > 2", [4]),
        ("a >= 2", [2, 4, 5]),
        ("a == 2", [2, 5]),
        ("a != 2", [0, 1, 4]),
        ("2 == a", [2, 5]),
        ("1 < a", [2, 4, 5]),
        ("1 <= a < 3", [1, 2, 5]),
        ("3 > a >= 1", [1, 2, 5]),
        ("a <= b", [0, 1, 5]),
        ("a == b", [1, 5]),
        ("a == 1 or b == 0", [1, 2]),
        ("a >= 1 and b >= 1", [1, 5]),
        ("a == 0 or a == 1 and b == 2", [0]),  # and binds closer than or
        ("(a == 0 or a == 1) and b == 2", [0]),
        ("(a == 0 or a == 1) and b == 1", [1]),
        ("not a == 0", [1, 2, 4, 5]),
        ("not not a == 0", [0]),
        ("not (a == 0 or b == 2)", [1, 2]),  # where a or b is undefined, so is the whole
        ("c", [0, 1, 4]),
        ("not c", [2, 3, 5]),
        ("c == true", [0, 1, 4]),
        ("c == False", [2, 3, 5]),
        ("c AND a == 0", [0]),
        ("label == 0", [0, 5]),  # cells that are texts are compared as numbers
        ("label != 0", [1, 2, 4]),  # a word is no number
        ("label == neutral", [2]),
        ("label == 'neutral'", [2]),
        ("label == 'it\\'s'", [4]),
        ('label == "it\'s"', [4]),
        ("label != neutral", [0, 1, 4, 5]),
        ("label < 1", [0, 5]),
        ("a <= 1e0", [0, 1]),
        ("a >= +2.", [2, 4, 5]),
        ("a > -.5", [0, 1, 2, 4, 5]),
    ],
)
def test_what_filters_keep(written, positions):
    assert kept(written) == positions


def test_undefined_parts_do_not_decide_where_the_others_do():
    # pair 3: a is undefined, b = 1; pair 4: b is undefined, a = 3
    assert kept("a == 3 or b == 1") == [1, 3, 4]
    assert kept("not (a == 3 and b == 1)") == [0, 1, 2, 5]


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("iou =< 1", r"filter 'iou =< 1': '=' compares nothing at character 5; write == for the same"),
        ("iou = 1", "'=' compares nothing at character 5"),
        ("iou $ 1", r"'\$' has no meaning at character 5"),
        ("iou", "'iou' is compared with nothing at character 1"),
        ("language", "'language' is compared with nothing"),
        ("0.5", "'0.5' is compared with nothing"),
        ("", "a feature or a value was expected, not nothing, at character 1"),
        ("iou <=", "not nothing, at character 7"),
        ("iou <= and", "not 'and', at character 8"),
        ("iou <= 0.1 0.2", "'0.2' was not expected at character 12"),
        ("iou <= 0.1)", r"'\)' was not expected at character 11"),
        ("(iou <= 0.1", "a bracket opens and never closes at character 1"),
        ("words(of=mean >= 3", "a bracket opens and never closes at character 6"),
        ("iou <= 'x", "''' has no meaning at character 8"),
        ("1 < 2", "two values are compared, and no feature at character 5"),
        ("language > 'de'", "language has names, which are the same or not, so '>' means nothing at character 12"),
        ("iou == 'de'", "iou is a number and 'de' is none at character 8"),
        ("iou <= 12", r"iou lies in 0..1, so '<= 12' always holds at character 8; give a border inside"),
        ("iou > 1", "so '> 1' never holds"),
        ("iou >= 1.5", "so '>= 1.5' never holds"),
        ("iou < 0", "so '< 0' never holds"),
        ("iou >= 0", "so '>= 0' always holds"),
        ("cosine == 2", "cosine lies in -1..1, so '== 2' never holds"),
        ("cosine != 2", "so '!= 2' always holds"),
        ("chars >= 0", r"chars lies in 0..inf, so '>= 0' always holds"),
        ("words(of=meen) > 1", r"character 1: cannot make feature 'words\(of=meen\)'.*'least', 'most'"),
        ("(" * 60 + "iou < 1" + ")" * 60, "too many conditions inside each other at character 51; write several"),
    ],
)
def test_what_cannot_be_read(written, message):
    with pytest.raises(ArgumentError, match=message):
        make_filters(written)


@pytest.mark.parametrize("written", ["iou > 0", "iou < 1", "iou <= 0", "iou >= 1", "chars < 1", "iou == 1", "iou != 1"])
def test_borders_at_the_ends_of_the_range_decide_something(written):
    assert make_filters(written)


def test_scores_of_systems_may_lie_outside_their_range():
    assert make_filters("half >= 1.5", NUMBERS)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (
            "iuo <= 0.1",
            "filter 'iuo <= 0.1', character 1: no feature, column or system named 'iuo'; did you mean 'iou'?",
        ),
        ("0.1 < hlaf", "character 7: no feature, column or system named 'hlaf'; did you mean 'half'?"),
        ("iou < 1 and lable == 0", "character 13: .* did you mean 'label'?"),
        ("disagreement(hlaf, iou) > 0.1", "named 'hlaf'; did you mean 'half'?"),
        ("agreement(lable, a) < 1", "no column of the pairs named 'lable'; did you mean 'label'?"),
    ],
)
def test_unknown_names_have_a_place_and_a_suggestion(written, message):
    with pytest.raises(UnknownNameError, match=message.replace("?", r"\?")):
        make_filters(written, NUMBERS)


def test_without_a_scorer_systems_are_unknown():
    with pytest.raises(UnknownNameError, match="named 'half'"):
        make_filters("half > 0.1")


def test_a_column_under_the_name_of_a_feature():
    names = Names(pair_columns=("words", "language", "sigma"))
    with pytest.raises(ArgumentError, match=r"'words' is a feature .* and a column .*; write column\(words\)"):
        make_filters("words > 3", names)
    assert needs(make_filters("column(words) > 3", names)).pair_columns == ("words",)
    assert needs(make_filters("language == de", names)).pair_columns == ("language",)
    assert needs(make_filters("sigma >= 0.5", names)).pair_columns == ("sigma",)
    with pytest.raises(ArgumentError, match=r"'sigma' alone says too little; write .* as in sigma\(uncertain"):
        make_filters("sigma >= 0.5")


def test_the_column_is_meant_where_it_is_asked_for():
    block = block_of(["one two"], ["three"], columns={"words": np.array([7])})
    filters = make_filters("column(words) == 7", Names(pair_columns=("words",)))
    assert len(filtered(described(block, filters), filters).pairs) == 1


def test_a_name_that_is_a_stratum_and_a_feature_is_a_name_beside_names():
    assert str(make_filters("stratum != words")[0].condition) == "stratum != 'words'"


def test_filters_that_are_no_texts():
    with pytest.raises(ArgumentError, match=r"a filter is a text, not int 3; write it as in \"cosine >= 0.4\""):
        make_filters(["iou < 0.1", 3])


def test_what_filters_need():
    written = ["disagreement(five, l2) >= 0.25", "sigma(unsure('m')) >= 0.16", "words(of=mean) >= 12.5", "label == 0"]
    found = needs(make_filters([*written, "length_ratio > 0.5 or iou < half"], NUMBERS))
    assert [one.key for one in found.properties] == ["words", "content-words"]
    assert found.systems == ("five", "unsure(m)", "half")
    assert found.pair_columns == ("label",)
    assert found.vectors
    assert not needs(make_filters("chars > 3")).vectors


def test_system_specs_are_those_of_the_registry():
    class AnySystem(FixedScorer):
        def range_of(self, written):
            return None if written.startswith("encoder") else super().range_of(written)

    names = Names(scorer=AnySystem())
    (one,) = make_filters("encoder('all-MiniLM-L6-v2', condition=append) > .3", names)
    assert needs([one]).systems == ("encoder(all-MiniLM-L6-v2, condition=append)",)


def test_a_feature_in_a_file(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from dataclasses import dataclass\n"
        "import numpy as np\n"
        "from similitude.collect.candidates.features import Feature\n"
        "@dataclass(frozen=True, repr=False)\n"
        "class Rows(Feature):\n"
        "    '''The distance of rows.'''\n"
        "    meaning = 'distance of rows'\n"
        "    def values(self, pairs):\n"
        "        return (pairs.block.right - pairs.block.left).astype(float)\n"
    )
    filters = make_filters(f"{file}:Rows >= 2")
    block = block_of("ab", "cd")
    assert len(filtered(described(block, filters), filters).pairs) == 2


def test_a_class_in_a_file_that_is_no_feature_may_be_a_system(tmp_path):
    class Files(FixedScorer):
        def range_of(self, written):
            return None if written.endswith(".py:Mine") else super().range_of(written)

    file = tmp_path / "mine.py"
    file.write_text("class Mine:\n    def score(self, items):\n        return [0] * len(items)\n")
    assert needs(make_filters(f"{file}:Mine > 0", Names(scorer=Files()))).systems == (f"{file}:Mine",)
    with pytest.raises(ExtensionError, match="is no subclass of"):
        make_filters(f"{file}:Mine > 0")


def test_brackets_beside_each_other_are_not_inside_each_other():
    assert make_filters(" and ".join(["(iou < 0.5)"] * 60))


def test_filters_can_be_sent_to_other_processes():
    filters = make_filters(["0.1 <= a <= 2 and not same(source)", "disagreement(five, l2) > 0.2"], NUMBERS)
    assert pickle.loads(pickle.dumps(filters)) == filters


# Random conditions: what they mean is computed a second time, pair by pair, in Kleene's logic.

SIGNS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne}


def compared(name, sign, border):
    def truth(row):
        return None if np.isnan(row[name]) else SIGNS[sign](row[name], border)

    return f"{name} {sign} {border}", truth


def chained(name, low, high):
    def truth(row):
        return None if np.isnan(row[name]) else low <= row[name] < high

    return f"{low} <= {name} < {high}", truth


def negated(one):
    text, truth = one
    return f"not ({text})", lambda row: None if (found := truth(row)) is None else not found


def joined(word, first, second):
    decides = word == "or"

    def truth(row):
        found = [first[1](row), second[1](row)]
        if decides in found:
            return decides
        return None if None in found else not decides

    return f"({first[0]}) {word} ({second[0]})", truth


BORDERS = st.sampled_from([-1.0, 0.0, 1.0, 1.5, 2.0])
CONDITIONS = st.recursive(
    st.builds(compared, st.sampled_from("abc"), st.sampled_from(sorted(SIGNS)), BORDERS)
    | st.builds(chained, st.sampled_from("ab"), BORDERS, BORDERS),
    lambda inner: st.builds(negated, inner) | st.builds(joined, st.sampled_from(["and", "or"]), inner, inner),
    max_leaves=8,
)
ROWS = st.lists(st.tuples(*[st.sampled_from([-1.0, 0.0, 1.0, 1.5, 2.0, np.nan])] * 3), min_size=1, max_size=6)


@settings(max_examples=150, deadline=None)
@given(CONDITIONS, ROWS)
def test_conditions_mean_what_they_say(condition, rows):
    text, truth = condition
    values = {name: np.array(column) for name, column in zip("abc", zip(*rows, strict=True), strict=True)}
    expected = [at for at, row in enumerate(rows) if truth(dict(zip("abc", row, strict=True))) is True]
    assert kept(text, values) == expected


@settings(max_examples=100, deadline=None)
@given(CONDITIONS)
def test_a_condition_is_written_as_it_is_read(condition):
    (one,) = make_filters(condition[0], NUMBERS)
    (again,) = make_filters(str(one.condition), NUMBERS)
    assert again.condition == one.condition
    assert str(again.condition) == str(one.condition)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="iou<>=! 01.()'\"andortwcsme,@-/é", max_size=30))
def test_any_text_is_read_or_refused_with_its_place(text):
    message = refusal(text)
    assert message is None or "character" in message


def refusal(text):
    try:
        make_filters(text)
    except SimilitudeError as error:
        return str(error)
    return None
