"""Gold and trained models -> a release: metadata, splits, cards, files for others' tools, and the hub."""
