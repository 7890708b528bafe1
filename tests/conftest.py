"""What tests of several rooms share."""

import string
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
LETTERS = (*string.ascii_lowercase, *(f"##{letter}" for letter in string.ascii_lowercase))


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
def letters() -> tuple[str, ...]:
    """Of the alphabet, at the start of a word and inside it."""
    return LETTERS
