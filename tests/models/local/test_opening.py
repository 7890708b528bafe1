"""Opening models: folders, GGUF files, fingerprints, devices, and what goes wrong."""

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from similitude.errors import ArgumentError, MissingExtraError
from similitude.models.language.local import gguf, open_local
from similitude.models.language.local import loader as loading
from similitude.models.language.local.model_store import ModelStore, default_model_store
from similitude.models.language.protocol import Message, ModelChoice, ModelQuestion

torch = pytest.importorskip("torch", reason="the extra 'prompted' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'prompted' is not installed")

PROMPT = (Message("user", "x ab 12"),)


class TestFingerprint:
    def test_is_of_files_and_settings_and_of_nothing_else(self, opened, tiny, tmp_path):
        base = opened().key
        copy = shutil.copytree(tiny("llama"), tmp_path / "moved")
        assert open_local(str(copy), device="cpu", store=tmp_path / "elsewhere").key.fingerprint == base.fingerprint
        assert opened(tokens=17).key == base
        assert opened(chat=False).key.fingerprint != base.fingerprint
        assert opened("gpt2").key.fingerprint != base.fingerprint

    @pytest.mark.parametrize("file", ["tokenizer.json", "model.safetensors"])
    def test_changes_with_each_file(self, tiny, tmp_path, file):
        folder = shutil.copytree(tiny("llama"), tmp_path / "model")
        before = open_local(str(folder), device="cpu", store=tmp_path / "kept").key
        path = folder / file
        path.write_bytes(path.read_bytes().replace(b"</s>", b"</t>") + b" ")
        after = open_local(str(folder), device="cpu", store=tmp_path / "kept").key
        assert (before.name, after.name) == ("model", "model")
        assert before.fingerprint != after.fingerprint

    def test_differs_with_the_precision(self, opened):
        origin = opened().origin
        ways = [("cpu", "float32"), ("cpu", "bfloat16"), ("cuda:0", "float32")]
        assert len({origin.state(device=device, dtype=dtype, chat=None).fingerprint for device, dtype in ways}) == 3


