"""Studies of language models as the papers lay them out: every cell of tables 4, 11 and 6, from known answers."""

import io

import pytest
from prompt_grid_fakes import GOLD, Fake, conditioned, contrary, install, oracle, picker
from scipy.stats import pearsonr, spearmanr

from similitude.data.addresses import open_benchmark
from similitude.data.scale import Scale
from similitude.report.page.sheet import sheet_page
from similitude.report.prompt_grid.costs import contrast_table, cost_table, estimate_table
from similitude.report.prompt_grid.multiple_choice import accuracy_table, gain_table, place_table
from similitude.report.prompt_grid.scores import answer_table, opinion_table, score_table
from similitude.report.prompt_grid.view import (
    judging_latex,
    judging_markdown,
    judging_sheet,
    judging_summary,
    judging_tables,
    judging_view,
)
from similitude.study.prompt_grid.estimates import CellEstimate, estimate_prompt_grid
from similitude.study.prompt_grid.plan import ChoicePlan, ScorePlan
from similitude.study.prompt_grid.study import run_prompt_grid
from similitude.systems.prompted.answer_parser import replacement
from similitude.systems.prompted.cost_estimate import CostEstimate


def texts(table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table.rows]


def heads(table) -> list[str]:
    return [column.head.replace("\u00a0", " ") for column in table.columns]


@pytest.fixture(scope="module")
def plan(tmp_path_factory):
    """Of a study that several tests look at; its models are installed where it runs."""
    return ScorePlan.model_validate(
        {
            "name": "grid",
            "data": str(conditioned(tmp_path_factory.mktemp("plan"))),
            "split": "test",
            "instructions": ["none", "short"],
            "shots": [0, 2],
            "models": [
                {"model": "oracle", "url": "http://localhost:1/v1", "price_in": 2.0, "price_out": 10.0},
                "contrary",
            ],
            "references": [{"name": "edits", "system": "levenshtein"}],
            "resamples": 1000,
        }
    )


@pytest.fixture(scope="module")
def study(plan, tmp_path_factory):
    return ran(plan, tmp_path_factory.mktemp("study"), oracle(), contrary())


