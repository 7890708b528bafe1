"""All tokens of all texts on the device, so that batches are assembled there without the CPU."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from similitude.models.encoders.text_model import EVIDENCE, Text, TokenModel
from similitude.models.encoders.token_rows import TokenRows

__all__ = ["TextTable", "TokenTable"]


class TextTable(Protocol):
    """What a network reads of each text: its tokens, or a vector that was computed before."""

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of tokens of each text, on the CPU."""

    @property
    def cut(self) -> int:
        """How many texts were cut to the model's maximum."""

    def take(self, rows: Tensor, length: int) -> dict[str, Tensor]:
        """The input of these texts, padded on the right to a length in tokens."""
        ...


class TokenTable:
    """Texts of different lengths in one flat tensor per column of the tokeniser.

    Features that the reader gathered, one row per text, are included.

    Attributes:
        lengths: the number of tokens of each text, on the CPU.
        cut: how many texts were cut to the model's maximum.
    """

    def __init__(self, reader: TokenModel, texts: Sequence[Text], device: Any) -> None:
        prepared = reader.prepare(texts, "")
        self.lengths: NDArray[np.int64] = np.asarray(prepared.lengths, np.int64)
        self.cut = int(prepared.cut.sum())
        blanks = {"input_ids": reader.tokenizer.pad_token_id or 0, "token_type_ids": reader.tokenizer.pad_token_type_id}
        rows = prepared.inputs
        if not isinstance(rows, TokenRows):
            raise TypeError("the reader gives no tokens")
        self._columns = {
            name: torch.from_numpy(column).to(device) for name, column in rows.columns.items() if name in blanks
        }
        self._blanks = {name: blanks[name] for name in self._columns}
        self._starts = torch.from_numpy(rows.starts).to(device)
        self._lengths = torch.from_numpy(self.lengths).to(device)
        evidence = rows.beside.get(EVIDENCE)
        self._evidence = None if evidence is None else torch.from_numpy(evidence).to(device)

    def take(self, rows: Tensor, length: int) -> dict[str, Tensor]:
        """The tokens of these texts, padded on the right to the given length, with their mask."""
        place = torch.arange(length, device=rows.device)
        mask = place < self._lengths[rows].unsqueeze(1)
        # Beyond the end of a text, use the index of its first token: always inside the tensor, and masked.
        where = self._starts[rows].unsqueeze(1) + place * mask
        tokens = {
            name: torch.where(mask, column[where], self._blanks[name]).long() for name, column in self._columns.items()
        }
        beside = {} if self._evidence is None else {EVIDENCE: self._evidence[rows]}
        return {**tokens, **beside, "attention_mask": mask.long()}

    def documents(self, vocabulary: int) -> Tensor:
        """For each token of the vocabulary, the number of texts that contain it."""
        ids = self._columns["input_ids"].long()
        texts = torch.repeat_interleave(torch.arange(len(self._lengths), device=ids.device), self._lengths)
        distinct = torch.unique(texts * vocabulary + ids)
        return torch.bincount(distinct % vocabulary, minlength=vocabulary)
