"""What a study of settings is asked for, and what has to be trained for it."""

import re
from pathlib import Path

import pytest

from similitude.data.benchmark import Benchmark
from similitude.errors import ArgumentError, InputError, UnknownNameError
from similitude.study.five_settings.domains import Domain
from similitude.study.five_settings.models import Models, SettingModel, models_of, trained_on
from similitude.study.five_settings.plan import FiveSettingsPlan, checked_plan, choose_settings
from similitude.study.five_settings.table import KINDS, MODELS, SETTINGS, SettingRow
from similitude.systems import SYSTEMS

TWO = {"a": "one", "b": "another"}


def row(setting: int, system: str) -> SettingRow:
    return SettingRow(SETTINGS[setting - 1], KINDS[system])


def needed(row, domain):
    return models_of(row, domain, TWO, MODELS)


def test_rows_are_those_of_table_7_and_our_own():
    rows = FiveSettingsPlan(data=("x",), model="m").rows
    assert [one.label for one in rows][:4] == [
        "(1) SBERT-cosine",
        "(2) SBERT-GPR",
        "(3) BERT-lr",
        "(3) BERT-lr-MC",
    ]
    assert len(rows) == 2 + 3 * 6
    assert len({one.label for one in rows}) == len(rows)


def test_some_settings_and_systems():
    plan = checked_plan({"data": ["x"], "model": "m", "settings": ["cross-domain", "1"], "systems": ["sbert-cosine"]})
    assert [one.label for one in plan.rows] == ["(1) SBERT-cosine", "(5) SBERT-cosine"]
    assert choose_settings(["3", "frozen", "3"]) == (2, 3)


@pytest.mark.parametrize(
    ("number", "learned"),
    [(1, ()), (2, ("a",)), (3, ("a",)), (4, ("a", "b", "c")), (5, ("b", "c"))],
)
def test_what_a_system_has_seen_when_it_is_judged_on_a(number, learned):
    assert trained_on(row(number, "sbert-gpr"), "a", {name: name for name in "abc"}) == learned


def test_what_teaches_a_family_of_data():
    """USTS-U and USTS-C are one family: STS-B teaches both, and both teach STS-B."""
    families = {"sts-b": "sts-b", "usts-u": "usts", "usts-c": "usts"}
    learned = {name: trained_on(row(5, "bert-lr"), name, families) for name in families}
    assert learned == {"sts-b": ("usts-u", "usts-c"), "usts-u": ("sts-b",), "usts-c": ("sts-b",)}


def test_two_rows_of_one_model_are_one_training():
    assert needed(row(3, "bert-lr"), "a") == needed(row(3, "bert-lr-mc"), "a")
    assert needed(row(3, "distribution"), "a") == needed(row(3, "distribution-recalibrated"), "a")


def test_cross_domain_of_one_is_domain_specific_of_the_other():
    assert needed(row(5, "bert-lr"), "a") == needed(row(3, "bert-lr"), "b") == (SettingModel("pairs", ("b",)),)


def test_a_process_comes_after_the_sentences_that_it_reads():
    assert needed(row(4, "sbert-gpr"), "a") == (
        SettingModel("sentences", tuple(TWO)),
        SettingModel("process", tuple(TWO)),
    )
    assert needed(row(2, "sbert-gpr"), "a") == (SettingModel("frozen-process", ("a",)),)
    assert needed(row(1, "sbert-cosine"), "a") == ()


def domain(name: str) -> Domain:
    rows = [{"id": f"{n}", "left": f"a {n}", "right": f"{name} {n}", "score": n % 6} for n in range(12)]
    columns = {key: [each[key] for each in rows] for key in rows[0]}
    part = Benchmark.from_columns(name, scale="0..5", **columns)
    return Domain(name, name, part, part, part)


def test_systems_are_written_as_users_write_them(tmp_path):
    plan = FiveSettingsPlan(
        data=tuple(TWO),
        model="my model",
        passes=7,
        own={
            "mine": {"train": "uncertain", "head": "mixture", "arguments": {"members": 1}},
            "said": {"system": "s(1)"},
        },
    )
    models = Models(plan=plan, domains={name: domain(name) for name in TWO}, folder=Path("out"), device="cpu")

    def written(setting, kind, tested):
        found = models.system(SettingRow(SETTINGS[setting - 1], plan.kinds[kind]), tested)
        return re.sub(r"-[0-9a-f]{12}", "", found)

    assert written(1, "sbert-cosine", "a") == "encoder(my model, device=cpu)"
    assert written(3, "bert-lr-mc", "a") == "uncertain(out/models/pairs-a, passes=7, device=cpu)"
    assert written(5, "sbert-cosine", "a") == "conditional(out/models/sentences-b, device=cpu)"
    assert written(4, "sbert-gpr", "a") == "gpr(out/models/process-a-b)"
    assert written(4, "distribution", "b") == "uncertain(out/models/opinions-a-b, recalibrated=false, device=cpu)"
    assert written(4, "distribution-recalibrated", "b") == "uncertain(out/models/opinions-a-b, device=cpu)"
    assert written(5, "mine", "b") == "uncertain(out/models/own-mine-a, members=1, device=cpu)"
    assert written(1, "said", "b") == "s(1)"


