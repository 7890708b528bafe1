import json
import os
import shutil
from pathlib import Path

import pytest

from similitude.errors import MissingExtraError, SimilitudeError
from similitude.models import files as files_module
from similitude.models import fingerprint as fingerprints
from similitude.models.files import ModelFiles
from similitude.models.fingerprint import fingerprint, model_state, package_state


@pytest.fixture
def folder(tmp_path) -> Path:
    path = tmp_path / "model"
    for below in ("1_Pooling", "2_Dense", "onnx", "runs/modules"):
        (path / below).mkdir(parents=True)
    (path / "config.json").write_text('{"a": 1}')
    (path / "modules.json").write_text('[{"path": ""}, {"path": "1_Pooling"}]')
    (path / "tokenizer.json").write_text("{}")
    (path / "config_sentence_transformers.json").write_text('{"prompts": {}}')
    (path / "modeling_own.py").write_text("")
    (path / "1_Pooling" / "config.json").write_text("{}")
    (path / "2_Dense" / "model.safetensors").write_bytes(b"d")
    (path / "model.safetensors").write_bytes(b"w" * 3_000_000)
    (path / "onnx" / "model.onnx").write_bytes(b"o")
    (path / "README.md").write_text("about it")
    return path


def print_of(folder: Path, **settings: object) -> str:
    return fingerprint(ModelFiles(str(folder)), None, **settings)


def test_equal_for_equal_files_wherever_they_are(folder, tmp_path):
    copy = shutil.copytree(folder, tmp_path / "copy")
    assert print_of(folder, a=1) == print_of(copy, a=1)


COUNTED = ["config.json", "model.safetensors", "1_Pooling/config.json", "2_Dense/model.safetensors", "tokenizer.json"]
COUNTED += ["config_sentence_transformers.json", "modeling_own.py", "onnx/model.onnx", "new.json", "pytorch_model.bin"]
COUNTED += ["a/b/c/new.txt", "model-00001-of-00002.safetensors", "model.safetensors.index.json", "vocab.txt"]


@pytest.mark.parametrize("name", COUNTED)
def test_changes_with_every_file_that_matters(folder, name):
    before = print_of(folder)
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    with (folder / name).open("ab") as file:
        file.write(b"x")
    changed = print_of(folder)
    assert changed != before
    (folder / name).rename(folder / f"{name}.other")
    assert print_of(folder) not in (before, changed)


@pytest.mark.parametrize(
    "name", ["README.md", "a.log", "tf_model.h5", ".gitattributes", "checkpoint-5/model.safetensors"]
)
def test_what_no_loader_reads_does_not_matter(folder, name):
    before = print_of(folder)
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_bytes(b"more")
    assert print_of(folder) == before


@pytest.mark.parametrize("below", ["runs", "runs/modules", "eval", "checkpoint-5", ".hidden", "coreml/x/y"])
@pytest.mark.parametrize("named_in", ["modules.json", "2_Dense/router_config.json"])
def test_a_folder_that_the_settings_name_matters_whatever_it_is_called(folder, below, named_in):
    (folder / below).mkdir(parents=True, exist_ok=True)
    weights = folder / below / "model.safetensors"
    weights.write_bytes(b"1")
    before = print_of(folder)
    weights.write_bytes(b"2")
    assert print_of(folder) == before
    (folder / named_in).write_text(json.dumps([{"path": below}]))
    named = print_of(folder)
    weights.write_bytes(b"3")
    assert print_of(folder) != named


def test_a_named_folder_may_name_another(folder):
    (folder / "modules.json").write_text('["runs"]')
    (folder / "runs" / "config.json").write_text('{"vocabulary": "eval/words.md"}')
    (folder / "eval").mkdir()
    (folder / "eval" / "words.md").write_text("a")
    before = print_of(folder)
    (folder / "eval" / "words.md").write_text("b")
    assert print_of(folder) != before


def test_links_to_files_and_folders_are_followed(folder, tmp_path):
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "weights.bin").write_text(name)
    (folder / "3_Linked").symlink_to(tmp_path / "first")
    (folder / "linked.bin").symlink_to(tmp_path / "first" / "weights.bin")
    before = print_of(folder)
    (tmp_path / "first" / "weights.bin").write_text("other")
    changed = print_of(folder)
    (folder / "3_Linked").unlink()
    (folder / "3_Linked").symlink_to(tmp_path / "second")
    retargeted = print_of(folder)
    (folder / "linked.bin").unlink()
    (folder / "linked.bin").symlink_to(tmp_path / "nowhere")
    assert len({before, changed, retargeted, print_of(folder)}) == 4


def test_links_in_a_circle_pipes_and_odd_names_do_no_harm(folder):
    before = print_of(folder)
    (folder / "1_Pooling" / "again").symlink_to(folder)
    assert print_of(folder) == before
    os.mkfifo(folder / "pipe")
    (folder / os.fsdecode(b"odd \xff\nname")).write_text("x")
    assert print_of(folder) != before


