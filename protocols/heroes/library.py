"""The built-in maps: the one in the contest's document, and m1 to m6.

The contest's clients request m1 to m6 by name. Ours have the same sizes and numbers of mines, but a different layout.
"""

from __future__ import annotations

from typing import Final

from .mirror import unfold

_QUARTERS: Final = {
    "seed": """
######$-    $-######
######        ##
####[]    ####
##      ####  ##
####            $-
##########  @1    ^^
############  ####
$-##$-        ######
  $-      $-########
        ############
""",
    "m1": """
      ####
  @1    []
    ##

##    $-
""",
    "m2": """
##    $-  ##
      ##
[]  @1
##
  $-  ##
        ##
""",
    "m4": """
####        ##$-##
##  @1    ##
      ##      []
##    ####
    ##      ####
$-      ##      ##
####        ##
      ##  $-
##      ##    ##
""",
    "m5": """
######    ##$-
##    @1        ##
$-      ##
####      ##  []
    $-    ##    ##
      ##
##      ####$-
##  ##
    $-    ##
""",
    "m6": """
      ##########
  @1    ##    ##
          []
##  ####
####      ##  ##
        ####
##          ##
##  $-    ##
""",
}
"""The upper left quarter of each symmetric map, without trailing spaces."""

_WHOLE: Final = {
    "m3": """
              $-  $-##############    ##
                  ############        ##
    ######      ##############
    ##    @1        ##########
            ######  ##########
              ############$-####  @4
              []      ##
                        $-            $-
        $-                ####[]  ##
  $-                        ##    ####
              $-####        ######
              ######      $-##$-##    $-
              $-            ##        ##
  ##                ##      ##        ##
  ######  ##$-    ####              ####
  ######  ##  ########            ######
        @2                  @3      ##
##
        ####                        []
      ####      []    ##          $-
""",
}
"""Maps without symmetry, without trailing spaces."""

NAMES: Final = tuple(sorted({**_QUARTERS, **_WHOLE}, key=lambda name: (name != "seed", name)))


def built_in(name: str) -> list[str]:
    """Return the rows of a built-in map."""
    rows = (_QUARTERS.get(name) or _WHOLE[name]).strip("\n").split("\n")
    full = [row.ljust(2 * len(rows)) for row in rows]
    return unfold([_cells(row) for row in full]) if name in _QUARTERS else full


def _cells(row: str) -> list[str]:
    return [row[start : start + 2] for start in range(0, len(row), 2)]
