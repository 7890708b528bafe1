"""Completion scripts for bash, zsh and fish: one table of words, written as functions of each shell."""
