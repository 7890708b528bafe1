from pathlib import Path

import pytest

from similitude.data.public import public_data, read_catalogue
from similitude.errors import ArgumentError, InputError, UnknownNameError

ONE = """
[[data]]
name = "pets"
holds = "pairs"
licence = "CC0"
home = "https://x.y"
citation = "A (1)"
[[data.file]]
name = "a.csv"
address = "https://x.y/a.csv"
bytes = 3
sha256 = "{hash}"
"""


def test_ours_is_whole() -> None:
    for data in read_catalogue():
        assert data.home.startswith("https://")
        assert bool(data.file) != bool(data.steps), data.name
        assert bool(data.steps) == bool(data.expects), data.name
        assert all(file.address.startswith("https://") for file in data.file)


def test_addresses_lead_to_the_same_bytes_for_ever() -> None:
    """Branches move; commits and deposited records do not."""
    for data in read_catalogue():
        for file in data.file:
            assert "/main/" not in file.address
            assert "/master/" not in file.address


def test_a_name_that_is_not_known() -> None:
    with pytest.raises(UnknownNameError, match="no public data set named 'ruddi'; did you mean 'ruddit'"):
        public_data("ruddi")


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        ("https://x.y/a.csv", "http://x.y/a.csv", r"data.0.file.0.address: .*https://.*'http://x.y/a.csv'"),
        ('name = "a.csv"', 'name = "../a.csv"', r"data.0.file.0.name: .*below the folder.*'../a.csv'"),
        ('name = "a.csv"', 'name = "/a.csv"', r"data.0.file.0.name: .*below the folder"),
        ("bytes = 3", "size = 3", r"data.0.file.0.bytes: Field required"),
        ("{hash}", "abc", r"data.0.file.0.sha256: "),
        ("[[data]]", "[[data]", r"cannot be read: "),
    ],
)
def test_a_catalogue_that_cannot_be_used_is_named_with_the_place(
    tmp_path: Path, before: str, after: str, what: str
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(ONE.replace(before, after).replace("{hash}", "0" * 64))
    with pytest.raises(InputError, match=rf"mine.toml: {what}"):
        read_catalogue(path)


def test_a_name_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(2 * ONE.replace("{hash}", "0" * 64))
    with pytest.raises(ArgumentError, match="'pets' is there twice"):
        read_catalogue(path)


def test_a_key_that_is_missing_leads_to_the_page_that_has_the_layout(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[[data]]\nname = "pets"\n')
    with pytest.raises(InputError, match=r"see docs/data\.md for the layout"):
        read_catalogue(path)
    page = (Path(__file__).parents[3] / "docs" / "data.md").read_text(encoding="utf-8")
    assert "`--catalogue mine.toml` reads a catalogue of your own: `[[data]]` with" in page
