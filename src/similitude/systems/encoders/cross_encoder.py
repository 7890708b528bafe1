"""Cross-encoders: models that read both texts together and score their similarity."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from similitude.data.scale import Scale
from similitude.errors import ArgumentError
from similitude.models.encoders.loader import LoadOptions, open_model, token_model
from similitude.models.encoders.text_model import Text, TextModel
from similitude.models.encoders.token_lists import Cut
from similitude.systems.catalogue import SYSTEMS
from similitude.systems.encoders.embedding import clean
from similitude.systems.encoders.rounded_system import RoundedSystem
from similitude.systems.pairwise import UNIT

__all__ = ["CrossEncoder"]

_SIGMOID = "Sigmoid"
_UNNAMED = ["LABEL_0", "LABEL_1"]
"""The names that transformers gives to two outputs without names."""

_CUTS: dict[Cut, str] = {
    "longest_first": "cut=longest_first: the longer text at its end, then both",
    "left": "cut=left: the left text at its end",
    "right": "cut=right: the right text at its end",
    "head-tail": "cut=head-tail: the longer text in its middle, then both",
}


@SYSTEMS.register("cross-encoder")
@dataclass(frozen=True)
class CrossEncoder(RoundedSystem):
    """The score of a cross-encoder, which reads both texts together.

    The model is a name on the Hugging Face hub or a folder: ``cross-encoder(cross-encoder/stsb-roberta-base)``, or a
    reranker such as ``cross-encoder(BAAI/bge-reranker-base)``. Each distinct pair is read once, left text first; the
    reverse order may give another score, unless ``symmetric=true``. Blank texts are read like any other.

    The score is the model's single output after its own activation. The range is 0..1 if that is a sigmoid, which is
    the default; otherwise there is none, as for rerankers that return a raw number. For a model with several labels,
    the score is the probability (softmax) of the one that ``label`` names, and the range is 0..1. Two labels without
    names are "no" and "yes", as rerankers have them: the score is the probability of the second.

    Args:
        model: a folder, or a name on the hub; a name without an organisation is looked up under cross-encoder.
        label: the name or number (from 0) of the label, for a model with several.
        symmetric: whether each pair is read in both orders and gets the mean of the two scores.
        cut: how a pair that is too long is cut. longest_first: the longer text loses tokens at its end until both are
            equally long, then both do. left, right: this text loses tokens at its end; the other one only if it leaves
            less than a quarter of the room. head-tail: as longest_first, but a text loses its middle.
        backend: float, or int8: linear layers in 8-bit integers on a CPU, as for encoder.

    The other arguments are those of `similitude.systems.encoders.model_system.ModelSystem`, and context and condition
    those of `similitude.systems.encoders.input_text`.

    References:
        Reimers and Gurevych (2019), Sentence-BERT, section 6.
    """

    name: ClassVar[str] = "cross-encoder"
    summary: ClassVar[str] = (
        "score of a cross-encoder from sentence-transformers or transformers, which reads both texts together"
    )
    organisation: ClassVar[str] = "cross-encoder"

    label: str | int | None = field(default=None, kw_only=True)
    symmetric: bool = field(default=False, kw_only=True)
    cut: Cut = field(default="longest_first", kw_only=True)

    @property
    def settings(self) -> dict[str, object]:
        """The label that is read, the cut and the backend; a pair has the same row in a symmetric system."""
        cut = {} if self.cut == "longest_first" else {"cut": self.cut}
        return {"label": self.label, **cut, **super().settings}

    @property
    def range(self) -> Scale | None:
        """0 to 1 for a sigmoid or a probability; None otherwise."""
        return UNIT if self._label_number() is not None or self._activation().endswith(_SIGMOID) else None

    def scores_of(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """The mean over the orders in which each pair is read."""
        pairs = list(zip(map(clean, lefts), map(clean, rights), strict=True))
        orders = [pairs, [(right, left) for left, right in pairs]] if self.symmetric else [pairs]
        distinct = {pair: position for position, pair in enumerate(dict.fromkeys(chain.from_iterable(orders)))}
        where = [np.array([distinct[pair] for pair in order], np.intp) for order in orders]
        self._note_label()
        rows = self.cached_encoder.rows(list(distinct))
        self.note_cut(rows.cut_to, where, "pairs", _CUTS[self.cut])
        scores = np.asarray(rows.values[:, 0], np.float64)
        return np.asarray(np.mean([scores[order] for order in where], axis=0))

    def _note_label(self) -> None:
        """Find the label before the model is loaded, and note the choice if nobody named it."""
        if self._label_number() is not None and self.label is None:
            self.note(f"'{self.model}' has two outputs without names: the score is the probability of the second")

    def load(self, how: LoadOptions) -> TextModel:
        """The model with its activation, or the probability of the label."""
        model = open_model(how._replace(backend=self.backend), "CrossEncoder")
        label = self._label_number()
        if label is None and model.num_labels != 1:
            raise ArgumentError(f"has {model.num_labels} outputs, not one", where=f"model '{self.model}'")

        def read_off(scores: Any) -> Any:
            if label is not None:
                return scores.float().softmax(dim=-1)[:, label : label + 1]
            return model.activation_fn(scores.float())

        def whole(texts: list[Text], prompt: str) -> NDArray[np.float32]:
            scores: NDArray[np.float32] = model.predict(texts, batch_size=len(texts))
            return scores

        def forward(features: dict[str, Any]) -> Any:
            return read_off(model({**features, "modality": "text"})["scores"])

        return token_model(model, forward, whole, cut=self.cut)

    def _label_number(self) -> int | None:
        """The index of the output that is the score; None if there is only one.

        Raises:
            ArgumentError: there are several and none is named, or the name is unknown.
        """
        labels = self._labels()
        if len(labels) < 2:
            return None
        if self.label is None and labels == _UNNAMED:
            return 1
        wanted = str(self.label)
        if wanted in labels:
            return labels.index(wanted)
        if wanted.isdigit() and int(wanted) < len(labels):
            return int(wanted)
        what = "has several labels" if self.label is None else f"has no label '{self.label}'"
        remedy = f"name the label whose probability is the score, as in label={labels[-1]}; labels: {', '.join(labels)}"
        raise ArgumentError(what, where=f"model '{self.model}'", remedy=remedy)

    def _labels(self) -> list[str]:
        """The names of the outputs in the model's configuration; transformers' default is two."""
        config = self.files.settings("config.json")
        built_as = " ".join(config.get("architectures") or ())
        if "ForSequenceClassification" not in built_as:
            self._refuse_without_head(built_as)
            return ["score"]
        names = config.get("id2label") or {number: f"LABEL_{number}" for number in range(config.get("num_labels") or 2)}
        return [str(names[number]) for number in sorted(names, key=int)]

    def _refuse_without_head(self, built_as: str) -> None:
        """Accept a language model, which can be asked for yes or no, and a saved cross-encoder with a head of its own.

        Raises:
            ArgumentError: it is neither, so sentence-transformers would add a head of random numbers.
        """
        saved_as = self.files.settings("config_sentence_transformers.json").get("model_type")
        if "ForCausalLM" not in built_as and saved_as != "CrossEncoder":
            raise ArgumentError(
                "it is not a cross-encoder: it has no head that scores two texts",
                where=f"model '{self.model}'",
                remedy=f"name a cross-encoder, or use its embeddings: encoder({self.model})",
            )

    def _activation(self) -> str:
        """The dotted name of the activation, as sentence-transformers looks it up."""
        ours = self.files.settings("config_sentence_transformers.json")
        theirs = self.files.settings("config.json")
        config = (
            ours.get("activation_fn")
            or (theirs.get("sentence_transformers") or {}).get("activation_fn")
            or theirs.get("sbert_ce_default_activation_function")
        )
        return str(config) if config and str(config).startswith("torch.") else _SIGMOID
