"""Studies that ask language models of which everything is known: cells, resuming, costs, opinions, choices."""

import json
from pathlib import Path

import numpy as np
import pytest
from prompt_grid_fakes import (
    GOLD,
    Fake,
    conditioned,
    contrary,
    examples_in,
    install,
    is_instructed,
    oracle,
    picker,
    queried,
)
from scipy.stats import spearmanr

from similitude.data.benchmark import Benchmark
from similitude.data.writing.benchmark import write
from similitude.errors import ArgumentError, RunError
from similitude.study import load_run
from similitude.study.prompt_grid.cells import cells_of, measured_items
from similitude.study.prompt_grid.estimates import estimate_prompt_grid, estimate_systems
from similitude.study.prompt_grid.plan import ChoicePlan, ScorePlan
from similitude.study.prompt_grid.study import run_prompt_grid
from similitude.systems import make_system


class Memory(dict):
    """An answer cache that forgets when the test ends."""

    def get(self, keys):
        return [dict.get(self, key) for key in keys]

    def put(self, answers):
        self.update(answers)


def grid(folder: Path, **changes) -> ScorePlan:
    usual = {
        "name": "grid",
        "data": str(conditioned(folder)),
        "split": "test",
        "instructions": ("none", "short"),
        "shots": (0, 2),
        "models": ["oracle", "contrary"],
        "references": ["levenshtein"],
        "resamples": 200,
    }
    return ScorePlan.model_validate(usual | changes)


@pytest.fixture
def models(monkeypatch):
    known = {"oracle": oracle(), "contrary": contrary(), "picker": picker()}
    install(monkeypatch, *known.values())
    return known


def settings(study) -> list[tuple]:
    return [tuple(cell.setting.values()) for cell in study.cells]


def test_every_combination_is_a_cell_model_by_model(tmp_path, models):
    plan = grid(tmp_path)
    made = [tuple(cell.setting.values()) for cell in cells_of(plan, measured_items(plan))]
    assert made == [
        (model, instruction, shots, "answer")
        for model in ("oracle", "contrary")
        for instruction in ("none", "short")
        for shots in (0, 2)
    ]


def test_what_is_asked_is_what_the_cell_says(tmp_path, models):
    run_prompt_grid(grid(tmp_path), tmp_path / "out")
    asked = models["oracle"].asked
    assert len(asked) == 4 * 8
    assert {(is_instructed(one), examples_in(one)) for one in asked} == {(a, b) for a in (False, True) for b in (0, 2)}
    # Examples come from the split "train": pairs 5 to 8, a pair's two conditions together.
    shown = [message.content for one in asked for message in one.messages[:-1] if message.role == "user"]
    assert shown
    assert all(any(f"pair {pair} left" in text for pair in (5, 6, 7, 8)) for text in shown)


def test_figures_and_shares_are_those_of_the_answers(tmp_path, models):
    study = run_prompt_grid(grid(tmp_path), tmp_path / "out")
    by_cell = dict(zip(settings(study), study.run.figures, strict=False))
    assert by_cell["oracle", "short", 0, "answer"][0].value == pytest.approx(1)
    assert by_cell["contrary", "none", 0, "answer"][0].value == pytest.approx(-1)
    assert np.isnan(by_cell["contrary", "short", 2, "answer"][0].value)
    invalid = {setting: study.invalid(place) for place, setting in enumerate(settings(study))}
    assert {setting for setting, share in invalid.items() if share == 1} == {
        ("oracle", "none", 0, "answer"),
        ("oracle", "none", 2, "answer"),
    }
    assert sum(invalid.values()) == 2
    # An invalid answer is replaced by a draw that follows from the item, so both cells without instruction agree.
    drawn = study.run.predictions[0].scores
    assert np.array_equal(drawn, study.run.predictions[1].scores)
    assert by_cell["oracle", "none", 0, "answer"][0].value == pytest.approx(
        spearmanr(drawn, list(GOLD.values())).statistic
    )


def test_tokens_and_costs_are_of_all_answers_kept_ones_included(tmp_path, models):
    priced = [{"model": "oracle", "name": "O"}]
    plan = grid(tmp_path, models=priced, instructions=("short",), shots=(0,))
    memory = Memory()
    for _ in range(2):  # the second time nothing is asked
        study = run_prompt_grid(plan, tmp_path / "out", answers=memory, fresh=True)
        (facts,) = study.facts
        assert (facts.read, facts.written, facts.is_estimate, facts.cost) == (8 * 10, 8 * 2, False, None)
    assert len(models["oracle"].asked) == 8


