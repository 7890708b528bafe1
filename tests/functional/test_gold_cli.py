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
    scale = () if "BestItem" in content else ("--scale", "0..5")
    done = similitude("gold", "answers.csv", *scale)
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


BAD = "task,worker,label\n1,a,3\n1,b,99x\n2,a,1\n2,b,1\n3,a,\n3,b,5\n"


@pytest.fixture
def bad(tmp_path):
    (tmp_path / "answers.csv").write_text(BAD)
    (tmp_path / "items.csv").write_text("id,left,right\n1,a b,a c\n2,d e,d f\n3,g h,g i\n")
    return tmp_path


@pytest.mark.parametrize("command", ["gold", "reliability"])
def test_what_was_left_out_is_said_in_text_and_json(similitude, bad, command):
    words = (command, "answers.csv", "--scale", "0..5", "--on-error", "skip", "--resamples", "0")
    done = similitude(*words)
    assert done.returncode == 0, done.stderr
    assert "2 rows were left out:" in done.stdout
    assert "answers.csv, line 3" in done.stdout
    record = json.loads(similitude(*words, "--json").stdout)
    reading = record["reading"] if command == "gold" else record["judgements"]
    assert len(reading["left_out"]) == 2
    assert reading["left_out"][0]["where"].startswith("answers.csv, line 3")
    assert [one["file"] for one in reading["readings"]] == ["answers.csv"]


def test_what_was_left_out_is_on_the_page_and_in_the_card(similitude, bad):
    words = ("answers.csv", "--items", "items.csv", "--scale", "0..5", "--on-error", "skip", "--resamples", "0")
    assert similitude("gold", *words, "--out", "gold.jsonl", "--page", "gold.html", "-q").returncode == 0
    assert similitude("reliability", *words, "--page", "reliability.html", "-q").returncode == 0
    for name in ("gold.card.md", "gold.html", "reliability.html"):
        text = (bad / name).read_text(encoding="utf-8")
        assert "2 rows were left out:" in text, name
        assert "answers.csv, line 3" in text, name


def test_items_are_read_with_flags_of_their_own(similitude, bad):
    (bad / "items.txt").write_bytes("nr,eins,zwei\n1,größe,a c\n2,d e,d f\n3,g h,g i\n".encode("latin-1"))
    words = ("gold", "answers.csv", "--on-error", "skip", "--scale", "0..5", "--items", "items.txt")
    refused = similitude(*words, "--items-encoding", "latin-1")
    assert refused.returncode == 2
    assert "--items-column left=" in refused.stderr
    columns = ("--items-column", "id=nr", "--items-column", "left=eins", "--items-column", "right=zwei")
    done = similitude(*words, "--items-encoding", "latin-1", *columns, "--out", "gold.jsonl", "-q")
    assert done.returncode == 0, done.stderr
    assert sim.read(bad / "gold.jsonl").frame["left"].to_list() == ["größe", "d e", "g h"]


def test_items_that_were_left_out_are_said(similitude, bad):
    (bad / "items.csv").write_text("id,left,right\n1,a b,a c\n2,d e,d f\n3,g h,g i\n4,,g j\n")
    words = ("gold", "answers.csv", "--on-error", "skip", "--scale", "0..5", "--items", "items.csv")
    assert similitude(*words).returncode == 2
    done = similitude(*words, "--items-on-error", "skip")
    assert done.returncode == 0, done.stderr
    assert "3 rows were left out:" in done.stdout
    assert "items.csv, line 5" in done.stdout


@pytest.mark.parametrize("command", ["gold", "reliability"])
def test_flags_of_items_need_items(similitude, bad, command):
    done = similitude(command, "answers.csv", "--items-format", "stsb", "--items-missing", "-1")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "--items-missing, --items-format say how to read the items, but there are none" in done.stderr
    assert "--items DATA" in done.stderr


LABELS = "item,annotator,label\n" + "".join(
    f"{item},{who},{word}\n"
    for item, words in {"1": "yes yes no", "2": "no no no", "3": "yes no", "4": "yes yes yes"}.items()
    for who, word in zip("abc", words.split(), strict=False)
)


def test_labels_are_a_table_with_texts(similitude, tmp_path):
    (tmp_path / "labels.csv").write_text(LABELS)
    (tmp_path / "items.csv").write_text("id,left,right\n1,a b,a c\n2,d e,d f\n3,g h,g i\n4,k l,k m\n")
    done = similitude("gold", "labels.csv", "--items", "items.csv", "--out", "gold.csv", "--page", "gold.html")
    assert done.returncode == 0, done.stderr
    made = pl.read_csv(tmp_path / "gold.csv")
    assert made["label"].to_list() == ["yes", "no", None, "yes"]
    assert made["tie"].to_list() == [False, False, True, False]
    assert made.columns[-2:] == ["left", "right"]
    assert {"share_yes", "share_no"} < set(made.columns)
    assert "no label because several categories have the most votes: 3" in done.stdout
    refused = similitude("gold", "labels.csv", "--items", "items.csv", "--card", "card.md")
    assert refused.returncode == 2
    assert "--categories LOW,...,HIGH" in refused.stderr


def test_agreement_on_labels(similitude, tmp_path):
    (tmp_path / "labels.csv").write_text(LABELS)
    done = similitude("reliability", "labels.csv", "--resamples", "20", "--page", "reliability.html", "--json")
    assert done.returncode == 0, done.stderr
    names = [figure["name"] for figure in json.loads(done.stdout)["agreement"]]
    assert names[:3] == ["Krippendorff's alpha, nominal", "percent agreement", "Fleiss' kappa"]
    assert "split-half" not in " ".join(names)


