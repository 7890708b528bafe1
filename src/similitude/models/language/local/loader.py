"""Loads tokenisers and weights with transformers when they are first needed; the last network stays in memory."""

from __future__ import annotations

import functools
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, NamedTuple

from similitude.errors import ArgumentError, MissingExtraError
from similitude.models.encoders.loader import Dtype, quiet_libraries, usable_cores, usable_device
from similitude.models.files import ModelFiles
from similitude.models.fingerprint import ModelState
from similitude.models.language.local.chat_template import ChatTemplate
from similitude.models.loaded_model import ModelSlot

if TYPE_CHECKING:
    from similitude.models.language.local.network import LanguageNetwork

__all__ = ["NETWORK", "LoadedNetwork", "Placement", "cached_chat_template", "choose_placement", "load_network"]


class Placement(NamedTuple):
    """The device that a network computes on, and the precision."""

    device: str
    dtype: str


class LoadedNetwork(NamedTuple):
    """A loaded network.

    Attributes:
        workers: rows computed in parallel, each on one core.
        note: a note for the user; empty for none.
    """

    network: LanguageNetwork
    workers: int
    note: str = ""


NETWORK: ModelSlot[ModelState, LoadedNetwork] = ModelSlot()
"""The network that was used last."""


def choose_placement(device: str | None, dtype: Dtype) -> Placement:
    """The device and precision; by default float32 on a CPU, and bfloat16 on a GPU that supports it.

    Raises:
        MissingExtraError: torch is not installed.
        ArgumentError: there is no such device, or half precision was requested on a CPU.
    """
    on_cpu = device == "cpu" or (device is None and _torch_version().endswith("+cpu"))  # Otherwise ask torch.
    named = "cpu" if on_cpu else usable_device(device)
    if named != "cpu":
        return Placement(named, _on_device(named) if dtype == "auto" else dtype)
    if dtype not in ("auto", "float32"):
        raise ArgumentError(
            f"dtype={dtype} is not supported on a CPU, where it would be slow", remedy="leave dtype out, or use a GPU"
        )
    return Placement("cpu", "float32")


def _torch_version() -> str:
    try:
        return version("torch")
    except PackageNotFoundError:
        raise MissingExtraError("torch", "prompted") from None


def _on_device(device: str) -> str:
    import torch

    can = torch.device(device).type == "cuda" and torch.cuda.is_bf16_supported(including_emulation=False)
    return "bfloat16" if can else "float32"


@functools.lru_cache(maxsize=8)
def cached_chat_template(files: ModelFiles, chat: bool | None, fingerprint: str) -> ChatTemplate:
    """The tokeniser and chat template of a model, loaded once for all callers that use the model in the same way.

    Args:
        files: the model's files.
        chat: whether the chat template is used; None to use it if there is one.
        fingerprint: a hash of the files, so that changed files are loaded again.

    Raises:
        ArgumentError: the tokeniser cannot be loaded, or lacks the requested chat template.
    """
    tokenizer = _load(files, "AutoTokenizer")
    if chat and tokenizer.chat_template is None:
        raise ArgumentError("its tokeniser has no chat template", where=_where(files), remedy="leave chat out")
    config = files.settings("config.json")
    ends = [files.settings("generation_config.json").get("eos_token_id"), config.get("eos_token_id")]
    return ChatTemplate(
        tokenizer=tokenizer,
        is_chat=tokenizer.chat_template is not None if chat is None else chat,
        has_encoder=bool(config.get("is_encoder_decoder")),
        ends=frozenset(_numbers(ends[0] if ends[0] is not None else ends[1])) | {*_numbers(tokenizer.eos_token_id)},
    )


def _numbers(value: Any) -> list[int]:
    return list(value) if isinstance(value, list) else [] if value is None else [value]


def load_network(files: ModelFiles, where: Placement) -> LoadedNetwork:
    """Load the weights of a model onto their device.

    Raises:
        ArgumentError: the weights cannot be loaded.
    """
    has_encoder = bool(files.settings("config.json").get("is_encoder_decoder"))
    import torch

    kind = "AutoModelForSeq2SeqLM" if has_encoder else "AutoModelForCausalLM"
    network = _load(files, kind, dtype=getattr(torch, where.dtype)).to(where.device).eval()
    workers = usable_cores() if where.device == "cpu" else 1
    if has_encoder:
        from similitude.models.language.local.encoder_decoder import EncoderDecoder

        return LoadedNetwork(EncoderDecoder(network), workers)
    return _causal(network, workers)


def _causal(network: Any, workers: int) -> LoadedNetwork:
    import torch

    from similitude.models.language.local.sequential_network import SequentialNetwork
    from similitude.models.language.local.tree_attention_check import reads_trees
    from similitude.models.language.local.tree_network import TreeNetwork

    with torch.inference_mode():
        if reads_trees(network):
            return LoadedNetwork(TreeNetwork(network), workers)
    slow = "no support for custom attention masks: each prompt is read again for each option and token"
    return LoadedNetwork(SequentialNetwork(network), workers, slow)


def _load(files: ModelFiles, kind: str, **options: Any) -> Any:
    try:
        import torch  # noqa: F401
        import transformers
    except ImportError as error:
        raise MissingExtraError(error.name or "transformers", "prompted") from None
    with quiet_libraries():
        try:
            return getattr(transformers, kind).from_pretrained(
                files.reference, revision=files.commit, local_files_only=files.is_folder, **options
            )
        except Exception as error:
            why = " ".join(str(error).split()) or type(error).__name__
            raise ArgumentError(
                f"transformers cannot load it: {why[:300]}",
                where=_where(files),
                remedy="make sure that all of its files are present; models that need their own code are not supported",
            ) from error


def _where(files: ModelFiles) -> str:
    return f"model '{files.reference}'"
