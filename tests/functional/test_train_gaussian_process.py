"""``similitude train gaussian-process``, for real: a process over the built-in encoder, and mistakes in one line."""

import json
import sys

import pytest

pytest.importorskip("torch", reason="the extra 'uncertain' is not installed")


TRAIN = ("train", "gaussian-process", "sample:opinions", "--encoder", "use", "--folder", "process")
HOW = ("--validation-share", "0.3", "--inducing", "30", "--epochs", "3", "--recalibrate", "scale")


@pytest.mark.slow
def test_train_evaluate_and_train_again(similitude, tmp_path):
    trained = similitude(*TRAIN, *HOW)
    assert trained.returncode == 0, trained.stderr
    assert "Gaussian process (fitc) from use" in trained.stdout
    assert "gpr(process) is a system now" in trained.stdout
    assert "18 items (30% of the sentence pairs, seed 0) were held out for validation" in trained.stderr
    assert "predicted sigmas are multiplied by" in trained.stderr
    assert "Curves" in (tmp_path / "process" / "runs" / "curve.html").read_text()
    measures = [option for name in ("pearson", "nlpd") for option in ("-m", name)]
    asked = ("evaluate", "sample:opinions", "-s", "gpr(process)", "-s", "use", *measures, "--resamples", "0", "--json")
    shown = similitude(*asked)
    assert shown.returncode == 0, shown.stderr
    told = json.loads(shown.stdout)["figures"]
    figures = {(figure["system"], figure["measure"]): figure["value"] for figure in told}
    assert figures["gpr(process)", "pearson"] > 0.5
    assert figures["gpr(process)", "nlpd"] < 2
    assert figures["use-multilingual", "nlpd"] is None  # a dash, not a zero
    again = similitude(*TRAIN, *HOW)
    assert "was finished before; nothing was trained" in again.stderr
    assert again.stdout == trained.stdout


@pytest.mark.slow
def test_evidence_may_be_given_several_times(similitude, tmp_path):
    trained = similitude(*TRAIN, *HOW, "--evidence", "overlap", "--evidence", "jaccard", "--kernel", "matern12")
    assert trained.returncode == 0, trained.stderr
    record = json.loads((tmp_path / "process" / "similitude.json").read_text())
    assert record["evidence"]["written"] == ["overlap", "jaccard"]
    assert record["recipe"]["kernel"] == "matern12"
    asked = ("evaluate", "sample:opinions", "-s", "gpr(process)", "-m", "pearson", "--resamples", "0", "--json")
    shown = similitude(*asked)
    assert shown.returncode == 0, shown.stderr
    assert json.loads(shown.stdout)["figures"][0]["value"] > 0.5


@pytest.fixture
def refused(tmp_path, monkeypatch, capsys):
    """The command line in this process, since starting another one takes seconds; what it says when it gives up."""
    from similitude.cli import main

    def call(*arguments: str) -> str:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("NO_COLOR", "1")
        monkeypatch.setenv("SIMILITUDE_CACHE", "off")
        monkeypatch.setattr(sys, "argv", ["similitude", *arguments])
        with pytest.raises(SystemExit) as end:
            main()
        assert end.value.code != 0
        told = capsys.readouterr().err
        assert "Traceback" not in told
        return " ".join(told.split())

    return call


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--encoder", "levenshtein"], "system 'levenshtein' returns no vectors"),
        (["--encoder", "use", "--evidence", "nonsense"], "nonsense"),
        (["--encoder", "nonsense"], "no system named 'nonsense'"),
        (["--encoder", "use", "--kernel", "cubic"], "no kernel named 'cubic'"),
        (["--encoder", "use", "--noise", "loud"], "no noise named 'loud'"),
        (["--encoder", "use", "--inducing", "1"], "inducing 1 is not valid; give 2 or more"),
        (["--encoder", "use", "--recalibrate", "isotonic"], "validation items are too few to recalibrate on"),
        (["--encoder", "use", "--split", "nowhere"], "has no split 'nowhere'"),
    ],
)
def test_mistakes_are_told_in_one_line(refused, options, why):
    assert why in refused("train", "gaussian-process", "sample:opinions", "--folder", "process", *options)


def test_a_folder_with_other_things_is_left_alone(refused, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("keep")
    told = refused("train", "gaussian-process", "sample:opinions", "--encoder", "use", "--folder", "mine")
    assert "is a folder with other files in it" in told
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]