def test_prices_make_costs(tmp_path, models):
    # 80 tokens read at 3 and 16 written at 5 a million.
    entry = {"model": "oracle", "url": "http://localhost:1/v1", "price_in": 3.0, "price_out": 5.0}
    study = run_prompt_grid(grid(tmp_path, models=[entry], instructions=("short",), shots=(0,)), tmp_path / "out")
    assert study.facts[0].cost == pytest.approx((80 * 3 + 16 * 5) / 1e6)
    assert next(study.rows())["cost"] == pytest.approx(0.00032)


def test_a_study_goes_on_where_it_was_stopped(tmp_path, models, monkeypatch):
    plan, memory, out = grid(tmp_path), Memory(), tmp_path / "out"
    whole = contrary().says
    stop_after = 11  # in the middle of the second cell of the second model

    def dies(question):
        if len(models["contrary"].asked) > stop_after:
            raise KeyboardInterrupt
        return whole(question)

    models["contrary"].says = dies
    with pytest.raises(KeyboardInterrupt):
        run_prompt_grid(plan, out, answers=memory)
    assert not (out / "run.json").exists()
    models["contrary"].says = whole
    models["contrary"].asked.clear()
    study = run_prompt_grid(plan, out, answers=memory)
    assert len(models["oracle"].asked) == 32  # not one again
    assert len(models["contrary"].asked) == 32 - stop_after
    again = run_prompt_grid(plan, out, answers=None)
    assert len(models["oracle"].asked) + len(models["contrary"].asked) == 64 - stop_after  # all from the folder
    assert again.record()["rows"] == study.record()["rows"]


def test_a_cell_whose_facts_were_lost_is_found_out_again_from_kept_answers(tmp_path, models):
    plan, memory, out = grid(tmp_path), Memory(), tmp_path / "out"
    before = run_prompt_grid(plan, out, answers=memory)
    for file in (out / "cells").iterdir():
        file.write_text("{")
    asked = len(models["oracle"].asked)
    after = run_prompt_grid(plan, out, answers=memory)
    assert len(models["oracle"].asked) == asked
    assert [facts.record() for facts in after.facts] == [facts.record() for facts in before.facts]


def test_the_folder_is_a_run_with_a_record_and_a_table(tmp_path, models):
    study = run_prompt_grid(grid(tmp_path), tmp_path / "out")
    loaded = load_run(tmp_path / "out")
    assert [record.identity for record in loaded.systems] == [record.identity for record in study.run.systems]
    record = json.loads((tmp_path / "out" / "judging.json").read_text())
    assert [cell["setting"] for cell in record["cells"]] == [dict(cell.setting) for cell in study.cells]
    assert record["cells"][0]["invalid"] == 1
    assert (tmp_path / "out" / "judging.csv").read_text().count("\n") == 1 + 8 + 1
    with pytest.raises(RunError, match="holds a run on other items"):
        run_prompt_grid(grid(tmp_path, items=4), tmp_path / "out")


def test_so_many_items_are_whole_pairs(tmp_path, models):
    chosen = measured_items(grid(tmp_path, items=4))
    assert len(chosen) == 4
    assert chosen.frame["group"].n_unique() == 2


def test_a_template_is_an_instruction(tmp_path, monkeypatch):
    file = tmp_path / "mine.txt"
    file.write_text("Compare.\n===\n{left} / {right} / {condition}")
    echo = Fake("echo", lambda question: f"{GOLD[queried(question)]:g}")
    install(monkeypatch, echo)
    plan = grid(tmp_path, models=["echo"], instructions=("short", str(file)), shots=(0,))
    study = run_prompt_grid(plan, tmp_path / "out")
    assert [cell.setting["instruction"] for cell in study.cells] == ["short", "mine.txt"]
    assert echo.asked[-1].messages[0].content == "Compare."


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"settings": {"tempreature": 1}},
            "plan 'grid': cannot make system .* unexpected keyword argument 'tempreature'",
        ),
        ({"settings": {"shots": 3}}, "plan 'grid': 'shots' cannot be a setting: the grid varies it"),
        ({"shots": (0, 3), "instructions": ("none",)}, "3 examples would split a pair under two conditions"),
        ({"split": "train"}, "there is no data to draw 2 examples from; splits of the data: test, train; name data"),
        ({"split": "dev"}, "'conditioned' has no split 'dev'; splits there: test, train"),
    ],
)
def test_what_cannot_be_asked_says_so_and_where(tmp_path, models, changes, message):
    with pytest.raises(ArgumentError, match=message):
        run_prompt_grid(grid(tmp_path, **changes), tmp_path / "out")


