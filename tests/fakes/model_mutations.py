"""Every way in which we could think of changing the folder of a model behind the back of a cache.

`Workshop` makes a small sentence encoder of random weights and changes it; `Trial` compares what the cache says then
with what a model says that is loaded anew. Needs torch and sentence-transformers.
"""

from __future__ import annotations

import json
import mmap
import os
import random
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import torch
import transformers
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer import modules

from similitude import read, run
from similitude.data.item import Items
from similitude.data.protocols import VectorCache
from similitude.models import file_hashes
from similitude.models.cache import VectorStore
from similitude.models.encoders import vector_cache
from similitude.models.encoders.text_model import TokenModel
from similitude.systems import make_system
from similitude.systems.encoders import sentence_encoder

__all__ = ["MOMENTS", "MUTATIONS", "Outcome", "Trial", "quick_clock"]

WORDS = 12_000
"""As many as make the weights larger than 1 MiB, from which on hashes are remembered."""
LEFTS = [f"w{n} w{n + 1} w{n * 7 % 90}" for n in range(12)]
RIGHTS = [f"w{n * 3 % 90} w{n}" + " w5" * n for n in range(12)]
WEIGHTS = "model.safetensors"
MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


@contextmanager
def quick_clock(seconds: float = 0.02) -> Iterator[None]:
    """Trust the clock of this file system to some milliseconds, so that a test need not wait for two seconds."""
    before = file_hashes._COARSEST_CLOCK
    file_hashes._COARSEST_CLOCK = seconds
    try:
        yield
    finally:
        file_hashes._COARSEST_CLOCK = before


def vectors(written: str, cache: VectorCache | None) -> NDArray[np.float32]:
    """The vectors of our pairs from a system with this cache."""
    system: Any = make_system(written)
    system = system if cache is None else system.with_cache(cache)
    return np.concatenate(system.pair_vectors(Items.from_pairs(LEFTS, RIGHTS)))


def vectors_of_another_process(written: str, cache: VectorCache) -> NDArray[np.float32]:
    """The vectors as a process sees them that starts now: nothing is in memory, but the cache is there."""
    vector_cache.MODEL.clear()
    file_hashes._known.clear()
    return vectors(written, cache)


def fresh_vectors(written: str) -> NDArray[np.float32]:
    """The vectors of a model that is loaded now, without any cache."""
    vector_cache.MODEL.clear()
    found = vectors(written, None)
    vector_cache.MODEL.clear()
    return found


