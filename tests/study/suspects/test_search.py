"""The search for wrong labels: what is found, in which words, and that neither rows nor files mislead it."""

import json
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import polars as pl
import pytest

import similitude as sim
from similitude.cli.app import run
from similitude.errors import ArgumentError, InputError, PredictionError, ScaleError, SimilitudeError
from similitude.registry import Spec
from similitude.study.suspects import find_suspects, write_questions, write_suspects
from similitude.training.label_weights import label_weights

PAIRS = 150


@dataclass(frozen=True)
class Knowing:
    """Says of each item what it is told, by id."""

    known: tuple[tuple[str, float], ...]
    range: ClassVar[None] = None
    summary: ClassVar[str] = "knows"
    reads: ClassVar[frozenset[str]] = frozenset()

    @property
    def identity(self) -> Spec:
        return Spec("knowing")

    def score(self, items: sim.Items) -> list[float]:
        said = dict(self.known)
        return [said[name] for name in items.ids]


def plain_pairs(wrong=(), *, ratings=None):
    """Pairs with labels from 1 to 5, a system that nearly knows them, and some labels turned round."""
    rng = np.random.default_rng(3)
    truth = rng.integers(1, 6, PAIRS).astype(float)
    system = Knowing(tuple((f"p{n}", float(truth[n] + rng.normal(0, 0.4))) for n in range(PAIRS)))
    labels = truth.copy()
    labels[list(wrong)] = 6 - labels[list(wrong)] + (labels[list(wrong)] == 3) * 2
    columns = {} if ratings is None else {"ratings": ratings(labels)}
    made = sim.Benchmark.from_columns(
        "pairs",
        scale="1..5",
        id=[f"p{n}" for n in range(PAIRS)],
        left=[f"left {n}" for n in range(PAIRS)],
        right=[f"right {n}" for n in range(PAIRS)],
        score=labels.tolist(),
        **columns,
    )
    return made, system, truth


WRONG = (5, 17, 40, 77, 90, 101, 120, 133)


@pytest.fixture(scope="module")
def searched():
    data, system, truth = plain_pairs(WRONG)
    return data, system, truth, find_suspects(data, system)


def test_wrong_labels_are_found_with_what_they_should_be(searched):
    _, _, truth, found = searched
    suspects = found.suspects
    assert {int(name[1:]) for name in suspects["id"]} <= set(WRONG)
    assert suspects.height >= 6
    first = suspects.row(0, named=True)
    assert first["expected_label"] == pytest.approx(truth[int(first["id"][1:])], abs=0.7)
    assert first["verdict"] == "wrong"
    assert first["reason"].startswith("the forecasts suggest ")
    assert found.interval.low < len(WRONG) / PAIRS < found.interval.high


def test_every_label_has_a_row_the_most_suspicious_first(searched):
    data, _, _, found = searched
    assert len(found) == len(data)
    assert found.table["wrong_probability"].is_sorted(descending=True)
    assert found.to_pandas().shape == (PAIRS, len(found.table.columns))
    assert found.expected_right == pytest.approx((1 - found.suspects["wrong_probability"]).sum())


def test_the_order_of_rows_does_not_matter(searched):
    data, system, _, found = searched
    turned = data.take(np.random.default_rng(0).permutation(len(data)))
    assert find_suspects(turned, system).table.equals(found.table)


def test_the_label_of_an_item_does_not_change_its_forecast():
    data, system, _ = plain_pairs()
    other = replace(
        data, frame=data.frame.with_columns(score=pl.when(pl.col("id") == "p9").then(3.0).otherwise("score"))
    )
    one, two = (find_suspects(each, system).table.filter(id="p9")["forecast_label"][0] for each in (data, other))
    assert one == pytest.approx(two, abs=0.05)


def test_top_and_probability(searched):
    data, system, _, found = searched
    assert find_suspects(data, system, top=3).suspects["id"].to_list() == found.table["id"].to_list()[:3]
    assert find_suspects(data, system, probability=0.9, top=50).count <= found.count
    assert find_suspects(data, system, probability=1.0).count == 0


