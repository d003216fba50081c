// Runs an unmodified bot of the GameOfDrones contest as an agent:  node adapter.mjs bot.js
//
// The bot is a module that exports a player, or a function or class that makes one. A player is an object with any of
// the hooks onMatchStart, onRoundStart, playTurn and onRoundEnd. Messages arrive on standard input, one JSON object
// per line; each `turn` is answered with one line, the result of playTurn. Everything the bot itself prints goes to
// standard error, where lines that start with "kibitz " are kept. An exception ends the process with exit status 1.

import fs from 'node:fs';
import Module from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const WIRE = 1;

// Nothing that a bot prints to the console may reach the wire. The console looks up process.stdout when it is first
// used, so this redirects it as well.
Object.defineProperty(process, 'stdout', { configurable: true, enumerable: true, get: () => process.stderr });

// -- finding the player ----------------------------------------------------------------------------------------------

// Node refuses ES modules with the extension .js where package.json says "commonjs", and older versions also where it
// says nothing. This loader, which node runs in a separate thread, loads any file that looks like an ES module as one.
const ES_SYNTAX = /^[ \t]*(?:export\s*(?:default\b|[{*]|(?:async|class|const|function|let|var)\b)|import\s*(?:[{*'"]|[\w$]+\s*(?:,|from\b)))/m;
const LOADER = `
  import fs from 'node:fs/promises';
  import { fileURLToPath } from 'node:url';
  export async function load(url, context, next) {
    if (!/^file:.*\\.js(\\?|$)/.test(url)) return next(url, context);
    const source = await fs.readFile(fileURLToPath(url.split('?')[0]), 'utf8');
    if (!${ES_SYNTAX}.test(source)) return next(url, context);
    return { format: 'module', source, shortCircuit: true };
  }`;

async function load(file) {
  const url = pathToFileURL(file);
  globalThis.require = Module.createRequire(url); // the contest's own loader let ES modules call it
  try {
    return await import(url);
  } catch (error) {
    const source = fs.readFileSync(file, 'utf8');
    const isEsModule = ES_SYNTAX.test(source);
    if (error instanceof SyntaxError && isEsModule && path.extname(file) === '.js') {
      Module.register(`data:text/javascript,${encodeURIComponent(LOADER)}`);
      return import(`${url}?again`); // under another name: node caches the failure of the first attempt
    }
    if (error instanceof ReferenceError && !isEsModule && path.extname(file) === '.js') return commonJs(file, source);
    throw error;
  }
}

// A CommonJS file in a folder whose package.json says "module".
function commonJs(file, source) {
  const module = new Module(file);
  module.filename = file;
  module.paths = Module._nodeModulePaths(path.dirname(file));
  module._compile(source, file);
  return { default: module.exports };
}

function exported(module) {
  let value = 'default' in module ? module.default : module;
  // exports.default, as compilers from ES modules to CommonJS write it
  while (value && typeof value === 'object' && value.default && !value.playTurn) value = value.default;
  return value;
}

async function makePlayer(value) {
  if (typeof value !== 'function') return value ?? {};
  // `new` works for classes, constructors and functions that return a player; arrow and async functions have no prototype.
  const player = value.prototype ? new value() : await value();
  return player ?? {};
}

// -- playing ---------------------------------------------------------------------------------------------------------

const hooks = {
  matchStart: (player, { rounds, drawAllowed }) => player.onMatchStart?.({ rounds, drawAllowed }),
  roundStart: (player, { turns, defenderBonus }) => player.onRoundStart?.({ turns, defenderBonus }),
  turn: (player, { producers, soldiers }) => player.playTurn?.({ producers, soldiers }),
  roundEnd: (player, { outcome, turnsPlayed, you, them }) => player.onRoundEnd?.({ outcome, turnsPlayed, you, them }),
};

async function hear(player, line) {
  const message = JSON.parse(line);
  if (!Object.hasOwn(hooks, message.type)) return;
  let returned = hooks[message.type](player, message);
  if (typeof returned?.then === 'function') returned = await returned;
  if (message.type === 'turn') fs.writeSync(WIRE, `${answer(returned)}\n`);
}

function answer(returned) {
  const { newProducers, newSoldiers, launchAttack } = Object(returned);
  return JSON.stringify({
    newProducers: plain(newProducers), newSoldiers: plain(newSoldiers), launchAttack: plain(launchAttack),
  });
}

// JSON cannot represent infinity ("as many as possible") or a bigint.
function plain(value) {
  if (value === Infinity) return Number.MAX_VALUE;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'string') return value.slice(0, 40);
  return typeof value === 'object' || typeof value === 'function' ? undefined : value;
}

function introduce({ meta }) {
  const words = [meta?.name, meta?.author].filter((word) => typeof word === 'string' && word);
  if (words.length) console.error(`kibitz plays as ${words.join(' by ').replace(/\s+/g, ' ').slice(0, 200)}`);
}

async function main(file) {
  if (!file) throw new Error('usage: node adapter.mjs bot.js');
  const player = await makePlayer(exported(await load(path.resolve(file))));
  introduce(player);
  let rest = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) if (line.trim()) await hear(player, line);
  }
}

await main(process.argv[2]);
process.exit();
