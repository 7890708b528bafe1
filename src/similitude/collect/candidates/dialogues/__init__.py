"""Dialogues cut to a few turns before their last turns are paired."""

from similitude.collect.candidates.dialogues.cut_dialogues import CutDialogues, cut_dialogues
from similitude.collect.candidates.dialogues.rules import DialogueRules

__all__ = ["CutDialogues", "DialogueRules", "cut_dialogues"]