def test_the_scale_of_the_gold_is_asked_for_where_its_steps_are_digits(tmp_path, models):
    plan = grid(tmp_path)
    assert cells_of(plan, measured_items(plan))[0].system.scale == "1..5"
    opinions = ScorePlan.model_validate({"data": "sample:opinions", "shots": [0], "models": ["oracle"]})
    assert cells_of(opinions, measured_items(opinions))[0].system.scale == "0..5"
    dialogues = opinions.model_copy(update={"data": "sample:dialogues"})  # 0..1
    assert cells_of(dialogues, measured_items(dialogues))[0].system.scale == "1..5"


def test_simulated_raters_are_held_against_people(tmp_path, monkeypatch):
    # Two raters say gold - d and gold + d: mean gold, sigma d. With human sigma 2d, KL(human || model) is
    # ln(d / 2d) + (2d)^2 / (2 d^2) - 1/2 = 1.5 - ln 2 for every item; sigmas rise together, so sigma-rho is 1.
    doubts = {1: 0.25, 2: 0.5, 3: 0.75}
    benchmark = Benchmark.from_columns(
        scale="1..5",
        left=[f"pair {pair} left first" for pair in doubts],
        right=["x"] * 3,
        score=[3.0, 2.0, 4.0],
        sigma=[2 * d for d in doubts.values()],
    )
    data = write(benchmark, tmp_path / "opinions.jsonl")
    people = tmp_path / "people.txt"
    people.write_text("a strict reader\na mild reader\n")

    def says(question):
        pair, _ = queried(question)
        side = -1 if "strict" in question.messages[0].content else 1
        return f"{ {1: 3.0, 2: 2.0, 3: 4.0}[pair] + side * doubts[pair]:g}"

    install(monkeypatch, Fake("raters", says))
    plan = ScorePlan.model_validate(
        {
            "data": str(data),
            "instructions": ["short"],
            "shots": [0],
            "by": ["answer", "raters"],
            "models": ["raters"],
            "settings": {"raters": 2, "personas": str(people)},
            "resamples": 0,
        }
    )
    study = run_prompt_grid(plan, tmp_path / "out")
    (opinion,) = study.opinions
    assert study.cells[opinion.cell].setting["by"] == "raters"
    assert opinion.kl == pytest.approx(1.5 - np.log(2))
    assert opinion.sigma_rho == pytest.approx(1)
    assert (opinion.sigma, opinion.human_sigma) == (pytest.approx(0.5), pytest.approx(1.0))
    assert (opinion.items, opinion.unrated, opinion.agreed) == (3, 0, 0)


def test_raters_who_agree_get_two_per_cent_of_the_scale_and_silent_ones_are_left_out(tmp_path, monkeypatch):
    # Item 1: all say gold, so sigma 0 becomes 0.02 * 4 = 0.08; human sigma 0.08: KL 0. Item 2: nobody says anything.
    benchmark = Benchmark.from_columns(
        scale="1..5",
        left=["pair 1 left first", "pair 2 left first"],
        right=["x"] * 2,
        score=[3.0, 2.0],
        sigma=[0.08, 1.0],
    )
    data = write(benchmark, tmp_path / "opinions.jsonl")
    install(monkeypatch, Fake("raters", lambda question: "3" if queried(question)[0] == 1 else "never"))
    plan = ScorePlan.model_validate(
        {
            "data": str(data),
            "instructions": ["short"],
            "shots": [0],
            "by": ["raters"],
            "models": ["raters"],
            "resamples": 0,
        }
    )
    (opinion,) = run_prompt_grid(plan, tmp_path / "out").opinions
    assert (opinion.items, opinion.unrated, opinion.agreed) == (1, 1, 1)
    assert opinion.kl == pytest.approx(0)


@pytest.fixture
def choices(tmp_path, models):
    plan = ChoicePlan.model_validate(
        {
            "ask": "choice",
            "name": "choices",
            "data": "sample:dialogues",
            "by": ["sum", "token"],
            "models": ["picker"],
            "references": ["levenshtein"],
            "resamples": 500,
        }
    )
    return run_prompt_grid(plan, tmp_path / "out")


def test_choices_are_counted_by_turns_with_and_without_the_dialogue(choices, models):
    # Told the dialogue, it knows gold. Untold, it takes the first place; over all rotations every option ties, so that
    # one in five is right and all are ranked at random.
    assert [(part.name, part.groups) for part in choices.parts] == [("3-turn", 6), ("5-turn", 6), ("all", 12)]
    for part in choices.parts:
        told, untold = part.figures[0], part.figures[1]
        assert (told.accuracy, told.error, told.ndcg) == (1, 0, pytest.approx(1))
        assert (untold.accuracy, untold.ndcg) == (pytest.approx(0.2), pytest.approx(part.chance.ndcg))
        assert part.chance.accuracy == pytest.approx(0.2)
    # With six questions nothing is tested; with twelve, knowing all is told apart from knowing nothing.
    assert choices.parts[0].figures[0].letters == ""
    whole = choices.parts[-1].figures
    assert not set(whole[0].letters) & set(whole[1].letters)


