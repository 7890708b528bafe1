import numpy as np
import polars as pl
import pytest

import similitude as sim
from similitude.errors import ArgumentError
from similitude.study.breakdown import breakdown, breakdown_rows, check_columns, save_breakdown
from similitude.study.contention import contention_of

WORDS = ["red", "green", "blue", "old", "new", "small", "large", "bright", "dark", "cold", "warm", "quick"]


def made(items: int = 24, **columns) -> sim.Run:
    lefts = [f"{WORDS[i % 12]} {WORDS[i * 5 % 12]} house" for i in range(items)]
    rights = [f"{WORDS[i * 7 % 12]} {WORDS[i * 5 % 12]} home" for i in range(items)]
    scores = [float(i * 7 % 6) for i in range(items)]
    benchmark = sim.Benchmark.from_columns("made", scale="0..5", left=lefts, right=rights, score=scores, **columns)
    return sim.run(benchmark, ["levenshtein", "jaro"], ["spearman", "mae", "kl"])


def test_each_part_is_measured_as_if_it_were_all_there_is():
    run = made(domain=["a", "b"] * 12)
    (found,) = breakdown(run)
    assert [(part.name, part.items) for part in found.parts] == [("a", 12), ("b", 12)]
    alone = sim.run(run.benchmark.take(np.arange(0, 24, 2)), ["levenshtein", "jaro"], ["spearman", "mae"])
    for part, whole in zip(found.parts[0].figures, alone.figures, strict=True):
        assert [figure.value for figure in part[:2]] == pytest.approx([figure.value for figure in whole])
    assert found.parts[0].figures[0][2].reason == "gold has no standard deviations"


def test_small_parts_are_named_not_measured():
    (found,) = breakdown(made(source=["large"] * 14 + ["ten"] * 10, language=None))
    assert [part.name for part in found.parts] == ["large", "ten"]
    (found,) = breakdown(made(source=["nine"] * 9 + ["large"] * 15))
    assert [part.name for part in found.parts] == ["large"]
    assert found.too_small == (("nine", 9),)
    (found,) = breakdown(made(source=["nine"] * 9 + ["large"] * 15), at_least=20)
    assert found.parts == ()
    assert [part.name for part in found.too_small] == ["large", "nine"]


def test_columns_that_say_nothing_are_left_out():
    assert breakdown(made(domain=["same"] * 24, language=[None] * 24)) == ()


def test_items_that_state_nothing_are_a_part_of_their_own():
    (found,) = breakdown(made(language=["de"] * 10 + [None] * 14))
    assert [(part.name, part.items) for part in found.parts] == [(None, 14), ("de", 10)]


def test_any_text_column_will_do_and_others_will_not():
    run = made(split=["dev"] * 12 + ["test"] * 12)
    assert [found.column for found in breakdown(run, ["split"])] == ["split"]
    for column in ("score", "colour"):
        with pytest.raises(ArgumentError, match=f"items cannot be divided by '{column}'; known: id, left"):
            breakdown(run, [column])


def test_a_column_of_the_file_is_told_by_our_name(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("sentence1,sentence2,score,genre,topic\na,b,1,news,x\nc,d,4,web,y\n")
    run = sim.run(path, ["levenshtein"], ["spearman"])
    with pytest.raises(ArgumentError, match="contention; the file's 'genre' is called domain here"):
        breakdown(run, ["genre"])
    with pytest.raises(ArgumentError, match="to read the file's 'topic' as source: --column source=topic"):
        breakdown(run, ["topic"])


def test_a_mapping_fitted_elsewhere_is_kept():
    """Calibration belongs to the run: a part must not be fitted to itself."""
    benchmark = made(48, domain=["a", "b"] * 24, split=["dev"] * 24 + ["test"] * 24).benchmark
    run = sim.run(benchmark, ["jaro"], ["mae"], split="test", calibrate="linear", calibrate_on="dev")
    (found,) = breakdown(run)
    whole = run["jaro", "mae"]
    assert np.mean([part.figures[0][0].value for part in found.parts]) == pytest.approx(whole)


# Twelve items on which four people agree, twelve on which they do not: sigma of 1 1 1 1 is 0, of 0 2 0 2 it is 1.
CALM, HEATED = [1.0, 1.0, 1.0, 1.0], [0.0, 2.0, 0.0, 2.0]


def rated(**columns) -> sim.Run:
    ratings = [CALM, HEATED] * 12
    return made(ratings=ratings, sigma=[float(np.std(each)) for each in ratings], **columns)


def test_contentious_items_are_apart_from_the_others_without_being_asked_for():
    found = {one.column: one for one in breakdown(rated())}
    assert [(part.name, part.items) for part in found["contention"].parts] == [
        ("uncontroversial", 12),
        ("contentious", 12),
    ]
    assert "contention" not in {one.column for one in breakdown(made(domain=["a", "b"] * 12))}


def test_contention_is_by_the_first_round_where_rounds_are_known():
    # All together, 1 1 1 1 and then 0 5 0 5 has sigma 1.8; the first round alone, which comes last, has 0.
    benchmark = sim.Benchmark.from_columns(
        left=["a", "b", "c"],
        right=["a", "b", "c"],
        score=[1.75, 1.0, 2.0],
        scale="0..5",
        ratings=[[0.0, 5.0, 0.0, 5.0, *CALM], HEATED, [2.0]],
        rounds=[["second"] * 4 + ["first"] * 4, ["first"] * 4, ["first"]],
        sigma=[1.8, 1.0, 0.0],
    )
    assert contention_of(benchmark).to_list() == ["uncontroversial", "contentious", None]


def test_where_no_ratings_were_kept_the_sigma_of_gold_decides_by_a_tenth_of_the_scale():
    def verdicts(scale: str) -> list[str | None]:
        columns = {"left": ["a"] * 3, "right": ["b"] * 3, "score": [1.0] * 3, "sigma": [0.5, 0.51, None]}
        return contention_of(sim.Benchmark.from_columns(**columns, scale=scale)).to_list()

    assert verdicts("0..5") == ["uncontroversial", "contentious", None]
    assert verdicts("1..5") == ["contentious", "contentious", None]
    assert verdicts("0..10") == ["uncontroversial", "uncontroversial", None]


def test_contention_that_nobody_can_know_is_an_error():
    for ask in (lambda run: breakdown(run, ["contention"]), lambda run: check_columns([run.benchmark], ["contention"])):
        with pytest.raises(ArgumentError, match="gold has neither ratings nor standard deviations"):
            ask(made())


def test_a_column_that_is_asked_for_is_shown_even_if_it_parts_nothing():
    (found,) = breakdown(made(domain=["same"] * 24), ["domain"])
    assert [(part.name, part.items) for part in found.parts] == [("same", 24)]


def test_rows_hold_nothing_where_a_figure_is_undefined(tmp_path):
    run = sim.run(rated().benchmark, ["jaro"], ["mae", "kl"], out=tmp_path, resamples=0)
    (found,) = breakdown(run, ["contention"])
    rows = list(breakdown_rows(run, found))
    assert {(row["part"], row["measure"]) for row in rows if row["value"] is None} == {
        ("contentious", "kl"),
        ("uncontroversial", "kl"),
    }
    save_breakdown(run, [found])
    table = pl.read_csv(tmp_path / "results-by-contention.csv")
    assert table.filter(measure="kl")["value"].null_count() == 2, "no sigma: an empty cell, not a zero"
    assert table.filter(measure="kl")["undefined_because"].unique().to_list() == [
        "the system gives no standard deviation"
    ]
