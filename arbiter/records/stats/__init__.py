"""Statistics over a selection of saved games, packed or not."""
