"""Loaded models behind one interface: texts become inputs, and a batch of inputs becomes rows of numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from similitude.models.encoders.pair_template import fill_template, fit_template, template_fields
from similitude.models.encoders.token_lists import Cut, cut_before_tail, cut_pairs, token_lists

__all__ = ["EVIDENCE", "EvidenceModel", "PreparedTexts", "Text", "TextModel", "TokenModel", "WholeTextModel"]

Text = str | tuple[str, ...]
"""The input of a model: one text, or several that it reads together: a pair, or with a template any number."""

EVIDENCE = "evidence"
"""The name under which numeric features of a pair accompany its tokens."""

_UNLIMITED = 1_000_000
"""Tokenisers without a limit report 10^30; no row is longer than this."""


class PreparedTexts(NamedTuple):
    """Texts that are ready to be computed.

    Attributes:
        inputs: one per text, for `TextModel.run`.
        lengths: the number of tokens of each.
        cut: which texts were cut to the model's maximum.
        prompt: the number of prompt tokens before each text that must not be pooled.
    """

    inputs: Sequence[Any]
    lengths: Sequence[int]
    cut: NDArray[np.bool_]
    prompt: int = 0


class TextModel(Protocol):
    """A loaded model."""

    @property
    def longest(self) -> int:
        """Maximum number of tokens per text."""

    @property
    def workers(self) -> int:
        """How many batches can be computed in parallel."""

    @property
    def on_one_core(self) -> bool:
        """Whether each batch is computed on one core, if it is computed on a CPU."""

    @property
    def tokens(self) -> int:
        """Default number of tokens per batch."""

    @property
    def prepares_ahead(self) -> bool:
        """Whether texts may be prepared in a thread while others are computed."""

    def prepare(self, texts: Sequence[Text], prompt: str) -> PreparedTexts:
        """Tokenise the texts, each after the prompt, and record which ones are cut."""
        ...

    def run(self, inputs: Sequence[Any], length: int, prompt: int) -> NDArray[np.float32]:
        """One row of numbers per input, all padded to the same length."""
        ...


@dataclass(frozen=True)
class TokenModel:
    """A model that takes tokens.

    Attributes:
        tokenizer: a tokeniser of transformers.
        forward: maps a dict of tensors to a tensor with one row per text.
        device: the device that it computes on.
        pools_prompt: whether the tokens of a prompt are pooled like any others.
        template: turns several texts into one, such as a pair with {left} and {right}; empty for a tokeniser that takes
            pairs. If they are too long, the texts are cut, and the template only if it does not fit by itself.
        side_template: another one, for inputs with another number of texts.
        cut: how a pair that is too long is cut, if there is no template.
        tail_mark: what follows this separator in the second text of a pair is not cut; empty for nothing.
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
    side_template: str = ""
    cut: Cut = "longest_first"
    tail_mark: str = ""
    prepares_ahead: bool = True

    def prepare(self, texts: Sequence[Text], prompt: str) -> PreparedTexts:
        """Tokenise each text once, and texts that are too long a second time, cut."""
        encoded = self._tokenise([_with_prompt(text, prompt) for text in texts])
        lengths = np.fromiter(map(len, encoded["input_ids"]), np.int64, len(texts))
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
        """One row of numbers per input, always in float32."""
        import torch

        features: dict[str, Any] = {
            name: self._moved(torch.from_numpy(column)) for name, column in self._padded(inputs, length).items()
        }
        if prompt:
            features["prompt_length"] = prompt
        with torch.inference_mode():
            rows: NDArray[np.float32] = self.forward(features).float().cpu().numpy()
        return rows

    def _moved(self, column: Any) -> Any:
        """The column on the device; a GPU copies it while it computes the batch before."""
        if not self.device.startswith("cuda"):
            return column.to(self.device)
        return column.pin_memory().to(self.device, non_blocking=True)

    def _tokenise(self, texts: Sequence[Text]) -> dict[str, list[list[int]]]:
        if not texts:
            return {}
        texts = [fill_template(found, *text) if (found := self._template_of(text)) else text for text in texts]
        return self._never_empty(token_lists(self.tokenizer, texts))  # type: ignore[arg-type]

    def _template_of(self, text: Text) -> str:
        """The template for these texts; empty for a single text and if there is none."""
        if isinstance(text, str):
            return ""
        written = (self.template, self.side_template)
        return next((one for one in written if one and len(template_fields(one)) == len(text)), "")

    def _never_empty(self, columns: Mapping[str, list[list[int]]]) -> dict[str, list[list[int]]]:
        """A text without any tokens, in a tokeniser that adds no special tokens, is read as one padding token."""
        if all(columns["input_ids"]):
            return dict(columns)
        blanks = self._blanks()
        return {name: [tokens or [blanks.get(name, 0)] for tokens in values] for name, values in columns.items()}

    def _cut(self, texts: Sequence[Text]) -> Mapping[str, list[list[int]]]:
        if not texts:
            return {}
        texts = [
            fit_template(found, text, self.tokenizer, self.longest) if (found := self._template_of(text)) else text
            for text in texts
        ]
        pairs = [text for text in texts if isinstance(text, tuple)]
        if pairs and self.tail_mark:
            kept = cut_before_tail(self.tokenizer, pairs, self.longest, self.tail_mark)  # type: ignore[arg-type]
            return self._never_empty(kept)
        if pairs and self.cut != "longest_first":
            return self._never_empty(cut_pairs(self.tokenizer, pairs, self.longest, self.cut))  # type: ignore[arg-type]
        columns = [list(column) for column in zip(*pairs, strict=True)] if pairs else [list(texts)]
        encoded = self.tokenizer(
            *columns,
            padding=False,
            truncation="longest_first",
            max_length=self.longest,
            return_attention_mask=False,
            verbose=False,
        )
        return self._never_empty({name: list(values) for name, values in encoded.items()})

    def _prompt_tokens(self, prompt: str) -> int:
        """Tokens before the text: the prompt's and the opening special tokens, without the closing one."""
        tokens = self.tokenizer(prompt)["input_ids"]
        return len(tokens) - (tokens[-1] in self.tokenizer.all_special_ids)

    def _blanks(self) -> dict[str, int]:
        """The padding value of each column."""
        return {"input_ids": self.tokenizer.pad_token_id or 0, "token_type_ids": self.tokenizer.pad_token_type_id}

    def _padded(self, inputs: Sequence[Mapping[str, Any]], length: int) -> dict[str, NDArray[Any]]:
        blanks = self._blanks()
        sizes = np.fromiter((len(columns["input_ids"]) for columns in inputs), np.int64, len(inputs))
        place = np.arange(length)
        is_left = self.tokenizer.padding_side == "left"
        mask = place >= (length - sizes)[:, None] if is_left else place < sizes[:, None]
        padded = {"attention_mask": mask.astype(np.int64)}
        for name in inputs[0]:
            values = chain.from_iterable(columns[name] for columns in inputs)
            padded[name] = np.full((len(inputs), length), blanks.get(name, 0), np.int64)
            padded[name][mask] = np.fromiter(values, np.int64, int(sizes.sum()))
        return padded


