"""Systems of one's own, given as objects: what is left out is filled in, and what is there counts."""

import numpy as np
import pytest

from similitude.data.item import Items
from similitude.errors import ExtensionError
from similitude.registry import Spec
from similitude.systems import make_system

ITEMS = Items.from_pairs(["a", "b"], ["a", "c"])


def test_a_class_with_score_alone_is_enough():
    class Equal:
        """1 for equal texts."""

        def score(self, items):
            return [float(item.left == item.right) for item in items]

    system = make_system(Equal())
    assert (str(system.identity), system.range, system.summary) == ("Equal", None, "1 for equal texts.")
    np.testing.assert_array_equal(system.score(ITEMS).scores, [1.0, 0.0])


def test_a_class_in_a_file_that_only_inherits_from_the_protocol_is_refused_in_words(tmp_path):
    file = tmp_path / "inherits.py"
    file.write_text(
        "import similitude as sim\n\nclass Mine(sim.extend.System):\n"
        "    def score(self, items):\n        return [1.0] * len(items)\n"
    )
    with pytest.raises(ExtensionError, match="by which its run could not be rebuilt"):
        make_system(f"{file}:Mine")


def test_an_identity_that_each_object_keeps_counts():
    class Fixed:
        def __init__(self, name, value):
            self.identity, self._value = Spec(name), value

        def score(self, items):
            return [self._value] * len(items)

    made = [make_system(Fixed(name, value)) for name, value in (("one", 1.0), ("two", 2.0))]
    assert [str(system.identity) for system in made] == ["one", "two"]
    assert [system.score(ITEMS).scores[0] for system in made] == [1.0, 2.0]


def test_an_argument_that_is_not_kept_is_named():
    class Lost:
        def __init__(self, value):
            self._value = value

        def score(self, items):
            return [self._value] * len(items)

    with pytest.raises(ExtensionError, match=r"does not keep its argument 'value'.*keep it as self\.value"):
        str(make_system(Lost(1.0)).identity)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ('range = "0..1"', "system .*Mine': its range '0..1' is no Scale; write range = similitude.Scale"),
        ("range = (0, 1)", r"its range \(0, 1\) is no Scale"),
        ('reads = "condition"', "reads 'condition' is not known; write reads = frozenset"),
        ('reads = {"conditions"}', "reads {'conditions'} is not known"),
    ],
)
def test_a_range_or_reads_in_other_types_is_refused_in_words(tmp_path, said, words):
    file = tmp_path / "mine.py"
    file.write_text(f"class Mine:\n    {said}\n    def score(self, items):\n        return [0.5] * len(items)\n")
    with pytest.raises(ExtensionError, match=words):
        make_system(f"{file}:Mine")


def test_an_object_in_a_file_is_no_class(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("class Mine:\n    pass\n\n\nmade = Mine()\n")
    with pytest.raises(ExtensionError, match="'made' in it is no class and no function; there are: Mine"):
        make_system(f"{file}:made")
