"""The figures of a study of C-STS stand where the paper prints them."""

import itertools
import math

import pytest

from similitude.report.papers.csts import MODELS, ROBERTA, SIMCSE_LARGE
from similitude.report.papers.printed_figures import printed_figures
from similitude.report.papers.template import placed_figures
from similitude.report.study.beside_printed import BesidePrinted
from similitude.study.study_run import StudyTable
from similitude.study.tables.table_keys import StudyFigure

ENCODINGS = ("cross", "bi", "tri")
LANGUAGE_MODELS = (
    *(f"Flan-T5-{size}" for size in ("small", "base", "large", "XL", "XXL")),
    *("Flan-UL2", "Tk-Instruct-3B", "Tk-Instruct-11B", "ChatGPT-3.5", "GPT-4"),
)
PRINTED = {figure.place: figure for figure in printed_figures("csts")}


def of_sweep(part, measures, models=tuple(MODELS), encodings=ENCODINGS, reads=("all",), items=("11,342",)):
    names = ("model", "encoding", "reads", "items", "measure")
    for values in itertools.product(models, encodings, reads, items, measures):
        yield {"part": part, **dict(zip(names, values, strict=True))}


def of_prompts(instructions, measures, models=LANGUAGE_MODELS):
    names = ("model", "instruction", "shots", "by", "measure")
    for values in itertools.product(models, instructions, ("0", "2", "4"), ("answer",), measures):
        yield dict(zip(names, values, strict=True))


TWO, THREE = ("spearman", "pearson"), ("invalid", "pearson", "spearman")
OF_PAPERS = ("csts-none", "csts-short", "csts-long")
PLACES = {
    "Table 2": [
        {"system": system, "data": data, "measure": measure}
        for system, data, measure in itertools.product(MODELS.values(), ("C-STS", "STS-B"), TWO)
    ],
    "Table 3": [*of_sweep("trained", TWO)],
    "Table 4": [*of_prompts(OF_PAPERS, ("spearman", "invalid"), LANGUAGE_MODELS[3:])],
    "Table 8": [*of_sweep("trained", (*TWO, "lr", "weight_decay", "mlp", "objective", "combination"))],
    "Table 9": [
        *of_sweep("trained", (*TWO, "lr", "mlp", "objective"), encodings=("cross", "bi"), reads=("sentences",))
    ],
    "Table 10": [*of_sweep("ablation", TWO, (ROBERTA,), ("cross",), ("condition", "sentences", "all"))],
    "Table 11": [*of_prompts(OF_PAPERS, THREE)],
    "Table 12": [*of_prompts(("none", "short", "long"), THREE)],
    "Figure 3": [*of_sweep("curve", ("spearman",), (SIMCSE_LARGE,), ("bi",), items=("1,000", "7,000"))],
}
ELSEWHERE = {"Table 4": {"fine-tuned SimCSE-large"}}
"""Rows that another table of the study fills."""


def study_table(name, places, value=0.5, **more):
    figures = tuple(StudyFigure(at=at, value=value, low=0.4, high=0.6, **more) for at in places)
    return StudyTable(name=name, title="", layout="x", keys={}, figures=figures)


def placed(name, places, **more):
    return list(placed_figures("csts", study_table(name, places, **more)))


@pytest.mark.parametrize("table", PLACES)
def test_every_printed_figure_has_its_place_and_no_other_is_made(table):
    ours = {(each.row, each.column) for each in placed(table, PLACES[table]) if each.table == table}
    theirs = {(row, column) for where, row, column in PRINTED if where == table}
    theirs = {place for place in theirs if place[0] not in ELSEWHERE.get(table, ())}
    if table == "Table 8":  # h belongs to tri-encoders alone, so a sweep gives it to them alone
        ours = {place for place in ours if place[1] != "Tri-Encoder Op." or place[0].startswith("Tri")}
    assert ours == theirs


def test_correlations_and_invalid_answers_are_shown_times_100_and_rates_are_not():
    for table in PLACES:
        for each in placed(table, PLACES[table]):
            is_option = each.column in ("Learning Rate", "Weight Decay", "Transform", "Objective", "Tri-Encoder Op.")
            assert (each.value, each.low, each.high) == ((0.5, 0.4, 0.6) if is_option else (50, 40, 60))