def test_a_link_changed_and_changed_back_is_another_state_with_the_same_fingerprint(folder, tmp_path):
    (tmp_path / "weights").write_text("w")
    (folder / "linked.bin").symlink_to(tmp_path / "weights")
    before = model_state(ModelFiles(str(folder)), None)
    (folder / "linked.bin").unlink()
    (folder / "linked.bin").symlink_to(tmp_path / "weights")
    after = model_state(ModelFiles(str(folder)), None)
    assert after.fingerprint == before.fingerprint
    assert after != before


class TestAdapters:
    def adapted(self, tmp_path: Path, base: object) -> Path:
        adapter = tmp_path / "adapter"
        adapter.mkdir(exist_ok=True)
        (adapter / "adapter_config.json").write_text(json.dumps({"base_model_name_or_path": base}))
        return adapter

    def test_the_base_in_another_folder_counts(self, folder, tmp_path):
        adapter = self.adapted(tmp_path, str(folder))
        before = print_of(adapter)
        (folder / "1_Pooling" / "config.json").write_text('{"changed": 1}')
        assert print_of(adapter) != before

    def test_a_path_is_relative_to_where_python_runs(self, folder, tmp_path, monkeypatch):
        adapter = self.adapted(tmp_path, "model")
        (tmp_path / "elsewhere" / "model").mkdir(parents=True)
        monkeypatch.chdir(tmp_path)
        before = print_of(adapter)
        monkeypatch.chdir(tmp_path / "elsewhere")
        assert print_of(adapter) != before

    def test_an_adapter_of_itself(self, tmp_path):
        adapter = self.adapted(tmp_path, str(tmp_path / "adapter"))
        assert print_of(adapter) == print_of(adapter)

    def test_a_base_on_the_hub_counts_by_the_commit_on_this_machine(self, tmp_path, monkeypatch):
        constants = pytest.importorskip("huggingface_hub.constants")
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
        adapter = self.adapted(tmp_path, "some/base")
        before = print_of(adapter)
        main = tmp_path / "hub" / "models--some--base" / "refs" / "main"
        main.parent.mkdir(parents=True)
        main.write_text("a" * 40)
        first = print_of(adapter)
        main.write_text("b" * 40)
        assert len({before, first, print_of(adapter)}) == 3

    def test_an_adapter_on_the_hub_counts_with_the_commit_of_its_base(self, tmp_path, monkeypatch):
        constants = pytest.importorskip("huggingface_hub.constants")
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
        adapter = ModelFiles("some/adapter", "c" * 40)
        alone = fingerprint(adapter, None)
        snapshot = tmp_path / "hub" / "models--some--adapter" / "snapshots" / adapter.commit
        snapshot.mkdir(parents=True)
        (snapshot / "adapter_config.json").write_text('{"base_model_name_or_path": "some/base"}')
        prints = {alone}
        for commit in ("a" * 40, "b" * 40):
            monkeypatch.setattr(files_module, "_commit_of_base", lambda name, commit=commit: commit)
            prints.add(fingerprint(adapter, None))
        assert len(prints) == 3

    @pytest.mark.parametrize("base", [None, 3, "", ["a"]])
    def test_settings_that_name_none(self, tmp_path, base):
        assert print_of(self.adapted(tmp_path, base))


def test_changes_with_settings_commit_and_libraries(folder, monkeypatch):
    source = ModelFiles(str(folder))
    prints = {print_of(folder), print_of(folder, a=1), print_of(folder, a=2)}
    prints |= {fingerprint(ModelFiles("some/model", commit), None) for commit in ("a" * 40, "b" * 40)}
    monkeypatch.setattr(fingerprints, "_version", lambda package: "99")
    prints.add(fingerprint(source, None))
    assert len(prints) == 6


def test_a_package_is_known_by_its_files(tmp_path, monkeypatch):
    package = tmp_path / "some_weights"
    (package / "__pycache__").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    before = package_state("some-weights", "some_weights").fingerprint
    (package / "__pycache__" / "x.pyc").write_bytes(b"compiled")
    assert package_state("some-weights", "some_weights").fingerprint == before
    (package / "weights.npz").write_bytes(b"w")
    assert package_state("some-weights", "some_weights").fingerprint != before
    with pytest.raises(MissingExtraError, match=r"'\.\[wordllama\]"):
        package_state("none", "no_such_package", "wordllama")
    with pytest.raises(SimilitudeError) as told:
        package_state("always-there", "no_such_package")
    assert (told.value.what, told.value.remedy) == ("always-there is not installed", "pip install always-there")


def test_what_is_passed_over_is_not_even_looked_at(folder, monkeypatch):
    (folder / "runs" / "deep").mkdir()
    looked, scan = [], os.scandir
    monkeypatch.setattr(os, "scandir", lambda place: (looked.append(Path(place).name), scan(place))[1])
    print_of(folder)
    assert "runs" not in looked
    assert "1_Pooling" in looked
