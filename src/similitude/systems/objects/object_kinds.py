"""Which kind of system an object is: scores, a model, a function, or a class with ``score``."""

from __future__ import annotations

import inspect
import numbers
from collections.abc import Mapping
from typing import Any, cast

from similitude.data.protocols import System
from similitude.data.scale import Scale
from similitude.errors import ArgumentError
from similitude.systems.encoders.similarity import SIMILARITIES, Similarity
from similitude.systems.objects.encoding_object import EncodingObject
from similitude.systems.objects.function_signature import Takes, signature_of
from similitude.systems.objects.function_system import FunctionSystem
from similitude.systems.objects.model_object import ModelObject
from similitude.systems.objects.score_column import ScoreColumn
from similitude.systems.objects.score_object import ScoreObject
from similitude.systems.objects.sentence_transformer import CrossEncoderObject, SentenceTransformerObject
from similitude.systems.own import adopted, has_own_identity
from similitude.systems.pairwise import UNIT
from similitude.systems.score_numbers import is_column, shown

__all__ = ["NEEDS", "UNNAMED", "name_of", "object_system"]

UNNAMED = "unnamed"
"""What a system is called that was not given a name."""

NEEDS = (
    "give a name such as 'levenshtein', a function f(left, right) or f(lefts, rights), a SentenceTransformer, a "
    "CrossEncoder, an object with encode(texts) or score(items), or an array of scores; a model in a folder is "
    "'encoder(FOLDER)'"
)

OF_TOKENISERS = ("convert_tokens_to_ids", "token_to_id", "encode_ordinary", "id_to_piece")
"""Methods of tokenisers (transformers, tokenizers, tiktoken, sentencepiece), which have ``encode``, too."""


def object_system(
    thing: Any, called: str, *, takes: Takes | None = None, range: Scale | None = None, is_named: bool = True
) -> System:
    """The system that an object is.

    Args:
        thing: a function, a model, an object with ``encode`` or ``score``, or scores.
        called: the name of the system.
        takes: whether a function takes pairs or lists.
        range: where the scores begin and end.
        is_named: whether the user gave the name; an object with ``score`` otherwise has the name of its class.

    Raises:
        ArgumentError: it is nothing of the kind.
        ExtensionError: it has ``score`` and lacks something else.
    """
    made = _made(thing, called) if isinstance(thing, type) else thing
    if takes is not None and (not callable(made) or _scores_items(made) or callable(getattr(made, "encode", None))):
        raise ArgumentError(
            f"takes='{takes}' is about functions, but this is {shown(made)}",
            where=f"system '{called}'",
            remedy="leave it out",
        )
    if _scores_items(made):
        own = adopted(made)
        return ScoreObject(called=called, thing=own, range=range or own.range) if is_named and _is_plain(made) else own
    if is_column(made) or isinstance(made, list | tuple) or _is_mapping_of_scores(made):
        return ScoreColumn(called=called, values=made, range=range)
    return _model_or_function(made, called, takes, range)


def name_of(thing: Any) -> str:
    """The name that an object has by itself: that of a function or method, a class or a column; empty without one.

    >>> name_of(len), name_of(lambda a, b: 0)
    ('len', '')
    """
    if inspect.isroutine(thing) or isinstance(thing, type):
        own = thing.__name__
    elif is_column(thing):
        own = getattr(thing, "name", "")
    else:
        own = type(thing).__name__ if _scores_items(thing) else ""
    return own if isinstance(own, str) and own != "<lambda>" else ""


def _model_or_function(thing: Any, called: str, takes: Takes | None, range: Scale | None) -> System:
    if callable(getattr(thing, "predict", None)) and callable(getattr(thing, "rank", None)):
        return CrossEncoderObject(called=called, thing=thing, range=range or _range_of_cross_encoder(thing))
    if callable(getattr(thing, "encode", None)) and not isinstance(thing, str):
        if any(callable(getattr(thing, method, None)) for method in OF_TOKENISERS):
            what = f"{shown(thing)} is a tokeniser: its encode() gives numbers of tokens, not vectors"
            raise ArgumentError(what, where=f"system '{called}'", remedy="give the model that it belongs to")
        return _encoding(thing, called, range)
    if callable(thing):
        signature = signature_of(thing, called, is_told=takes is not None)
        return FunctionSystem(called=called, thing=thing, range=range, takes=takes, signature=signature)
    where = "" if called == UNNAMED else f"system '{called}'"
    raise ArgumentError(f"{shown(thing)} is no system", where=where, remedy=NEEDS)


def _encoding(thing: Any, called: str, range: Scale | None) -> ModelObject:
    name = getattr(thing, "similarity_fn_name", None)
    similarity = cast(Similarity, name) if name in SIMILARITIES else "cosine"
    kind = SentenceTransformerObject if _is_sentence_transformer(thing) else EncodingObject
    usual = UNIT if similarity == "cosine" else None
    return kind(called=called, thing=thing, range=range or usual, similarity=similarity)


def _is_sentence_transformer(thing: Any) -> bool:
    """Whether it is an object of that class; the library need not be imported to tell."""
    return any(
        kind.__name__ == "SentenceTransformer" and kind.__module__.startswith("sentence_transformers.")
        for kind in type(thing).__mro__
    )


def _range_of_cross_encoder(thing: Any) -> Scale | None:
    return UNIT if type(getattr(thing, "activation_fn", None)).__name__ == "Sigmoid" else None


def _made(kind: type, called: str) -> Any:
    """An object of a class with ``score``.

    Raises:
        ArgumentError: the class has no ``score``, or cannot be made without arguments.
    """
    if not callable(getattr(kind, "score", None)):
        raise ArgumentError(
            f"the class {kind.__name__} is no system",
            where=f"system '{called}'",
            remedy=f"give an object of it, such as {kind.__name__}(...)",
        )
    try:
        return kind()
    except TypeError as error:
        what = f"the class {kind.__name__} cannot be made without arguments ({error})"
        raise ArgumentError(what, where=f"system '{called}'", remedy=f"give an object: {kind.__name__}(...)") from error


def _scores_items(thing: Any) -> bool:
    """Whether an object has a method ``score`` that takes items, and nothing else that it needs."""
    score = getattr(thing, "score", None)
    if not inspect.isroutine(score) or is_column(thing):
        return False
    try:
        inspect.signature(score).bind(None)
    except TypeError:
        return False
    except ValueError:
        return True
    return True


def _is_plain(thing: Any) -> bool:
    """Whether a system of somebody's own leaves its identity to us, and neither fits nor loads anything."""
    advanced = ("fit", "with_cache", "with_answers", "with_listener", "pair_vectors", "model_fingerprint")
    return not has_own_identity(thing) and not any(hasattr(type(thing), name) for name in advanced)


def _is_mapping_of_scores(thing: Any) -> bool:
    """Whether it is scores by id, or columns of scores by benchmark."""
    is_mapping = isinstance(thing, Mapping) and len(thing) > 0
    return is_mapping and all(isinstance(each, numbers.Number) or is_column(each) for each in thing.values())
