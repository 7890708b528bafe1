"""``similitude train five-settings`` and ``similitude contentious``, for real: from a plan to a second round."""

import json
import string
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")
pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")

DATA = "sample:opinions(pairs=24, held_out=20)"


@pytest.fixture(scope="module")
def bert(tiny_bert, letters) -> Path:
    return tiny_bert([*letters, *string.digits], longest=128)


@pytest.mark.slow
def test_from_a_plan_to_a_page_to_pairs_worth_asking_about(bert, tmp_path, here):
    plan = f'data = "{DATA}"\nmodel = "{bert}"\nsettings = [1, 3]\nsystems = ["sbert-cosine", "distribution"]\n'
    (tmp_path / "mine.toml").write_text(plan)
    asked = [
        "train",
        "five-settings",
        "mine.toml",
        "--folder",
        "study",
        "--quick",
        "--device",
        "cpu",
        "--resamples",
        "50",
    ]
    told = here(*asked, "--limit", "12")
    assert "(3) domain-specific" in told.out
    assert "page written to study/settings.html" in told.out
    assert "SIMULATED judgements" in told.out
    assert "<h1>mine</h1>" in (tmp_path / "study/settings.html").read_text()
    record = json.loads(here(*asked, "--limit", "12", "--json").out)
    assert record["plan"]["recipe"] == {"epochs": 1}
    assert {row["system"] for row in record["figures"]} == {"sbert-cosine", "distribution"}
    assert {one["items"] for one in record["trained"]} == {12}
    zero = [row for row in record["figures"] if (row["setting"], row["measure"]) == (1, "sigma_spearman")]
    assert [row["value"] for row in zero] == [None, None], "no sigma: nothing, not a zero"

    (model,) = (path for path in (tmp_path / "study/models").glob("opinions-meals-*") if path.is_dir())
    system = f"uncertain(study/models/{model.name}, device=cpu)"
    ranked = here("contentious", DATA, "--split", "dev", "-s", system, "--top", "5", "--out", "ask.csv", "--no-cache")
    assert "of which" in ranked.out
    assert "5 pairs written to ask.csv" in ranked.out
    lines = (tmp_path / "ask.csv").read_text().splitlines()
    assert lines[0] == "rank,id,left,right,expected_mean,expected_sigma"
    assert len(lines) == 6
    (tmp_path / "study.toml").write_text(
        f'name = "more"\ntask = "rating"\nitems = "{DATA}"\n[second_round]\nitems = "ask.csv"\njudgements = 9\n'
    )
    pytest.importorskip("sqlalchemy", reason="the extra 'annotate' is not installed")
    checked = here("annotate", "check", "study.toml")
    assert "5 listed questions go to 9 more people" in checked.out + checked.err


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ([], "no encoder to start from; name one: --model"),
        (["--model", "m", "--settings", "7"], "no setting named '7'"),
        (["--model", "m", "--systems", "bert"], "no system of the study named 'bert'; did you mean 'bert-lr'?"),
        (["--model", "m", "--passes", "1"], "'passes' = 1"),
        (["--model", "m", "--settings", "1", "--systems", "bert-lr"], "none of these systems belongs to any"),
    ],
)
def test_bad_options_are_one_line(here, options, told):
    shown = here("train", "five-settings", DATA, "--folder", "study", *options, code=2)
    assert told in shown.err
    assert shown.err.startswith("error: ")
    assert shown.err.count("\n") == 1


def test_a_system_that_cannot_rank_is_one_line(here):
    shown = here("contentious", "sample:opinions", "-s", "levenshtein", "--out", "ask.csv", code=2)
    assert shown.err.startswith("error: system 'levenshtein' does not predict how far people differ")
    assert shown.err.count("\n") == 1


def test_contentious_items_apart(here, tmp_path):
    asked = ["evaluate", "sample:opinions", "-s", "levenshtein", "-m", "pearson", "-m", "kl", "--resamples", "0"]
    told = here(*asked, "--by", "contention", "--folder", "run")
    assert "contention: uncontroversial, 39 items" in told.out
    assert "contention: contentious, 21 items" in told.out
    assert told.out.count("– (1)") == 2, "no sigma: a dash in each part"
    assert (tmp_path / "run/results-by-contention.csv").read_text().count("\n") == 5
    parts = json.loads(here(*asked, "--by", "contention", "--folder", "run", "--json").out)["by"]
    assert [(row["part"], row["measure"], row["value"] is None) for row in parts] == [
        ("uncontroversial", "pearson", False),
        ("uncontroversial", "kl", True),
        ("contentious", "pearson", False),
        ("contentious", "kl", True),
    ]
    assert (
        r"\label{tab:sample-opinions-contention-2}" in here("report", "run", "--latex", "-", "--by", "contention").out
    )
    wrong = here(*asked, "--by", "colour", "--folder", "other", code=2)
    assert "items cannot be divided by 'colour'" in wrong.err
    assert not (tmp_path / "other").exists()
