"""Whether conditions are read: of all items or of none, and never by chance."""

import pytest

from similitude.data.benchmark import Benchmark
from similitude.errors import ArgumentError, InputError
from similitude.training.conditions import ReadConditions, check_evidence, check_unlabelled, read_conditions


def benchmark(*conditions: str | None, name: str = "data") -> Benchmark:
    texts = [f"text {number}" for number in range(len(conditions))]
    scores = [1.0] * len(conditions)
    return Benchmark.from_columns(name, scale="0..5", left=texts, right=texts, score=scores, condition=list(conditions))


@pytest.mark.parametrize(
    ("reads", "conditions", "are_read", "are_ignored"),
    [
        ("auto", ("colour", "shape"), True, False),
        ("all", ("colour", "shape"), True, False),
        ("sentences", ("colour", "shape"), False, True),
        ("sentences", ("colour", None), False, True),
        ("auto", (None, None), False, False),
        ("auto", (None, "  "), False, False),
        ("sentences", (None, None), False, False),
    ],
)
def test_what_is_read(reads, conditions, are_read, are_ignored):
    found = read_conditions(reads, [benchmark(*conditions)])
    assert (found.are_read, found.are_ignored) == (are_read, are_ignored)
    assert len(found.notes) == (are_read or are_ignored), "nothing is said where there are no conditions"


def test_conditions_of_some_items_are_refused_with_the_flag_that_decides():
    parts = [benchmark("colour", "shape"), benchmark("colour", None, " ", name="held out")]
    with pytest.raises(
        InputError, match=r"held out: 2 of 5 items have no condition \(first: '2'\), but the others"
    ) as error:
        read_conditions("auto", parts)
    assert "--reads sentences" in error.value.remedy
    with pytest.raises(InputError, match="2 of 5 items have no condition"):
        read_conditions("all", parts)
    with pytest.raises(InputError, match="1 of 1 items have no condition"):
        read_conditions("all", [benchmark(None)])


def test_items_without_gold_do_not_count():
    known = benchmark("colour", "shape")
    unrated = Benchmark.from_columns("unrated", scale="0..5", left=["a"], right=["b"], score=[None], condition=[None])
    assert read_conditions("auto", [known, unrated]).are_read


def test_conditions_of_pairs_for_a_teacher_are_not_dropped_silently():
    unlabelled = benchmark("colour", None, name="pool")
    with pytest.raises(InputError, match=r"pool: 1 of 2 unlabelled pairs have a condition, but the rated items"):
        check_unlabelled("auto", ReadConditions(False), unlabelled)
    check_unlabelled("sentences", ReadConditions(False), unlabelled)
    check_unlabelled("auto", ReadConditions(False), benchmark(None, " "))


def test_evidence_says_whether_it_reads_the_condition():
    read = ReadConditions(True)
    notes = check_evidence(read, ["overlap", "jaccard", "use", "use(condition=append)"])
    assert notes == (
        "evidence 'overlap' compares the sentences without the condition",
        "evidence 'jaccard' compares the sentences without the condition",
        "evidence 'use' compares the sentences without the condition; use-multilingual(condition=append) reads it",
    )
    assert check_evidence(ReadConditions(False), ["use(condition=append)"]) == ()
    assert check_evidence(ReadConditions(False, are_ignored=True), ["use", "overlap"]) == ()
    with pytest.raises(ArgumentError, match=r"evidence 'use\(condition=append\)' reads conditions, which --reads"):
        check_evidence(ReadConditions(False, are_ignored=True), ["use(condition=append)"])
