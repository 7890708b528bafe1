import polars as pl
import pytest

from similitude.data import Scale
from similitude.data.judgements import Judgements
from similitude.data.provenance import Provenance
from similitude.data.reading import read
from similitude.data.writing.benchmark import write
from similitude.errors import ArgumentError, InputError
from similitude.gold.aggregation import Counting, make_gold
from similitude.samples import read_sample

TEXTS = pl.DataFrame({"id": ["a", "b", "c"], "left": ["x", "y", "z"], "right": ["1", "2", "3"]})


def rated(**options) -> Judgements:
    rows = [("r1", "a", 1.0), ("r2", "a", 3.0), ("r1", "b", 4.0), ("r2", "b", 5.0)]
    frame = pl.DataFrame(rows, schema=["annotator", "item", "value"], orient="row")
    return Judgements(**{"name": "made", "frame": frame, "scale": Scale(low=0, high=5), "items": TEXTS} | options)


def compared(**options) -> Judgements:
    frame = pl.DataFrame({"items": [["a", "b", "c"]] * 2, "best": ["a", "a"], "worst": ["c", "b"]})
    return Judgements(**{"name": "made", "frame": frame, "items": TEXTS} | options)


def test_ratings_become_gaussians_and_are_kept():
    made = make_gold(rated())
    assert made.frame["score"].to_list() == [2.0, 4.5, None]
    assert made.frame["sigma"].to_list() == [1.0, 0.5, None]
    assert made.frame["ratings"].to_list() == [[1.0, 3.0], [4.0, 5.0], None]
    assert made.frame["raters"].to_list()[0] == ["r1", "r2"]
    assert made.judgements is None
    assert made.provenance.aggregation == "gaussian: mean and population standard deviation of the ratings"
    assert made.provenance.judged_by == "2 annotators"
    assert made.provenance.notes == ("1 item without a judgement, and so without a score: c",)
    assert made.scale == Scale(low=0, high=5)


def test_best_worst_answers_are_counted_and_kept():
    made = make_gold(compared())
    assert made.frame["score"].to_list() == [1.0, -0.5, -0.5]
    assert str(made.scale) == "-1..1"
    assert made.judgements is not None
    assert made.judgements.height == 2
    assert made.provenance.judged_by is None


@pytest.mark.parametrize("method", ["counting(normalised=true)", Counting(normalised=True)])
def test_a_method_by_name_or_as_a_value(method):
    assert make_gold(compared(), method, name="mine").frame["score"].to_list() == [1.0, 0.25, 0.25]


def test_what_was_known_of_the_judgements_stays():
    origin = Provenance(judged_by="simulated annotators", notes=("one",), files=("f.csv",))
    made = make_gold(rated(provenance=origin, licence="MIT"), name="mine")
    assert made.is_simulated
    assert made.provenance.files == ("f.csv",)
    assert made.provenance.notes[0] == "one"
    assert (made.licence, made.name) == ("MIT", "mine")


def test_judged_ids_that_no_item_has_are_counted():
    made = make_gold(compared(items=TEXTS.head(2)))
    assert made.provenance.notes == ("1 judged id without an item, left out of the benchmark: c",)
    assert len(made) == 2


def test_without_texts_there_is_no_benchmark():
    with pytest.raises(InputError, match="the texts of the items are unknown; a benchmark needs them"):
        make_gold(rated(items=None))
    with pytest.raises(InputError, match="some items have no text"):
        make_gold(rated(items=TEXTS.with_columns(right=pl.lit(None))))


def test_items_of_another_benchmark_are_refused():
    with pytest.raises(InputError, match="no judged id is among the items: judged ids are a, b, item ids are xa"):
        make_gold(rated(items=TEXTS.with_columns(id="x" + pl.col("id"))))


def test_the_other_kind_of_method_is_refused():
    with pytest.raises(ArgumentError, match="'mean' is for rating answers, and these are best-worst"):
        make_gold(compared(), "mean")


def test_the_sample_is_what_its_judgements_add_up_to():
    dialogues = read_sample("dialogues")
    made = make_gold(Judgements.of_benchmark(dialogues), "counting(normalised=true)")
    assert (made.frame["score"] - dialogues.frame["score"]).abs().max() < 1e-6
    opinions = read_sample("opinions")
    made = make_gold(Judgements.of_benchmark(opinions))
    assert (made.frame["score"] - opinions.frame["score"]).abs().max() < 1e-6
    assert (made.frame["sigma"] - opinions.frame["sigma"]).abs().max() < 1e-6
    assert made.frame["ratings"].to_list() == opinions.frame["ratings"].to_list()
    assert made.is_simulated


@pytest.mark.parametrize("method", ["mixture", "annotator-aware"])
def test_gold_survives_writing_and_reading(method: str, tmp_path):
    made = make_gold(Judgements.of_benchmark(read_sample("opinions")), method)
    back = read(write(made, tmp_path / "gold.jsonl"))
    assert back.fingerprint == made.fingerprint
    assert back.provenance.aggregation == made.provenance.aggregation
    assert (back.frame["standard_error"] > 0).all()
    again = Judgements.of_benchmark(back)
    assert again.frame["value"].to_list() == Judgements.of_benchmark(made).frame["value"].to_list()


def test_best_worst_gold_survives_writing_and_reading(tmp_path):
    made = make_gold(Judgements.of_benchmark(read_sample("dialogues")), "plackett-luce")
    back = read(write(made, tmp_path / "gold.parquet"))
    assert back.fingerprint == made.fingerprint
    assert back.judgements.equals(made.judgements)
    assert "12 parts" in made.provenance.notes[0]
