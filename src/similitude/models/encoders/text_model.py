"""A loaded model as this room sees it: texts become inputs, and a batch of inputs becomes rows of numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from similitude.models.encoders.pair_template import fill_template, fit_template

__all__ = ["EVIDENCE", "EvidenceModel", "PreparedTexts", "Text", "TextModel", "TokenModel", "WholeTextModel"]

Text = str | tuple[str, str]
"""What a model reads at a time: one text, or a pair for a model that reads two together."""

EVIDENCE = "evidence"
"""Under this name, numbers of a pair go along with its tokens."""

_UNLIMITED = 1_000_000
"""Tokenisers of models without a limit say 10^30; no row is longer than this."""


class PreparedTexts(NamedTuple):
    """Texts, ready to be computed.

    Attributes:
        inputs: one a text, for `TextModel.run`.
        lengths: tokens of each.
        cut: which texts were cut to the model's maximum.
        prompt: tokens of the prompt before each text that must not be pooled.
    """

    inputs: Sequence[Any]
    lengths: Sequence[int]
    cut: NDArray[np.bool_]
    prompt: int = 0


class TextModel(Protocol):
    """A loaded model."""

    @property
    def longest(self) -> int:
        """Tokens that it reads at most."""

    @property
    def workers(self) -> int:
        """Batches that it can compute side by side."""

    @property
    def on_one_core(self) -> bool:
        """Whether each of them is to be computed on one core of the CPU, if it is computed there."""

    @property
    def tokens(self) -> int:
        """In a batch, where the user does not say."""

    def prepare(self, texts: Sequence[Text], prompt: str) -> PreparedTexts:
        """Tokenise the texts, the prompt before each, and count those that must be cut."""
        ...

    def run(self, inputs: Sequence[Any], length: int, prompt: int) -> NDArray[np.float32]:
        """One row of numbers for each input, all padded to the same length."""
        ...


@dataclass(frozen=True)
class TokenModel:
    """A model that is handed tokens.

    Attributes:
        tokenizer: of transformers.
        forward: from tensors by name to a tensor with one row a text.
        device: where it computes.
        pools_prompt: whether a prompt's tokens count in the result like any others.
        template: how a pair becomes one text, with {left} and {right}; empty for a tokeniser that takes pairs. Of a
            pair that is too long, the texts are cut, and never the template's own words where those alone fit.
    """

    tokenizer: Any
    forward: Callable[[dict[str, Any]], Any]
    device: str
    longest: int
    workers: int
    tokens: int
    pools_prompt: bool = True
    on_one_core: bool = True
    template: str = ""

    def prepare(self, texts: Sequence[Text], prompt: str) -> PreparedTexts:
        """Tokenise each text once, and those that are too long once more, cut."""
        encoded = self._tokenise([_with_prompt(text, prompt) for text in texts], truncation=False)
        lengths = np.array([len(tokens) for tokens in encoded["input_ids"]])
        cut = lengths > self.longest
        too_long = np.flatnonzero(cut).tolist()
        for name, values in self._cut([_with_prompt(texts[i], prompt) for i in too_long]).items():
            for position, tokens in zip(too_long, values, strict=True):
                encoded[name][position] = tokens
        inputs = [dict(zip(encoded, tokens, strict=True)) for tokens in zip(*encoded.values(), strict=True)]
        shortened = [len(tokens) for tokens in encoded["input_ids"]]
        return PreparedTexts(
            inputs, shortened, cut, 0 if self.pools_prompt or not prompt else self._prompt_tokens(prompt)
        )

    def run(self, inputs: Sequence[Any], length: int, prompt: int) -> NDArray[np.float32]:
        """One row of numbers an input, in float32 whatever the model computes in."""
        import torch

        features: dict[str, Any] = {
            name: torch.from_numpy(column).to(self.device) for name, column in self._padded(inputs, length).items()
        }
        if prompt:
            features["prompt_length"] = prompt
        with torch.inference_mode():
            rows: NDArray[np.float32] = self.forward(features).float().cpu().numpy()
        return rows

    def _tokenise(self, texts: Sequence[Text], **options: Any) -> dict[str, list[list[int]]]:
        if not texts:
            return {}
        if self.template:
            texts = [text if isinstance(text, str) else fill_template(self.template, *text) for text in texts]
        columns = (
            [list(column) for column in zip(*texts, strict=True)] if isinstance(texts[0], tuple) else [list(texts)]
        )
        encoded = self.tokenizer(*columns, padding=False, return_attention_mask=False, verbose=False, **options)
        blanks = self._blanks()
        # A text of which nothing is left, in a tokeniser that adds no marks of its own, is read as one blank.
        return {name: [tokens or [blanks.get(name, 0)] for tokens in values] for name, values in encoded.items()}

    def _cut(self, texts: Sequence[Text]) -> Mapping[str, list[list[int]]]:
        if self.template:
            texts = [
                text if isinstance(text, str) else fit_template(self.template, *text, self.tokenizer, self.longest)
                for text in texts
            ]
        return self._tokenise(texts, truncation="longest_first", max_length=self.longest)

    def _prompt_tokens(self, prompt: str) -> int:
        """Tokens before the text: the prompt's, with whatever opens a text and without what closes it."""
        tokens = self.tokenizer(prompt)["input_ids"]
        return len(tokens) - (tokens[-1] in self.tokenizer.all_special_ids)

    def _blanks(self) -> dict[str, int]:
        """What padding is made of."""
        return {"input_ids": self.tokenizer.pad_token_id or 0, "token_type_ids": self.tokenizer.pad_token_type_id}

    def _padded(self, inputs: Sequence[Mapping[str, Any]], length: int) -> dict[str, NDArray[Any]]:
        blanks = self._blanks()
        padded = {name: np.full((len(inputs), length), blanks.get(name, 0), np.int64) for name in inputs[0]}
        padded["attention_mask"] = np.zeros((len(inputs), length), np.int64)
        for row, columns in enumerate(inputs):
            size = len(columns["input_ids"])
            place = slice(length - size, length) if self.tokenizer.padding_side == "left" else slice(size)
            for name, values in columns.items():
                padded[name][row, place] = values
            padded["attention_mask"][row, place] = 1
        return padded


