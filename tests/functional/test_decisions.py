"""``--against`` and ``--margin`` as a user meets them."""

import json

import pytest

SYSTEMS = ("-s", "levenshtein", "-s", "use-multilingual", "-s", "damerau")
ASKED = ("sample:opinions", *SYSTEMS, "-m", "spearman", "-m", "mae")


def test_the_conclusion_is_the_first_line_and_the_table_has_verdicts(similitude, tmp_path):
    done = similitude("evaluate", *ASKED, "--against", "levenshtein", "--margin", "0.1", "-q")
    assert done.returncode == 0, done.stderr
    first = done.stdout.splitlines()[0]
    assert first.startswith("1 of 2 systems is significantly better than levenshtein by spearman, 1 undecided")
    assert "not worse by more than 0.1" in first
    row = next(line for line in done.stdout.splitlines() if "better" in line and "use-multilingual" in line)
    assert row.split()[1].startswith("+0.")
    assert "are for all pairs of systems together" in " ".join(done.stdout.split())


def test_json_has_the_conclusion_first_and_p_alone_beside_p_among_all(similitude, tmp_path):
    done = similitude("evaluate", *ASKED, "--against", "levenshtein", "--json")
    found = json.loads(done.stdout)
    assert next(iter(found)) == "conclusion"
    assert found["conclusion"]["by"] == "spearman"
    on_spearman, on_mae = found["decisions"]
    assert (on_spearman["measure"], on_mae["measure"]) == ("spearman", "mae")
    for one in on_spearman["contrasts"]:
        assert one["effect"]["name"] == "q"
    assert {one["effect"]["name"] for one in on_mae["contrasts"]} == {"d_z"}
    alone, among = (found["confidence"][name][0][0][1] for name in ("single_p_values", "p_values"))
    assert alone < among


def test_the_page_says_it_on_top(similitude, tmp_path):
    similitude("evaluate", *ASKED, "--against", "damerau", "--folder", "run")
    similitude("report", "run")
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert "1 of 2 systems is significantly better than damerau by spearman, 1 undecided." in page
    assert "Against damerau" in page


def test_predictions_of_others_have_a_baseline_too(similitude, pairs, tmp_path):
    for name, scores in {"one": (4.5, 1.1, 4.0, 3.2, 0.3, 3.9, 1.8, 2.4), "two": (5, 4, 3, 2, 1, 0, 2, 1)}.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{score}\n" for score in scores), encoding="utf-8")
    done = similitude("measure", "pairs.csv", "one.txt", "two.txt", "-m", "pearson", "--against", "two.txt", "-q")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(
        "one.txt (0.982) is not significantly different from two.txt (0.214) by pearson; about "
    )


def test_choose_takes_a_baseline(similitude, tmp_path):
    flags = ("--cardinality", "1:1", "--interest", "all", "--information", "value", "--against", "levenshtein")
    done = similitude("choose", "sample:opinions", *SYSTEMS, *flags, "-q")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("For your task: ")
    assert "significantly better than levenshtein by" in done.stdout


def test_floors_are_shown_as_limits(similitude, tmp_path):
    """Predictions of which nearly all of 99 resamples say the same: no p-value can be below 1/100."""
    gold = [round(place * 5 / 59, 3) for place in range(60)]
    rows = "".join(f"text {place}\tother {place}\t{score}\n" for place, score in enumerate(gold))
    (tmp_path / "gold.tsv").write_text(f"left\tright\tscore\n{rows}", encoding="utf-8")
    for name, step in {"near": 7, "far": 23}.items():
        scores = (score + (place * step % 11 - 5) * step / 50 for place, score in enumerate(gold))
        (tmp_path / f"{name}.txt").write_text("".join(f"{score:.3f}\n" for score in scores), encoding="utf-8")
    flags = ("--scale", "0..5", "-m", "pearson", "--resamples", "99", "--against", "far.txt", "-q")
    done = similitude("measure", "gold.tsv", "near.txt", "far.txt", *flags)
    assert "is significantly better than" in done.stdout.splitlines()[0]
    assert done.stdout.count("<= 0.01") == 1


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--against", "jaccard"), "error: the baseline 'jaccard' is none of the systems; name one of: levenshtein, "),
        (("--margin", "0"), "--margin 0: must be > 0"),
        (("--margin", "0.1", "--resamples", "0"), "error: --margin needs tests, but --resamples 0 asks for none"),
        (("--against", "damerau", "--resamples", "0"), "error: --against needs tests"),
    ],
)
def test_mistakes_get_one_line(similitude, flags, message):
    done = similitude("evaluate", *ASKED, *flags)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_baseline_may_be_given_by_its_short_name(similitude, tmp_path):
    named = ("-s", "levenshtein", "-s", "damerau", "--name", "old", "--name", "new")
    done = similitude("evaluate", "sample:opinions", *named, "-m", "spearman", "--against", "old", "-q")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("new (0.257) is not significantly different from old (0.260) by spearman")
    assert "Systems against old on spearman" in done.stdout
