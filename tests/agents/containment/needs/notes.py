# Plays Splendor, one process per move, and counts its moves in a file of its folder.
import sys
from pathlib import Path

sys.stdin.read()
notes = Path("notes")
count = int(notes.read_text()) + 1 if notes.exists() else 1
notes.write_text(str(count))
print("kibitz tried: state", count, file=sys.stderr)
print("1 0")
