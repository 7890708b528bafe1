"""Containers: what holds the values of a table, from separated text to data frames, and their raw columns."""

from similitude.data.reading.containers.kinds import Kind
from similitude.data.reading.containers.table import read_table, read_tables

__all__ = ["Kind", "read_table", "read_tables"]
