"""Completion scripts for bash and zsh, which share the functions that look words up."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Final

from similitude.cli.shells.words import CompletionWords

__all__ = ["bash_script", "zsh_script"]

SHARED: Final = r"""
_similitude_kind() {
  # The kind of what stands at the cursor, from the complete words before it: "options", "commands GROUP", or a kind.
  local command="$1" start=1 place=0 skip= kind= word=
  if [ $# -eq 0 ]; then printf 'commands \n'; return; fi
  if [ -n "$(_similitude_commands "$1")" ]; then
    if [ $# -eq 1 ]; then printf 'commands %s\n' "$1"; return; fi
    command="$1 $2" start=2
  fi
  shift "$start"
  for word in "$@"; do
    if [ -n "$skip" ]; then skip=; continue; fi
    case "$word" in
      -*=*) ;;
      -*) kind="$(_similitude_value_of "$command" "$word")"; skip="$kind" ;;
      *) place=$((place + 1)) ;;
    esac
  done
  if [ -n "$skip" ]; then printf '%s\n' "$skip"; return; fi
  kind="$(_similitude_arguments "$command" | sed -n "$((place + 1))p")"
  [ -n "$kind" ] || kind="$(_similitude_arguments "$command" | tail -n 1)"
  printf 'argument %s\n' "${kind:-text}"
  printf 'command %s\n' "$command"
}
_similitude_value_of() {
  local kind="$(_similitude_takes "$1 $2")"
  [ -n "$kind" ] || kind="$(_similitude_takes "$2")"
  if [ "$kind" != flag ]; then printf '%s\n' "$kind"; fi
}
_similitude_candidates() {
  # One candidate per line for the word $1 after the words $2...; the last line names paths that may follow too.
  local current="$1" found= kind=
  shift
  found="$(_similitude_kind "$@")"
  case "$found" in
    commands*) _similitude_commands "${found#commands }"; printf 'paths none\n'; return ;;
    argument*)
      kind="${found%%$'\n'*}"; kind="${kind#argument }"
      case "$current" in
        -*) _similitude_options "${found##*command }"; printf 'paths none\n'; return ;;
      esac ;;
    *) kind="$found" ;;
  esac
  _similitude_values "$kind"
  case "$kind" in
    file|data|task-data) printf 'paths files\n' ;;
    folder) printf 'paths folders\n' ;;
    *) printf 'paths none\n' ;;
  esac
}
"""

BASH: Final = r"""
_similitude() {
  # Words are split at blanks, not at the marks of COMP_WORDBREAKS: names hold : = and @.
  local line="${COMP_LINE:0:COMP_POINT}" current= words=() candidate= paths=none broken= mark=
  read -r -a words <<< "$line"
  case "$line" in
    *[[:space:]]) current= ;;
    *) current="${words[${#words[@]}-1]}"; unset "words[${#words[@]}-1]" ;;
  esac
  words=("${words[@]:1}")
  case "$current" in
    --*=*) words+=("${current%%=*}"); current="${current#*=}" ;;
  esac
  current="${current#[\"\']}"
  for mark in : = @; do
    case "$COMP_WORDBREAKS$current" in
      *"$mark"*"$mark"*) candidate="${current%"${current##*"$mark"}"}" ;;
      *) candidate= ;;
    esac
    candidate="${candidate%@}"  # readline keeps this mark with what follows
    if [ "${#candidate}" -gt "${#broken}" ]; then broken="$candidate"; fi
  done
  COMPREPLY=()
  while IFS= read -r candidate; do
    case "$candidate" in
      'paths '*) paths="${candidate#paths }" ;;
      "$current"*) COMPREPLY+=("${candidate#"$broken"}") ;;
    esac
  done < <(_similitude_candidates "$current" "${words[@]}")
  if [ "$paths" != none ]; then
    compopt -o filenames 2> /dev/null
    while IFS= read -r candidate; do
      COMPREPLY+=("${candidate#"$broken"}")
    done < <(if [ "$paths" = folders ]; then compgen -d -- "$current"; else compgen -f -- "$current"; fi)
  fi
}
complete -F _similitude similitude
"""

ZSH: Final = r"""
_similitude() {
  local current="${(Q)PREFIX}" paths=none
  local -a before found
  before=("${(@)words[2,CURRENT-1]}")
  case "$current" in
    --*=*) before+=("${current%%=*}"); compset -P '*='; current="${current#*=}" ;;
  esac
  found=("${(@f)$(_similitude_candidates "$current" "${before[@]}")}")
  paths="${found[-1]#paths }"
  found=("${(@)found[1,-2]}")
  (( $#found )) && compadd -- "${found[@]}"
  case "$paths" in
    files) _files ;;
    folders) _files -/ ;;
  esac
}
if [ "${funcstack[1]}" = _similitude ]; then
  _similitude "$@"
else
  compdef _similitude similitude
fi
"""


def bash_script(words: CompletionWords) -> str:
    """The script for bash 3.2 and later."""
    return "# similitude completion bash\n" + _lookups(words) + SHARED + BASH


def zsh_script(words: CompletionWords) -> str:
    """The script for zsh, to be sourced after compinit or kept as ``_similitude`` in a folder of fpath."""
    return "#compdef similitude\n" + _lookups(words) + SHARED + ZSH


def _lookups(words: CompletionWords) -> str:
    return "".join(
        _function(name, table)
        for name, table in (
            ("commands", words.commands),
            ("options", words.options),
            ("takes", words.takes),
            ("arguments", words.arguments),
            ("values", words.values),
        )
    )


def _function(name: str, table: Mapping[str, Sequence[str]]) -> str:
    """A function that prints the words under a key, one per line."""
    cases = "".join(
        f"    {'|'.join(map(_quoted, keys))}) printf '%s\\n' {' '.join(map(_quoted, words))} ;;\n"
        for words, keys in _grouped(table)
    )
    return f'_similitude_{name}() {{\n  case "$1" in\n{cases}  esac\n}}\n'


def _grouped(table: Mapping[str, Sequence[str]]) -> list[tuple[Sequence[str], list[str]]]:
    """Keys with the same words together."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for key, words in table.items():
        groups.setdefault(tuple(words), []).append(key)
    return [(words, keys) for words, keys in groups.items() if words]


def _quoted(word: str) -> str:
    return shlex.quote(word)