@dataclass(frozen=True, kw_only=True)
class EvidenceModel(TokenModel):
    """A model that is handed tokens and, beside them, numbers that were found out about the pair in other ways.

    Attributes:
        gather: from pairs of texts to one row of numbers each.
    """

    gather: Callable[[Sequence[Text]], NDArray[np.float32]]

    def prepare(self, texts: Sequence[Text], prompt: str) -> PreparedTexts:
        """Tokenise, and gather the numbers of all texts at once."""
        prepared = super().prepare(texts, prompt)
        rows = self.gather(texts)
        return prepared._replace(
            inputs=[{**tokens, EVIDENCE: row} for tokens, row in zip(prepared.inputs, rows, strict=True)]
        )

    def _padded(self, inputs: Sequence[Mapping[str, Any]], length: int) -> dict[str, NDArray[Any]]:
        tokens = [{name: values for name, values in columns.items() if name != EVIDENCE} for columns in inputs]
        return {**super()._padded(tokens, length), EVIDENCE: np.stack([columns[EVIDENCE] for columns in inputs])}


@dataclass(frozen=True)
class WholeTextModel:
    """A model with a reading of its own (static word vectors, chat templates), handed texts as they are.

    What it cuts is not known, and its last bits may depend on a text's neighbours in its batch.

    Attributes:
        compute: from texts and the prompt before each to one row a text.
    """

    compute: Callable[[list[Text], str], NDArray[np.float32]]
    tokens: int
    longest: int = _UNLIMITED
    workers: int = 1
    on_one_core: bool = False

    def prepare(self, texts: Sequence[Text], prompt: str) -> PreparedTexts:
        """The texts themselves; characters stand for tokens, four to one."""
        lengths = [1 + sum(map(len, text if isinstance(text, tuple) else (text,))) // 4 for text in texts]
        return PreparedTexts([(text, prompt) for text in texts], lengths, np.zeros(len(texts), bool))

    def run(self, inputs: Sequence[Any], length: int, prompt: int) -> NDArray[np.float32]:
        """One row of numbers an input."""
        rows = self.compute([text for text, _ in inputs], inputs[0][1])
        return np.asarray(rows, np.float32).reshape(len(inputs), -1)


def _with_prompt(text: Text, prompt: str) -> Text:
    if isinstance(text, tuple):
        return (prompt + text[0], text[1])
    return prompt + text