def test_a_contentious_item_is_told_from_a_wrong_one():
    def ratings(labels):
        given = [[label] * 4 for label in labels]
        given[WRONG[0]] = [1.0, 1.0, 5.0, 5.0]
        return given

    data, system, _ = plain_pairs(WRONG, ratings=ratings)
    found = find_suspects(data, system).table
    split = found.filter(id=f"p{WRONG[0]}").row(0, named=True)
    others = found.filter(pl.col("id").is_in([f"p{n}" for n in WRONG[1:]]) & pl.col("suspect"))
    assert split["verdict"] == "contentious"
    assert split["reason"].startswith("people differ (sigma 2.00): contentious rather than wrong")
    assert set(others["verdict"]) == {"wrong"}


def test_exchanged_labels_and_duplicates_are_named():
    rng = np.random.default_rng(5)
    rows = [(n, end) for n in range(PAIRS) for end in (0, 1)]
    truth = {(n, end): float(rng.integers(4, 6) if end else rng.integers(1, 3)) for n, end in rows}
    labels = dict(truth)
    for n in range(0, 30, 2):
        labels[n, 0], labels[n, 1] = truth[n, 1], truth[n, 0]
    data = sim.Benchmark.from_columns(
        "two",
        scale="1..5",
        id=[f"{n}-{end}" for n, end in rows],
        left=[f"left {n}" for n, _ in rows],
        right=[f"right {n}" for n, _ in rows],
        condition=["colour" if end else "number" for _, end in rows],
        score=[labels[row] for row in rows],
    )
    system = Knowing(tuple((f"{n}-{end}", truth[n, end] + float(rng.normal(0, 0.5))) for n, end in rows))
    found = find_suspects(data, system)
    assert {int(name.split("-")[0]) for name in found.suspects["id"]} == set(range(0, 30, 2))
    assert set(found.suspects["verdict"]) == {"swapped"}
    assert "look exchanged (item 0-" in found.suspects.filter(id="0-1")["reason"][0]
    assert found.linked == 2 * PAIRS


def test_a_note_where_forecasts_know_nothing():
    data, system, _ = plain_pairs()
    said = Knowing(tuple((name, float(place % 7)) for place, (name, _) in enumerate(system.known)))
    [note] = [each for each in find_suspects(data, said).notes if "forecasts" in each]
    assert "rests on the prior" in note
    assert "--model FOLDER" in note


def test_forecasts_that_know_no_more_than_chance_make_no_label_a_sure_suspect():
    data, _, _ = plain_pairs(WRONG)
    # "left 7" and "right 7" are less alike than nearly all others: two levenshtein scores lie far from the rest.
    found = find_suspects(data, "levenshtein")
    assert found.spearman < 0
    assert found.table["wrong_probability"].max() < 0.5
    assert found.table["forecast_label"].n_unique() == 1
    assert any("no more than chance gives, and are not used" in note for note in found.notes)


def test_files_for_training_and_for_people(searched, tmp_path):
    data, _, _, found = searched
    assert label_weights(data, str(write_suspects(found, tmp_path / "s.csv")), "drop").record["suspects"] == found.count
    ask = write_questions(found, data, tmp_path / "ask.csv")
    asked = pl.read_csv(ask)
    assert asked.columns == ["id", "left", "right"]
    assert asked["id"].to_list() == found.suspects["id"].to_list()
    assert len(sim.design(str(ask), "rating")) == found.count


def test_every_suspect_has_a_reason(searched):
    data, system, _, _ = searched
    chosen = find_suspects(data, system, top=100).suspects
    assert chosen["wrong_probability"].min() < 0.05
    assert chosen["reason"].null_count() == 0