@pytest.mark.parametrize(
    ("table", "at", "expected"),
    [
        (
            "Table 3",
            {**next(of_sweep("trained", TWO, (SIMCSE_LARGE,), ("bi",)))},
            {
                ("Table 3", "Bi-encoder, SimCSE-large", "Spearman", 47.5),
                ("Table 4", "fine-tuned SimCSE-large", "0-shot", 47.5),
                ("Section 1", "SimCSE on C-STS", "Spearman", 47.5),
            },
        ),
        (
            "Table 4",
            {"model": "GPT-4", "instruction": "csts-short", "shots": "4", "by": "answer", "measure": "spearman"},
            {("Table 4", "Short, GPT-4", "4-shot", 43.6), ("Section 1", "GPT-4 on C-STS", "Spearman", 43.6)},
        ),
        (
            "Table 2",
            {"system": "SimCSE-large", "data": "STS-B", "measure": "spearman"},
            {
                ("Table 2", "SimCSE-large", "STS-B, Spearman", 88.1),
                ("Section 1", "SimCSE on STS-B validation", "Spearman", 88.09),
            },
        ),
    ],
)
def test_what_the_paper_repeats_is_compared_wherever_it_stands(table, at, expected):
    found = {(each.table, each.row, each.column) for each in placed(table, [at])}
    assert {(*place, PRINTED[place].number) for place in found} == expected


def test_gpt_3_5_has_another_name_in_table_4():
    at = {"model": "ChatGPT-3.5", "instruction": "none", "shots": "2", "by": "answer"}
    [short] = placed("Table 4", [{**at, "measure": "spearman"}])
    [long] = placed("Table 11", [{**at, "measure": "spearman"}])
    assert (short.row, long.row) == ("None, GPT-3.5", "None, ChatGPT-3.5")


def verdict(table, at, value=math.nan, word=""):
    """What is said of one figure beside the printed one."""
    [each] = placed(table, [at], value=value, word=word)
    place = (each.table, each.row, each.column)
    return BesidePrinted(table=table, row=each.row, column=each.column, ours=each, printed=PRINTED[place]).verdict


def test_options_are_compared_as_words_and_rates_by_their_own_digits():
    at = {"part": "trained", "model": ROBERTA, "encoding": "tri", "reads": "all", "items": "11,342"}
    assert verdict("Table 8", {**at, "measure": "objective"}, word="quad+mse") == "same"
    assert verdict("Table 8", {**at, "measure": "objective"}, word="mse") == "differs"
    assert verdict("Table 8", {**at, "measure": "mlp"}, word="false") == "same"
    assert verdict("Table 8", {**at, "measure": "combination"}, word="concat") == "same"
    assert verdict("Table 8", {**at, "measure": "lr"}, value=3e-5) == "same"
    assert verdict("Table 8", {**at, "measure": "lr"}, value=1e-5) == "outside"  # the interval of the test's figure
    assert verdict("Table 8", {**at, "measure": "weight_decay"}, value=0.1) == "outside"


def test_other_models_and_data_are_never_beside_figures_of_another_model():
    ablation = next(of_sweep("ablation", TWO, ("mine",), ("cross",), ("condition",)))
    assert [each.row for each in placed("Table 10", [ablation])] == ["Condition Only, mine"]
    curve = next(of_sweep("curve", TWO, ("mine",), ("bi",), items=("1,000",)))
    assert [each.row for each in placed("Figure 3", [curve])] == ["Bi-encoder, mine, 1,000 examples"]


@pytest.mark.parametrize("table", [name for name in PLACES if name != "Table 2"])
def test_systems_that_joined_stand_in_every_table(table):
    sweep = {"part": "system", "model": "mine", "encoding": "none", "reads": "all", "items": "0"}
    prompts = {"model": "mine", "instruction": "", "shots": "", "by": ""}
    at = prompts if table in ("Table 4", "Table 11", "Table 12") else sweep
    [found] = placed(table, [{**at, "measure": "spearman"}])
    columns = {"Table 4": "0-shot", "Table 11": "0-shot, Spearman", "Table 12": "0-shot, Spearman"}
    assert (found.row, found.column) == ("mine", columns.get(table, "Spearman"))


def test_other_ways_to_obtain_a_score_and_plain_models_are_named():
    at = {"model": "mine", "instruction": "short", "shots": "2", "by": "expected", "measure": "pearson"}
    assert [each.row for each in placed("Table 11", [at])] == ["Short, mine, by expected"]
    plain = next(of_sweep("zero-shot", TWO, (ROBERTA,), ("none",)))
    assert [each.row for each in placed("Table 3", [plain])] == ["RoBERTa-base, zero-shot"]
