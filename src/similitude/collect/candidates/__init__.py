"""From raw texts to pairs that are worth people's time."""
