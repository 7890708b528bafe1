"""The layout of ``--help``: groups of options without boxes; ``--help-all`` also shows the rare options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from cyclopts.help import HelpEntry, HelpPanel
    from rich.console import Console, ConsoleOptions

__all__ = ["HELP_ALL", "WIDTH", "HelpPage", "described", "label"]

HELP_ALL: Final = "--help-all"
WIDTH: Final = 100
LABELS: Final = 34
"""Columns for the names of options; a longer name has a line of its own."""
CONTINUED: Final = " \\"

COMMON: Final[dict[str, frozenset[str]]] = {
    "Model": frozenset(
        {"--architecture", "--head", "--objective", "--evidence", "--ensemble", "--cross-fit", "--evaluate"}
    ),
    "Training": frozenset({"--epochs", "--batch", "--lr", "--seed", "--seeds", "--device"}),
    "Input": frozenset({"--items", "--kind", "--format", "--column", "--scale", "--calibrate"}),
    "Confidence": frozenset({"--resamples", "--level", "--against"}),
    "Figures": frozenset({"--weights", "--repeats"}),
    "Targets": frozenset({"--mean-error"}),
}
"""Options of long groups that ``--help`` shows; ``--help-all`` shows the others too. Other groups are short."""


RARE: Final = frozenset(
    {
        "--across",
        "--address",
        "--allow-leaks",
        "--annotated-by",
        "--calibrate-on",
        "--construction",
        "--data-folder",
        "--date",
        "--dissimilar",
        "--evaluation-split",
        "--fresh",
        "--gpus",
        "--homepage",
        "--keep-annotators",
        "--keep-together",
        "--license-name",
        "--license-text",
        "--limits",
        "--no-join",
        "--pair-by",
        "--positions-are-people",
        "--private",
        "--repo",
        "--resplit",
        "--search-device",
        "--seed",
        "--skip-missing",
        "--source-dataset",
        "--tag",
        "--texts-by",
        "--vectors",
        "--within",
    }
)
"""Options of the group of common options that ``--help-all`` alone shows."""


NO_DEFAULT: Final = (None, "None", "False", "()", "[]", '""', "")
"""Defaults that the help does not mention."""


@dataclass(frozen=True, slots=True)
class HelpPage:
    """Prints a page of help.

    Attributes:
        whole: whether to print every option with its whole description.
    """

    whole: bool = False

    def render_usage(self, console: Console, options: ConsoleOptions, usage: Any) -> None:
        """Print the first line."""
        console.print(usage)

    def render_description(self, console: Console, options: ConsoleOptions, description: Any) -> None:
        """Print paragraphs as wide as the screen; an example is folded so that it can be copied."""
        text = getattr(getattr(description, "primary_renderable", None), "plain", "")
        for paragraph in text.strip().split("\n\n"):
            filled = " ".join(paragraph.split())
            shown = _folded(filled, console.width) if filled.startswith("Example:") else filled
            console.print(shown, markup=False, highlight=False)
            console.print()

    def __call__(self, console: Console, options: ConsoleOptions, panel: HelpPanel) -> None:
        """Print one group of options."""
        from rich.table import Table

        shown = [entry for entry in panel.entries if self._shows(panel, entry)]
        if not panel.entries:
            return
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(max_width=LABELS)
        table.add_column(ratio=1)
        for entry in shown:
            table.add_row(f"  {label(entry)}", described(entry, whole=self.whole))
        console.print(str(panel.title), style="bold", markup=False, highlight=False)
        console.print(table, markup=False, highlight=False)
        if len(shown) < len(panel.entries):
            console.print(f"  {len(panel.entries) - len(shown)} more with {HELP_ALL}", style="dim", highlight=False)
        console.print()

    def _shows(self, panel: HelpPanel, entry: HelpEntry) -> bool:
        common = COMMON.get(str(panel.title))
        if str(panel.title) == "Common" and not self.whole and not RARE.isdisjoint(entry.all_options):
            return False
        return self.whole or common is None or entry.required or not common.isdisjoint(entry.all_options)


def label(entry: HelpEntry) -> str:
    """The names and metavar of an option or argument, as in ``-s, --system SYSTEM``."""
    if entry.positional_label:
        return entry.metavar or entry.positional_label
    names = ", ".join((*entry.positive_shorts, *entry.positive_names, *entry.negative_names))
    if entry.choices and len("|".join(entry.choices)) <= LABELS - len(names) - 3:
        return f"{names} {'|'.join(entry.choices)}"
    return f"{names} {_metavar(entry)}" if entry.metavar and entry.choices is None else names


def _metavar(entry: HelpEntry) -> str:
    """The declared metavar; for the name of a plain type, a word for what to write."""
    metavar = str(entry.metavar)
    kind = metavar.removesuffix("...")
    own_name = entry.positive_names[0].rpartition("-")[2].upper() if entry.positive_names else metavar
    return metavar.replace(kind, {"STR": own_name, "INT": "N", "FLOAT": "NUMBER"}.get(kind, kind))


def described(entry: HelpEntry, *, whole: bool = True) -> str:
    """The description of an option with its choices and default; only its first sentence unless ``whole``."""
    plain = getattr(getattr(entry.description, "primary_renderable", None), "plain", None)
    text = " ".join((str(entry.description or "") if plain is None else plain).split())
    text = text if whole else _first_sentence(text)
    return " ".join(part for part in (text[:1].upper() + text[1:], *_facts(entry)) if part)


def _folded(example: str, width: int) -> str:
    r"""A command on as many lines as it needs, joined by backslashes so that a shell can read it.

    >>> print(_folded("Example: similitude gold answers.csv --items items.csv", 40))
    Example: similitude gold answers.csv \
        --items items.csv
    """
    lines: list[str] = []
    for part in re.split(r" (?=-)", example):
        if lines and len(lines[-1]) + len(part) + len(" ") + len(CONTINUED) <= width:
            lines[-1] += f" {part}"
        else:
            lines.append(f"    {part}" if lines else part)
    return f"{CONTINUED}\n".join(lines)


def _facts(entry: HelpEntry) -> Iterator[str]:
    if entry.choices and "|".join(entry.choices) not in label(entry):
        written = "|".join(entry.choices)
        yield f"[{written if len(written) <= LABELS else ' | '.join(entry.choices)}]"
    if entry.required and not entry.positional_label:
        yield "[required]"
    if entry.env_var:
        yield f"[env: {', '.join(entry.env_var)}]"
    if entry.default not in NO_DEFAULT:
        yield f"[default: {entry.default}]"


def _first_sentence(text: str) -> str:
    """The text up to the first full stop before a capital letter.

    >>> _first_sentence("items of one step. Both conditions of a pair are in the same step.")
    'items of one step.'
    >>> _first_sentence("a system, e.g. char-ngram-cosine(n=3).")
    'a system, e.g. char-ngram-cosine(n=3).'
    """
    for position, sign in enumerate(text[:-1]):
        if sign == "." and text[position + 1] == " " and text[position + 2 : position + 3].isupper():
            return text[: position + 1]
    return text
