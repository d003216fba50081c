# Removes its own folder.
import shutil
from pathlib import Path

from attack import attempt, play

play(lambda _: attempt("remove", lambda: shutil.rmtree(Path.cwd())) and None)