def test_sum_and_token_ask_the_same_once_where_answers_are_kept(tmp_path, models):
    plan = ChoicePlan.model_validate(
        {"ask": "choice", "data": "sample:dialogues", "by": ["sum", "token"], "models": ["picker"], "resamples": 0}
    )
    run_prompt_grid(plan, tmp_path / "out", answers=Memory())
    assert len(models["picker"].asked) == 2 * 12 * 5


def test_favoured_places_are_found(choices):
    # Told: each option stands at every place once, so each place is right in one rotation of five. Untold: always A.
    told, untold = choices.facts[0].bias, choices.facts[1].bias
    assert told.shares == pytest.approx([0.2] * 5)
    assert untold.shares == (1, 0, 0, 0, 0)
    assert untold.p_value < 1e-6


def test_the_dialogue_makes_the_difference(choices):
    (contrast,) = [one for one in choices.contrasts if one.part == "dialogue"]
    assert (contrast.one, contrast.other, contrast.pairs) == (True, False, 2)
    assert contrast.difference == pytest.approx(0.8)
    assert contrast.p_value < 0.05


def test_items_without_groups_are_grouped_by_text_and_dialogue(tmp_path, models):
    frame = measured_items(
        ChoicePlan.model_validate({"ask": "choice", "data": "sample:dialogues", "models": ["x"]})
    ).frame
    columns = {name: frame[name].to_list() for name in ("id", "left", "right", "context", "language", "score")}
    data = write(Benchmark.from_columns(scale="0..1", **columns), tmp_path / "ungrouped.jsonl")
    plan = ChoicePlan.model_validate({"ask": "choice", "data": str(data), "models": ["picker"], "resamples": 0})
    study = run_prompt_grid(plan, tmp_path / "out")
    assert study.parts[-1].groups == 12
    assert study.parts[-1].figures[0].accuracy == 1


def test_a_dry_run_asks_nothing_and_counts_what_is_left(tmp_path, models):
    plan, memory = grid(tmp_path, models=["oracle"], instructions=("short",)), Memory()
    first = estimate_prompt_grid(plan, memory)
    assert models["oracle"].asked == []
    assert [(one.name, one.estimate.prompts, one.estimate.cached) for one in first] == [
        ("oracle, short instruction, 0-shot, by answer", 8, 0),
        ("oracle, short instruction, 2-shot, by answer", 8, 0),
    ]
    assert first[0].estimate.tokens_out_at_most == 8 * 20
    assert first[1].estimate.tokens_in > first[0].estimate.tokens_in
    run_prompt_grid(plan.model_copy(update={"shots": (0,)}), tmp_path / "out", answers=memory)
    second = estimate_prompt_grid(plan, memory)
    assert [(one.estimate.cached, one.estimate.tokens_in) for one in second] == [
        (8, 0),
        (0, first[1].estimate.tokens_in),
    ]


def test_a_dry_run_does_not_ask_an_endpoint_what_it_can():
    items = measured_items(ScorePlan.model_validate({"data": "sample:conditions", "models": ["x"]})).items
    url = "http://127.0.0.1:9/v1"  # nobody is there
    systems = [f"prompted(tiny, url={url}, by=expected)", f"choice(tiny, url={url}, by=answer)", "levenshtein"]
    with pytest.raises(ArgumentError, match="at least two options"):
        estimate_systems([make_system(name) for name in systems], items)
    (one,) = estimate_systems([make_system(systems[0]), make_system("levenshtein")], items)
    assert (one.estimate.prompts, one.is_assumed, one.is_counted) == (80, True, False)
    assert one.estimate.tokens_out_at_most == 80  # one token each: the first one is looked at


def test_a_listener_hears_which_cell_is_at_work(tmp_path, models):
    class Ear:
        stages: tuple[str, ...] = ()

        def progress(self, stage, done, total):
            self.stages = (*self.stages, stage) if stage not in self.stages else self.stages

        def note(self, text):
            pass

    ear = Ear()
    run_prompt_grid(grid(tmp_path, models=["oracle"], shots=(0,), resamples=0), tmp_path / "out", listener=ear)
    assert ear.stages[:2] == (
        "1 of 2, oracle, no instruction, 0-shot, by answer",
        "2 of 2, oracle, short instruction, 0-shot, by answer",
    )
