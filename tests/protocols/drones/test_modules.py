"""Bot modules are distinguished from programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocols.drones.modules import is_bot_module
from tests.protocols.page import Page
from tests.tools import ROOT

SAMPLES = ROOT / "sample_agents"

BOTS = {
    "a function that returns a player": "function player() { return { playTurn() {} }; }\nexport default player;\n",
    "a function in place": "export default function () { return {}; }",
    "an async function": "export default async function create() { return {}; }",
    "an arrow function": "export default () => ({ playTurn: () => ({}) });",
    "a class": "export default class Bot { playTurn() { return {}; } }",
    "an object": "export default { playTurn() { return {}; } };",
    "a name exported as default": "class Bot {}\nexport { helper, Bot as default };\n",
    "a name re-exported": "export { Bot as default } from './lib.js';",
    "functions of its own": "let turn = 0;\nexport function playTurn(state) { return {}; }\n",
    "a constant of its own": "export const playTurn = () => ({});",
    "imports first": "import { clamp } from './tools.js';\nexport default class {}\n",
    "minified": "class A{playTurn(){return{}}}export default()=>new A;",
    "CommonJS": "module.exports = function () { return {}; };",
    "CommonJS, a class": "class Bot {}\nmodule.exports = Bot",
    "CommonJS, an object": "module.exports = { playTurn };",
    "CommonJS, default": "exports.default = createBot;",
    "CommonJS, default of module.exports": "module.exports.default = createBot;",
    "CommonJS, both": "exports = module.exports = createBot;",
    "CommonJS, a hook": "exports.playTurn = (state) => ({});",
    "CommonJS, a compiler's": '"use strict";Object.defineProperty(exports,"__esModule",{value:true});exports.default=a;',
    "prints to the console": "console.log('readline() would wait');\nexport default () => ({});",
    "comments about standard input": "// unlike process.stdin, see readline()\n/* require('readline') */ module.exports = {};",
    "an apostrophe in a comment": "// it's a bot\nmodule.exports = {}; // isn't it",
    "a quote in a regular expression": "const quote = /['\"`]/g;\nexport default () => ({});",
    "a slash in a class of a regular expression": "x.replace(/[/'`]/g, '');\nmodule.exports = Bot;",
    "a quotient": "const half = turns / 2; const third = turns / 3;\nexport default Bot;",
    "a template": "const text = `it's ${ok ? `fine` : 'bad'} // no comment`;\nexport default Bot;",
    "Windows line ends": "class Bot {}\r\nexport default Bot;\r\n",
    "a method called readline": "class Bot { say() { return this.log.readline(); } }\nmodule.exports = Bot;",
}

PROGRAMS = {
    "nothing": "",
    "reads a global readline": "while (true) { const [a] = readline().split(' '); print(a); }",
    "reads events": "process.stdin.on('data', (chunk) => console.log('{}'));",
    "exports for its tests": "function main() { process.stdin.on('data', play); }\nmodule.exports = { main };",
    "exports and uses the readline package": "const rl = require('readline');\nmodule.exports = { rl };",
    "imports the readline package": "import readline from 'node:readline';\nexport default function main() {}",
    "imports its promises": 'import * as lines from "readline/promises";\nexport default lines;',
    "creates an interface": "readline.createInterface({ input });\nexport default 1;",
    "reads a descriptor": "const text = fs.readFileSync(0, 'utf8');\nmodule.exports = { text };",
    "reads a device": "const text = fs.readFileSync('/dev/stdin', 'utf8');\nmodule.exports = { text };",
    "exports with the global readline": "while (readline()) print('{}');\nmodule.exports = { play };",
    "default export in a comment": "// export default Bot;\nconsole.log(2);",
    "default export in a long comment": "/*\nexport default Bot;\n*/\nconsole.log(2);",
    "default export in a string": "console.log('export default Bot'); console.log(\"module.exports = 1\");",
    "default export in a template": "console.log(`\nexport default Bot;\nmodule.exports = Bot;\n`);",
    "compares module.exports": "if (module.exports == null) console.log(2);",
    "uses module.exports": "console.log(module.exports);",
    "other exports": "exports.helper = 1;\nexport const help = 2;\nexport function main() {}",
    "other objects' exports": "my.exports.default = 1;\nnot_module.exports = 2;",
}


@pytest.mark.parametrize("source", BOTS.values(), ids=BOTS)
def test_a_module_that_exports_a_player_is_a_bot(source: str) -> None:
    assert is_bot_module(source)


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_a_program_that_reads_standard_input_or_exports_nothing_is_not(source: str) -> None:
    assert not is_bot_module(source)


def test_the_bot_on_the_page_is_one() -> None:
    assert is_bot_module(Page("drones").block("export default"))


@pytest.mark.parametrize("file", sorted(SAMPLES.glob("*/*.js")), ids=lambda file: f"{file.parent.name}/{file.name}")
def test_of_the_sample_agents_those_in_the_style_of_the_contest_are_bots(file: Path) -> None:
    assert is_bot_module(file.read_text(encoding="utf-8")) == (file.parent.name == "drones")


@pytest.mark.parametrize(
    "source",
    [
        "/*" * 9999,
        "`" * 9999,
        '"\\' * 9999,
        "=/[" * 9999,
        "=/\\" * 9999,
        "export {" * 9999,
        "export " + " " * 99_999,
        "\0",
    ],
)
def test_odd_text_is_no_bot(source: str) -> None:
    assert not is_bot_module(source)
