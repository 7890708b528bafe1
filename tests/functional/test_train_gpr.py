"""``similitude train gpr``, for real: a process over the built-in encoder, and mistakes in one line."""

import json

import pytest

pytest.importorskip("torch", reason="the extra 'uncertain' is not installed")


@pytest.fixture
def trained(similitude):
    shown = similitude(
        *("train", "gpr", "sample:opinions", "--encoder", "use", "--out", "process"),
        *("--validation-share", "0.3", "--inducing", "30", "--epochs", "3", "--recalibrate", "scale"),
    )
    assert shown.returncode == 0, shown.stderr
    return shown


def test_train_and_evaluate(similitude, trained, tmp_path):
    assert "Gaussian process (fitc) from use" in trained.stdout
    assert "gpr(process) is a system now" in trained.stdout
    assert "18 items (30% of the sentence pairs, drawn by seed 0) were held out to validate" in trained.stderr
    assert "sigmas are corrected times" in trained.stderr
    assert "Curves" in (tmp_path / "process" / "runs" / "curve.html").read_text()
    measures = [option for name in ("pearson", "nlpd", "kl", "sigma-rho") for option in ("-m", name)]
    shown = similitude(
        "evaluate", "sample:opinions", "-s", "gpr(process)", "-s", "use", *measures, "--resamples", "0", "--json"
    )
    assert shown.returncode == 0, shown.stderr
    figures = {(figure["system"], figure["measure"]): figure["value"] for figure in _figures(json.loads(shown.stdout))}
    assert figures["gpr(process)", "pearson"] > 0.5
    assert figures["gpr(process)", "nlpd"] < 2
    assert figures["use-multilingual", "nlpd"] is None  # a dash, not a zero


def _figures(run):
    """One record a figure, whatever the layout of the run."""
    names = [str(measure["name"]) if isinstance(measure, dict) else str(measure) for measure in run["measures"]]
    for system in run["systems"]:
        for name, figure in zip(names, system["figures"], strict=True):
            yield {"system": system["identity"], "measure": name, "value": figure["value"]}


def test_the_same_command_again_trains_nothing(similitude, trained):
    again = similitude(
        *("train", "gpr", "sample:opinions", "--encoder", "use", "--out", "process"),
        *("--validation-share", "0.3", "--inducing", "30", "--epochs", "3", "--recalibrate", "scale"),
    )
    assert again.returncode == 0
    assert "was finished before; nothing was trained again" in again.stderr
    assert again.stdout == trained.stdout


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--encoder", "levenshtein"], "system 'levenshtein' gives no vectors of texts"),
        (["--encoder", "nonsense"], "no system named 'nonsense'"),
        (["--encoder", "use", "--kernel", "cubic"], "no kernel named 'cubic'"),
        (["--encoder", "use", "--noise", "loud"], "no noise named 'loud'"),
        (["--encoder", "use", "--inducing", "1"], "inducing 1 is not valid; give 2 or more"),
        (["--encoder", "use", "--recalibrate", "isotonic"], "validation items are too few to recalibrate on"),
        (["--encoder", "use", "--split", "nowhere"], "has no split 'nowhere'"),
    ],
)
def test_mistakes_are_told_in_one_line(similitude, options, why):
    shown = similitude("train", "gpr", "sample:opinions", "--out", "process", *options)
    assert shown.returncode != 0
    assert why in shown.stderr
    assert "Traceback" not in shown.stderr


def test_a_folder_with_other_things_is_left_alone(similitude, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("keep")
    shown = similitude("train", "gpr", "sample:opinions", "--encoder", "use", "--out", "mine")
    assert shown.returncode != 0
    assert "is a folder with other things in it" in shown.stderr
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]
