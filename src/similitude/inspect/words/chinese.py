"""Chinese words, found by jieba: an optional dependency that stays silent here and writes no file."""

from __future__ import annotations

import importlib
import warnings
from functools import cache
from typing import Any

from similitude.errors import MissingExtraError

__all__ = ["chinese_words"]


def chinese_words(text: str, *, full: bool = False) -> list[str]:
    """The words of a Chinese text, punctuation and blanks included as they come.

    Args:
        text: the text.
        full: every word of the dictionary that can be found, though they overlap (jieba's ``cut_all=True``), instead
            of the one likeliest way to cut the text.

    Raises:
        MissingExtraError: jieba is not installed.

    >>> chinese_words("我来到北京清华大学")
    ['我', '来到', '北京', '清华大学']
    >>> chinese_words("北京清华大学", full=True)
    ['北京', '清华', '清华大学', '华大', '大学']
    """
    cut: list[str] = _segmenter().lcut(text, cut_all=full)
    return cut


@cache
def _segmenter() -> Any:
    """The one segmenter of this process, with jieba's own dictionary."""
    segmenter = _import_quietly().Tokenizer()
    # Left alone, jieba logs to standard error, and loads code objects from a file in the shared temporary folder that
    # it writes there first. This reads the dictionary as it does, in a second, and does neither.
    segmenter.FREQ, segmenter.total = segmenter.gen_pfdict(segmenter.get_dict_file())
    segmenter.initialized = True
    return segmenter


def _import_quietly() -> Any:
    try:
        with warnings.catch_warnings():
            # Its source has escapes that Python warns of, and it asks for pkg_resources, which warns too.
            warnings.simplefilter("ignore")
            return importlib.import_module("jieba")
    except ImportError:
        raise MissingExtraError("jieba, which finds Chinese words,", "words") from None
