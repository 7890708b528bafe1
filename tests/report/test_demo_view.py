"""What the demo shows of pairs and of samples."""

import pytest
from rich.console import Console

import similitude as sim
from similitude.report.demo_view import pair_table, simulated_view


def shown(view) -> str:
    console = Console(width=100)
    with console.capture() as text:
        console.print(view)
    return text.get()


@pytest.fixture
def pets():
    data = {"id": ["first", "second"], "left": ["a cat", "a dog"], "right": ["a cat", "my car"], "score": [5.0, 0.0]}
    return sim.Benchmark.from_columns("pets", scale="0..5", **data)


def test_pairs_stand_beside_gold_and_scores_on_the_scale_of_gold(pets):
    # "a cat" twice: similarity 1, which is 5 on 0..5. A system that says 0.5 of all pairs says 2.5 on that scale.
    halves = sim.system(lambda left, right: 0.5, range="0..1")
    run = sim.run(pets, {"edits": "levenshtein", "halves": halves}, ["mae"], quiet=True)
    lines = [line.split() for line in shown(pair_table(run, ["sec", "first"], ["edits", "halves"])).splitlines()]
    assert ["a", "cat", "a", "cat", "5.0", "5.0", "2.5"] in lines
    (second,) = [line for line in lines if line[:4] == ["a", "dog", "my", "car"]]
    assert second[4::2] == ["0.0", "2.5"]


def test_samples_stand_side_by_side_with_what_a_person_reaches():
    runs = {
        name: sim.run(f"sample:{name}", "levenshtein", "spearman", quiet=True) for name in ("opinions", "conditions")
    }
    text = shown(simulated_view(runs))
    assert "SIMULATED judgements" in text
    rows = {words[0]: words[-2:] for words in map(str.split, text.splitlines()) if len(words) > 2}
    assert rows["levenshtein"] == [f"{run['levenshtein', 'spearman'].value:.2f}" for run in runs.values()]
    assert rows["one"] == ["0.89", "0.94"]


def test_a_sample_without_judgements_has_no_figure_of_a_person(pets):
    text = shown(simulated_view({"pets": sim.run(pets, "levenshtein", "mae", quiet=True)}))
    assert [line.split() for line in text.splitlines() if "one person" in line] == [["one", "person"]]
