"""Two descriptions that use everything a description may contain, for games that do not exist."""

from __future__ import annotations

from typing import Any

WORDS: dict[str, Any] = {
    "format": "words",
    "structures": {
        "Spot": {"about": "A place.", "fields": {"x": ["int", "column"], "y": ["int", "row"]}},
        "Pair": {
            "about": "Two numbers.",
            "separator": ":",
            "fields": {"low": ["int", "one"], "high": ["int", "other"]},
        },
        "Ship": {
            "about": "A ship.",
            "fields": {
                "name": ["text", "its name"],
                "spot": ["Spot", "where it is"],
                "route": ["Spot *", "where it goes"],
                "tags": ["text by ; or none", "words"],
                "ranges": ["Pair by , or -", "ranges"],
            },
        },
    },
    "game": {
        "name": "sea",
        "about": "All there is.",
        "start": {"rows": ["int", "rows"], "heights": ["int * rows * 2", "heights"], "motto": ["line", "a line"]},
        "turn": {"turn_count": ["int", "turns"], "ships": ["Ship *", "ships"], "cargo": ["text * 2", "words"]},
    },
    "constants": {"WEIGHTS": {"about": "Weights.", "rows": [[1, -2], [3, 4]]}},
    "choose": """
"Each part adds what it finds."
said = ""
total = 0
for height in sea.heights:
    total += max(height, 1) * WEIGHTS[1][0] - min(height, 2)
for ship in sea.ships:
    first = ship.name
    said += f"{first}@{ship.spot.x}"
    for tag in ship.tags:
        if tag == "fast" or tag == sea.motto:
            said += "!"
        elif tag != "slow":
            said += f"[{tag}]"
        else:
            said += "?"
    for pair in ship.ranges:
        total -= (pair.high - pair.low) // 2 % 5
    if len(ship.route) > 0 and not (len(ship.route) == 2 or ship.route[0].y < 0):
        total += abs(ship.route[0].x - ship.route[0].y) * -1
for number in range(sea.rows + 1):
    wanted = sea.cargo[1]
    if sea.cargo[0] == wanted and number >= 1:
        said += f"={number}"
if sea.motto[0:0 + 3] != "the":
    said += "%"
at = 4
if sea.motto[at] == "s" and sea.motto[at:at + 3] == "sea" and sea.motto[:3] == "the" and sea.motto[12:14] != "w":
    said += f"~{sea.motto[8:10]}{sea.motto[at]}"
kibitz(f"{total} 100%")
kibitz(said)
return f"{said} {{{total}}} {sea.turn_count - (total - 1)} \\\\ \\"{sea.motto}\\" 5% $x"
""",
}
WORDS_INPUT = """2
3 -1 0
7
the sea is wide
1
2
ann 1 2 1 5 9 fast;old 1:9,2:3
bob -3 4 0 none -
tin tin
2
1
cid 0 0 3 1 1 2 2 3 3 slow 0:100
tin foil
"""

JSON: dict[str, Any] = {
    "format": "messages",
    "structures": {
        "Note": {"about": "A note.", "fields": {"text_of": ["text", "what"], "loud_now": ["bool", "how"]}},
        "Hello": {
            "about": "The first message.",
            "fields": {
                "numbers": ["int *", "numbers"],
                "names": ["text *", "names"],
                "notes": ["Note *", "notes"],
                "share": ["number", "a fraction"],
                "nick": ["text?", "may be missing"],
            },
        },
        "Ask": {"about": "A question.", "fields": {"note": ["Note", "a note"], "amount": ["number", "a number"]}},
    },
    "game": {
        "about": "All there is.",
        "messages": {"helloThere": "Hello", "ask": "Ask"},
        "answer": "ask",
        "remember": {"asked": ["int", "questions so far"]},
        "then": {"helloThere": "game.asked = 10", "ask": "game.asked += 1"},
    },
    "choose": """
said = ""
for name in game.hello_there.names:
    said += f"<{name}>"
for note in game.hello_there.notes:
    if note.loud_now:
        said += note.text_of
if game.ask.amount > game.hello_there.share and game.hello_there.nick == "":
    said += "+"
kibitz(f"question {game.asked}")
return f"{said}{game.ask.note.text_of}{len(game.hello_there.numbers)} {game.asked}"
""",
}
JSON_INPUT = r"""{"type":"helloThere","numbers":[1,-2,300],"names":["a\"b","c\\d\/","\u0041\u007a"],"notes":[{"textOf":"x","loudNow":true},{"loudNow":false,"textOf":"y"}],"share":0.25,"unknown":{"deep":[[],{}]}}
{"type":"somethingNew","at":null}
{ "type" : "ask", "note" : {"textOf": "say", "loudNow": false} , "amount" : 1.5 }
{"type":"helloThere","numbers":[],"names":[],"notes":[],"share":2,"nick":"n"}
{"type":"ask","note":{"textOf":"","loudNow":true},"amount":-1}
"""
