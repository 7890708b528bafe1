"""Each contract fails where it is broken, and says which it is; ours keep them all."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl
import pytest

from similitude.collect.candidates.features import FEATURES, Feature, TextProperty
from similitude.collect.candidates.features import catalogue as feature_catalogue
from similitude.data.reading import FORMATS, Format
from similitude.errors import ArgumentError
from similitude.evaluate.measures import Measure
from similitude.inspect.checks import CHECKS, Finding
from similitude.systems import SYSTEMS
from similitude.testing import (
    check_check,
    check_feature,
    check_format,
    check_measure,
    check_system,
    check_task,
    contracts,
)


class Shuffled:
    """The place of an item in the call."""

    def score(self, items):
        return np.arange(len(items))


class Context:
    """The length of the context, which it does not say that it reads."""

    def score(self, items):
        return [0 if context is None else len(context) for context in items.contexts]


class Moody:
    """Another number every time."""

    calls = 0

    def score(self, items):
        Moody.calls += 1
        return np.full(len(items), Moody.calls)


class Silent:
    """No number for empty texts."""

    def score(self, items):
        return [len(left) or np.nan for left in items.lefts]


class Short:
    """One number too few."""

    def score(self, items):
        return [0.0] * (len(items) - 1)


@pytest.mark.parametrize(
    ("system", "contract"),
    [
        (Shuffled(), "order_of_items_does_not_matter"),
        (Context(), "what_it_does_not_read_does_not_matter"),
        (Moody(), "order_of_items_does_not_matter"),
        (Silent(), "gives_one_number_an_item"),
        (Short(), "gives_one_number_an_item"),
    ],
)
def test_a_system_that_breaks_a_contract(system, contract):
    with pytest.raises(AssertionError, match=f"system '{type(system).__name__}' breaks '{contract}'"):
        check_system(system)


def test_an_object_that_is_no_system():
    with pytest.raises(ArgumentError, match="an object is no system; give a name such as 'levenshtein', a function"):
        check_system(object())


@pytest.mark.parametrize("name", ["use-multilingual", "pool(jaro, levenshtein)", "tfidf-cosine"])
def test_systems_that_are_not_strings_alone(name):
    check_system(name if name.partition("(")[0] in SYSTEMS.names() else "soft-tfidf")


def broken_measure(**parts):
    fields = {"name": "jaro", "meaning": "m", "low": 0.0, "high": 1.0, "__doc__": "A measure."} | parts
    return dataclass(frozen=True, repr=False)(type("Broken", (Measure,), fields))()


@pytest.mark.parametrize(
    ("parts", "contract"),
    [
        ({"meaning": ""}, "says_what_it_is"),
        ({"name": "pearson", "values": lambda self, c: c.predicted.mean(axis=1)}, "written_name_makes_it_again"),
    ],
)
def test_a_measure_that_breaks_a_contract(parts, contract):
    with pytest.raises(AssertionError, match=f"breaks '{contract}'"):
        check_measure(broken_measure(**parts))


@pytest.fixture
def outside_range(monkeypatch):
    from similitude.evaluate.measures import MEASURES

    @dataclass(frozen=True, repr=False)
    class First(Measure):
        """The prediction of the first item."""

        name: ClassVar[str] = "first-item"
        meaning: ClassVar[str] = "the first prediction"
        low: ClassVar[float] = 0.0
        high: ClassVar[float] = 5.0

        def values(self, comparison):
            return comparison.predicted[:, 0]

    monkeypatch.setitem(MEASURES._makers, "first-item", First)
    return "first-item"


def test_a_function_is_no_measure():
    with pytest.raises(ArgumentError, match="a name of a measure is a text, not function"):
        check_measure(lambda comparison: 1.0)


def test_a_measure_of_the_order_of_rows(outside_range):
    with pytest.raises(AssertionError, match="breaks 'row_order_does_not_matter'"):
        check_measure(outside_range)


@pytest.mark.parametrize(
    ("part", "given", "contract"),
    [
        ("left_out", lambda self, c, units: np.tile(np.arange(units.number), (c.systems, 1)), "left_out_items_are_not"),
        ("left_out", lambda self, c, units: np.zeros((1, units.number)), "left_out_items_are_not_there"),
        ("sampling", "share", "shares_are_of_trials"),
    ],
)
def test_a_measure_that_is_wrong_about_how_it_varies(monkeypatch, part, given, contract):
    from similitude.evaluate.measures.error import MeanAbsoluteError

    check_measure("mae")
    monkeypatch.setattr(MeanAbsoluteError, part, given)
    with pytest.raises(AssertionError, match=f"breaks '{contract}"):
        check_measure("mae")


@pytest.mark.parametrize("written", [str(one) for one in feature_catalogue()])
def test_features_of_ours_keep_the_contracts(written):
    check_feature(written)


@pytest.mark.parametrize(
    "written", ["levenshtein", "source", "label1", "column(label2)", "disagreement(iou, l2, jaro)"]
)
def test_systems_and_columns_keep_the_contracts_of_features(written):
    check_feature(written)


def whole_texts(frame, _):
    return pl.repeat(len(frame), len(frame), dtype=pl.Int64, eager=True)


class OfAllTexts(Feature):
    """How many texts are read with it."""

    properties = (TextProperty("texts", "numbers", whole_texts),)

    def values(self, pairs):
        return pairs.numbers_of(*self.properties)[0].astype(float)


def broken_feature(monkeypatch, **parts):
    base = parts.get("base", Feature)
    fields = {"name": "broken", "meaning": "m", "__doc__": "A feature."} | parts
    broken = dataclass(frozen=True, repr=False)(type("Broken", (base,), fields))
    monkeypatch.setitem(FEATURES._makers, "broken", broken)
    monkeypatch.setitem(globals(), "Broken", broken)
    broken.__module__, broken.__qualname__ = __name__, "Broken"
    return "broken"


@pytest.mark.parametrize(
    ("parts", "contract"),
    [
        ({"meaning": ""}, "says_what_it_is"),
        ({"low": 1.0, "high": 0.0}, "says_what_it_is"),
        ({"name": "iou"}, "written_name_makes_it_again"),
        ({"values": lambda self, pairs: np.zeros(3)}, "gives_one_value_a_pair"),
        ({"values": lambda self, pairs: np.zeros(len(pairs), int)}, "gives_one_value_a_pair"),
        ({"values": lambda self, pairs: pl.Series(["a"] * len(pairs))}, "gives_one_value_a_pair"),
        ({"kind": "name", "values": lambda self, pairs: np.zeros(len(pairs))}, "gives_one_value_a_pair"),
        ({"high": 5.0, "values": lambda self, pairs: pairs.block.left.astype(float)}, "stays_in_its_range"),
        ({"kind": "truth", "values": lambda self, pairs: pairs.block.left.astype(float)}, "stays_in_its_range"),
        ({"values": lambda self, pairs: np.full(len(pairs), np.nan)}, "undefined_values_are_admitted"),
        ({"values": lambda self, pairs: np.arange(len(pairs), dtype=float)}, "other_pairs_do_not_matter"),
        ({"base": OfAllTexts}, "other_texts_do_not_matter"),
    ],
)
def test_a_feature_that_breaks_a_contract(monkeypatch, parts, contract):
    with pytest.raises(AssertionError, match=f"breaks '{contract}'"):
        check_feature(broken_feature(monkeypatch, **parts))


FILES = {
    "csv": ("a.csv", "left,right,score\nx,y,1\nu,v,2\n"),
    "jsonl": ("a.jsonl", '{"left": "x", "right": "y", "score": 1}\n'),
    "sick": ("a.txt", "pair_ID\tsentence_A\tsentence_B\trelatedness_score\n1\tx\ty\t4.5\n2\tu\tv\t1\n"),
    "csts": ("a.csv", "sentence1,sentence2,condition,label\nx,y,the colour,5\nx,y,the size,1\n"),
    "semeval-tsv": ("a.tsv", "4.5\tx\ty\n1\tu\tv\n"),
    "sentence-transformers": ("a.csv", "sentence1,sentence2,score\nx,y,0.9\nu,v,0.1\n"),
    "stsb": ("a.csv", "main-news\tMSRpar\t2012\t1\t4.5\tx\ty\nmain-news\tMSRpar\t2012\t2\t1\tu\tv\n"),
    "stsb-glue": (
        "a.tsv",
        "index\tgenre\tfilename\tyear\told_index\tsource1\tsource2\tsentence1\tsentence2\tscore\n"
        "0\tmain-news\tMSRpar\t2012\t7\tnone\tnone\tx\ty\t2.5\n",
    ),
    "semeval-pair": ("STS.input.headlines.txt", "x\ty\nu\tv\n"),
    "usts": (
        "dev.json",
        '{"7": {"s1": "x", "s2": "y", "raw_annotation": [1.0, 2.0], "mean_score": 1.5, "std": 0.5, "source": "ted"}}',
    ),
    "usts-groups": (
        "groups.json",
        '{"7": {"split": "usts-u", "zh": {"s1": "x", "s2": "y", "Chinese native": [1.0, 2.0]}, '
        '"en": {"s1": "u", "s2": "v", "Translator": [3.0]}}}',
    ),
    "json": ("a.json", '[{"left": "x", "right": "y", "score": 1}]'),
    "parquet": ("a.parquet", ""),
    "arrow": ("a.arrow", ""),
    "workbook": ("a.xlsx", ""),
    "huggingface": ("test-00000-of-00001.parquet", ""),
}


def test_every_format_of_ours_has_an_example():
    ours = [name for name in FORMATS if FORMATS.maker(name).__module__.startswith("similitude.")]
    assert set(FILES) == set(ours)


@pytest.mark.parametrize("name", FILES)
def test_formats_keep_the_contracts(name: str, tmp_path: Path):
    file, text = FILES[name]
    path = tmp_path / file
    writers = {".parquet": "write_parquet", ".arrow": "write_ipc", ".xlsx": "write_excel"}
    if path.suffix in writers:
        frame = pl.DataFrame({"left": ["x", "u"], "right": ["y", "v"], "score": [1.0, 2.0]})
        getattr(frame, writers[path.suffix])(path)
    else:
        path.write_text(text)
    if name == "semeval-pair":
        (tmp_path / "STS.gs.headlines.txt").write_text("4.5\n1\n")
    check_format(name, tmp_path if name == "huggingface" else path)


def test_a_format_that_claims_what_is_not_its_own(monkeypatch, tmp_path):
    greedy = Format(
        name="greedy", summary="all", recognised="always", fits=lambda seen: True, tables=FORMATS.maker("csv")().tables
    )
    monkeypatch.setitem(FORMATS._makers, "greedy", lambda: greedy)
    file = tmp_path / "a.txt"
    file.write_text(FILES["csv"][1])
    with pytest.raises(AssertionError, match="breaks 'other_files_are_not_claimed'"):
        check_format("greedy", file)


@pytest.mark.parametrize("name", CHECKS.names())
def test_checks_keep_the_contracts(name):
    check_check(name)


def test_a_check_that_breaks_a_contract(monkeypatch):
    def empty(benchmark):
        """A finding without a remedy."""
        yield Finding(code="empty", severity="note", message="m", count=1, remedy="")

    monkeypatch.setitem(CHECKS._makers, "empty", empty)
    with pytest.raises(AssertionError, match="breaks 'yields_findings'"):
        check_check("empty")


TRIPLE = [{"id": letter, "left": "x", "right": f"reply {letter}"} for letter in "abc"]


@pytest.mark.parametrize(
    ("name", "form", "items"),
    [
        ("rating", {"value": "3"}, None),
        ("best-worst", {"best": "a", "worst": "b"}, TRIPLE),
        ("conditions", {"alike": "the colour of the thing", "differ": "the size of the thing"}, None),
        ("verification", {"applies": "yes", "value": "3"}, None),
    ],
)
def test_tasks_keep_the_contracts(name, form, items):
    pytest.importorskip("jinja2")
    check_task(name, form, **({} if items is None else {"items": items}))


def test_a_task_with_a_form_that_is_no_answer():
    with pytest.raises(AssertionError, match="annotation task 'rating' breaks 'an_answer_is_plain'"):
        check_task("rating", {"value": "three"})


def test_heads_and_objectives_keep_the_contracts():
    pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
    from similitude.systems.uncertain.heads import HEADS
    from similitude.testing import check_head, check_objective, check_opinion_objective
    from similitude.training import OBJECTIVES
    from similitude.training.uncertain.objectives import OPINION_OBJECTIVES

    for check, registry in (
        (check_head, HEADS),
        (check_objective, OBJECTIVES),
        (check_opinion_objective, OPINION_OBJECTIVES),
    ):
        for name in registry:
            check(name)


def test_the_contracts_are_listed():
    assert "- `other_items_do_not_matter`: An item alone has the score that it has among others." in contracts()
