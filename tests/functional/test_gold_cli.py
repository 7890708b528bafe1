"""``similitude gold`` and ``similitude reliability`` as a user meets them."""

import json

import polars as pl
import pytest

import similitude as sim

RATINGS = "task,worker,label\n" + "".join(
    f"{item},{worker},{(item * 3 + worker) % 5 if worker == 9 else item % 5}\n"
    for item in range(1, 13)
    for worker in (1, 2, 3, 9)
)
ITEMS = "id,left,right\n" + "".join(f"{n},left text {n},right text {n}\n" for n in range(1, 13))


@pytest.fixture
def answers(tmp_path):
    (tmp_path / "answers.csv").write_text(RATINGS)
    (tmp_path / "items.csv").write_text(ITEMS)
    return tmp_path


def test_ratings_become_a_benchmark_with_a_card(similitude, answers):
    done = similitude("gold", "answers.csv", "--items", "items.csv", "--scale", "0..4", "--out", "gold.jsonl", "-q")
    assert done.returncode == 0, done.stderr
    made = sim.read(answers / "gold.jsonl")
    assert len(made) == 12
    assert made.frame["ratings"].list.len().to_list() == [4] * 12  # every judgement is kept
    assert made.gold.sigmas is not None
    card = (answers / "gold.card.md").read_text(encoding="utf-8")
    assert "48 ratings of 12 items by 4 annotators, scale 0..4" in card
    assert "Krippendorff's alpha, interval" in card
    assert "similitude gold answers.csv" in card


def test_scores_alone_where_texts_are_not_known(similitude, answers):
    done = similitude("gold", "answers.csv", "--scale", "0..4", "--method", "median", "--out", "scores.csv")
    assert done.returncode == 0, done.stderr
    scores = pl.read_csv(answers / "scores.csv")
    assert scores.columns[:2] == ["id", "score"]
    refused = similitude("gold", "answers.csv", "--scale", "0..4", "--card", "card.md")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "give --items" in refused.stderr


def test_the_method_must_fit_and_its_name_is_suggested(similitude):
    wrong = similitude("gold", "sample:opinions", "--method", "counting")
    assert wrong.returncode == 2
    assert "is for best-worst answers, and these are rating answers" in wrong.stderr
    typo = similitude("gold", "sample:opinions", "--method", "medain")
    assert "did you mean 'median'?" in typo.stderr


def test_gold_as_json_and_as_a_page(similitude, tmp_path):
    done = similitude("gold", "sample:dialogues", "--method", "plackett-luce", "--page", "gold.html", "--json")
    found = json.loads(done.stdout)
    assert found["method"] == "plackett-luce"
    assert len(found["items"]) == 60
    page = (tmp_path / "gold.html").read_text(encoding="utf-8")
    assert "SIMULATED judgements" in page
    assert "strong agreement, best" in page


def test_reliability_by_source_with_a_page(similitude, tmp_path):
    done = similitude(
        "reliability", "sample:dialogues", "--by", "language,turns", "--resamples", "50", "--page", "r.html", "--json"
    )
    found = json.loads(done.stdout)
    assert set(found["by_label"]) == {"de, 3-turn", "de, 5-turn", "en, 3-turn", "en, 5-turn", "overall"}
    names = [figure["name"] for figure in found["agreement"]]
    assert "Krippendorff's alpha, best and worst combined" in names
    assert len(found["annotators"]) == 15
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert page.count("<svg") >= 1
    assert "How many are enough" in page


def test_reliability_of_ratings_finds_the_odd_one_out(similitude, answers):
    done = similitude("reliability", "answers.csv", "--scale", "0..4", "--resamples", "100", "--json")
    annotators = {row["annotator"]: row for row in json.loads(done.stdout)["annotators"]}
    assert annotators["1"]["pearson"] > 0.8
    assert annotators["9"]["pearson"] < 0.5
    assert annotators["9"]["flags"]


def test_gold_questions_are_counted(similitude, answers):
    (answers / "right.csv").write_text("question,value\n1,1\n2,2\n3,0\n")
    done = similitude(
        "reliability", "answers.csv", "--scale", "0..4", "--gold-answers", "right.csv", "--resamples", "0", "--json"
    )
    first = json.loads(done.stdout)["annotators"][0]
    assert (first["gold_asked"], first["gold_right"]) == (3, 2)  # 3 % 5 is 3, not 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("task,worker,label\n1,a,3\n1,b,9\n", "line 3"),
        ("task,worker,label\n1,a,3\n1,b,high\n", "line 3"),
        ("Item1,Item2,Item3,BestItem,WorstItem\na,b,c,d,a\n", "line 2"),
        ("task,worker\n1,a\n", "answers.csv"),
        ("", "answers.csv"),
    ],
)
def test_bad_answers_get_one_line_that_names_the_place(similitude, tmp_path, content, message):
    (tmp_path / "answers.csv").write_text(content)
    done = similitude("gold", "answers.csv", "--scale", "0..5")
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_one_rater_only_is_said_and_not_an_error(similitude, tmp_path):
    (tmp_path / "answers.csv").write_text("task,worker,label\n" + "".join(f"{n},a,{n % 5}\n" for n in range(12)))
    done = similitude("reliability", "answers.csv", "--scale", "0..4", "--resamples", "0", "--json")
    assert done.returncode == 0, done.stderr
    first = json.loads(done.stdout)["agreement"][0]
    assert first["value"] is None
    assert first["reason"]


def test_ten_thousand_copies_of_one_row_are_counted(similitude, tmp_path):
    (tmp_path / "answers.csv").write_text("task,worker,label\n" + "1,a,3\n" * 10_000 + "1,b,4\n2,a,1\n2,b,1\n")
    done = similitude("gold", "answers.csv", "--scale", "0..5")
    assert done.returncode == 0, done.stderr
    assert "9,999" in done.stdout
