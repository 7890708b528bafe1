"""What tests of several rooms share.

Tests run side by side, one process per core. So every process, and every program that a test starts, computes on one
thread: models as small as those of tests are slower on several, which wait for each other.
"""

import os
import string
from collections.abc import Callable, Sequence
from pathlib import Path

import hypothesis
import pytest

# Read by libraries as they are imported, so it must be said before.
os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")

# A busy machine may take long over one example, and that says nothing about our code.
hypothesis.settings.register_profile(
    "similitude", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("similitude")

MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
SHARED = Path(__file__).parents[2] / "shared" / "data"
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


@pytest.fixture
def hears() -> Hears:
    return Hears()


@pytest.fixture
def one_thread():
    """Torch on one thread: models as small as those of tests are slower on several, which wait for each other."""
    torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


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
def letters() -> tuple[str, ...]:
    """Of the alphabet, at the start of a word and inside it."""
    return LETTERS


@pytest.fixture
def shared_data() -> Path:
    """The folder of real data; tests that need it are skipped where it is not."""
    if not SHARED.is_dir():
        pytest.skip(f"real data are not there: {SHARED}")
    return SHARED
