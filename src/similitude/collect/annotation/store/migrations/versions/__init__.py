"""One file a revision. A revision that has been released is never edited; a change is a new one."""