@pytest.fixture(scope="module")
def tiny_gguf(tmp_path_factory) -> Path:
    """A small Llama as a GGUF file, and the same weights in memory."""
    writing = pytest.importorskip("gguf", reason="gguf is not installed")
    from tokenizers import pre_tokenizers

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    words = ["<s>", "</s>", *letters, "ab"]
    path = tmp_path_factory.mktemp("gguf") / "tiny.gguf"
    writer = writing.GGUFWriter(path, "llama")
    writer.add_block_count(1)
    writer.add_context_length(64)
    writer.add_embedding_length(32)
    writer.add_feed_forward_length(48)
    writer.add_head_count(2)
    writer.add_head_count_kv(2)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(10_000.0)
    writer.add_vocab_size(len(words))
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(words)
    writer.add_token_types([3, 3, *[1] * (len(words) - 2)])
    writer.add_token_merges(["a b"])
    writer.add_bos_token_id(0)
    writer.add_eos_token_id(1)
    writer.add_add_bos_token(False)
    rng = np.random.default_rng(0)
    shapes = {
        "token_embd": (len(words), 32),
        "output": (len(words), 32),
        "output_norm": (32,),
        "blk.0.attn_norm": (32,),
        "blk.0.ffn_norm": (32,),
        **{f"blk.0.attn_{part}": (32, 32) for part in ("q", "k", "v", "output")},
        **{f"blk.0.ffn_{part}": (48, 32) for part in ("gate", "up")},
        "blk.0.ffn_down": (32, 48),
    }
    for name, shape in shapes.items():
        writer.add_tensor(f"{name}.weight", rng.normal(0, 0.4, shape).astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


class TestGguf:
    def test_is_converted_once_and_then_opened(self, tiny_gguf, tmp_path, monkeypatch, capfd):
        model = open_local(str(tiny_gguf), device="cpu", store=tmp_path)
        assert model.window == 64
        [first] = dict(model.answers([ModelQuestion(messages=PROMPT)])).values()
        assert first.prompt_tokens == 6  # x, a space, "ab", a space, 1, 2: no BOS, as the file says.
        assert capfd.readouterr() == ("", "")

        def again(*_):
            raise AssertionError("converted again")

        monkeypatch.setattr(gguf, "_convert", again)
        copy = shutil.copy(tiny_gguf, tmp_path / "tiny.gguf")
        other = open_local(str(copy), device="cpu", store=tmp_path)
        assert other.key == model.key
        assert dict(other.answers([ModelQuestion(messages=PROMPT)])) == {0: first}

    def test_weights_are_those_of_the_file(self, tiny_gguf, tmp_path):
        model = open_local(str(tiny_gguf), device="cpu", store=tmp_path)
        folder = Path(model.origin.files("float32").reference)
        network = transformers.AutoModelForCausalLM.from_pretrained(folder)
        first = next(iter(np.random.default_rng(0).normal(0, 0.4, (len(network.get_input_embeddings().weight), 32))))
        np.testing.assert_allclose(network.get_input_embeddings().weight[0].detach(), first, rtol=1e-6)
        assert "quantization_config" not in json.loads((folder / "config.json").read_text())

    @pytest.mark.parametrize("damage", ["changed", "gone", "without hashes"])
    def test_converted_weights_that_were_damaged_are_converted_again(self, tiny_gguf, tmp_path, damage):
        store = ModelStore(tmp_path)
        folder = Path(gguf.GgufFile(tiny_gguf, store).files("float32").reference)
        weights = folder / "model.safetensors"
        right = weights.read_bytes()
        if damage == "changed":
            weights.write_bytes(right[:-1] + bytes([right[-1] ^ 1]))
        elif damage == "gone":
            weights.unlink()
        else:
            (folder / "converted.json").unlink()
        assert gguf.GgufFile(tiny_gguf, store).files("float32").reference == str(folder)
        assert weights.read_bytes() == right

    def test_its_fingerprint_needs_no_conversion(self, tiny_gguf, tmp_path, monkeypatch):
        monkeypatch.setattr(gguf, "_convert", None)
        assert open_local(str(tiny_gguf), device="cpu", store=tmp_path).key.name == "tiny.gguf"
        assert not list(tmp_path.glob("tiny-*"))

    def test_a_conversion_that_fails_leaves_nothing(self, tiny_gguf, tmp_path):
        broken = tmp_path / "broken.gguf"
        broken.write_bytes(tiny_gguf.read_bytes()[:3000])
        with pytest.raises(
            ArgumentError, match=r"broken\.gguf': transformers cannot read it.*; use the model's original"
        ):
            open_local(str(broken), device="cpu", store=tmp_path / "kept").count_tokens([PROMPT])
        assert not list((tmp_path / "kept").glob("broken*"))

    def test_another_process_may_be_faster(self, tiny_gguf, tmp_path, monkeypatch):
        convert = gguf._convert

        def slowly(path, folder, dtype):
            monkeypatch.setattr(gguf, "_convert", convert)
            gguf.GgufFile(path, ModelStore(tmp_path)).files("float32")
            folder.joinpath("half").touch()

        monkeypatch.setattr(gguf, "_convert", slowly)
        model = open_local(str(tiny_gguf), device="cpu", store=tmp_path)
        assert model.count_tokens([PROMPT]) == [6]
        [folder] = tmp_path.glob("tiny-*")
        assert not (folder / "half").exists()

    def test_files_of_other_kinds_are_refused(self, tmp_path):
        other = tmp_path / "other.gguf"
        other.write_text("<html>not found</html>")
        with pytest.raises(ArgumentError, match=r"is not a GGUF file.*; download it again"):
            _ = open_local(str(other), store=tmp_path).key
        with pytest.raises(ArgumentError, match=r"missing\.gguf': no such file"):
            _ = open_local(str(tmp_path / "missing.gguf"), store=tmp_path).key
        with pytest.raises(ArgumentError, match="revision=main is not valid for a file"):
            _ = open_local(str(other), revision="main", store=tmp_path).window


def test_kept_things_are_remembered_and_never_a_reason_to_fail(tmp_path):
    kept = ModelStore(tmp_path / "models")
    assert kept.recall("q") is None
    kept.remember("q", "a")
    kept.remember("q", "b")
    assert (kept.recall("q"), kept.recall("other")) == ("b", None)
    blocked = tmp_path / "file"
    blocked.touch()
    ModelStore(blocked).remember("q", "a")
    assert ModelStore(blocked).recall("q") is None


def test_kept_things_are_where_the_environment_says(monkeypatch, tmp_path):
    monkeypatch.setenv("SIMILITUDE_CACHE", str(tmp_path))
    assert default_model_store() == ModelStore(tmp_path / "models")
    monkeypatch.setenv("SIMILITUDE_CACHE", "off")
    assert default_model_store() == default_model_store() != ModelStore(tmp_path / "models")


def test_weights_in_memory_are_used_again_and_given_up_for_others(opened, monkeypatch):
    loads = []
    load = loading.load_network
    monkeypatch.setattr(
        "similitude.models.language.local.model.load_network", lambda *how: (loads.append(how), load(*how))[1]
    )
    choice = ModelChoice(messages=PROMPT, options=("a",))
    loading.NETWORK.clear()
    for kind in ("llama", "llama", "gpt2", "gpt2"):
        list(opened(kind).likelihoods([choice]))
    assert len(loads) == 2


class TestMistakes:
    def test_folders_without_a_model(self, tmp_path):
        with pytest.raises(ArgumentError, match="the folder contains no model"):
            list(open_local(str(tmp_path), store=tmp_path).answers([ModelQuestion(messages=PROMPT)]))

    def test_weights_that_are_missing(self, tiny, tmp_path):
        folder = shutil.copytree(tiny("llama"), tmp_path / "model")
        (folder / "model.safetensors").unlink()
        with pytest.raises(ArgumentError, match=r"transformers cannot load it.*; make sure"):
            list(open_local(str(folder), device="cpu", store=tmp_path).answers([ModelQuestion(messages=PROMPT)]))

    def test_settings_that_mean_nothing(self, tiny, opened, tmp_path):
        with pytest.raises(ArgumentError, match="tokens=0 is not valid"):
            open_local("x", tokens=0)
        with pytest.raises(ArgumentError, match=r"dtype=bfloat16 is not supported on a CPU.*; leave dtype out"):
            open_local("x", device="cpu", dtype="bfloat16")
        with pytest.raises(ArgumentError, match="device=toaster cannot be used"):
            open_local("x", device="toaster")
        with pytest.raises(ArgumentError, match="no chat template"):
            opened(chat=True).count_tokens([PROMPT])

    def test_what_is_not_installed(self, monkeypatch, tiny_gguf, tmp_path):
        monkeypatch.setitem(sys.modules, "gguf", None)
        with pytest.raises(
            MissingExtraError, match=r"gguf is not installed; in your clone of Similitude: pip install '\.\[prompted\]'"
        ):
            _ = open_local(str(tiny_gguf), device="cpu", store=tmp_path).window


def test_several_tokens_may_end_an_answer(tiny, tmp_path):
    folder = shutil.copytree(tiny("llama"), tmp_path / "model")
    (folder / "generation_config.json").write_text(json.dumps({"eos_token_id": [1, 7]}))
    assert open_local(str(folder), device="cpu", store=tmp_path)._chat_template.ends == {1, 7}
