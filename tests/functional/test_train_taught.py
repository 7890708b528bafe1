"""``train conditional --teacher`` and ``train pairs --teacher``, for real: a small model learns from a larger one."""

import json
import string
from pathlib import Path

import polars as pl
import pytest
from tiny_training import kinds, labels, train_command

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")
pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")

DATA = "sample:world(pairs=20, held_out=4)"
TEACHER = "conditional(large, device=cpu)"
FEW = ("--new-conditions", "16", "--new-pairs", "4")


@pytest.fixture(scope="module")
def bert(tiny_bert, letters) -> Path:
    return tiny_bert([*letters, *string.digits, "."], longest=128)


def asked(bert: Path, out: str, *options: str, kind: str = "conditional", data: str = DATA) -> list[str]:
    return train_command(kind, data, bert, out, 1, *options)


@pytest.fixture
def taught(bert, here):
    """Trains the teacher, and then calls for a student with other options."""
    here(*asked(bert, "large", "--architecture", "joint"), "--seed", "7")

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
    told = taught(*FEW, "--taught-weight", "0.5")
    note = (
        f"{TEACHER} labelled 24 unrated items (16 rated pairs under new conditions, 4 new pairs under two conditions "
        "each) and the rated items (runs/taught.csv)"
    )
    assert note in " ".join(told.err.split())
    assert "conditional(small) is a system now" in told.out
    table = labels(tmp_path / "small")
    assert kinds(table) == {"borrowed": 16, "pair": 8, "rated": 40}
    assert table["score"].is_between(1, 5).all()

    record = json.loads((tmp_path / "small/similitude.json").read_text())
    assert record["teaching"]["teacher"] == TEACHER
    assert (record["teaching"]["items"], record["data"]["items"]) == (24, 40)
    card = (tmp_path / "small/README.md").read_text()
    assert f"| teacher | `{TEACHER}` |" in card
    assert (
        "| labelled by the teacher | 16 rated pairs under new conditions; 4 new pairs, each under two conditions |"
        in card
    )
    assert "| weight of a label | 0.5, where one by people has 1 |" in card
    assert "| targets of rated items | 0.5 x gold + 0.5 x the teacher's scores |" in card

    measured = here(
        "evaluate", DATA, "--split", "test", "-s", "conditional(small, device=cpu)", "-m", "spearman", "--json"
    )
    assert len(json.loads(measured.out)["figures"]) == 1

    nobody_is_asked()
    again = taught(*FEW, "--taught-weight", "0.5")
    assert "was finished before; nothing was trained" in " ".join(again.err.split())
    assert again.out == told.out


@pytest.mark.slow
def test_stopped_it_goes_on_and_the_teacher_is_not_asked_again(taught, tmp_path, monkeypatch, nobody_is_asked):
    from similitude.training.checkpoints import CheckpointFolder

    taught(*FEW, out="whole")
    honest = CheckpointFolder.save

    def once(shelf, progress):
        honest(shelf, progress)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(CheckpointFolder, "save", once)
        taught(*FEW, code=130)
    assert not (tmp_path / "small/similitude.json").exists()
    nobody_is_asked()
    taught(*FEW)
    for name in ("model.safetensors", "runs/taught.csv"):
        assert (tmp_path / "small" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name


@pytest.mark.slow
def test_items_and_conditions_of_the_users_own(taught, tmp_path):
    rows = "".join(f"Someone counts {number} cats.,They see {number} dogs.,the number\n" for number in range(7))
    (tmp_path / "pool.csv").write_text(f"sentence1,sentence2,condition\n{rows}")
    told = " ".join(taught("--unlabelled", "pool.csv").err.split())
    assert "labelled 7 unrated items (7 given by the user) and the rated items" in told
    assert "1 labelled item was left out: it has no partner for the objective's pairs" in told
    assert kinds(labels(tmp_path / "small")) == {"unlabelled": 7, "rated": 40}
    (tmp_path / "list.txt").write_text("the weather\nthe time of day\nthe price\n")
    taught("--conditions-from", "list.txt", "--new-conditions", "8", "--new-pairs", "0", out="listed")
    made = labels(tmp_path / "listed").filter(pl.col("id").str.starts_with("borrowed-"))
    assert made.height == 8
    assert set(made["condition"]) <= {"the weather", "the time of day", "the price"}


@pytest.mark.slow
def test_plain_pairs(bert, here, tmp_path):
    given = ("--teacher", "use", "--new-pairs", "20")
    told = here(*asked(bert, "plain", *given, kind="pairs", data="sample:opinions"))
    assert "use labelled 20 unrated items (20 new pairs) and the rated items" in " ".join(told.err.split())
    assert kinds(labels(tmp_path / "plain")) == {"changed": 10, "new": 10, "rated": 54}
    assert "condition" not in labels(tmp_path / "plain").columns
    assert "| labelled by the teacher | 20 new pairs |" in (tmp_path / "plain/README.md").read_text()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            ["--new-conditions", "5"],
            "--new-conditions is for a teacher; give --teacher SYSTEM, or omit --new-conditions",
        ),
        (
            ["--teacher", "use"],
            "teacher 'use' does not read conditions; use one that does, such as conditional(FOLDER)",
        ),
        (["--teacher", "use", "--cross-fit", "3"], "--teacher and --cross-fit are two kinds of teachers"),
        (["--teacher", "conditionall(large)"], "no system named 'conditionall'; did you mean 'conditional'?"),
        (["--teacher", "use", "--conditions-from", "no.txt"], "no.txt: cannot be read; name an existing file"),
        (["--teacher", "use", "--taught-weight", "-1"], "taught-weight -1 is not valid; give"),
        (["--teacher", "use", "--objective", "quad"], "objective quad cannot use a teacher"),
    ],
)
def test_mistakes_are_one_line(bert, here, options, told):
    err = here(*asked(bert, "small", *options), code=2).err
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert told in err
    assert not Path("small").exists()  # so that the command with the mistake mended may have the same folder
