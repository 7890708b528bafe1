import numpy as np
import pytest

import similitude as sim
from similitude.errors import ArgumentError
from similitude.study.breakdown import breakdown

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
        with pytest.raises(ArgumentError, match=f"cannot part items by '{column}'; known: id, left"):
            breakdown(run, [column])


def test_a_mapping_fitted_elsewhere_is_kept():
    """Calibration belongs to the run: a part must not be fitted to itself."""
    benchmark = made(48, domain=["a", "b"] * 24, split=["dev"] * 24 + ["test"] * 24).benchmark
    run = sim.run(benchmark, ["jaro"], ["mae"], split="test", calibrate="linear", calibrate_on="dev")
    (found,) = breakdown(run)
    whole = run["jaro", "mae"]
    assert np.mean([part.figures[0][0].value for part in found.parts]) == pytest.approx(whole)
