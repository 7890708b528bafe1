"""The completion script for fish."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from similitude.cli.shells.words import CompletionWords

__all__ = ["fish_script"]

PLAIN: Final = re.compile(r"[\w@%+:,./-]+$")

FRONT: Final = r"""
function __similitude_value_of
  set -l kind (__similitude_takes "$argv[1] $argv[2]")
  test -n "$kind"; or set kind (__similitude_takes "$argv[2]")
  test "$kind" = flag; or printf '%s\n' $kind
end
function __similitude_offer
  __similitude_values $argv[1]
  switch $argv[1]
    case file data task-data
      __fish_complete_path $argv[2]
    case folder
      __fish_complete_directories $argv[2] ''
  end
end
function __similitude_complete
  set -l tokens (commandline -opc)
  set -l words $tokens[2..-1]
  set -l current (commandline -ct)
  if test (count $words) -eq 0
    __similitude_commands ''
    return
  end
  set -l command $words[1]
  set -l rest $words[2..-1]
  if test -n "$(__similitude_commands $command)"
    if test (count $words) -eq 1
      __similitude_commands $command
      return
    end
    set command "$words[1] $words[2]"
    set rest $words[3..-1]
  end
  set -l kind
  set -l place 1
  for word in $rest
    if test -n "$kind"
      set kind
      continue
    end
    switch $word
      case '-*=*'
      case '-*'
        set kind (__similitude_value_of $command $word)
      case '*'
        set place (math $place + 1)
    end
  end
  if test -z "$kind"
    if string match -q -- '-*=*' $current
      set -l option (string split -m 1 = -- $current)
      for word in (__similitude_offer (__similitude_value_of $command $option[1]) $option[2])
        printf '%s=%s\n' $option[1] $word
      end
      return
    end
    if string match -q -- '-*' $current
      __similitude_options $command
      return
    end
    set -l kinds (__similitude_arguments $command)
    test $place -le (count $kinds); or set place (count $kinds)
    test $place -gt 0; and set kind $kinds[$place]
  end
  test -n "$kind"; and __similitude_offer $kind $current
end
complete -c similitude -e
complete -c similitude -f -a '(__similitude_complete)'
"""


def fish_script(words: CompletionWords) -> str:
    """The script for fish 3.4 and later."""
    tables = {
        "commands": words.commands,
        "options": words.options,
        "takes": words.takes,
        "arguments": words.arguments,
        "values": words.values,
    }
    return "# similitude completion fish\n" + "".join(_function(*each) for each in tables.items()) + FRONT


def _function(name: str, table: Mapping[str, Sequence[str]]) -> str:
    """A function that prints the words under a key, one per line."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for key, words in table.items():
        groups.setdefault(tuple(words), []).append(key)
    cases = "".join(
        f"    case {' '.join(map(_quoted, keys))}\n      printf '%s\\n' {' '.join(map(_quoted, words))}\n"
        for words, keys in groups.items()
        if words
    )
    return f"function __similitude_{name}\n  switch $argv[1]\n{cases}  end\nend\n"


def _quoted(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace("'", "\\'")
    return word if PLAIN.match(word) else f"'{escaped}'"
