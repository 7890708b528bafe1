"""``similitude train uncertain --teacher``, for real: a small model learns what a larger one says of new pairs."""

import json
import string
from pathlib import Path

import numpy as np
import pytest
from tiny_training import kinds, labels, train_command

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")
pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")

DATA = "sample:opinions"
TEACHER = "uncertain(large, device=cpu)"


@pytest.fixture(scope="module")
def bert(tiny_bert, letters) -> Path:
    return tiny_bert([*letters, *string.digits, "."])


def asked(bert: Path, out: str, *options: str) -> list[str]:
    return train_command("uncertain", DATA, bert, out, 2, *options)


@pytest.fixture
def taught(bert, here):
    """Trains the teacher, and then calls for a student with other options."""
    here(*asked(bert, "large"), "--seed", "7")

    def call(*options: str, out: str = "small", code: int = 0):
        return here(*asked(bert, out, "--teacher", TEACHER, *options), code=code)

    return call


@pytest.fixture
def nobody_is_asked(monkeypatch):
    """From when it is called on, a teacher that is asked is a failure."""

    def refuse(*arguments, **options):
        raise AssertionError("the teacher was asked")

    return lambda: monkeypatch.setattr("similitude.training.labeller.score_items", refuse)


@pytest.mark.slow
def test_a_student_and_what_its_folder_says(taught, tmp_path, here, nobody_is_asked):
    told = taught("--new-pairs", "30", "--evidence", "overlap")
    note = f"{TEACHER} labelled 30 unrated pairs (15 rated pairs changed, 15 neighbours), mean"
    assert note in " ".join(told.err.split())
    assert "uncertain(small) is a system now" in told.out
    table = labels(tmp_path / "small")
    assert kinds(table) == {"changed": 15, "new": 15}
    assert table["score"].is_between(0, 5).all()
    assert (table["sigma"] > 0).all()

    record = json.loads((tmp_path / "small/similitude.json").read_text())
    teaching = record["teaching"]
    assert (teaching["teacher"], teaching["new_pairs"], teaching["changed_pairs"]) == (TEACHER, 30, 15)
    assert record["evidence"]["written"] == ["overlap"]
    assert {"name": f"taught by {TEACHER}", "items": 30} in record["data"]["origins"]
    card = (tmp_path / "small/README.md").read_text()
    assert note in card
    assert f"taught by {TEACHER}: 30 items" in card

    measured = here("evaluate", DATA, "-s", "uncertain(small, device=cpu)", "-m", "kl", "--no-cache", "--json")
    assert np.isfinite([row["value"] for row in json.loads(measured.out)["figures"]]).all()

    nobody_is_asked()
    weights = (tmp_path / "small/model.safetensors").stat().st_mtime_ns
    again = taught("--new-pairs", "30", "--evidence", "overlap")
    assert "was finished before; nothing was trained" in " ".join(again.err.split())
    assert again.out == told.out
    assert (tmp_path / "small/model.safetensors").stat().st_mtime_ns == weights


@pytest.mark.slow
def test_stopped_it_goes_on_and_the_teacher_is_not_asked_again(taught, tmp_path, monkeypatch, nobody_is_asked):
    from similitude.training.checkpoints import CheckpointFolder

    taught("--new-pairs", "30", out="whole")
    honest = CheckpointFolder.save

    def once(shelf, progress):
        honest(shelf, progress)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(CheckpointFolder, "save", once)
        taught("--new-pairs", "30", code=130)
    assert not (tmp_path / "small/similitude.json").exists()
    assert (tmp_path / "small/runs/seed-0/checkpoint.pt").is_file()
    nobody_is_asked()
    taught("--new-pairs", "30")
    for name in ("model.safetensors", "runs/taught.csv"):
        assert (tmp_path / "small" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name


@pytest.mark.slow
def test_pairs_of_the_users_own(taught, tmp_path):
    rows = "".join(f"Someone counts {number} cats.,They see {number} dogs.\n" for number in range(12))
    (tmp_path / "pool.csv").write_text(f"sentence1,sentence2\n{rows}")
    told = taught("--unlabelled", "pool.csv")
    assert "labelled 12 unrated pairs (12 given by the user), mean" in " ".join(told.err.split())
    assert kinds(labels(tmp_path / "small")) == {"unlabelled": 12}, "no new pairs unless they are asked for"
    taught("--unlabelled", "pool.csv", "--new-pairs", "6", out="both")
    assert kinds(labels(tmp_path / "both")) == {"changed": 3, "new": 3, "unlabelled": 12}


@pytest.mark.slow
def test_eight_new_pairs_an_item_unless_told_otherwise(taught, tmp_path):
    # 10 % of 60 items are held out, so 54 are learned from: 432 new pairs.
    taught()
    assert kinds(labels(tmp_path / "small")) == {"changed": 216, "new": 216}


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--new-pairs", "0"], "--new-pairs is for a teacher; give --teacher SYSTEM, or omit --new-pairs"),
        (["--new-pairs", "5"], "--new-pairs is for a teacher; give --teacher SYSTEM, or omit --new-pairs"),
        (["--unlabelled", DATA], "--unlabelled is for a teacher; give --teacher SYSTEM, or omit --unlabelled"),
        (["--teacher", "use"], "teacher 'use' does not predict how far people differ; use one that does"),
        (["--teacher", "uncertian(large)"], "no system named 'uncertian'; did you mean 'uncertain'?"),
        (["--teacher", "uncertain(nowhere)"], "nowhere"),
        (["--teacher", "use", "--unlabelled", "pool.csv"], "pool.csv"),
        (["--teacher", "use", "--new-pairs", "0"], "there are no pairs for the teacher to label; give --new-pairs N"),
    ],
)
def test_mistakes_are_one_line(bert, here, options, told):
    err = here(*asked(bert, "small", *options), code=2).err
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert told in err
    assert not Path("small").exists()  # so that the command with the mistake mended may have the same folder
