"""TOML files: every error names file, line, key, value and remedy."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict

from similitude.data.reading.toml_file import TomlFile, read_toml
from similitude.errors import InputError


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid")

    path: str
    layers: int | list[int] = 1


class Plan(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str
    models: tuple[Model, ...] = ()


GOOD = 'name = "first"\n\n[[models]]\npath = "a"\n\n[[models]]\npath = "b"\nlayers = [1, 2]\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "plan.toml"


def test_reads_a_model_and_fills_in_what_the_file_leaves_out(file: Path) -> None:
    file.write_text("﻿" + GOOD.replace('name = "first"', ""), encoding="utf-8")
    plan = read_toml(Plan, file, name="plan")
    assert (plan.name, [model.layers for model in plan.models]) == ("plan", [1, [1, 2]])
    file.write_text(GOOD)
    assert read_toml(Plan, file, name="plan").name == "first"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"b"', "3", "plan.toml, line 7: models.1.path = 3: input should be a valid string; change path; known keys: "),
        ("[1, 2]", '"many"', "plan.toml, line 8: models.1.layers = 'many': input should be a valid integer"),
        (
            "layers",
            "layer",
            "plan.toml, line 8: 'models.1.layer' is not a known key; did you mean 'layers'? known: path",
        ),
        ('path = "b"\n', "", "plan.toml, line 6: 'models.1.path' is missing; add models.1.path = ...; known: path, "),
        ('name = "first"', "", "'name' is missing; add name = ...; known: name, models"),
        ('name = "first"', "name = first", "plan.toml, line 1: not valid TOML: invalid value; correct this line"),
    ],
)
def test_an_error_names_line_key_value_and_remedy(file: Path, old: str, new: str, message: str) -> None:
    file.write_text(GOOD.replace(old, new))
    with pytest.raises(InputError) as caught:
        read_toml(Plan, file)
    assert message in str(caught.value)


def test_files_that_cannot_be_read(file: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        TomlFile.read(file)
    with pytest.raises(InputError, match="cannot be read"):
        TomlFile.read(file.parent)
    file.write_bytes(b'name = "\xff"')
    with pytest.raises(InputError, match=r"not UTF-8 \(byte 8\)"):
        TomlFile.read(file)
