"""The page of answers shows every answer, the rule that read it and its kind."""

import re

import pytest

import similitude as sim
from similitude.errors import RunError
from similitude.report.answers_page import answers_sheet
from similitude.report.page import report_page
from similitude.report.page.sheet import sheet_page
from similitude.report.tables.answers import answer_overview, systems_with_answers
from similitude.study.saved_run import load_run

SAID = ["4", "Score: 3", "I'd give it a 2 because of <b>dogs</b>", "seven", "7", "not 5 but 2"]


class Prepared:
    """Answers with what was prepared, by the number in the text."""

    key, window, scores_choices = sim.extend.ModelKey("prepared", "1"), None, False

    def count_tokens(self, prompts):
        return [1 for _ in prompts]

    def answers(self, questions, listener=None):
        for place, question in enumerate(questions):
            number = int(re.search(r"text (\d+)", question.messages[-1].content)[1])
            yield place, sim.extend.ModelAnswer(SAID[number])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "run"
    rows = [{"id": f"p{n}", "left": f"text {n}", "right": "other", "score": n % 5 + 1} for n in range(6)]
    judge = sim.system("prompted(prepared)").with_model(Prepared())
    sim.run(sim.read(rows, scale="1..5"), [judge, "levenshtein"], ["spearman"], out=path, answers=None, resamples=0)
    return path


@pytest.fixture(scope="module")
def run(folder):
    return load_run(folder)


def test_answers_are_kept_with_the_run(folder, run):
    (row,) = systems_with_answers(run)
    kept = {item.id: answers for item, answers in zip(run.benchmark.items, run.predictions[row].answers, strict=True)}
    assert [kept[f"p{n}"][0].text for n in range(6)] == SAID
    assert [kept[f"p{n}"][0].kind for n in range(6)] == ["valid", "valid", "prose", "none", "none", "none"]
    assert [kept[f"p{n}"][0].rule for n in range(6)] == ["only", "marked", "only", "none", "none", "none"]
    assert [kept[f"p{n}"][0].value for n in range(6)] == [4, 3, 2, None, None, None]
    assert len(list((folder / "answers").iterdir())) == 1


def test_the_overview_counts_every_kind_and_marks_what_is_replaced_too_often(run):
    table = answer_overview(run, systems_with_answers(run))
    (row,) = table.rows
    counts = {column.head: cell.text for column, cell in zip(table.columns[1:], row[1:], strict=True)}
    assert counts == {
        "answers": "6", "none": "3", "off scale": "0", "prose": "1", "skipped": "0", "valid": "2", "cut": "0",
        "replaced %": "50",
    }  # fmt: skip
    assert row[-1].note == 1
    assert "never called best" in table.notes[0]


def test_the_page_shows_each_answer_and_escapes_it(run):
    page = sheet_page(answers_sheet(run))
    assert "seven" in page
    assert "not 5 but 2" in page
    assert "because of &lt;b&gt;dogs&lt;/b&gt;" in page
    assert page.count('class="option"') == 3
    assert "answers-1.csv" in page


def test_the_report_counts_them_too(run):
    page = report_page(run)
    assert 'id="answers"' in page
    assert "How the answers of each system were read." in page


def test_a_run_without_language_models_says_so(tmp_path):
    found = sim.run([("a", "b", 1), ("c", "c", 5)], ["levenshtein"], ["spearman"], resamples=0)
    with pytest.raises(RunError, match="keeps no answers of language models"):
        systems_with_answers(found)
