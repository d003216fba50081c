"""The kinds of contests, one file each. Schedules are pure: what to play next follows from what has been played."""
