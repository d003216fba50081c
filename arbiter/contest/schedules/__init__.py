"""The kinds of contests, one file each. Pure: asked what to play next, a schedule answers from what has been played."""
