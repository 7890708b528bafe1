"""Loaded models behind one interface: texts become inputs, and a batch of inputs becomes rows of numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from similitude.models.encoders.pair_template import fill_template, fit_template, template_fields
from similitude.models.encoders.token_lists import Cut, cut_before_tail, cut_pairs, token_rows
from similitude.models.encoders.token_rows import TokenRows

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
    lengths: Sequence[int] | NDArray[np.int64]
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
        rows = self._tokenise([_with_prompt(text, prompt) for text in texts] if prompt else texts)
        cut = rows.lengths > self.longest
        too_long = np.flatnonzero(cut)
        if len(too_long):
            rows = rows.replaced(
                too_long, self._cut([_with_prompt(texts[place], prompt) for place in too_long.tolist()])
            )
        unpooled = 0 if self.pools_prompt or not prompt else self._prompt_tokens(prompt)
        return PreparedTexts(rows, rows.lengths, cut, unpooled)

    def run(self, inputs: Sequence[Any], length: int, prompt: int) -> NDArray[np.float32]:
        """One row of numbers per input, always in float32."""
        import torch

        features: dict[str, Any] = {
            name: self._moved(torch.from_numpy(column)) for name, column in self.padded(inputs, length).items()
        }
        if prompt:
            features["prompt_length"] = prompt
        with torch.inference_mode():
            return _on_host(self.forward(features).float())

    def _moved(self, column: Any) -> Any:
        """The column on the device; a GPU copies it while it computes the batch before."""
        if not self.device.startswith("cuda"):
            return column.to(self.device)
        return column.pin_memory().to(self.device, non_blocking=True)

    def padded(self, inputs: Sequence[Any], length: int) -> dict[str, NDArray[Any]]:
        """The columns of some inputs, padded to a length, with their mask.

        Raises:
            TypeError: the inputs are not those that `prepare` makes.
        """
        if not isinstance(inputs, TokenRows):
            raise TypeError("inputs are TokenRows, as `prepare` makes them")
        return inputs.padded(length, self._blanks(), is_left=self.tokenizer.padding_side == "left")

    def _tokenise(self, texts: Sequence[Text]) -> TokenRows:
        if not len(texts):
            return TokenRows({"input_ids": np.empty(0, np.int32)}, np.empty(0, np.int64))
        if self.template or self.side_template:
            texts = [fill_template(found, *text) if (found := self._template_of(text)) else text for text in texts]
        return self._never_empty(token_rows(self.tokenizer, texts))  # type: ignore[arg-type]

    def _template_of(self, text: Text) -> str:
        """The template for these texts; empty for a single text and if there is none."""
        if isinstance(text, str):
            return ""
        written = (self.template, self.side_template)
        return next((one for one in written if one and len(template_fields(one)) == len(text)), "")

    def _never_empty(self, rows: TokenRows) -> TokenRows:
        """A text without any tokens, in a tokeniser that adds no special tokens, is read as one padding token."""
        empty = np.flatnonzero(rows.lengths == 0)
        blanks = self._blanks()
        padding = {name: np.full(len(empty), blanks.get(name, 0), np.int32) for name in rows.columns}
        return rows.replaced(empty, TokenRows(padding, np.ones(len(empty), np.int64)))

    def _cut(self, texts: Sequence[Text]) -> TokenRows:
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
        return self._never_empty(TokenRows.from_lists({name: list(values) for name, values in encoded.items()}))

    def _prompt_tokens(self, prompt: str) -> int:
        """Tokens before the text: the prompt's and the opening special tokens, without the closing one."""
        tokens = self.tokenizer(prompt)["input_ids"]
        return len(tokens) - (tokens[-1] in self.tokenizer.all_special_ids)

    def _blanks(self) -> dict[str, int]:
        """The padding value of each column."""
        return {"input_ids": self.tokenizer.pad_token_id or 0, "token_type_ids": self.tokenizer.pad_token_type_id}


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
        tokens = prepared.inputs
        if not isinstance(tokens, TokenRows):
            raise TypeError("tokens are TokenRows")
        return prepared._replace(inputs=TokenRows(tokens.columns, tokens.lengths, {EVIDENCE: self.gather(texts)}))


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


def _on_host(rows: Any) -> NDArray[np.float32]:
    """The rows in memory, as soon as they are computed: not after what other threads have put into the same queue."""
    import torch

    if not rows.is_cuda:
        found: NDArray[np.float32] = rows.cpu().numpy()
        return found
    host = torch.empty(rows.shape, dtype=rows.dtype, pin_memory=True)
    host.copy_(rows, non_blocking=True)
    copied = torch.cuda.Event()
    copied.record()
    copied.synchronize()
    return host.numpy()


def _with_prompt(text: Text, prompt: str) -> Text:
    if isinstance(text, tuple):
        return (prompt + text[0], *text[1:])
    return prompt + text
