"""Tables of ranks, and the task-oriented paper as a study of two tables."""

from pathlib import Path

import pytest

from similitude.errors import InputError
from similitude.report.study.beside_printed import beside_printed
from similitude.study.study_plan import read_study
from similitude.study.study_run import planned_cells, run_study
from similitude.study.tables.rank_table import RANKED_BY

GOLD = [3, 0, 5, 1, 4, 2]
# a is half of gold, b has one wrong score, c has two
SUBMISSIONS = {"a": [1.5, 0, 2.5, 0.5, 2, 1], "b": [3, 0, 3, 1, 4, 2], "c": [3, 5, 0, 1, 4, 2]}

PLAN = """
paper = "task_oriented"
[[tables]]
name = "Table 1"
layout = "ranks"
data = "gold.csv"
predictions = ["{predictions}"]
range = "0..5"
measures = ["pearson", "mae"]
"""


def write_gold(folder):
    rows = [f"left {place},right {place},{score}" for place, score in enumerate(GOLD)]
    (folder / "gold.csv").write_text("\n".join(["left,right,score", *rows]) + "\n", "utf-8")
    (folder / "submissions").mkdir()
    for name, scores in SUBMISSIONS.items():
        (folder / "submissions" / f"{name}.txt").write_text("".join(f"{score}\n" for score in scores), "utf-8")


def figures(run):
    (table,) = run.tables
    return {tuple(figure.at.values()): figure.value for figure in table.figures}


def test_by_hand(tmp_path):
    write_gold(tmp_path)
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN.format(predictions="submissions/*.txt"), "utf-8")
    run = run_study(plan, tmp_path / "run", quiet=True)
    # Pearson: a 1, b .93, c -.43, so ranks 1 2 3. Errors: a 7.5/6, b 2/6, c 10/6, so ranks 2 1 3. 1 + 1 + 0 places,
    # over 3 systems
    assert figures(run) == {
        ("systems",): 3.0,
        ("pearson", "mae", "mean"): pytest.approx(2 / 3),
        ("pearson", "mae", "largest"): 1.0,
    }


def test_systems_and_predictions_are_ranked_together_and_planned(tmp_path):
    write_gold(tmp_path)
    plan = tmp_path / "plan.toml"
    written = PLAN.format(predictions="submissions/a.txt").replace("range", 'systems = ["jaro", "levenshtein"]\nrange')
    plan.write_text(written, "utf-8")
    cells = planned_cells(read_study(plan), tmp_path / "run")["Table 1"]
    assert [(cell.name.partition(" ")[0], cell.is_done) for cell in cells] == [("jaro", False), ("levenshtein", False)]
    run_study(plan, tmp_path / "run", quiet=True)
    assert all(cell.is_done for cell in planned_cells(read_study(plan), tmp_path / "run")["Table 1"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("submissions/*.txt", "none/*.txt"), r"none/\*\.txt: no such file"),
        (('predictions = ["submissions/*.txt"]\n', ""), "nothing to rank"),
        (('"pearson", "mae"', '"pearson"'), "at least 2"),
    ],
)
def test_errors(tmp_path, change, message):
    write_gold(tmp_path)
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN.format(predictions="submissions/*.txt").replace(*change), "utf-8")
    with pytest.raises(InputError, match=message):
        run_study(plan, tmp_path / "run", quiet=True)


def test_the_paper_is_a_file(tmp_path):
    """studies/task-oriented.toml runs on data in the layouts that it names, and says what is missing."""
    (tmp_path / "studies").mkdir()
    plan = tmp_path / "studies" / "full.toml"
    shipped = Path(__file__).parents[2] / "studies" / "task-oriented.toml"
    plan.write_text(shipped.read_text("utf-8").replace("resamples = 1000", "resamples = 0"), "utf-8")
    with pytest.raises(InputError, match=r"data/STS2012-test: no such file"):
        run_study(plan, tmp_path / "run", quiet=True)
    write_papers_data(tmp_path / "data")
    run = run_study(plan, tmp_path / "run", quiet=True)
    beside = list(beside_printed(run, whole=True))
    # every figure that the paper prints in tables 1 and 2 and sections 2 and 3.2 has one of ours beside it
    printed = [each for each in beside if each.printed is not None and each.printed.number is not None]
    assert len(printed) == 15 + (16 * 6 + 6) + 2 + 6
    assert all(each.ours is not None for each in printed)
    assert len(RANKED_BY) == 6


def test_a_submission_needs_one_file_for_each_source(tmp_path):
    write_papers_data(tmp_path / "data")
    plan = tmp_path / "plan.toml"
    written = PLAN.format(predictions="data/STS2012-submissions/*").replace("gold.csv", "data/STS2012-test")
    plan.write_text(written, "utf-8")
    (tmp_path / "data" / "STS2012-submissions" / "team-1" / "STS.output.MSRvid.txt").unlink()
    with pytest.raises(InputError, match=r"team-1: 0 files for the source 'MSRvid'; have one"):
        run_study(plan, tmp_path / "run", quiet=True)


def write_papers_data(folder):
    """Texts of one to eight letters: the more letters two share, the closer they are."""
    words = ["".join("abcdefgh"[: count + 1]) for count in range(8)]
    sts, corpus, articles = (folder / name for name in ("STS2012-test", "corpus-20090418", "articles"))
    for each in (sts, corpus, articles):
        each.mkdir(parents=True)
    whole = " ".join("abcdefgh")
    texts = [" ".join(word) + f" number {place}" for place, word in enumerate(words)]
    for source in ("MSRpar", "MSRvid"):
        (sts / f"STS.input.{source}.txt").write_text("".join(f"{whole}\t{text} {source}\n" for text in texts), "utf-8")
        (sts / f"STS.gs.{source}.txt").write_text("".join(f"{place * 5 / 7:.3f}\n" for place in range(8)), "utf-8")
        for team in range(4):
            folder_of_team = folder / "STS2012-submissions" / f"team-{team}"
            folder_of_team.mkdir(parents=True, exist_ok=True)
            scores = [place * 5 / 7 * (1 - team / 5) + (place * team) % 3 / 4 for place in range(8)]
            lines = "".join(f"{score:.3f}\t100\n" for score in scores)
            (folder_of_team / f"STS.output.{source}.txt").write_text(lines, "utf-8")
    names = [f"g{number}pA_taska.txt" for number in range(24)]
    classes = ["non", "heavy", "light", "cut"]
    (corpus / "orig_taska.txt").write_text(whole, "utf-8")
    for number, name in enumerate(names):
        (corpus / name).write_text(f"{texts[number // 3]} {number}", "utf-8")
    rows = "".join(f"{name},{classes[number // 6]}\n" for number, name in enumerate(names))
    (corpus / "list.csv").write_text(f"File,Category\n{rows}", "utf-8")
    pairs = "".join(f"{whole} {n},{texts[n % 8]},{'related' if n % 8 > 3 else 'unrelated'}\n" for n in range(24))
    (articles / "pairs.csv").write_text(f"left,right,label\n{pairs}", "utf-8")
    related = "".join(f"{n},{text},{(n + 1) % 8}\n" for n, text in enumerate(texts))
    (articles / "articles.csv").write_text(f"id,text,related\n{related}", "utf-8")
