"""The options of trainings: the same in Python, on the command line and for type checkers."""

import inspect
import re
from typing import get_type_hints

import pytest

import similitude as sim
from similitude.errors import ArgumentError
from similitude.python_words import in_python
from similitude.training import keyword_types, keywords

KINDS = {
    "conditional": (keywords.CONDITIONAL, keyword_types.ConditionalOptions),
    "pairs": (keywords.PAIRS, keyword_types.PairOptions),
    "uncertain": (keywords.UNCERTAIN, keyword_types.UncertainOptions),
    "gaussian_process": (keywords.GAUSSIAN_PROCESS, keyword_types.GaussianProcessOptions),
}
READING_AND_OUTPUT = {"folder", "json", "quiet", "no_cache"}
"""Flags for files and terminals; ``sim.read`` has the options of reading."""


def flags(command: str) -> set[str]:
    """The flags of a command that are not about reading files, as keywords."""
    from similitude.cli.app import make_app
    from similitude.cli.input_options import InputOptions

    app = make_app()["train"][command]
    found = {each.names[0] for each in app.assemble_argument_collection() if each.parse and each.names}
    reading = {name.strip("_") for name in InputOptions.__dataclass_fields__}
    return {re.sub("-", "_", name[2:]) for name in found if name.startswith("--")} - reading - READING_AND_OUTPUT


@pytest.mark.parametrize("kind", KINDS)
class TestOneListOfOptions:
    def test_type_checkers_see_names_and_types_of_the_dataclasses(self, kind):
        options, types = KINDS[kind]
        assert {name: option.kind for name, option in options.options.items()} == get_type_hints(types)

    def test_the_command_line_has_the_same_options(self, kind):
        keyword = {*inspect.signature(getattr(sim.train, kind)).parameters} - {
            "data",
            "out",
            "listener",
            "quiet",
            "cache",
        }
        assert flags(kind.replace("_", "-")) == keyword

    def test_help_says_what_each_option_means(self, kind):
        text = getattr(sim.train, kind).__doc__
        for name, option in KINDS[kind][0].options.items():
            assert option.meaning
            assert f"\n    {name}: {option.meaning[:20]}" in text
        assert text.index("Args:") < text.index("\n    seed:") < text.index("Raises:")

    def test_help_shows_the_defaults_of_the_dataclasses(self, kind):
        shown = inspect.signature(getattr(sim.train, kind)).parameters
        for name, option in KINDS[kind][0].options.items():
            assert shown[name].default == option.default


def test_defaults_come_from_the_dataclasses():
    assert keywords.CONDITIONAL.options["epochs"].default == 5
    assert keywords.UNCERTAIN.options["epochs"].default == 3
    assert keywords.GAUSSIAN_PROCESS.options["epochs"].default == 20
    assert keywords.GAUSSIAN_PROCESS.options["inference"].field == "method"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"epoch": 2},
            r"sim\.train\.x has no argument 'epoch'; did you mean epochs=\? known: adapters, architecture, average",
        ),
        (
            {"architecture": "quad"},
            r"architecture='quad' should be 'cross', 'bi', 'tri', 'joint' or 'shift'; by default",
        ),
        ({"epochs": "many"}, r"epochs='many' should be a valid integer"),
        ({"epochs": None}, r"epochs=None should be a valid integer; by default epochs=5"),
    ],
)
def test_a_wrong_option_is_one_error_that_names_it(options, message):
    with pytest.raises(ArgumentError, match=message):
        keywords.CONDITIONAL.read(options, "sim.train.x")


def test_options_go_to_the_dataclass_that_has_them():
    from similitude.systems.conditional.architecture import Architecture
    from similitude.training.recipe import Recipe

    parts = keywords.CONDITIONAL.read({"architecture": "tri", "epochs": 2}, "sim.train.x")
    assert parts[Architecture] == {"encoding": "tri"}
    assert parts[Recipe] == {"epochs": 2}


def test_one_source_of_evidence_may_be_written_without_a_list():
    from similitude.training.gaussian_process.request import GprRequest

    for given in ("overlap", ["overlap"], ("overlap",)):
        assert keywords.GAUSSIAN_PROCESS.read({"evidence": given}, "x")[GprRequest] == {"evidence": ("overlap",)}


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ("use --architecture cross for the ablation", "use architecture= cross for the ablation"),
        ("use --architecture cross", "use architecture='cross'"),
        ("--ensemble 5, or less", "ensemble=5, or less"),
        ("a dash - and --new-pairs is for a teacher", "a dash - and new_pairs= is for a teacher"),
        ("give --teacher SYSTEM, or omit --new-pairs", "give teacher=SYSTEM, or omit new_pairs="),
        ("name another --folder", "name another out="),
    ],
)
def test_messages_speak_of_keywords(flags, said):
    assert in_python(flags) == said
