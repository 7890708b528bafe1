"""The note on annotators who answer against all others."""

import numpy as np
import pytest

import similitude as sim
from similitude.gold.reliability.opposed_raters import opposed_raters_note


def ratings(items: int, *, reversed_by: str = "", random_by: str = "") -> sim.Judgements:
    rng = np.random.default_rng(3)
    truth, rows = rng.uniform(0, 5, items), []
    for who in "abcdef":
        own = np.clip(truth + rng.normal(0, 0.8, items), 0, 5)
        own = rng.uniform(0, 5, items) if who in random_by else 5 - own if who in reversed_by else own
        rows += [(f"i{item}", f"rater-{who}", value) for item, value in enumerate(own)]
    item, annotator, value = zip(*rows, strict=True)
    return sim.read_judgements({"item": item, "annotator": annotator, "rating": value}, scale="0..5")


def test_a_reversed_scale_is_noted():
    answers = ratings(30, reversed_by="c")
    values, raters, _ = answers.matrix()
    others = np.delete(values, raters.index("rater-c"), axis=0).mean(axis=0)
    r = np.corrcoef(values[raters.index("rater-c")], others)[0, 1]
    told = f"1 annotator answers against the others (rater-c: r = {r:.2f}): is their scale reversed?"
    assert opposed_raters_note(answers) == f"{told} see 'similitude reliability'"


@pytest.mark.parametrize("answers", [ratings(30), ratings(30, random_by="cd"), ratings(8, reversed_by="c")])
def test_careful_and_random_annotators_and_few_items_are_not(answers):
    assert opposed_raters_note(answers) is None


def test_gold_says_so(tmp_path, monkeypatch, capsys):
    from similitude.cli.app import run

    monkeypatch.chdir(tmp_path)
    sim.write(ratings(30, reversed_by="c"), tmp_path / "answers.jsonl")
    assert run(["gold", "answers.jsonl"]) == 0
    told = capsys.readouterr()
    assert "1 annotator answers against the others (rater-c: r = -0.8" in told.out + told.err
