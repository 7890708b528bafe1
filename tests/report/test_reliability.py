"""The value that random answers would give stands beside every figure corrected for chance, wherever it is shown."""

import polars as pl
import pytest

from similitude.cli.annotation_server import analyse
from similitude.data.judgements import Judgements
from similitude.gold.reliability.assessment import assess
from similitude.gold.reliability.split_half import Halving
from similitude.report.dataset_card import dataset_card
from similitude.report.reliability import agreement_table
from similitude.samples import read_sample

BY_ITEM = "Krippendorff's alpha, per question by item"


class Ear:
    def __init__(self) -> None:
        self.heard: list[tuple[str, int, int]] = []

    def progress(self, stage: str, done: int, total: int) -> None:
        self.heard.append((stage, done, total))

    def note(self, text: str) -> None:
        pass


@pytest.fixture(scope="module")
def dialogues() -> Judgements:
    return Judgements.of_benchmark(read_sample("dialogues"))


@pytest.fixture(scope="module")
def found(dialogues):
    return assess(dialogues, resamples=50, halving=Halving(repeats=3), by=["language"])


def test_one_value_by_chance_in_record_table_card_and_dashboard(dialogues, found):
    figure = next(one for one in found.agreement if one.name == BY_ITEM)
    assert 0.1 < figure.by_chance < 0.5
    assert f", {figure.by_chance:.2f}: as random answers to these tuples" in figure.what
    record = next(one for one in found.record()["agreement"] if one["name"] == BY_ITEM)
    assert record["by_chance"] == figure.by_chance
    table = agreement_table("agreement", "Agreement", found.agreement, 0.95)
    heads = [column.head for column in table.columns]
    row = next(row for row in table.rows if row[0].text == BY_ITEM)
    assert row[heads.index("by chance")].text == f"{figure.by_chance:.2f}"
    assert next(one for one in analyse(dialogues) if one.name == BY_ITEM).by_chance == figure.by_chance
    card = dataset_card(read_sample("dialogues"), dialogues, found.agreement, level=0.95)
    assert "by chance" in card


def test_figures_that_are_not_corrected_for_chance_have_none(found):
    by_name = {one.name: one for one in found.agreement}
    assert by_name["strong agreement, best"].by_chance is None
    assert by_name["split-half, Pearson"].by_chance is None
    record = {one["name"]: one for one in found.record()["agreement"]}
    assert record["strong agreement, best"]["by_chance"] is None


def test_without_figures_corrected_for_chance_there_is_no_column(found):
    assert found.opinions
    table = agreement_table("opinions", "Opinions", found.opinions, 0.95)
    assert "by chance" not in [column.head for column in table.columns]
    assert {len(row) for row in table.rows} == {len(table.columns)}


def test_chance_of_ratings_is_zero():
    rows = {"annotator": list("xxxyyy"), "item": list("abcabc"), "value": [1.0, 2.0, 5.0, 1.0, 3.0, 5.0]}
    found = assess(Judgements(name="made", frame=pl.DataFrame(rows)), resamples=0, halving=Halving(repeats=1))
    assert found.agreement[0].by_chance == 0.0


def test_every_part_tells_its_progress(dialogues):
    ear = Ear()
    assess(dialogues, resamples=20, halving=Halving(repeats=2), by=["language"], listener=ear)
    last = {stage: (done, total) for stage, done, total in ear.heard}
    assert set(last) >= {"agreement", "plan", "opinions", "agreement by label", "annotators and items"}
    assert all(done == total for done, total in last.values())
