"""Numbers of things in the documents are those of the registries."""

import re
from pathlib import Path

import pytest

from similitude.data.reading.format import FORMATS
from similitude.data.reading.judgements import JUDGEMENT_FORMATS
from similitude.data.reading.recipes import shipped_recipes
from similitude.inspect.checks import CHECKS

DOCS = Path(__file__).parents[2] / "docs"
WORDS = {"eight": 8, "nine": 9, "ten": 10, "twenty-six": 26, "twenty-seven": 27}
SAID = [
    ("tour.md", r"reads (\S+) layouts of raw answers", lambda: len(list(JUDGEMENT_FORMATS))),
    ("tour.md", r"reads (\S+) formats, and other layouts", lambda: len(list(FORMATS))),
    ("tour.md", r"small recipes, of which (\S+) are shipped", lambda: len(list(shipped_recipes()))),
    ("tour.md", r"a linter with (\S+) checks", lambda: len(list(CHECKS))),
    ("data.md", r"recipes for (\S+) data sets are shipped", lambda: len(list(shipped_recipes()))),
]


@pytest.mark.parametrize(("document", "said", "count"), SAID, ids=[said for _, said, _ in SAID])
def test_a_number_of_things_is_right(document, said, count):
    (word,) = re.findall(said, (DOCS / document).read_text(encoding="utf-8"))
    assert (WORDS[word] if word in WORDS else int(word)) == count()


def test_string_systems_are_counted_right():
    text = (DOCS / "systems.md").read_text(encoding="utf-8")
    table = text.partition("| system | by default |")[2].partition("\n\n")[0]
    named = {name for row in table.splitlines()[2:] for name in re.findall(r"`([\w-]+)`", row.split("|")[1])}
    (said,) = re.findall(r"(\d+) string systems", (DOCS / "tour.md").read_text(encoding="utf-8"))
    assert len(named) == int(said)