class Workshop:
    """A folder with a model, and what it can be changed into.

    Attributes:
        folder: the model's; may be a link to it.
        rng: of all changes.
    """

    def __init__(self, place: Path, seed: int) -> None:
        self.place, self.rng, self.count = place, random.Random(seed), 0
        self.folder = place / "model"
        torch.manual_seed(seed)
        self._make(self.folder)
        self.original = place / "original"
        shutil.copytree(self.folder, self.original)

    def _make(self, folder: Path) -> None:
        backbone = self.place / f"backbone-{time.monotonic_ns()}"
        words = {word: number for number, word in enumerate((*MARKS, *(f"w{n}" for n in range(WORDS))))}
        shape = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
        config = transformers.BertConfig(vocab_size=len(words), max_position_embeddings=32, **shape)
        transformers.BertModel(config).save_pretrained(backbone)
        transformers.BertTokenizer(words, model_max_length=32).save_pretrained(backbone)
        parts = [modules.Transformer(str(backbone)), modules.Pooling(32), modules.Dense(32, 16)]
        prompts = {"query": "w3 w9 ", "passage": "w7 w8 "}
        SentenceTransformer(modules=parts, prompts=prompts, default_prompt_name="query", device="cpu").save(str(folder))
        shutil.rmtree(backbone)

    def restore(self) -> None:
        """Put the first state back, with its old modification times."""
        _remove(self.folder)
        shutil.copytree(self.original, self.folder, copy_function=shutil.copy2)

    def settings(self, name: str, change: Callable[[Any], Any]) -> None:
        """Change a JSON file; its size and modification time stay as they were, as far as possible."""
        path, before = self.folder / name, (self.folder / name).stat()
        content = json.dumps(change(json.loads(path.read_text())))
        path.write_text(content.ljust(before.st_size))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    def overwrite(self, path: Path, *, restores_time: bool = True) -> None:
        """Change weights in place."""
        content, before = self.other_weights(path), path.stat()
        with path.open("r+b") as file:
            file.write(content)
        if restores_time:
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    def other_weights(self, path: Path, share: float = 1.0) -> bytes:
        """The content of a file of weights in which all or some numbers have changed, at the same size."""
        content = path.read_bytes()
        start = 8 + int.from_bytes(content[:8], "little")
        kind = np.float16 if b'"F16"' in content[:start] else np.float32
        numbers = np.frombuffer(content[start:], kind).clip(-100, 100)
        chosen = np.array([self.rng.random() < share for _ in range(64)])
        factor = np.where(np.resize(chosen, len(numbers)), self.rng.uniform(0.5, 2.0), 1.0)
        return content[:start] + (numbers * factor).astype(kind).tobytes()

    def module(self, folder: str) -> None:
        """Another dense layer in a folder, which modules.json names from now on."""
        (self.folder / folder).parent.mkdir(parents=True, exist_ok=True)
        if not (self.folder / folder).exists():
            shutil.copytree(self.folder / "2_Dense", self.folder / folder)
        self.overwrite(self.folder / folder / WEIGHTS)
        self.settings("modules.json", lambda listed: [*listed[:2], listed[2] | {"path": folder}])


def _remove(path: Path) -> None:
    if path.is_symlink() or path.is_file():
        path.unlink()
    else:
        shutil.rmtree(path)


def _replaced(shop: Workshop, name: str) -> None:
    """Another file takes the place of one; same size, same modification time."""
    path, draft = shop.folder / name, shop.place / "draft"
    draft.write_bytes(shop.other_weights(path))
    before = path.stat()
    os.utime(draft, ns=(before.st_atime_ns, before.st_mtime_ns))
    draft.replace(path)


def _by_map(shop: Workshop) -> None:
    """Written through a map of the file into memory."""
    path = shop.folder / WEIGHTS
    content, before = shop.other_weights(path), path.stat()
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
        mapped[:] = content
        mapped.flush()
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def _deleted_and_made(shop: Workshop) -> None:
    path = shop.folder / WEIGHTS
    content, before = shop.other_weights(path), path.stat()
    path.unlink()
    path.write_bytes(content)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def _as_bin(shop: Workshop) -> None:
    """The weights move into pytorch_model.bin, and change."""
    path, other = shop.folder / WEIGHTS, shop.folder / "pytorch_model.bin"
    weights = load_file(path) if path.exists() else torch.load(other, weights_only=True)
    torch.save({name: value * shop.rng.uniform(0.5, 2) for name, value in weights.items()}, other)
    path.unlink(missing_ok=True)


def _bin_beside(shop: Workshop) -> None:
    """Weights that are not read as long as there are safetensors."""
    weights = load_file(shop.folder / WEIGHTS)
    torch.save({name: value * 2 for name, value in weights.items()}, shop.folder / "pytorch_model.bin")


def _in_shards(shop: Workshop) -> None:
    path = shop.folder / WEIGHTS
    weights = load_file(path)
    names = sorted(weights)
    shards = {"model-00001-of-00002.safetensors": names[::2], "model-00002-of-00002.safetensors": names[1::2]}
    for shard, own in shards.items():
        save_file({name: weights[name].contiguous() for name in own}, shop.folder / shard, metadata={"format": "pt"})
    places = {name: shard for shard, own in shards.items() for name in own}
    (shop.folder / f"{WEIGHTS}.index.json").write_text(json.dumps({"metadata": {}, "weight_map": places}))
    path.unlink()
    shop.overwrite(shop.folder / shop.rng.choice(list(shards)))


