"""Bots of the original contest run unchanged, whatever their style."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiter.game import Json

from .bots import END, MATCH, OPENING, ROUND, asks, run_bot, run_source, write_files

pytestmark = pytest.mark.slow

ONE_SOLDIER = {"newSoldiers": 1}
PLAYER = "{ playTurn() { return { newSoldiers: 1 }; } }"

FLAVOURS = {
    "ES, a function that returns a player": f"function player() {{ return {PLAYER}; }}\nexport default player;",
    "ES, a function that makes one of a class": f"class Bot {PLAYER}\nfunction player() {{ return new Bot(); }}\nexport default player;",
    "ES, a class": f"export default class Bot {PLAYER}",
    "ES, an arrow function": f"export default () => ({PLAYER});",
    "ES, an async function": f"export default async () => ({PLAYER});",
    "ES, an object": f"export default {PLAYER};",
    "ES, functions of its own": "export function playTurn() { return { newSoldiers: 1 }; }",
    "ES that calls require": f"const os = require('os');\nexport default () => ({PLAYER});",
    "CommonJS, a function": f"module.exports = function () {{ return {PLAYER}; }};",
    "CommonJS, a class": f"'use strict';\nmodule.exports = class Bot {PLAYER};",
    "CommonJS, a constructor": "function Bot() {}\nBot.prototype.playTurn = () => ({ newSoldiers: 1 });\nmodule.exports = Bot;",
    "CommonJS, an object": f"module.exports = {PLAYER};",
    "CommonJS, exports.default": f"exports.default = () => ({PLAYER});",
    "CommonJS, functions of its own": "exports.playTurn = () => ({ newSoldiers: 1 });",
}


@pytest.mark.parametrize("source", FLAVOURS.values(), ids=FLAVOURS)
def test_every_way_to_export_a_player_works_in_a_plain_js_file(source: str, tmp_path: Path) -> None:
    said = run_source(tmp_path, source)
    assert (said.answers, said.code) == ([ONE_SOLDIER], 0), said.stderr


@pytest.mark.parametrize("flavour", ["ES, a class", "CommonJS, a class"])
@pytest.mark.parametrize("package", ['{"type": "module"}', '{"type": "commonjs"}', '{"name": "bots"}'])
def test_the_package_json_beside_a_bot_does_not_matter(flavour: str, package: str, tmp_path: Path) -> None:
    write_files(tmp_path, {"package.json": package})
    said = run_source(tmp_path, FLAVOURS[flavour])
    assert (said.answers, said.code) == ([ONE_SOLDIER], 0), said.stderr


@pytest.mark.parametrize(("flavour", "name"), [("ES, a class", "bot.mjs"), ("CommonJS, a class", "bot.cjs")])
def test_extensions_that_say_what_they_are(flavour: str, name: str, tmp_path: Path) -> None:
    assert run_source(tmp_path, FLAVOURS[flavour], name=name).answers == [ONE_SOLDIER]


@pytest.mark.parametrize("package", ["{}", '{"type": "commonjs"}'])
def test_a_bot_may_import_its_neighbours(package: str, tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "package.json": package,
            "bots/bot.js": "import { army } from '../lib/army.js';\nexport default () => ({ playTurn: army });",
            "lib/army.js": "import one from './one.js';\nexport const army = () => ({ newSoldiers: one });",
            "lib/one.js": "export default 1;",
        },
    )
    said = run_bot(tmp_path / "bots" / "bot.js")
    assert said.answers == [ONE_SOLDIER], said.stderr


def test_a_bot_may_require_its_neighbours(tmp_path: Path) -> None:
    write_files(tmp_path, {"lib/one.js": "module.exports = 1;"})
    source = "const one = require('./lib/one');\nmodule.exports = () => ({ playTurn: () => ({ newSoldiers: one }) });"
    assert run_source(tmp_path, source).answers == [ONE_SOLDIER]


def test_a_folder_with_odd_letters(tmp_path: Path) -> None:
    folder = tmp_path / "Ünsere Bots #1 100%?"
    folder.mkdir()
    assert run_source(folder, FLAVOURS["ES, a class"]).answers == [ONE_SOLDIER]


def test_hooks_are_called_in_order_with_the_arguments_of_the_contest_and_nothing_else(tmp_path: Path) -> None:
    hooks = ("onMatchStart", "onRoundStart", "playTurn", "onRoundEnd")
    methods = "\n".join(f"{hook}(...args) {{ console.log('{hook}', JSON.stringify(args)); }}" for hook in hooks)
    said = run_source(tmp_path, f"export default class {{ {methods} }}", (*OPENING, asks(2, 3), END, ROUND, asks()))
    assert said.stderr.splitlines() == [
        'onMatchStart [{"rounds":2,"drawAllowed":true}]',
        'onRoundStart [{"turns":10,"defenderBonus":1}]',
        'playTurn [{"producers":1,"soldiers":0}]',
        'playTurn [{"producers":2,"soldiers":3}]',
        'onRoundEnd [{"outcome":"LOSE","turnsPlayed":2,"you":{"producers":4,"soldiers":0,"launchedAttack":false},'
        '"them":{"producers":2,"soldiers":2,"launchedAttack":true}}]',
        'onRoundStart [{"turns":10,"defenderBonus":1}]',
        'playTurn [{"producers":1,"soldiers":0}]',
    ]
    assert said.answers == [{}, {}, {}]


@pytest.mark.parametrize(
    "source",
    [
        "export default () => ({});",
        "export default class {}",
        "export default function () {}",
        "export default () => null;",
        "module.exports = {};",
        "export default () => function notCalled() {};",
    ],
)
def test_every_hook_is_optional(source: str, tmp_path: Path) -> None:
    said = run_source(tmp_path, source, (*OPENING, END, ROUND, asks()))
    assert (said.answers, said.code) == ([{}, {}], 0), said.stderr


def test_a_bot_keeps_its_state_between_rounds_and_this_is_the_player(tmp_path: Path) -> None:
    source = "export default class { constructor() { this.n = 0; } playTurn() { return { newSoldiers: ++this.n }; } }"
    said = run_source(tmp_path, source, (*OPENING, asks(), END, ROUND, asks()))
    assert said.answers == [{"newSoldiers": 1}, {"newSoldiers": 2}, {"newSoldiers": 3}]


def test_nothing_a_bot_prints_reaches_the_wire(tmp_path: Path) -> None:
    prints = (
        "console.log('log %d', 1); console.info('info'); console.debug('debug'); console.warn('warn');"
        "console.error('error'); console.table([1]); console.dir({}); process.stdout.write('direct\\n');"
        "require('console').log('required');"
    )
    source = f"{prints}\nmodule.exports = {{ onRoundStart() {{ {prints} }}, playTurn() {{ {prints} return {{ newSoldiers: 1 }}; }} }};"
    said = run_source(tmp_path, source)
    assert said.answers == [ONE_SOLDIER]
    for word in ("log 1", "info", "debug", "warn", "error", "direct", "required"):
        assert said.stderr.count(f"{word}\n") == 3


@pytest.mark.parametrize(
    ("prefix", "hook"),
    [("", "onMatchStart"), ("", "onRoundStart"), ("", "playTurn"), ("async ", "playTurn"), ("async ", "onRoundEnd")],
)
def test_an_exception_in_a_hook_ends_the_process_with_its_stack(hook: str, prefix: str, tmp_path: Path) -> None:
    source = f"export default () => ({{\n  {prefix}{hook}() {{ throw new RangeError('no such turn'); }},\n}});"
    said = run_source(tmp_path, source, (*OPENING, END))
    assert said.code == 1
    assert "RangeError: no such turn" in said.stderr
    assert f"{hook} (file://" in said.stderr
    assert "bot.js:2:" in said.stderr
    assert len(said.answers) == (hook == "onRoundEnd")


@pytest.mark.parametrize(
    ("source", "because"),
    [
        ("export default () => { return {", "SyntaxError"),
        ("throw new Error('not today');", "not today"),
        ("export default class { constructor() { meta = {}; } }", "ReferenceError: meta is not defined"),
        ("import './nowhere.js';\nexport default {};", "Cannot find module"),
        (
            "export default () => ({ playTurn() { Promise.reject(new Error('unheard')); return new Promise(() => {}); } });",
            "unheard",
        ),
    ],
)
def test_a_bot_that_cannot_be_made_ends_with_the_reason(source: str, because: str, tmp_path: Path) -> None:
    said = run_source(tmp_path, source)
    assert (said.answers, said.code) == ([], 1)
    assert because in said.stderr


def test_a_bot_that_is_not_there_ends_with_the_reason(tmp_path: Path) -> None:
    said = run_bot(tmp_path / "nowhere.js")
    assert said.code == 1
    assert "nowhere.js" in said.stderr


def test_promises_are_awaited_and_answers_stay_in_order(tmp_path: Path) -> None:
    source = """
    let log = [];
    const later = (work) => new Promise((done) => setImmediate(() => done(work())));
    export default () => ({
      onRoundStart: () => later(() => log.push('start')),
      playTurn: ({ producers }) => later(() => ({ newProducers: producers, newSoldiers: log.length })),
      onRoundEnd: () => later(() => log.push('end')),
    });
    """
    said = run_source(tmp_path, source, (*OPENING, asks(2), END, ROUND, asks(3)))
    assert said.answers == [
        {"newProducers": 1, "newSoldiers": 1},
        {"newProducers": 2, "newSoldiers": 1},
        {"newProducers": 3, "newSoldiers": 3},
    ]


RETURNED: tuple[tuple[str, Json], ...] = (
    ("undefined", {}),
    ("null", {}),
    ("5", {}),
    ("'attack'", {}),
    ("true", {}),
    ("[1, 2, true]", {}),
    ("{ newProducers: 0.5, launchAttack: true }", {"newProducers": 0.5, "launchAttack": True}),
    ("{ newProducers: Infinity }", {"newProducers": 1.7976931348623157e308}),
    ("{ newProducers: -Infinity, newSoldiers: NaN }", {"newProducers": None, "newSoldiers": None}),
    ("{ newProducers: 3n }", {"newProducers": 3}),
    ("{ newProducers: '2', launchAttack: '1' }", {"newProducers": "2", "launchAttack": "1"}),
    ("{ newProducers: null, newSoldiers: undefined, launchAttack: null }", {}),
    ("{ newProducers: [1], newSoldiers: () => 1, launchAttack: Symbol('x') }", {}),
    ("{ newSoldiers: 1, note: globalThis, secret: 'x' }", {"newSoldiers": 1}),
    ("{ newSoldiers: 'x'.repeat(1e6) }", {"newSoldiers": "x" * 40}),
    ("{ get newSoldiers() { return 1; } }", {"newSoldiers": 1}),
)


def test_what_is_returned_goes_out_as_one_line_of_plain_data(tmp_path: Path) -> None:
    values = ",\n".join(f"() => ({returned})" for returned, _ in RETURNED)
    source = f"const values = [{values}];\nexport default () => ({{ playTurn: () => values.shift()() }});"
    said = run_source(tmp_path, source, [asks() for _ in RETURNED])
    assert said.code == 0, said.stderr
    for (returned, expected), answer in zip(RETURNED, said.answers, strict=True):
        assert answer == expected, returned


def test_its_name_is_shown_to_spectators(tmp_path: Path) -> None:
    source = "export default () => ({ meta: { name: 'Zed\\nkibitz', author: 'Ann' } });"
    assert run_source(tmp_path, source).stderr == "kibitz plays as Zed kibitz by Ann\n"
    for meta in ("null", "{ name: 5, author: '' }"):
        assert run_source(tmp_path, f"export default () => ({{ meta: {meta} }});").stderr == ""


def test_messages_it_does_not_know_are_ignored(tmp_path: Path) -> None:
    said = run_source(tmp_path, FLAVOURS["ES, a class"], ({"type": "toString"}, {"type": "news"}, MATCH, ROUND, asks()))
    assert said.answers == [ONE_SOLDIER]


def test_a_bot_that_would_go_on_for_ever_ends_with_its_input(tmp_path: Path) -> None:
    said = run_source(tmp_path, f"setInterval(() => {{}}, 1000);\nexport default () => ({PLAYER});")
    assert (said.answers, said.code) == ([ONE_SOLDIER], 0)
