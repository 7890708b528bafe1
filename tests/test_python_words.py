"""Errors at the front door speak of keyword arguments, also those that the command line shares."""

import polars as pl
import pytest

import similitude as sim
from similitude.python_words import in_python, speaking_python


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ("name it with --column left=NAME", "name it with columns={'left': 'NAME'}"),
        ("(--column item=A --column value=B)", "(columns={'item': 'A', 'value': 'B'})"),
        ("say --column 'item=my name'; or not", "say columns={'item': 'my name'}; or not"),
        ("--column time= if the last counts", "columns={'time': ''} if the last counts"),
        ("--where 'dimension=fluency'", "where={'dimension': 'fluency'}"),
        ("say --column raters=a,b if so", "say columns={'raters': 'a,b'} if so"),
        ("with --column group=NAME.", "with columns={'group': 'NAME'}."),
        ("with --on-error skip", "with on_error='skip'"),
        ("--format ratings-long --column value=x", "format='ratings-long' columns={'value': 'x'}"),
        ("--encoding utf-16-le reads it: 'a'", "encoding='utf-16-le' reads it: 'a'"),
        ("say --header yes or --header no", "say header=True or header=False"),
        ("--header no --column id=1", "header=False columns={'id': '1'}"),
        ("--categories LOW,...,HIGH", "categories=['LOW', ..., 'HIGH']"),
        ("--missing 99; if not: --scale 0..99", "missing=['99']; if not: scale='0..99'"),
        ("--missing NA, or", "missing=['NA'], or"),
        ("--missing x, or", "missing=['x'], or"),
        ("--encoding cp1252 reads it", "encoding='cp1252' reads it"),
        ("leave --weights out", "leave weights= out"),
        ("two with --system", "two with systems="),
        ("say --positions-are-people if they are", "say positions_are_people=True if they are"),
        ("--resamples 0 asks for none", "resamples=0 asks for none"),
        ("--format NAME, one of a, b", "format=NAME, one of a, b"),
        ("--no-cache", "cache=None"),
        ("did you mean --language de (German)?", "did you mean language='de' (German)?"),
        ("did you mean --license CC-BY-4.0? write", "did you mean license='CC-BY-4.0'? write"),
        ("a -- b, and NO--TE", "a -- b, and NO--TE"),
    ],
)
def test_flags_become_keyword_arguments(flags, said):
    assert in_python(flags) == said


def test_functions_at_the_front_door_speak_python_and_the_others_do_not():
    from similitude.study.execution import run

    frame = pl.DataFrame({"q1": ["a"], "q2": ["b"]})
    with pytest.raises(sim.errors.ColumnError, match=r"--column left=NAME$"):
        run(frame, ["levenshtein"])
    told = "columns there: q1, q2; name it with columns={'left': 'NAME'}"
    with pytest.raises(sim.errors.ColumnError, match=told + "$"):
        sim.read(frame)
    first = r"; for that, read the data first: similitude.read\(data, columns=...\)$"
    with pytest.raises(sim.errors.ColumnError, match=told + first):
        sim.run(frame, ["levenshtein"])
    with pytest.raises(sim.errors.FormatError, match=r"similitude.read_judgements\(data, columns=...\)$"):
        sim.gold(frame)


def test_only_functions_are_wrapped_and_keep_their_name_and_arguments():
    assert speaking_python(sim.Scale) is sim.Scale
    assert sim.run.__name__ == "run"
    assert list(__import__("inspect").signature(sim.run).parameters)[:3] == ["data", "systems", "measures"]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: sim.run("sample:opinions", metrics=["pearson"]),
            "no argument 'metrics'; did you mean measures=. known: ",
        ),
        (lambda: sim.run("sample:opinions", model="jaro"), "no argument 'model'; did you mean systems=. known: "),
        (lambda: sim.run("sample:opinions", resample=0), "no argument 'resample'; did you mean resamples=. known: "),
        (lambda: sim.run("sample:opinions", n_jobs=2), "the function has no argument 'n_jobs'; known: against, "),
        (lambda: sim.run({}, columns={}), r"no argument 'columns'; .* first: similitude.read\(data, columns=...\)$"),
        (lambda: sim.check({}, scale="0..5"), r"no argument 'scale'; .* first: similitude.read\(data, scale=...\)$"),
        (lambda: sim.gold({}, columns={}), r"first: similitude.read_judgements\(data, columns=...\)$"),
        (lambda: sim.agreement.split_half({}, n=2), "no argument 'n'; known: judgements, "),
    ],
)
def test_arguments_that_a_function_has_not_are_refused_with_those_that_it_has(call, said):
    with pytest.raises(sim.errors.ArgumentError, match=said):
        call()
