"""``similitude task`` as a user meets it."""

import json

import pytest

SYSTEMS = ("-s", "levenshtein", "-s", "word-ngram-jaccard")


def test_deduplication_prints_the_best_system_and_its_threshold(similitude):
    done = similitude("task", "deduplication", "sample:deduplication", *SYSTEMS)
    assert done.returncode == 0, done.stderr
    words = " ".join(done.stdout.split())
    assert words.startswith("sample:deduplication: word-ngram-jaccard does best (F1 0.4")
    assert "significantly better than levenshtein. Deploy it with a threshold of 0.05" in words
    assert "average precision" in words.replace("average AUC precision", "average precision") or "AUC" in words


@pytest.mark.parametrize("kind", ["text-reuse", "related", "find-related", "deduplication", "intent"])
def test_every_kind_runs_alone_as_beside_others(similitude, kind: str):
    flags = ("--resamples", "50", "--seed", "3", "--json")
    alone = json.loads(similitude("task", kind, f"sample:{kind}", *SYSTEMS, *flags).stdout)
    assert alone["task"]["kind"] == kind
    assert alone["seed"] == 3
    beside = ("-t", "sample:related", "-t", f"sample:{kind}") if kind != "related" else ("-t", "sample:related")
    study = json.loads(similitude("predictiveness", "sample:opinions", *beside, *SYSTEMS, *flags).stdout)
    assert study["tasks"][-1] == alone["task"]


def test_a_plan_that_says_paper_decides_what_is_related_as_the_paper_does(similitude, tmp_path):
    """Task 2 of Reimers et al. (2016): OneR with ten folds, not a threshold."""
    found = {}
    for name in ("paper", "pearson"):
        plan = f'data = "sample:opinions"\ntasks = ["sample:related"]\nmeasures = ["{name}"]\nresamples = 0\n'
        (tmp_path / "plan.toml").write_text(plan + 'systems = ["levenshtein", "word-ngram-jaccard", "jaro"]\n')
        done = similitude("predictiveness", "plan.toml", "--json")
        found[name] = json.loads(done.stdout)["tasks"][0]["systems"]
    for paper, ours in zip(found["paper"], found["pearson"], strict=True):
        assert (paper["value"], paper["threshold"]) == (ours["OneR"], ours["value"])
    assert [each["value"] for each in found["paper"]] != [each["value"] for each in found["pearson"]]


def test_json_has_thresholds_intervals_and_curves(similitude):
    flags = (*SYSTEMS, "--resamples", "100", "--json")
    found = json.loads(similitude("task", "sample:related", *flags).stdout)["task"]
    first = found["systems"][0]
    assert found["figure"] == "accuracy"
    assert first["low"] <= first["value"] <= first["high"]
    assert {"OneR", "AUC", "average precision", "MCC"} <= set(first)
    (threshold,) = first["thresholds"]
    assert threshold["measure"] == "accuracy"
    assert threshold["accuracy"] == pytest.approx(first["value"])
    assert first["curve"][0]["recall"] == 0
    assert first["curve"][-1]["recall"] == 1


def test_the_page(similitude, tmp_path):
    done = similitude("task", "deduplication", "sample:deduplication", *SYSTEMS, "--page", "task.html")
    assert done.stdout.rstrip().endswith("task.html")
    page = (tmp_path / "task.html").read_text(encoding="utf-8")
    assert "Deploy it with a threshold of" in page
    assert ">Thresholds</h2>" in page
    similitude("task", "intent", "sample:intent", *SYSTEMS, "--page", "intent.html")
    assert ">Thresholds</h2>" not in (tmp_path / "intent.html").read_text(encoding="utf-8")


def test_a_table_of_one_s_own_with_reading_flags(similitude, tmp_path):
    rows = [f"{n}|text {n}|{'text' if n % 2 else 'other'} {n}|{'far' if n % 2 == 0 else 'near'}" for n in range(20)]
    (tmp_path / "mine.txt").write_text("no|one|two|verdict\n" + "\n".join(rows) + "\n", encoding="latin-1")
    columns = ("--column", "left=one", "--column", "right=two", "--column", "label=verdict")
    flags = (*columns, "--separator", "|", "--encoding", "latin-1", "--classes", "far,near", "--json")
    done = similitude("task", "deduplication", "mine.txt", "-s", "levenshtein", *flags)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["task"]
    assert (found["name"], found["units"]) == ("mine", 20)
    assert found["systems"][0]["value"] == 1.0


def test_the_folder_keeps_predictions_and_results(similitude, tmp_path):
    similitude("task", "sample:related", *SYSTEMS, "--folder", "kept", "--resamples", "10")
    record = json.loads((tmp_path / "kept" / "task.json").read_text())
    assert record["task"]["kind"] == "related"
    again = similitude("task", "sample:related", *SYSTEMS, "--folder", "kept", "--resamples", "10", "--json")
    assert json.loads(again.stdout)["task"] == record["task"]


def test_the_list(similitude):
    shown = similitude("task", "--list").stdout
    assert all(kind in shown for kind in ("text-reuse", "related", "find-related", "deduplication", "intent"))
    assert "queries.csv" in shown
    kinds = json.loads(similitude("task", "--list", "--json").stdout)
    assert {one["kind"] for one in kinds} == {"text-reuse", "related", "find-related", "deduplication", "intent"}
    assert all(one["data"] and one["task"] for one in kinds)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no task is named; name a kind and its data; 'similitude task --list' shows the kinds"),
        (
            ("deduplication", *SYSTEMS),
            "task 'deduplication' has no data; name a file or folder, or sample:deduplication",
        ),
        (
            ("duplicate", "sample:deduplication", *SYSTEMS),
            "no kind of task named 'duplicate'; did you mean 'duplicates'?",
        ),
        (("related", "sample:related"), "no system to run; name each once with --system"),
        (("related", "sample:related", "-s", "levenshtein", "-s", "levenshtein"), "a system is named twice"),
        (("related", "nowhere.csv", *SYSTEMS), "nowhere.csv"),
        (("related", "sample:related", *SYSTEMS, "--column", "links=a"), "no column of a task named 'links'"),
        (("intent", "sample:intent", *SYSTEMS, "--classes", "a,b"), "classes do not fit 'intent'; leave them out"),
        (("related", "sample:related", *SYSTEMS, "--header", "no"), "a task's table needs a header"),
    ],
)
def test_mistakes_get_one_line(similitude, arguments: tuple[str, ...], message: str):
    done = similitude("task", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_python_has_it_too():
    import similitude as sim

    found = sim.task("sample:deduplication", ["levenshtein"], resamples=0)
    assert found["levenshtein"] == float(found.result.outcome.values[0])
    assert found.ranks is None
    with pytest.raises(KeyError, match="no system in this task named 'jaro'"):
        found["jaro"]
