"""A figure of reliability is the same number wherever it is shown: table, JSON, page, dataset card, dashboard."""

import json
import re

import pytest

from similitude.cli.annotation_server import analyse
from similitude.data.judgements import Judgements
from similitude.gold.reliability.agreement_by_label import agreement_by, labels_of
from similitude.gold.reliability.agreement_figures import agreement_figures
from similitude.gold.reliability.assessment import assess
from similitude.gold.reliability.split_half import Halving
from similitude.samples import read_sample


def shown(figure: dict) -> str:
    """The figure as tables write it."""
    return f"{figure['value']:.3f} [{figure['low']:.3f}, {figure['high']:.3f}]"


@pytest.mark.parametrize("data", ["sample:dialogues", "sample:opinions"])
def test_card_page_json_and_dashboard_agree(similitude, tmp_path, data):
    done = similitude("reliability", data, "--page", "page.html", "--json")
    figures = {one["name"]: one for one in json.loads(done.stdout)["agreement"] if one["low"] is not None}
    made = similitude("gold", data, "--out", "gold.jsonl", "--page", "gold.html", "-q")
    assert made.returncode == 0, made.stderr
    card, *pages = (
        (tmp_path / name).read_text(encoding="utf-8") for name in ("gold.card.md", "page.html", "gold.html")
    )
    assert len(figures) >= 7
    for name, figure in figures.items():
        assert f"{name} | {shown(figure)}" in card
        for page in pages:
            told = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)).replace("&#39;", "'").replace("&#x27;", "'")
            assert f"{name} {shown(figure)}" in told
    dashboard = {one.name: one for one in analyse(Judgements.of_benchmark(read_sample(data.split(":")[1])))}
    for name, figure in figures.items():
        assert (dashboard[name].value, dashboard[name].low, dashboard[name].high) == pytest.approx(
            (figure["value"], figure["low"], figure["high"]), abs=1e-12
        )


def test_the_seed_is_that_of_the_command(similitude, tmp_path):
    zero, one, again = (
        json.loads(similitude("reliability", "sample:dialogues", "--seed", seed, "--json").stdout) for seed in "011"
    )
    assert one["agreement"] == again["agreement"] != zero["agreement"]
    assert (zero["seed"], one["seed"]) == (0, 1)
    similitude("gold", "sample:dialogues", "--seed", "1", "--card", "card.md")
    halves = next(each for each in one["agreement"] if each["name"] == "split-half, Spearman")
    assert f"split-half, Spearman | {shown(halves)}" in (tmp_path / "card.md").read_text(encoding="utf-8")


def test_the_overall_row_by_label_and_each_label_alone_are_the_same_figures():
    dialogues = Judgements.of_benchmark(read_sample("dialogues"))
    found = assess(dialogues, by=["turns"], resamples=10)
    assert [one.estimate for one in found.by_label["overall"]] == [one.estimate for one in found.agreement]
    short = dialogues.items.filter(dialogues.items["context"].list.len() == 3)["id"].to_list()
    mine = dialogues.frame.filter(dialogues.frame["items"].list.first().is_in(short))
    alone = agreement_figures(Judgements(name="short", frame=mine, items=dialogues.items))
    assert [one.estimate for one in found.by_label["3-turn"]] == [one.estimate for one in alone]


def test_halves_do_not_depend_on_the_order_of_rows():
    for name in ("dialogues", "opinions"):
        made = Judgements.of_benchmark(read_sample(name))
        turned = Judgements(name=name, frame=made.frame.reverse(), items=made.items, scale=made.scale)
        one, other = ({each.name: each.estimate[:3] for each in agreement_figures(data)} for data in (made, turned))
        for figure in ("split-half, Spearman", "split-half, Pearson"):
            assert one[figure] == pytest.approx(other[figure], abs=1e-12)


def test_items_to_leave_out_are_left_out_of_every_label():
    dialogues = Judgements.of_benchmark(read_sample("dialogues"))
    first = dialogues.judged[0]
    found = agreement_by(dialogues, labels_of(dialogues, "turns"), halving=Halving(without=(first,), repeats=5))
    items = {label: figures[-1].n_units for label, figures in found.items()}
    assert items["overall"] == 59
    assert sorted(items.values()) == [29, 30, 59]


def test_split_half_from_the_command_line(similitude):
    usual, toss, stepped, fewer = (
        json.loads(similitude("reliability", "sample:dialogues", "--json", "--resamples", "0", *more).stdout)
        for more in ([], ["--odd-to", "toss"], ["--spearman-brown"], ["--without", "de-train-01-1,de-train-01-2"])
    )
    rho = {name: found["agreement"][-2] for name, found in zip("utsf", (usual, toss, stepped, fewer), strict=True)}
    assert rho["u"]["value"] > rho["t"]["value"]
    assert rho["s"]["name"] == "split-half, Spearman, Spearman-Brown"
    assert rho["s"]["value"] == pytest.approx(2 * rho["u"]["value"] / (1 + rho["u"]["value"]), abs=1e-12)
    assert usual["halving"] == {"repeats": 100, "odd_to": "second", "spearman_brown": False, "without": []}
    assert (rho["u"]["units"], rho["f"]["units"]) == (60, 58)
    refused = similitude("reliability", "sample:dialogues", "--odd-to", "either")
    assert refused.returncode == 2
    assert "known: second, toss" in refused.stderr