def _half(shop: Workshop) -> None:
    path = shop.folder / WEIGHTS
    save_file({name: value.half() for name, value in load_file(path).items()}, path, metadata={"format": "pt"})


def _linked(shop: Workshop, name: str) -> None:
    """A file or folder becomes a link to one elsewhere, in which weights or settings differ."""
    path, target = shop.folder / name, shop.place / f"target-{time.monotonic_ns()}"
    if path.is_dir():
        shutil.copytree(path, target)
    else:
        shutil.copy2(path, target)
    changed = target / WEIGHTS if target.is_dir() else target
    shop.overwrite(changed)
    _remove(path)
    path.symlink_to(target)


def _target_changed(shop: Workshop) -> None:
    """The file that a link leads to is changed in place."""
    if not (shop.folder / WEIGHTS).is_symlink():
        _linked(shop, WEIGHTS)
    shop.overwrite((shop.folder / WEIGHTS).resolve())


def _whole_folder_linked(shop: Workshop) -> None:
    target = shop.place / f"whole-{time.monotonic_ns()}"
    shutil.copytree(shop.folder, target)
    _remove(shop.folder)
    shop.folder.symlink_to(target)
    shop.overwrite(shop.folder / WEIGHTS)


def _swapped_words(shop: Workshop) -> None:
    """Two words change their numbers in the tokeniser, which keeps its size."""
    one, two = shop.rng.sample(range(12), 2)

    def swap(content: Any) -> Any:
        vocabulary = content["model"]["vocab"]
        vocabulary[f"w{one}"], vocabulary[f"w{two}"] = vocabulary[f"w{two}"], vocabulary[f"w{one}"]
        return content

    path, before = shop.folder / "tokenizer.json", (shop.folder / "tokenizer.json").stat()
    text = json.dumps(swap(json.loads(path.read_text())), ensure_ascii=False, indent=2)
    path.write_text(text)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def _dense_out(shop: Workshop) -> None:
    """The dense layer leaves modules.json, or comes back."""
    dense = {"idx": 2, "name": "2", "path": "2_Dense"}

    def change(listed: Any) -> Any:
        kind = json.loads((shop.original / "modules.json").read_text())[2]["type"]
        return listed[:2] if len(listed) > 2 else [*listed, dense | {"type": kind}]

    shop.settings("modules.json", change)


def _moved_away_and_back(shop: Workshop) -> None:
    (shop.folder / WEIGHTS).rename(shop.folder / "away")
    (shop.folder / "away").rename(shop.folder / WEIGHTS)


def _another_in_its_place(shop: Workshop) -> None:
    """The folder is renamed, and a changed copy takes its place."""
    copy = shop.place / f"copy-{time.monotonic_ns()}"
    shutil.copytree(shop.folder, copy, copy_function=shutil.copy2)
    shop.folder.rename(shop.place / f"old-{time.monotonic_ns()}")
    copy.rename(shop.folder)
    shop.overwrite(shop.folder / WEIGHTS)