def test_a_model_is_named_by_what_is_trained_wherever_its_folder_lies():
    domains = {name: domain(name) for name in TWO}

    def key(model, folder="out", **changes):
        plan = FiveSettingsPlan(data=tuple(TWO), model="my model", **changes)
        return Models(plan=plan, domains=domains, folder=Path(folder)).training(model).key

    process = SettingModel("process", TWO)
    assert key(process) == key(process, folder="elsewhere")
    assert key(process) != key(process, seed=1)
    assert key(process) != key(process, recipe={"epochs": 9}), "the sentences that it reads are trained otherwise"
    frozen = SettingModel("frozen-process", TWO)
    assert key(frozen) == key(frozen, recipe={"epochs": 9}), "a process has no epochs of a network"


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ("train = 'uncertain'\nheads = 3", "own.mine.*heads.*did you mean"),
        ("train = 'uncertian'", "no training named 'uncertian'; did you mean 'uncertain'"),
        ("head = 'gaussian'", "name either a kind of training"),
        ("system = 'jaccard'\nhead = 'gaussian'", "'head' is for a training"),
        ("train = 'uncertain'\nsettings = [1]", "a training belongs to settings 3, 4 and 5"),
    ],
)
def test_kinds_of_ones_own_that_cannot_be(tmp_path, entry, told):
    file = tmp_path / "plan.toml"
    file.write_text(f"data = 'x'\nmodel = 'm'\n[own.mine]\n{entry}\n")
    with pytest.raises(InputError, match=f"plan.toml, line [3-5].*{told}"):
        FiveSettingsPlan.read(file)


def test_a_plan_in_a_file(tmp_path):
    (tmp_path / "model").mkdir()
    file = tmp_path / "usts.toml"
    file.write_text(
        'data = ["one.jsonl", "sample:opinions"]\nmodel = "model"\nsettings = [3, "zero-shot"]\n[recipe]\nepochs = 2\n'
    )
    plan = FiveSettingsPlan.read(file)
    assert plan.data == (str(tmp_path / "one.jsonl"), "sample:opinions")
    assert (plan.name, plan.model, plan.settings, plan.recipe) == (
        "usts",
        str(tmp_path / "model"),
        (1, 3),
        {"epochs": 2},
    )
    file.write_text('data = "one.jsonl"\nmodel = "name-on-the-hub"\n')
    assert FiveSettingsPlan.read(file).model == "name-on-the-hub"


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ('data = "x"\n', "'model' is missing"),
        ('data = "x"\nmodel = "m"\nsettings = [6]\n', "no setting named '6'"),
        ('data = "x"\nmodel = "m"\nsettings = 3\n', "give a list: [1, 3]"),
        (
            'data = "x"\nmodel = "m"\nsystems = ["bert"]\n',
            "no system of the study named 'bert'",
        ),
        ('data = "x"\nmodel = "m"\n[recipe]\nepoch = 1\n', "'epoch' is unknown"),
        ('data = "x"\nmodel = "m"\nlimits = 3\n', "'limits'"),
        ("data = [\n", "not valid TOML"),
    ],
)
def test_mistakes_in_a_file_are_one_line(tmp_path, written, told):
    file = tmp_path / "plan.toml"
    file.write_text(written)
    with pytest.raises(InputError) as error:
        FiveSettingsPlan.read(file)
    assert told in str(error.value)
    assert str(error.value).startswith("plan.toml, line ")


def test_mistakes_in_options():
    given = {"data": ["x"], "model": "m"}
    with pytest.raises(UnknownNameError, match="did you mean 'cross-domain'"):
        checked_plan({**given, "settings": ["crossdomain"]})
    with pytest.raises(UnknownNameError, match="did you mean 'sbert-gpr'"):
        checked_plan({**given, "systems": ["sbert-gp"]})
    with pytest.raises(ArgumentError, match="'passes' = 1"):
        checked_plan({**given, "passes": 1})
    with pytest.raises(InputError, match="no such file"):
        FiveSettingsPlan.read(Path("nowhere.toml"))


def test_every_kind_names_a_registered_system():
    assert {kind.system for kind in KINDS.values()} <= set(SYSTEMS)
