import sys

import pytest

from similitude.errors import ArgumentError, MissingExtraError
from similitude.models.files import ModelFiles, resolve
from similitude.systems import make_system

hub = pytest.importorskip("huggingface_hub", reason="the extra 'encoders' is not installed")
constants, errors = (pytest.importorskip(f"huggingface_hub.{name}") for name in ("constants", "errors"))


@pytest.fixture
def offline(monkeypatch, tmp_path):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "model"
    (path / "1_Pooling").mkdir(parents=True)
    (path / "config.json").write_text('{"a": 1}')
    (path / "modules.json").write_text("[]")
    (path / "1_Pooling" / "config.json").write_text("{}")
    (path / "model.safetensors").write_bytes(b"w" * 3_000_000)
    (path / "README.md").write_text("about it")
    return path


class TestResolving:
    @pytest.mark.parametrize("system", ["encoder", "cross-encoder", "token-match"])
    def test_a_hub_that_cannot_be_reached(self, offline, system):
        with pytest.raises(ArgumentError) as told:
            make_system(f"{system}(some/model)").similarities(["a"], ["b"])
        assert "model 'some/model': the Hugging Face hub cannot be reached" in str(told.value)
        assert "hf download some/model --local-dir FOLDER" in str(told.value)
        assert "give its path instead of the name" in str(told.value)

    def test_a_name_alone_is_looked_for_in_the_usual_place_first(self, offline, monkeypatch, tmp_path):
        asked = []

        def answer(name, revision=None):
            asked.append((name, revision))
            if "/" in name:
                raise errors.RevisionResolutionError("no")
            return hub.hf_api.ResolvedRevision(resolved="c" * 40, initial=revision)

        monkeypatch.setattr(hub, "resolve_revision", answer)
        monkeypatch.setattr(ModelFiles, "file", lambda source, name: tmp_path)
        assert resolve("tiny-name", "v2", "sentence-transformers") == ModelFiles("tiny-name", "c" * 40)
        assert asked == [("sentence-transformers/tiny-name", "v2"), ("tiny-name", "v2")]

    def test_a_copy_on_this_machine_is_enough(self, offline):
        commit = "0123456789abcdef0123456789abcdef01234567"
        repository = offline / "models--some--copied"
        (repository / "refs").mkdir(parents=True)
        (repository / "refs" / "main").write_text(commit)
        snapshot = repository / "snapshots" / commit
        snapshot.mkdir(parents=True)
        (snapshot / "config.json").write_text('{"num_labels": 1}')
        source = resolve("some/copied", None, "sentence-transformers")
        assert source == ModelFiles("some/copied", commit)
        assert source.settings("config.json") == {"num_labels": 1}
        assert source.file("modules.json") is None
        assert resolve("some/copied", commit, "x").commit == commit
        with pytest.raises(ArgumentError, match=r"neither modules.json nor config.json.*hf download"):
            resolve("some/copied", "f" * 40, "x")

    def test_no_such_repository_and_no_such_revision(self, monkeypatch):
        class Response:
            headers, request, status_code = {}, None, 404

        for kind, words in (
            ("RepositoryNotFoundError", "no such model"),
            ("RevisionNotFoundError", "no revision 'v9'"),
        ):
            error = getattr(errors, kind)("404", response=Response())

            def refuse(*_, error=error, **__):
                raise error

            monkeypatch.setattr(hub, "resolve_revision", refuse)
            with pytest.raises(ArgumentError, match=words):
                resolve("some/gone", "v9", "x")

    def test_a_name_that_is_none(self):
        with pytest.raises(ArgumentError, match="has no such model"):
            resolve("some/na me!", None, "x")

    @pytest.mark.parametrize("written", ["/nowhere/model", "./model", "~/no-model", "a/b/c"])
    def test_a_folder_that_is_not_there(self, written, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        with pytest.raises(ArgumentError, match="no such folder"):
            resolve(written, None, "x")

    def test_a_folder_that_holds_no_model(self, tmp_path):
        (tmp_path / "notes.txt").write_text("hello")
        with pytest.raises(
            ArgumentError, match=r"contains no model: it has neither modules.json nor config.json.*notes.txt"
        ):
            make_system(f"encoder({tmp_path})").similarities(["a"], ["b"])
        with pytest.raises(ArgumentError, match="is a file"):
            resolve(str(tmp_path / "notes.txt"), None, "x")

    def test_a_revision_of_a_folder(self, folder):
        with pytest.raises(ArgumentError, match="revision=v1 is not valid for a folder"):
            resolve(str(folder), "v1", "x")

    def test_broken_settings(self, folder):
        (folder / "config.json").write_text("{")
        with pytest.raises(ArgumentError, match=r"cannot read config.json"):
            ModelFiles(str(folder)).settings("config.json")

    def test_the_hub_without_its_package(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "huggingface_hub", None)
        with pytest.raises(MissingExtraError, match=r"pip install '\.\[encoders\]'"):
            resolve("some/other", None, "x")