@dataclass(frozen=True, kw_only=True)
class EvidenceModel(TokenModel):
    """A model that takes tokens and, with them, numeric features of the pair from other sources.

    Attributes:
        gather: maps pairs of texts to one row of features each.
    """

    gather: Callable[[Sequence[Text]], NDArray[np.float32]]
    prepares_ahead: bool = False  # features may come from other models

    def prepare(self, texts: Sequence[Text], prompt: str) -> PreparedTexts:
        """Tokenise the texts and gather the features of all of them at once."""
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
    """A model with its own preprocessing (static word vectors, chat templates) that takes texts as they are.

    It is unknown what it cuts, and the last bits of a row may depend on the other texts of its batch.

    Attributes:
        compute: maps texts and the prompt before each to one row per text.
    """

    compute: Callable[[list[Text], str], NDArray[np.float32]]
    tokens: int
    longest: int = _UNLIMITED
    workers: int = 1
    on_one_core: bool = False
    prepares_ahead: bool = False

    def prepare(self, texts: Sequence[Text], prompt: str) -> PreparedTexts:
        """The texts as they are, with lengths estimated at four characters per token."""
        lengths = [1 + sum(map(len, text if isinstance(text, tuple) else (text,))) // 4 for text in texts]
        return PreparedTexts([(text, prompt) for text in texts], lengths, np.zeros(len(texts), bool))

    def run(self, inputs: Sequence[Any], length: int, prompt: int) -> NDArray[np.float32]:
        """One row of numbers per input."""
        rows = self.compute([text for text, _ in inputs], inputs[0][1])
        return np.asarray(rows, np.float32).reshape(len(inputs), -1)


def _with_prompt(text: Text, prompt: str) -> Text:
    if isinstance(text, tuple):
        return (prompt + text[0], *text[1:])
    return prompt + text
