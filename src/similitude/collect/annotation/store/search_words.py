"""Full text search: the words of a question, and the index that finds questions by them.

Texts are cut into words here and not by the database, so that both databases find the same and scripts without blanks
work: a run of Chinese, Japanese or Thai becomes overlapping pairs of characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.store.tables import question_words

__all__ = ["index_words", "matching", "query_words"]

WORD = re.compile(r"[^\W_]+")
DENSE = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
"""Scripts that are written without blanks between words."""
MOST_WORDS = 20
LONGEST = 60
COLUMNS = ("left", "right", "condition", "group", "id")


def index_words(key: str, items: Sequence[Mapping[str, Any]]) -> str:
    """The distinct words of a question: of its texts, dialogue, condition, group, key and ids of items.

    >>> index_words("q1", [{"id": "a", "left": "Hello, WORLD", "right": "你好吗"}])
    'a hello q1 world 你好 吗 好吗'
    """
    texts = [key, *(str(item[name]) for item in items for name in COLUMNS if item.get(name))]
    texts += [turn for item in items for turn in item.get("context") or ()]
    return " ".join(sorted({word for text in texts for word in _words(text)}))


def query_words(written: str) -> list[str]:
    """The words that a question must have, each or one that begins like it.

    >>> query_words("Hell 你好吗 wor"), query_words("--")
    (['hell', '你好', '好吗', 'wor'], [])
    """
    found: list[str] = []
    for part in _parts(written):
        dense = DENSE.fullmatch(part) is not None and len(part) > 1
        found += [part[at : at + 2] for at in range(len(part) - 1)] if dense else [part]
    return list(dict.fromkeys(found))[:MOST_WORDS]


def _words(text: str) -> Iterator[str]:
    for part in _parts(text):
        if DENSE.fullmatch(part):
            yield from (part[at : at + 2] for at in range(len(part)))
        else:
            yield part


def _parts(text: str) -> Iterator[str]:
    """Runs of letters and digits of one manner of writing, in small letters."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    for word in WORD.findall(plain):
        start = 0
        for dense in DENSE.finditer(word):
            yield from (part for part in (word[start : dense.start()][:LONGEST], dense.group()) if part)
            start = dense.end()
        if word[start:]:
            yield word[start:][:LONGEST]


def matching(connection: sa.Connection, words: Sequence[str]) -> sa.Select[Any]:
    """A query of the ids of the questions that have these words; there must be one at least."""
    if connection.dialect.name == "postgresql":
        asked = " & ".join(f"'{word}':*" for word in words)
        has = sa.text("array_to_tsvector(string_to_array(words, ' ')) @@ CAST(:asked AS tsquery)")
        return sa.select(question_words.c.question_id).where(has.bindparams(asked=asked))
    if _is_indexed(connection):
        found = sa.text("SELECT rowid AS question_id FROM search_index WHERE search_index MATCH :asked")
        found = found.bindparams(asked=" ".join(f'"{word}"*' for word in words))
        return sa.select(found.columns(question_words.c.question_id).subquery().c.question_id)
    padded = sa.literal(" ") + question_words.c.words
    return sa.select(question_words.c.question_id).where(*(padded.contains(f" {word}") for word in words))


def _is_indexed(connection: sa.Connection) -> bool:
    """Whether this SQLite could make the index of words; without it, all words are looked through."""
    there = "SELECT 1 FROM sqlite_master WHERE name = 'search_index'"
    return connection.execute(sa.text(there)).first() is not None
