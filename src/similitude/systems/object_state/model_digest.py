"""What a model of torch computes with: weights, buffers, settings, tokeniser, and the code of modules of anybody's own.

Torch and transformers are never imported here: where an object is theirs, they are there already.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

from similitude.systems.object_state.code_digest import UnknownStateError, class_parts, library_of

__all__ = ["model_parts"]

_INNER = frozenset(
    ("_parameters", "_buffers", "_modules", "_non_persistent_buffers_set", "training", "_is_full_backward_hook")
)
_CHANGED_BY_USE = ("truncation", "padding")
"""Settings of a fast tokeniser that every call writes."""
_PLAIN = (str, int, float, bool, type(None), tuple, list, dict)


def model_parts(value: Any) -> Iterator[Any] | None:
    """The parts of a tensor, a module, a tokeniser or a configuration; None for anything else.

    The content of tensors comes as memory views.
    """
    torch = sys.modules.get("torch")
    if torch is None:
        return None
    if isinstance(value, torch.Tensor):
        return _tensor_parts(value)
    if isinstance(value, torch.nn.Module):
        return _module_parts(value)
    if isinstance(value, torch.device | torch.dtype):
        return iter([str(value)])
    return _text_parts(value)


def _tensor_parts(tensor: Any) -> Iterator[Any]:
    import torch

    yield (tuple(tensor.shape), str(tensor.dtype), tensor.device.type)
    if tensor.is_sparse or tensor.is_quantized or tensor.device.type == "meta":
        plain = tensor.to_dense() if tensor.is_sparse else tensor.dequantize() if tensor.is_quantized else None
    else:
        plain = tensor
    if plain is not None and plain.numel():
        flat = plain.detach().cpu().contiguous().reshape(-1).view(torch.uint8)
        yield memoryview(flat.numpy())


def _module_parts(model: Any) -> Iterator[Any]:
    """Every module with its class and settings, then all weights and buffers.

    Raises:
        UnknownStateError: what it computes is neither in its weights nor in its code.
    """
    import torch

    backend = getattr(model, "backend", None) or "torch"
    if backend != "torch" or isinstance(model, torch.jit.ScriptModule):
        raise UnknownStateError(f"it holds a model that is not computed by torch's modules ({type(model).__name__})")
    for name, module in model.named_modules(remove_duplicate=False):
        yield name
        yield from class_parts(type(module))
        yield from _settings(module)
    for name, value in {**dict(model.named_buffers()), **model.state_dict()}.items():
        yield name
        yield from _tensor_parts(value) if isinstance(value, torch.Tensor) else (value,)


def _settings(module: Any) -> Iterator[Any]:
    """The attributes of a module: all of one's own; of a library's, plain data, functions, tokeniser, configuration."""
    is_own = library_of(type(module).__module__) is None
    for name, value in sorted(vars(module).items()):
        if name in _INNER or name.endswith("hooks_with_kwargs"):
            continue
        if name.endswith("_hooks") and name.startswith("_"):
            yield list(value.values())
        elif _has_text(value):
            yield name
            yield from _text_parts(value) or ()
        elif is_own or _is_plain(value):
            yield from (name, value)
        elif isinstance(value, FunctionType | MethodType | BuiltinFunctionType):
            yield from (name, _library_name(value) or value)


def _library_name(function: Any) -> tuple[str, str] | None:
    """The name of a function of a library, with the version of the library; None for anybody's own."""
    library = library_of(str(getattr(function, "__globals__", {}).get("__name__") or function.__module__))
    return None if library is None else (library, function.__qualname__)


def _is_plain(value: Any) -> bool:
    """Whether a value is text, a number, or a small container of these."""
    if isinstance(value, dict):
        return all(map(_is_plain, value.values()))
    if isinstance(value, list | tuple):
        return all(map(_is_plain, value))
    return isinstance(value, _PLAIN)


def _has_text(value: Any) -> bool:
    return hasattr(value, "backend_tokenizer") or hasattr(value, "to_json_string") or hasattr(value, "get_vocab")


def _text_parts(value: Any) -> Iterator[Any] | None:
    """A tokeniser or a configuration of transformers, as text; None for anything else."""
    if isinstance(value, type) or library_of(type(value).__module__) is None or not _has_text(value):
        return None
    return _tokeniser_parts(value) if hasattr(value, "get_vocab") else iter([value.to_json_string(use_diff=False)])


def _tokeniser_parts(tokeniser: Any) -> Iterator[Any]:
    yield from class_parts(type(tokeniser))
    for name in ("model_max_length", "padding_side", "truncation_side", "chat_template", "init_kwargs"):
        yield repr(getattr(tokeniser, name, None))
    backend = getattr(tokeniser, "backend_tokenizer", tokeniser)
    if not hasattr(backend, "to_str"):
        yield sorted(tokeniser.get_vocab().items())
        return
    settings = json.loads(backend.to_str())
    yield json.dumps({name: value for name, value in settings.items() if name not in _CHANGED_BY_USE}, sort_keys=True)
