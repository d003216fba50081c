"""The built-in maps: the one in the contest's document, and six without spikes."""

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
$-
##    $-
""",
    "m2": """
##    $-  ##
      ##
[]  @1
##
  $-  ##
        ##$-
""",
    "m3": """
####      $-##
##  @1
      ##  []
  ##        ##
$-##    ##
        ####
##  $-
""",
    "m4": """
      ##########
  @1    ##    $-
          []
##  ####
####$-    ##  ##
        ####
##          ##
$-  $-    ##
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
############    $-##
####    ##
##  @1        ####
      ##  $-    []
##        ##
$-  ####        ##
##        ##  $-
      ##    ####
  $-      ##      ##
##    ##      ##  $-
""",
}
"""The upper left quarter of each map, without trailing blanks."""

NAMES: Final = tuple(_QUARTERS)


def built_in(name: str) -> list[str]:
    """Return the rows of a built-in map."""
    rows = _QUARTERS[name].strip("\n").split("\n")
    side = len(rows)
    return unfold([_cells(row.ljust(2 * side)) for row in rows])


def _cells(row: str) -> list[str]:
    return [row[start : start + 2] for start in range(0, len(row), 2)]
