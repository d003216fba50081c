// For bots written for sites that offer a global, blocking readline(): loaded before the bot with `node -r`.
// Reads standard input in chunks, so a turn of hundreds of lines costs a handful of system calls.
'use strict';
const fs = require('fs');

const CHUNK = 65536;
const buffer = Buffer.allocUnsafe(CHUNK);
const decoder = new (require('string_decoder').StringDecoder)('utf8');
let lines = [];
let next = 0;
let rest = '';
let ended = false;

function fill() {
  let count = 0;
  try {
    count = fs.readSync(0, buffer, 0, CHUNK, null);
  } catch (error) {
    if (error.code === 'EAGAIN') return;
    if (error.code !== 'EOF') throw error;
  }
  if (count === 0) {
    ended = true;
    lines = rest === '' ? [] : [rest];
    rest = '';
  } else {
    lines = (rest + decoder.write(buffer.subarray(0, count))).split('\n');
    rest = lines.pop();
  }
  next = 0;
}

function readline() {
  while (next >= lines.length && !ended) fill();
  if (next >= lines.length) return undefined;
  const line = lines[next++];
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

for (const [name, value] of Object.entries({
  readline,
  print: (...words) => console.log(...words),
  printErr: (...words) => console.error(...words),
})) {
  if (!(name in globalThis)) Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
}