def _torn_and_mended(shop: Workshop) -> None:
    """Half of the file is gone, and somebody tries the model meanwhile."""
    path = shop.folder / WEIGHTS
    content, before = path.read_bytes(), path.stat()
    os.truncate(path, len(content) // 2)
    with suppress(Exception):  # whatever it says of half a file
        vectors(f"encoder({shop.folder})", None)
    path.write_bytes(content)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def _other(values: tuple[Any, ...]) -> Callable[[Workshop, Any], Any]:
    return lambda shop, now: shop.rng.choice([value for value in values if value != now])


def _setting(file: str, name: str, *values: Any) -> Callable[[Workshop], None]:
    """Changes one setting of a JSON file."""
    choose = _other(values)
    return lambda shop: shop.settings(file, lambda content: content | {name: choose(shop, content.get(name))})


def _prompt(shop: Workshop) -> None:
    text = f"w{shop.rng.randint(10, 99)} w{shop.rng.randint(10, 99)} "
    shop.settings(
        "config_sentence_transformers.json",
        lambda content: content | {"prompts": content["prompts"] | {"query": text}},
    )


def _some_weights(shop: Workshop) -> None:
    """A part of the weights changes, in place."""
    path = shop.folder / WEIGHTS
    content, before = shop.other_weights(path, share=0.1), path.stat()
    with path.open("r+b") as file:
        file.write(content)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


MUTATIONS: dict[str, Callable[[Workshop], None]] = {
    "weights in place, same size and time": lambda shop: shop.overwrite(shop.folder / WEIGHTS),
    "some weights in place, same size and time": _some_weights,
    "weights in place, new time": lambda shop: shop.overwrite(shop.folder / WEIGHTS, restores_time=False),
    "weights through a map": _by_map,
    "weights replaced by a rename": lambda shop: _replaced(shop, WEIGHTS),
    "weights deleted and made again": _deleted_and_made,
    "weights moved away and back": _moved_away_and_back,
    "weights torn, tried and mended": _torn_and_mended,
    "weights touched": lambda shop: os.utime(shop.folder / WEIGHTS),
    "safetensors to bin": _as_bin,
    "another bin beside safetensors": _bin_beside,
    "weights in shards": _in_shards,
    "weights in half precision": _half,
    "weights linked elsewhere": lambda shop: _linked(shop, WEIGHTS),
    "target of a link changed": _target_changed,
    "dense layer linked elsewhere": lambda shop: _linked(shop, "2_Dense"),
    "whole folder linked elsewhere": _whole_folder_linked,
    "another folder in its place": _another_in_its_place,
    "pooling": _setting("1_Pooling/config.json", "pooling_mode", "mean", "cls", "max"),
    "pooling of prompts": _setting("1_Pooling/config.json", "include_prompt", True, False),
    "dense weights in place": lambda shop: shop.overwrite(shop.folder / "2_Dense" / WEIGHTS),
    "dense weights replaced": lambda shop: _replaced(shop, f"2_Dense/{WEIGHTS}"),
    "dense activation": _setting(
        "2_Dense/config.json",
        "activation_function",
        "torch.nn.modules.activation.Tanh",
        "torch.nn.modules.activation.ReLU",
        "torch.nn.modules.linear.Identity",
    ),
    "dense layer out or in": _dense_out,
    "module in a folder named runs": lambda shop: shop.module("runs"),
    "module in a folder named eval": lambda shop: shop.module("eval"),
    "module in a nested folder": lambda shop: shop.module("a/b/c"),
    "module in a hidden folder": lambda shop: shop.module(".dense"),
    "module in a folder named checkpoint-5": lambda shop: shop.module("checkpoint-5"),
    "module in a folder named onnx": lambda shop: shop.module("onnx"),
    "tokeniser": _swapped_words,
    "longest text": _setting("tokenizer_config.json", "model_max_length", 32, 12, 8),
    "prompt": _prompt,
    "default prompt": _setting("config_sentence_transformers.json", "default_prompt_name", "query", "passage", None),
    "activation of the network": _setting("config.json", "hidden_act", "gelu", "relu", "silu"),
    "layer normalisation": _setting("config.json", "layer_norm_eps", 1e-12, 0.5, 0.1),
    "precision in the settings": _setting("config.json", "dtype", "float32", "float16"),
    "a file beside": lambda shop: (shop.folder / "README.md").write_text(str(shop.rng.random())) and None,
    "an added file": lambda shop: (shop.folder / "notes.txt").write_text(str(shop.rng.random())) and None,
    "the first state again": lambda shop: shop.restore(),
}

MOMENTS = ("between runs", "while loading", "while encoding")
"""When a mutation happens."""


class Outcome(NamedTuple):
    """What came of one mutation.

    Attributes:
        changed: whether the vectors are others than before.
        wrong: who gave another vector than a model that was loaded anew.
    """

    changed: bool
    wrong: tuple[str, ...]


class Trial:
    """A model, a cache and the folder of a run, which live through any number of mutations.

    Attributes:
        settles: how long to wait after a mutation, so that hashes are remembered, in seconds.
    """

    def __init__(self, place: Path, seed: int, settles: float = 0.03) -> None:
        self.shop, self.settles, self.place = Workshop(place, seed), settles, place
        self.store = VectorStore(place / "vectors.sqlite")
        self.written = f"encoder({self.shop.folder})"
        self.benchmark = read(pl.DataFrame({"left": LEFTS, "right": RIGHTS, "score": [n % 6 for n in range(12)]}))
        self.right = vectors(self.written, self.store)

    def mutate(self, name: str, moment: str = "between runs", *, with_run: bool = True) -> Outcome:
        """Change the model at this moment, then compare; if it cannot be changed so, after its first state is back."""
        before, seen = self.right, {}
        if moment == "between runs":
            vectors(self.written, None)  # so that the model as it was is in memory
            self._change(name, lambda: seen.update({"a model in memory": vectors(self.written, self.store)}))
        else:
            seen[moment] = self._surprised(name, moment)
        time.sleep(self.settles)
        seen["the same process"] = vectors(self.written, self.store)
        seen["the same process again"] = vectors(self.written, self.store)
        seen["another process"] = vectors_of_another_process(self.written, self.store)
        wrong = tuple(who for who, found in seen.items() if not _same(found, self.right))
        return Outcome(not _same(before, self.right), (*wrong, *(self._wrong_run() if with_run else ())))

    def _change(self, name: str, then: Callable[[], None] = lambda: None) -> None:
        try:
            MUTATIONS[name](self.shop)
            then()
            self.right = fresh_vectors(self.written)
        except Exception:  # two mutations that do not go together
            self.shop.restore()
            MUTATIONS[name](self.shop)
            then()
            self.right = fresh_vectors(self.written)

    def _surprised(self, name: str, moment: str) -> NDArray[np.float32]:
        """The vectors of a run during which the model changes, once; texts are new, so that it has to be loaded."""
        self.store.clear()
        vector_cache.MODEL.clear()
        changes = iter([name])

        def change() -> None:
            for each in changes:
                self._change(each)

        with _called(moment, change):
            return vectors(self.written, self.store)

    def _wrong_run(self) -> Iterator[str]:
        """The folder of a run, if it gives other predictions than a run without one."""
        options: dict[str, Any] = {"resamples": 0, "measures": ["pearson"], "cache": None}
        system = f"encoder({self.shop.folder}, similarity=dot)"
        kept = run(self.benchmark, [system], out=self.place / "run", **options)
        vector_cache.MODEL.clear()
        anew = run(self.benchmark, [system], **options)
        if not _same(kept.predictions[0].scores, anew.predictions[0].scores):
            yield "the folder of a run"


@contextmanager
def _called(moment: str, change: Callable[[], None]) -> Iterator[None]:
    """Call a function in the middle of loading or of encoding."""
    open_model, run_batch = sentence_encoder.open_model, TokenModel.run

    def opened(*how: Any) -> Any:
        model = open_model(*how)
        change()
        return model

    def ran(*how: Any) -> Any:
        rows = run_batch(*how)
        change()
        return rows

    if moment == "while loading":
        sentence_encoder.open_model = opened
    else:
        TokenModel.run = ran  # type: ignore[method-assign]
    try:
        yield
    finally:
        sentence_encoder.open_model, TokenModel.run = open_model, run_batch  # type: ignore[method-assign]


def _same(one: NDArray[Any], two: NDArray[Any]) -> bool:
    return one.shape == two.shape and bool(np.array_equal(one, two, equal_nan=True))