VERIFIED = "item,annotator,applies,value\n1,a,true,3\n1,b,true,4\n2,a,false,\n2,b,false,\n3,a,true,2\n3,b,false,\n"


def test_rejected_items_are_left_out_unless_they_are_kept(similitude, tmp_path):
    (tmp_path / "verified.csv").write_text(VERIFIED)
    (tmp_path / "items.csv").write_text("id,left,right\n1,a b,a c\n2,d e,d f\n3,g h,g i\n")
    words = ("gold", "verified.csv", "--scale", "1..5", "--items", "items.csv", "--resamples", "0")
    done = similitude(*words, "--out", "gold.jsonl", "--page", "gold.html")
    assert done.returncode == 0, done.stderr
    told = "1 item that most annotators reject is left out of gold (--keep-rejected keeps): 2"
    for text in (
        done.stdout,
        *((tmp_path / name).read_text(encoding="utf-8") for name in ("gold.card.md", "gold.html")),
    ):
        assert told in text
    assert sim.read(tmp_path / "gold.jsonl").frame["id"].to_list() == ["1", "3"]
    record = json.loads(similitude(*words, "--keep-rejected", "--json").stdout)
    assert [row["item"] for row in record["rejected"]] == ["2"]
    assert {row["id"]: row["applies_share"] for row in record["items"]} == {"1": 1.0, "2": 0.0, "3": 0.5}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("question,value\n1,3\n1,4\n", "'1' has two answers, 3 and 4"),
        ("question,value\n1,3\n2,\n", "line 3: an empty cell"),
        ("question,value\n1,nan\n", "the correct answer 'nan' is not a number"),
        ("question,value\n1,50\n", "the correct answer 50 to '1' is off the scale 0..4"),
    ],
)
def test_bad_gold_questions_are_refused(similitude, answers, content, message):
    (answers / "gold.csv").write_text(content)
    done = similitude("reliability", "answers.csv", "--scale", "0..4", "--resamples", "0", "--gold-answers", "gold.csv")
    assert message in done.stderr + done.stdout


def test_gold_questions_that_nobody_answered_are_said(similitude, answers):
    (answers / "gold.csv").write_text("question,value\n1,1\nlost,3\n")
    done = similitude("reliability", "answers.csv", "--scale", "0..4", "--resamples", "0", "--gold-answers", "gold.csv")
    assert "1 gold question was not answered by anybody: lost" in done.stdout


@pytest.mark.parametrize("command", ["gold", "reliability"])
def test_warnings_are_loud_even_if_the_command_is_quiet(similitude, tmp_path, command):
    rows = "".join(f"{item},{worker},{item % 5}\n" for item in range(1, 13) for worker in ("ann", "Ann", "bob"))
    (tmp_path / "answers.csv").write_text("task,worker,label\n" + rows)
    done = similitude(command, "answers.csv", "--scale", "0..4", "--resamples", "0", "-q", "--json")
    (warning,) = json.loads(done.stdout)["reading" if command == "gold" else "judgements"]["warnings"]
    assert f"warning: {warning}\n" in done.stderr
    assert "Ann" in warning


def test_decisions_of_leaders_are_counted_and_used_only_on_request(tmp_path, similitude):
    rows = [("a", "x", "first", 1), ("a", "y", "first", 3), ("b", "x", "first", 4), ("b", "y", "first", 5)]
    rows.append(("a", "leader:anna", "adjudication", 5))
    names = ("item", "annotator", "round", "value")
    path = tmp_path / "answers.jsonl"
    lines = [json.dumps({**dict(zip(names, row, strict=True)), "scale": "0..5"}) for row in rows]
    path.write_text("\n".join(lines), encoding="utf-8")
    found = {}
    for how in ("ignore", "prefer"):
        record = json.loads(similitude("gold", str(path), "--adjudicated", how, "--json").stdout)
        found[how] = (record["decisions"]["found"], record["decisions"]["settled"], record["items"][0]["score"])
    assert found == {"ignore": (1, 0, 2.0), "prefer": (1, 1, 5.0)}


def test_a_decision_about_a_tuple_settles_one_question(similitude, tmp_path):
    shown = {"question": "q", "items": ["a", "b", "c"]}
    rows = [shown | {"annotator": who, "best": "a", "worst": "c"} for who in "xy"]
    rows.append(shown | {"annotator": "anna", "best": "b", "worst": "a", "round": "adjudication"})
    (tmp_path / "tuples.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = json.loads(similitude("gold", "tuples.jsonl", "--adjudicated", "prefer", "--json").stdout)
    assert found["decisions"] == {"adjudicated": "prefer", "found": 1, "settled": 1}


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        (
            "items,best,worst\na b,a,b\nb c,b,c\n",
            ("--scale", "0..1"),
            "--scale would change nothing: best-worst answers",
        ),
        ("items,best,worst\na b,a,b\nb c,b,c\n", ("--categories", "x,y"), "--categories would change nothing"),
        ("item,annotator,label\n1,a,yes\n1,b,no\n", ("--scale", "0..1"), "--scale would change nothing: categories"),
        ("item,annotator,value\n1,a,2\n1,b,4\n", ("--answers-are", "names"), "--answers-are would change nothing"),
        ("item,annotator,value\n1,a,2\n1,b,4\n", ("--level", ".9"), "--resamples and --level are about the intervals"),
    ],
)
def test_options_that_would_change_nothing_are_refused(similitude, tmp_path, content, options, message):
    (tmp_path / "answers.csv").write_text(content)
    done = similitude("gold", "answers.csv", *options)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
