"""64-bit keys of texts, by which checks find equal texts, verbatim and normalised.

Normalised means Unicode NFKC, case folded, without zero-width characters, and with one space for each run of
whitespace, so that near-verbatim copies are equal. Keys are hashes: among two million texts, the chance that two
different ones share a key is about one in ten million.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import polars as pl

from similitude.data.benchmark import Benchmark

__all__ = ["keyed", "normalised", "repeated"]

_INVISIBLE = r"[\x{AD}\x{200B}-\x{200F}\x{2060}\x{FEFF}]"
NOT_INERT = (
    r"[^\x00-\x7F\xC0-\x{131}\x{134}-\x{13E}\x{141}-\x{148}\x{14A}-\x{17E}\x{388}-\x{3CE}\x{400}-\x{482}\x{48A}-\x{4FF}"
    r"–—‘’“”、。《-】\x{3041}-\x{3096}\x{30A1}-\x{30FA}\x{4E00}-\x{9FFF}\x{AC00}-\x{D7A3}]"
)
"""Characters that NFKC may change. It does not change any others, which are most of what people write."""
_CONTEXT = pl.col("context").list.join("\x1e", ignore_nulls=True)

_KEYED: WeakKeyDictionary[Benchmark, pl.DataFrame] = WeakKeyDictionary()


def normalised(texts: pl.Series) -> pl.Series:
    r"""The normalised texts; null counts as empty.

    >>> normalised(pl.Series(["  Große\u00a0ＫＡＴＺＥ ", "GROSSE katze"])).to_list()
    ['grosse katze', 'grosse katze']
    """
    text = pl.col("text")
    texts = _changed_where(texts.fill_null(""), NOT_INERT, text.str.normalize("NFKC").str.replace_all(_INVISIBLE, ""))
    texts = _changed_where(texts.str.to_lowercase(), "[ßς]", text.str.replace_all("ß", "ss").str.replace_all("ς", "σ"))
    return _changed_where(texts, r"  |[^\S ]|^ | $", text.str.replace_all(r"\s+", " ").str.strip_chars())


def keyed(benchmark: Benchmark) -> pl.DataFrame:
    """The benchmark's table with keys of its texts; computed once for each benchmark.

    Added columns: ``verbatim`` (of left, right, condition and context together), ``left_key`` and ``right_key``
    (normalised), ``first_key`` and ``second_key`` (the same two, sorted), ``condition_key`` and ``context_key``.
    """
    known = _KEYED.get(benchmark)
    if known is None:
        known = _KEYED[benchmark] = _with_keys(benchmark.frame)
    return known


def repeated(frame: pl.DataFrame, *keys: str) -> pl.DataFrame:
    """The rows that share all these keys with another row."""
    return frame.filter(pl.len().over(*keys) > 1)


def _with_keys(frame: pl.DataFrame) -> pl.DataFrame:
    context = frame.select(_CONTEXT).to_series()
    hashes = {name: normalised(frame[name]).hash() for name in ("left", "right", "condition")}
    return frame.with_columns(
        verbatim=pl.struct(pl.col("left", "right", "condition").fill_null(""), context.fill_null("")).hash(),
        left_key=hashes["left"],
        right_key=hashes["right"],
        first_key=pl.min_horizontal(hashes["left"], hashes["right"]),
        second_key=pl.max_horizontal(hashes["left"], hashes["right"]),
        condition_key=hashes["condition"],
        context_key=normalised(context).hash(),
    )


def _changed_where(texts: pl.Series, pattern: str, change: pl.Expr) -> pl.Series:
    """The texts, changed only if they match the pattern, because changing all texts is slow."""
    where = texts.str.contains(pattern)
    if not where.any():
        return texts
    changed = texts.filter(where).to_frame("text").select(change).to_series()
    order = pl.concat([where.arg_true(), (~where).arg_true()])
    return pl.concat([changed.rename("text"), texts.filter(~where).rename("text")]).gather(order.arg_sort())