def ran(plan, folder, *models: Fake):
    """The study, whose models are these only as long as it runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SIMILITUDE_CACHE", "off")
        install(patch, *models)
        return run_prompt_grid(plan, folder / "out")


def drawn(data: str) -> list[float]:
    """What stands for the answers of a model that has no idea: a draw for each item from U[1, 5]."""
    items = open_benchmark(data).select(split="test").items
    return [replacement(item, Scale(low=1, high=5), seed=0) for item in items]


def test_table_4_cell_by_cell(study, plan):
    gold = list(GOLD.values())
    chance = f"{100 * spearmanr(drawn(plan.data), gold).statistic:.1f}"
    edits = f"{100 * study.run['levenshtein', 'spearman']:.1f}"
    table = score_table(study, "answer")
    assert heads(table) == ["instruction", "model", "0-shot ↑", "2-shot ↑"]
    # The oracle has no idea without an instruction; contrary says 3 to everything once it sees examples, which has no
    # correlation.
    assert texts(table) == [
        ["", "†edits", edits, ""],
        ["none", "oracle", chance, chance],
        ["", "contrary", "-100.0", "–"],
        ["short", "oracle", "100.0", "100.0"],
        ["", "contrary", "-100.0", "–"],
    ]
    assert "all predictions are the same" in table.notes[table.rows[2][3].note - 1]
    assert "†: not a language model" in table.caption


def test_the_best_of_each_instruction_and_column_is_bold(study):
    table = score_table(study, "answer")
    bold = [[cell.is_best for cell in row[2:]] for row in table.rows]
    # Without an instruction all answers of the oracle were replaced: it is marked, and the other is the best.
    assert bold == [[False, False], [False, False], [True, False], [True, True], [False, False]]
    assert {table.notes[cell.note - 1] for cell in table.rows[1][2:]} == {
        "more than 10 % of the answers were replaced: never called best"
    }


def test_cells_that_cannot_be_told_apart_share_a_letter(study):
    rows = score_table(study, "answer").rows
    right, wrong = rows[3], rows[4]  # oracle and contrary, both with the short instruction
    assert right[2].letters == right[3].letters
    assert not set(right[2].letters) & set(wrong[2].letters)


def test_table_11_cell_by_cell(study, plan):
    gold, chance = list(GOLD.values()), drawn(plan.data)
    rho, r = f"{100 * spearmanr(chance, gold).statistic:.1f}", f"{100 * pearsonr(chance, gold).statistic:.1f}"
    table = answer_table(study, "answer")
    assert heads(table) == ["instruction", "model"] + [
        f"{shots}-shot {name}" for shots in (0, 2) for name in ("invalid", "Pears.", "Spear.")
    ]
    assert texts(table) == [
        ["none", "oracle", "100.0", r, rho, "100.0", r, rho],
        ["", "contrary", "0.0", "-100.0", "-100.0", "0.0", "–", "–"],
        ["short", "oracle", "0.0", "100.0", "100.0", "0.0", "100.0", "100.0"],
        ["", "contrary", "0.0", "-100.0", "-100.0", "0.0", "–", "–"],
    ]


def test_costs_cell_by_cell(study):
    # 8 items; the fakes say that they read 10 tokens and wrote 2 each time: 80 x 2 + 16 x 10 = 320 a million.
    table = cost_table(study)
    counted = ("answers", "invalid %", "off scale %", "prose %", "cut %", "tokens read", "tokens written", "cost")
    assert heads(table) == ["model", "instruction", "shots", "by", *counted]
    silent = ["8", "100.0", "0.0", "0.0", "0.0", "80", "16", "0.00032"]
    fine = ["8", "0.0", "0.0", "0.0", "0.0", "80", "16"]
    assert texts(table) == [
        ["oracle", "none", "0", "answer", *silent],
        ["oracle", "none", "2", "answer", *silent],
        ["oracle", "short", "0", "answer", *fine, "0.00032"],
        ["oracle", "short", "2", "answer", *fine, "0.00032"],
        *(["contrary", told, shots, "answer", *fine, "–"] for told in ("none", "short") for shots in "02"),
        ["all", "", "", "", "64", "25.0", "0.0", "0.0", "0.0", "640", "128", "0.00128"],
    ]


def test_contrasts_say_what_is_worth_what(study, plan):
    gold = list(GOLD.values())
    chance = spearmanr(drawn(plan.data), gold).statistic
    table = contrast_table(study)
    rows = {row[1].text: row for row in table.rows}
    # Contrary has no figure with examples. Over pairs that have both: contrary against oracle without examples, the
    # instruction on the oracle twice and on contrary once, examples on the oracle alone.
    assert [row[0].text for row in table.rows] == ["model", "instruction", "shots"]
    assert rows["contrary against oracle"][3].text == f"{100 * ((-1 - chance) + (-1 - 1)) / 2:+.1f}"
    assert rows["short against none"][3].text == f"{100 * (2 * (1 - chance) + 0) / 3:+.1f}"
    assert rows["2-shot against 0-shot"][3].text == "+0.0"
    assert [row[2].text for row in table.rows] == ["2", "3", "2"]
    assert rows["2-shot against 0-shot"][4].text == "1.000"
    assert "are left out" in table.caption


def test_the_summary_names_the_best_and_what_stands_beside_it(study):
    assert judging_summary(study).startswith(
        "Best of 8: oracle, short instruction, 0-shot, by answer, Spearman 100.0 (x 100)"
    )
    assert f"Beside it, edits: {100 * study.run['levenshtein', 'spearman']:.1f}" in judging_summary(study)
    assert "Beware" not in judging_summary(study)


def test_a_cell_of_replaced_answers_is_never_called_best(plan, tmp_path):
    alone = plan.model_copy(update={"models": plan.models[:1], "instructions": ("none",), "shots": (0,)})
    study = ran(alone, tmp_path, oracle())
    summary = judging_summary(study)
    assert summary == "No cell can be called best: in each, more than 10 % of the answers were replaced."
    assert contrast_table(study) is None  # nothing to compare
    # With a single model, bold would say nothing.
    assert not any(cell.is_best for row in score_table(study, "answer").rows for cell in row)


def test_expected_scores_have_their_own_tables_and_stand_beside_people(tmp_path, monkeypatch):
    # Weighs 1 with 1/4 and 5 with 3/4 whatever is asked: mean 4, sigma sqrt(3) = 1.73; no correlation.
    import numpy as np

    logs = [np.log(0.25), -np.inf, -np.inf, -np.inf, np.log(0.75)]
    install(monkeypatch, Fake("even", weighs=lambda choice: logs))
    plan = ScorePlan.model_validate(
        {"data": "sample:conditions", "shots": [0], "instructions": ["short"], "by": ["expected"], "models": ["even"]}
        | {"resamples": 0}
    )
    study = run_prompt_grid(plan, tmp_path / "out")
    assert texts(score_table(study, "expected")) == [["short", "even", "–"]]
    table = opinion_table(study)
    (row,) = texts(table)
    assert row[:4] == ["even", "short", "0", "expected"]
    assert row[5:] == ["–", "1.73", "0", "0"]  # sigma-rho of a constant, mean sigma, items without doubt, unrated
    human = [gold.sigma for _, gold in open_benchmark("sample:conditions")]
    assert f"mean standard deviation is {np.mean(human):.2f}" in table.caption
    gold, sigma = (
        np.array([getattr(gold, name) for _, gold in open_benchmark("sample:conditions")])
        for name in ("score", "sigma")
    )
    each = np.log(np.sqrt(3) / sigma[sigma > 0]) + (sigma[sigma > 0] ** 2 + (gold[sigma > 0] - 4) ** 2) / 6 - 0.5
    assert row[4] == f"{each.mean():.2f}"


@pytest.fixture(scope="module")
def choices(tmp_path_factory):
    plan = ChoicePlan.model_validate(
        {
            "ask": "choice",
            "name": "choices",
            "data": "sample:dialogues",
            "by": ["sum", "token"],
            "models": ["picker"],
            "references": [{"name": "edits", "system": "levenshtein"}],
            "resamples": 500,
        }
    )
    return ran(plan, tmp_path_factory.mktemp("choices"), picker())


def test_table_6_cell_by_cell(choices):
    # Told the dialogue, all is right; untold, each option ties with the others, so that one in five is. Levenshtein
    # reads no dialogue, and is never right on these.
    table = accuracy_table(choices)
    assert heads(table) == ["model", "by"] + [
        f"{part} {side} context ({groups})"
        for part, groups in (("3-turn", 6), ("5-turn", 6), ("all", 12))
        for side in ("with", "without")
    ]
    assert texts(table) == [
        ["picker", "sum", "1.000", "0.200", "1.000", "0.200", "1.000", "0.200"],
        ["picker", "token", "1.000", "0.200", "1.000", "0.200", "1.000", "0.200"],
        ["edits", "", "", "0.000", "", "0.000", "", "0.000"],
        ["chance", "", "0.200", "0.200", "0.200", "0.200", "0.200", "0.200"],
    ]
    assert [cell.interval for cell in table.rows[0][2:]] == ["± 0.000"] * 6
    assert [cell.letters for cell in table.rows[0][2:6]] == [""] * 4  # six questions are too few to test
    assert "nothing was tested in 3-turn, 5-turn" in table.caption
    told, untold = table.rows[0][6].letters, table.rows[0][7].letters
    assert told
    assert not set(told) & set(untold)


def test_gains_cell_by_cell(choices):
    rows = texts(gain_table(choices))
    assert [row[2::2] for row in rows[:2]] == [["1.000"] * 3] * 2
    assert rows[0][3::2] == rows[-1][3::2]  # untold, options are ranked by chance
    assert rows[2][2::2] == ["", "", ""]


def test_places_cell_by_cell(choices):
    table = place_table(choices)
    assert heads(table) == ["model", "by", "context", "asked", "A", "B", "C", "D", "E", "chi-square", "p"]
    even = ["20.0"] * 5
    assert texts(table) == [
        ["picker", by, context, "60", *shares]
        for by in ("sum", "token")
        for context, shares in (
            ("with", [*even, "0.0", "1.000"]),
            ("without", ["100.0", "0.0", "0.0", "0.0", "0.0", "240.0", "<.001"]),  # 48^2 / 12 + 4 x 12^2 / 12
        )
    ]


def test_shared_answers_count_once_in_the_total(choices):
    *rows, whole = texts(cost_table(choices))
    reads = [int(row[3].removeprefix("~").replace(",", "")) for row in rows]
    assert [row[1] for row in rows] == ["sum", "sum", "token", "token"]
    assert whole[3] == f"~{reads[0] + reads[1]:,}"
    assert "count once in the last line" in cost_table(choices).caption


def test_the_summary_of_choices_names_chance(choices):
    said = judging_summary(choices)
    assert said.startswith(
        "Best of 4: picker, by sum, with dialogue, right in 1.000 ± 0.000 of 12 questions (by chance 0.200)"
    )


@pytest.mark.parametrize("which", ["study", "choices"])
def test_every_table_is_in_every_form(which, request):
    made = request.getfixturevalue(which)
    tables = judging_tables(made)
    assert len({table.name for table in tables}) == len(tables)
    page, markdown, latex = sheet_page(judging_sheet(made)), judging_markdown(made), judging_latex(made)
    for table in tables:
        assert f'id="{table.name}"' in page
        assert f"-{table.name}}}" in latex
    assert markdown.count("\n| ---") == len(tables)
    assert latex.count(r"\begin{tabular}") == len(tables)


def test_the_terminal_shows_all_and_says_simulated(choices):
    from rich.console import Console

    console = Console(width=160, record=True, file=io.StringIO())
    console.print(judging_view(choices))
    shown = console.export_text()
    assert "SIMULATED judgements" in shown
    assert "0.200" in shown
    assert "chi-square" in shown


def test_the_dry_run_cell_by_cell(plan, monkeypatch):
    install(monkeypatch, oracle(), contrary())
    table = estimate_table(estimate_prompt_grid(plan))
    assert heads(table) == ["asked", "prompts", "answered", "tokens in", "tokens out at most", "cost at most"]
    rows = texts(table)
    assert len(rows) == 8 + 1
    assert rows[0][:3] == ["oracle, no instruction, 0-shot, by answer", "8", "0"]
    assert rows[0][4] == "160"
    read = int(rows[0][3].replace(",", ""))
    assert rows[0][5] == f"{(read * 2 + 160 * 10) / 1e6:.3g}"
    assert rows[4][5] == "–"  # contrary has no price
    assert rows[-1][:3] == ["all", "64", "0"]


def test_a_dry_run_tells_estimates_from_counts_and_adds_up_what_is_shared_once():
    one = CellEstimate("a", CostEstimate(10, 4, 1000, 200, 0.5), is_counted=True, is_assumed=False)
    other = CellEstimate("b", CostEstimate(10, 0, 2000, 10, 2.0), is_counted=False, is_assumed=True)
    table = estimate_table([one, other, other._replace(name="c", is_shared=True)])
    assert texts(table) == [
        ["a", "10", "4", "1,000", "200", "0.5"],
        ["b", "10", "0", "~2,000", "10", "2.00"],
        ["c", "10", "0", "~2,000", "10", "2.00"],
        ["all", "20", "4", "~3,000", "210", "2.50"],
    ]
    assert "estimated from the texts" in table.caption
    assert "known only at run time" in table.caption


def test_a_figure_shortens_names_that_would_run_into_their_figures():
    from similitude.drawing import Whisker, interval_plot

    name = "prompted(/a/very/long/path/that/goes/on/and/on/to/some/weights.gguf, shots=2)"
    drawn = interval_plot("figures", [Whisker(name, "0.5", 0.5), Whisker("short", "0.4", 0.4)])
    assert f"<title>{name}</title>prompted(/a/very/long/…" in drawn
    assert "eights.gguf, shots=2)</text>" in drawn
    assert "<title>short</title>short</text>" in drawn
