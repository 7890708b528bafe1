"""Chinese word segmentation by jieba, an optional dependency, without its log messages and cache file."""

from __future__ import annotations

import importlib
import warnings
from functools import cache
from typing import Any

from similitude.errors import MissingExtraError

__all__ = ["chinese_words"]


def chinese_words(text: str, *, full: bool = False) -> list[str]:
    """The words of a Chinese text, with punctuation and blanks.

    Args:
        text: the text.
        full: return all words of the dictionary, which may overlap (jieba's ``cut_all=True``), instead of the most
            likely segmentation.

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
    """The segmenter of this process, with jieba's own dictionary."""
    segmenter = _import_quietly().Tokenizer()
    # By default, jieba logs to standard error, and caches its dictionary in the shared temporary folder as a file from
    # which it later loads code objects. This loads the dictionary in a second and does neither.
    segmenter.FREQ, segmenter.total = segmenter.gen_pfdict(segmenter.get_dict_file())
    segmenter.initialized = True
    return segmenter


def _import_quietly() -> Any:
    try:
        with warnings.catch_warnings():
            # Python warns of invalid escapes in jieba's source, and pkg_resources, which jieba imports, warns too.
            warnings.simplefilter("ignore")
            return importlib.import_module("jieba")
    except ImportError:
        raise MissingExtraError("jieba, which finds Chinese words,", "words") from None
