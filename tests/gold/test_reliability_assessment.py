"""An assessment: which parts there are, and what its record says."""

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.data.provenance import FileReading, Provenance, Skipped
from similitude.data.scale import Scale
from similitude.gold.reliability import assessment
from similitude.gold.reliability.assessment import assess
from similitude.gold.reliability.rater_plan import RaterTargets
from similitude.gold.reliability.split_half import Halving
from similitude.report.reliability import about_judgements

ITEMS = [f"i{n}" for n in range(12)]


def ratings(rounds: int = 2, groups: int = 2, raters: int = 6) -> Judgements:
    rng = np.random.default_rng(0)
    truth = dict(zip(ITEMS, np.linspace(0.5, 4.5, 12), strict=True))
    rows = [
        (
            f"r{r}",
            f"g{r % groups}",
            ("first", "second")[r * rounds // raters],
            item,
            round(float(np.clip(value + rng.normal(0, 0.6), 0, 5)), 1),
        )
        for r in range(raters)
        for item, value in truth.items()
    ]
    frame = pl.DataFrame(rows, schema=["annotator", "group", "round", "item", "value"], orient="row")
    texts = pl.DataFrame({"id": ITEMS, "left": ITEMS, "right": ITEMS, "source": ["a", "b"] * 6})
    return Judgements(name="made", frame=frame, items=texts, scale=Scale(low=0, high=5))


def choices() -> Judgements:
    rng = np.random.default_rng(1)
    rows = []
    for question in range(30):
        items = rng.choice(12, 4, replace=False)
        for annotator in range(4):
            order = np.argsort(items + rng.normal(0, 1.5, 4))
            rows.append(
                (
                    f"q{question}",
                    f"r{annotator}",
                    [ITEMS[i] for i in items],
                    ITEMS[items[order[-1]]],
                    ITEMS[items[order[0]]],
                )
            )
    return Judgements(
        name="made", frame=pl.DataFrame(rows, schema=["question", "annotator", "items", "best", "worst"], orient="row")
    )


class Hears:
    def __init__(self) -> None:
        self.told: list[tuple[str, int, int]] = []

    def progress(self, stage: str, done: int, total: int) -> None:
        self.told.append((stage, done, total))

    def note(self, text: str) -> None:
        pass


def parts_told(listener: Hears) -> int:
    """How many parts about annotators and items there were; each was told, and none beyond."""
    told = [(done, total) for stage, done, total in listener.told if stage == "annotators and items"]
    assert told == [(done, len(told)) for done in range(1, len(told) + 1)]
    return len(told)


def test_all_parts_of_ratings():
    listener = Hears()
    expert = {"i0": "low", "i1": "high", "i11": "high"}
    found = assess(
        ratings(),
        by=["source"],
        expert=expert,
        gold_answers={"i0": 0.5, "nothing": 1.0, "more": 2.0},
        resamples=20,
        halving=Halving(repeats=5),
        listener=listener,
    )
    record = found.record()
    assert json.dumps(record, allow_nan=False)
    about = record["judgements"]
    assert (about["name"], about["kind"], about["answers"], about["items"], about["annotators"]) == (
        "made",
        "rating",
        72,
        12,
        6,
    )
    assert (about["scale"], about["categories"], about["superseded"]) == ("0..5", None, 0)
    assert (record["level"], set(record["by_label"])) == (0.95, {"a", "b", "overall"})
    assert len(record["annotators"]) == 6
    assert record["annotators"][0]["gold_asked"] == 1
    assert [row["item"] for row in record["contention"]] == ITEMS
    assert record["growth"][0]["raters"] == 2
    assert record["divergence"][0]["raters"] == 2
    assert len(record["groups"]) == 24
    assert (record["applies"], record["rejected"]) == (None, None)
    assert set(record["plan"]) == {"table", "notes"}
    check = record["expert"]
    assert {name: check[name] for name in ("border", "checked", "undecided", "unasked")} == {
        "border": 2.5, "checked": 3, "undecided": [], "unasked": 9,
    }  # fmt: skip
    assert check["agreement"] == pytest.approx(2 / 3)
    assert [row["item"] for row in check["contradictions"]] == ["i1"]
    assert "2 gold questions were not answered by anybody: nothing, more" in record["notes"]
    plain = Hears()
    assess(ratings(rounds=1, groups=1), resamples=0, halving=Halving(repeats=5), listener=plain)
    assert parts_told(listener) == parts_told(plain) + 2  # rounds and groups


def test_figures_in_a_record():
    found = assess(ratings(), resamples=20, halving=Halving(repeats=5))
    for written, one in zip(found.record()["agreement"], found.agreement, strict=True):
        assert (written["name"], written["what"]) == (one.name, one.what)
        assert (written["units"], written["raters"]) == (one.n_units, one.n_raters)
        assert written["reason"] == one.estimate.reason
        for name in ("value", "low", "high"):
            value = getattr(one.estimate, name)
            assert written[name] == (value if np.isfinite(value) else None)


def test_parts_that_answers_do_not_have():
    listener = Hears()
    record = assess(ratings(rounds=1, groups=1), resamples=0, halving=Halving(repeats=5), listener=listener).record()
    assert (record["divergence"], record["groups"], record["expert"]) == (None, None, None)
    assert record["by_label"] == {}
    of_ratings = parts_told(listener)
    listener = Hears()
    record = assess(
        choices(),
        resamples=0,
        halving=Halving(repeats=5),
        listener=listener,
        gold_answers={"i0": ("i1", "i2"), "q0": ("i1", "i2")},
    ).record()
    assert (record["contention"], record["growth"], record["divergence"], record["groups"]) == (None,) * 4
    assert record["judgements"]["kind"] == "best-worst"
    assert record["plan"] is not None
    # for best-worst, gold answers are by question, not by item
    assert "1 gold question was not answered by anybody: i0" in record["notes"]
    assert parts_told(listener) == of_ratings - 2  # without contention and growth


def test_unnamed_raters_leave_a_note_in_place_of_a_table():
    made = ratings(rounds=1, groups=1)
    unnamed = Judgements(
        name="made", frame=made.frame.with_columns(annotator=pl.lit(None, dtype=pl.String)), scale=made.scale
    )
    found = assess(unnamed, resamples=0, halving=Halving(repeats=5))
    assert found.annotators is None
    assert any("there is no table of annotators" in note for note in found.notes)


def test_the_same_seed_gives_the_same_figures():
    """But for the last bits, which depend on where arrays lie in memory."""

    def ends(seed: int) -> list[float]:
        found = assess(ratings(), resamples=30, halving=Halving(repeats=5), seed=seed)
        return [end for one in (*found.agreement, *found.opinions) for end in one.estimate[:3]]

    one, same, other = ends(0), ends(0), ends(1)
    assert one == pytest.approx(same, rel=1e-9, nan_ok=True)
    assert one != pytest.approx(other, rel=1e-9, nan_ok=True)
    assert one[0] == other[0]


def test_verification_shows_what_is_rejected():
    frame = pl.DataFrame(
        {
            "annotator": ["x", "y", "x", "y", "z"],
            "item": ["a", "a", "b", "b", "b"],
            "value": [1.0, 2.0, None, None, 3.0],
            "applies": [True, True, False, False, True],
        }
    )
    record = assess(
        Judgements(name="made", frame=frame, scale=Scale(low=0, high=5)), resamples=0, halving=Halving(repeats=2)
    ).record()
    assert [row["item"] for row in record["applies"]] == ["a", "b"]
    assert [row["item"] for row in record["rejected"]] == ["b"]
    about = about_judgements(Judgements(name="made", frame=frame, scale=Scale(low=0, high=5)))
    assert about == "5 answers about 2 items by 3 annotators, 3 of them ratings, scale 0..5"


def test_the_plan_has_the_asked_reliability_and_the_figure_the_usual_one():
    found = assess(choices(), resamples=0, reliability=0.99, halving=Halving(repeats=2))
    figure = found.opinions[-1]
    assert figure.name == "annotations per tuple for reliability 0.9"
    assert found.plan.needed.value > figure.estimate.value
    usual = assess(choices(), resamples=0, halving=Halving(repeats=2))
    assert usual.opinions[-1].estimate.value == usual.plan.needed.value


def test_a_record_has_these_parts():
    superseded = ratings().frame.head(2)
    origin = Provenance(
        judged_by="students", files=("f.csv",), format="csv", notes=("one",), warnings=("two",),
        readings=(FileReading(file="f.csv", container="text", layout="rows", rows=3, kept=2, unused=("u",)),),
        skipped=(Skipped(where="f.csv, row 3", why="no value"),),
    )  # fmt: skip
    made = replace(ratings(raters=4), provenance=origin, superseded=superseded)
    listener = Hears()
    found = assess(made, components=1, resamples=0, level=0.9, seed=3, halving=Halving(repeats=5), listener=listener)
    record = found.record()
    assert list(record) == [
        "judgements", "level", "seed", "halving", "agreement", "opinions", "by_label", "annotators", "contention",
        "growth", "divergence", "groups", "expert", "plan", "per_item", "effective_components", "applies", "rejected",
        "notes",
    ]  # fmt: skip
    assert record["judgements"] == {
        "name": "made", "kind": "rating", "answers": 48, "items": 12, "annotators": 4, "categories": None,
        "scale": "0..5", "judged_by": "students", "superseded": 2, "files": ["f.csv"], "format": "csv",
        "notes": ["one"], "warnings": ["two"],
        "readings": [{"file": "f.csv", "container": "text", "layout": "rows", "rows": 3, "kept": 2, "columns": {},
                      "unused": ["u"], "details": {}, "missing": {}}],
        "left_out": [{"where": "f.csv, row 3", "why": "no value"}],
    }  # fmt: skip
    assert (record["level"], record["seed"], record["halving"]["repeats"]) == (0.9, 3, 5)
    assert set(record["agreement"][0]) == {
        "name", "value", "low", "high", "standard_error", "by_chance", "reason", "what", "units", "raters",
    }  # fmt: skip
    assert record["agreement"][0]["by_chance"] == 0.0
    assert [one["name"] for one in record["opinions"]] == [one.name for one in found.opinions]
    assert list(record["effective_components"]) == ["components", "table", "likelier_than_one", "items", "notes"]
    assert (record["effective_components"]["components"], len(record["effective_components"]["items"])) == (1, 12)
    assert [row["item"] for row in record["per_item"]] == ITEMS
    assert ("plan", 1, 1) in listener.told
    assert {stage for stage, *_ in listener.told} >= {"agreement", "plan", "annotators and items"}


def test_labels_in_a_record():
    frame = pl.DataFrame({"annotator": list("xyxy"), "item": list("aabb"), "value": [0.0, 0.0, 1.0, 0.0]})
    made = Judgements(name="made", frame=frame, categories=("no", "yes"))
    record = assess(made, resamples=0).record()
    assert (record["judgements"]["categories"], record["judgements"]["scale"]) == (["no", "yes"], None)
    assert (record["plan"], record["growth"], record["contention"]) == (None, None, None)


class Spies:
    """Remembers with which settings functions of the assessment were called."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
        self.said: dict[str, dict] = {}
        for name in names:
            monkeypatch.setattr(assessment, name, self._spy(name, getattr(assessment, name)))

    def _spy(self, name, whole):
        def call(*arguments, **settings):
            self.said[name] = settings
            return whole(*arguments, **settings)

        return call


def test_settings_are_handed_on(monkeypatch: pytest.MonkeyPatch):
    drawn = ("agreement_figures", "agreement_by", "opinion_figures", "annotator_table", "plan_raters", "expert_check")
    spies = Spies(monkeypatch, *drawn, "growth_over_orders", "component_table")
    listener, targets, halving = Hears(), RaterTargets(mean_error=0.4), Halving(repeats=2)
    made = ratings(raters=4)
    found = assess(
        replace(made, frame=made.frame.with_columns(pl.col("value").round())),
        by=["source"],
        expert={"i0": "low"},
        targets=targets,
        weights="linear",
        components=1,
        resamples=3,
        halving=halving,
        level=0.9,
        seed=5,
        listener=listener,
    )
    said = spies.said
    assert {(said[name]["resampling"].level, said[name]["resampling"].resamples) for name in drawn} == {(0.9, 3)}
    assert said["agreement_figures"]["resampling"].generator.random() == np.random.default_rng(5).random()
    assert said["agreement_figures"]["halving"] is said["agreement_by"]["halving"] is halving
    assert said["agreement_figures"]["weights"] == "linear"
    for name in ("agreement_figures", "agreement_by", "opinion_figures"):
        assert said[name]["listener"] is listener
    assert said["opinion_figures"]["plan"] is found.plan
    assert said["plan_raters"]["targets"] is targets
    assert said["growth_over_orders"]["level"] == 0.9
    streams = [said[name]["resampling"].generator for name in ("opinion_figures", "annotator_table", "plan_raters")]
    assert len({id(rng) for rng in (*streams, said["growth_over_orders"]["rng"])}) == 4
    assert list(found.record()["expert"]) == [
        "border", "checked", "undecided", "unasked", "agreement", "kappa", "contradictions",
    ]  # fmt: skip


def test_the_plan_of_tuples_is_made_once_where_it_can_be(monkeypatch: pytest.MonkeyPatch):
    spies = Spies(monkeypatch, "plan_tuples", "opinion_figures")
    usual = assess(choices(), resamples=2, level=0.8, halving=Halving(repeats=2))
    assert spies.said["opinion_figures"]["plan"] is usual.plan
    made = spies.said["plan_tuples"]
    assert (made["reliability"], made["resampling"].resamples, made["resampling"].level) == (0.9, 2, 0.8)
    assess(choices(), resamples=0, reliability=0.5, halving=Halving(repeats=2))
    assert spies.said["opinion_figures"]["plan"] is None
    assert spies.said["plan_tuples"]["reliability"] == 0.5


def test_an_expert_may_judge_what_most_reject():
    frame = pl.DataFrame(
        {
            "annotator": ["x", "y", "x", "y", "z"],
            "item": ["a", "a", "b", "b", "b"],
            "value": [1.0, 2.0, None, None, 3.0],
            "applies": [True, True, False, False, True],
        }
    )
    texts = pl.DataFrame({"id": ["a", "b"], "left": ["c", "d"], "right": ["e", "f"]})
    made = Judgements(name="made", frame=frame, scale=Scale(low=0, high=5), items=texts)
    found = assess(made, expert={"a": "low", "b": "high"}, resamples=0, halving=Halving(repeats=2))
    assert (found.expert.checked, found.expert.agreement.value) == (2, 1.0)
    shares = [figure for figure in found.agreement if figure.name == "applies: mean share"]
    # a: 2 of 2, b: 1 of 3; their standard deviation is (1 - 1/3) / sqrt(2), and the error that over sqrt(2)
    assert shares[0].estimate.value == pytest.approx(2 / 3)
    assert shares[0].standard_error == pytest.approx(1 / 3)
    assert (shares[0].n_units, shares[0].n_raters) == (2, 3)
    alone = replace(made, frame=frame.filter(item="b"), items=None)
    (share,) = [one for one in assess(alone, resamples=5).agreement if one.name == "applies: mean share"]
    assert (share.estimate.value, share.standard_error) == (pytest.approx(1 / 3), None)