def test_nothing_to_ask(searched, tmp_path):
    data, system, _, _ = searched
    with pytest.raises(ArgumentError, match="nothing to ask"):
        write_questions(find_suspects(data, system, probability=1.0), data, tmp_path / "ask.csv")


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"folds": 1}, "1 folds"),
        ({"probability": 0.0}, "probability 0"),
        ({"top": 0}, "top 0"),
        ({"split": "dev"}, "dev"),
    ],
)
def test_arguments_that_are_not_valid(how, message):
    data, system, _ = plain_pairs()
    with pytest.raises(ArgumentError, match=message):
        find_suspects(data, system, **how)


def test_too_few_labels_no_scale_and_no_number():
    data, system, _ = plain_pairs()
    with pytest.raises(InputError, match="49 labels are too few"):
        find_suspects(data.take(np.arange(49)), system)
    with pytest.raises(InputError, match="1 label is too few"):
        find_suspects(data.take(np.arange(1)), system)
    with pytest.raises(ScaleError, match="no scale"):
        find_suspects(replace(data, scale=None), system)
    with pytest.raises(PredictionError, match="no number for item 'p0'"):
        find_suspects(data, Knowing((("p0", float("nan")), *system.known[1:])))


# The command.


@pytest.fixture
def file(tmp_path):
    data, _, _ = plain_pairs(WRONG)
    path = tmp_path / "pairs.csv"
    data.frame.select("id", "left", "right", "score").write_csv(path)
    return path


def test_the_command_writes_what_it_says(file, tmp_path, capsys):
    paths = [tmp_path / name for name in ("s.csv", "ask.csv", "s.html")]
    options = [
        part for option, path in zip(("--out", "--ask", "--page"), paths, strict=True) for part in (option, str(path))
    ]
    assert run(["data", "suspects", str(file), "--scale", "1..5", "-s", "levenshtein", "--top", "4", *options]) == 0
    shown = capsys.readouterr().out
    assert "are estimated to be wrong; 4 suspects (the most probable)" in " ".join(shown.split())
    assert f"similitude design rating {paths[1]} --out questions.jsonl" in shown
    assert pl.read_csv(paths[0]).height == PAIRS
    assert pl.read_csv(paths[1]).height == 4
    page = paths[2].read_text()
    assert "How many are wrong" in page
    assert "p" + str(pl.read_csv(paths[0])["id"][0])[1:] in page


def test_the_command_tells_and_writes_all_else_before_it_says_that_nothing_is_to_be_asked(file, tmp_path, capsys):
    out, ask, page = (tmp_path / name for name in ("s.csv", "ask.csv", "s.html"))
    options = ["--probability", "1", "--out", str(out), "--ask", str(ask), "--page", str(page)]
    with pytest.raises(ArgumentError, match="no label is suspect: there is nothing to ask"):
        run(["data", "suspects", str(file), "--scale", "1..5", "-s", "jaccard", *options])
    assert "are estimated to be wrong; none is wrong" in " ".join(capsys.readouterr().out.split())
    assert pl.read_csv(out).height == PAIRS
    assert "How many are wrong" in page.read_text()
    assert not ask.exists()


def test_the_command_as_json(file, capsys):
    assert run(["data", "suspects", str(file), "--scale", "1..5", "-s", "levenshtein", "--json", "-q"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["labels"] == PAIRS
    assert told["sources"] == ["levenshtein"]
    assert told["share_interval"][0] <= told["share_wrong"] <= told["share_interval"][1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--out", "s.txt"], "'s.txt' has no suffix of a known format"),
        (["--ask", "ask.parquet"], "'ask.parquet' has no suffix"),
        (["--folds", "500"], "150 pairs cannot be dealt into 500 folds"),
        (["--probability", "2"], "probability 2 is not valid"),
        (["--epochs", "9"], "--epochs 9 is for training a model; add --model FOLDER, or omit --epochs"),
        (["--device", "cuda"], "--device cuda is for training a model; add --model FOLDER, or omit --device"),
    ],
)
def test_mistakes_get_one_line(file, options, message):
    with pytest.raises(SimilitudeError, match=message):
        run(["data", "suspects", str(file), "--scale", "1..5", "-s", "levenshtein", *options])
