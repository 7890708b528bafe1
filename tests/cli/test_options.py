"""Options are the fields of dataclasses: a new field is an option with no other change."""

from dataclasses import dataclass, replace
from typing import Annotated

import pytest
from cyclopts import App
from cyclopts.annotations import resolve_optional

from similitude.cli import parameters
from similitude.cli.app import COMMANDS, make_app, run
from similitude.cli.train_options import CrossFitOptions, SimilarityOptions
from similitude.training.recipe import Recipe


def arguments_of(command):
    app = make_app()
    for word in command.split():
        app = app[word]
    return [argument for argument in app.assemble_argument_collection() if argument.parse and argument.show]


def options_of(command):
    return {name for argument in arguments_of(command) for name in argument.names}


@parameters.resolved
@dataclass(frozen=True, slots=True, kw_only=True)
class NewRecipe(Recipe):
    """A recipe with one more field.

    Attributes:
        label_noise: how much noise to add to labels.
    """

    label_noise: float = 0.25


USUAL = NewRecipe()


def test_a_new_field_of_a_recipe_is_an_option(capsys):
    app = App(name="x", help_format="plaintext", result_action="return_value")

    @app.default
    def train(*, recipe: Annotated[NewRecipe, parameters.flat(parameters.TRAINING)] = USUAL):
        return recipe

    assert app(["--label-noise", "0.5", "--epochs", "2"], exit_on_error=False) == NewRecipe(label_noise=0.5, epochs=2)
    app.help_print([])
    shown = capsys.readouterr().out
    assert "--label-noise" in shown
    assert "how much noise to add to labels" in shown


@pytest.mark.parametrize("command", ["train pairs", "train conditional", "train uncertain"])
def test_every_field_of_the_recipe_is_an_option_of_the_command(command):
    fields = {f"--{name.replace('_', '-')}" for name in Recipe.__dataclass_fields__}
    assert fields <= options_of(command)


def test_what_follows_from_the_model_is_no_option():
    assert not {"--low", "--high", "--ensemble", "--usual-teachers"} & options_of("train conditional")
    assert not {"--reads", "--place", "--combination"} & options_of("train pairs")


def test_an_option_takes_the_same_kind_of_value_everywhere():
    kinds = {}
    for command in COMMANDS:
        for argument in arguments_of(command):
            if argument.field_info.is_keyword:
                kinds.setdefault(argument.names[0], set()).add(str(resolve_optional(argument.hint)))
    differ = {name for name, found in kinds.items() if len(found) > 1}
    # Heads, objectives and poolings depend on what is trained; a list of systems or measures may be one. Candidates are
    # asked how many items to draw. One system joins a study under one name. Only a model that must have conditions can
    # be trained on the condition alone, and only one that need not have them finds out by itself. Splits are drawn by
    # one of four ways.
    known = {
        "--architecture",
        "--by",
        "--items",
        "--name",
        "--objective",
        "--pooling",
        "--reads",
        "--system",
        "--out-format",
    }
    assert differ <= known


class TestCrossFit:
    usual = SimilarityOptions(model="m")
    cross = replace(usual, architecture=replace(usual.architecture, encoding="cross"))

    def test_by_default_there_are_none(self):
        assert CrossFitOptions().applied(self.usual).teachers.count == 0
        assert CrossFitOptions().applied(self.cross).teachers.count == 0

    def test_a_weight_alone_asks_for_three(self):
        assert CrossFitOptions(teacher_weight=0.3).applied(self.usual).teachers.count == 3

    def test_a_number_is_taken(self):
        applied = CrossFitOptions(cross_fit=5, teacher_weight=0.3).applied(self.cross)
        assert (applied.teachers.count, applied.teachers.weight) == (5, 0.3)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["evaluat"], "error: no command named 'evaluat'; did you mean 'evaluate'?"),
        (["evaluate"], "error: DATA is missing; see 'similitude evaluate --help'"),
        (
            ["train", "pairs", "sample:opinions", "--folder", "m"],
            "error: --model is missing; see 'similitude train pairs --help'",
        ),
        (
            ["data", "suspects", "sample:opinions", "sample:opinions"],
            "error: not expected: sample:opinions; see 'similitude data suspects --help'",
        ),
        (["evaluate", "sample:opinions", "--mesure", "mae"], "error: no option --mesure; did you mean --measure?"),
        (["evaluate", "sample:opinions", "--metric", "mae"], "error: no option --metric; did you mean --measure?"),
        (["evaluate", "sample:opinions", "--model", "jaro"], "error: no option --model; did you mean --system?"),
        (
            ["evaluate", "sample:opinions", "--test", "bootstrp"],
            "error: no test named 'bootstrp'; did you mean 'bootstrap'?",
        ),
        (["evaluate", "sample:opinions", "--resamples=-1"], "error: --resamples -1: must be >= 0"),
        (["evaluate", "sample:opinions", "--seed"], "error: --seed needs a value; see 'similitude evaluate --help'"),
        (["evaluate", "sample:opinions", "--seed", "many"], "error: --seed many: not a whole number"),
    ],
)
def test_a_wrong_word_is_one_line_and_exit_code_2(words, told, capsys):
    assert run(words) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith(told)
    assert shown.err.count("\n") == 1
