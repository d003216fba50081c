// Uses what an agent may use: threads, temporary files, its own data, a large file, and notes from one move to the next.
const fs = require('fs');
const os = require('os');
const path = require('path');
const { Worker } = require('worker_threads');

const tell = (word, outcome) => fs.writeSync(2, `kibitz tried: ${word} ${outcome}\n`);
const well = (sure) => (sure ? 'ok' : 'wrong');
const add = "const {parentPort} = require('worker_threads'); let sum = 0; for (let n = 0; n < 1000; n++) sum += n; parentPort.postMessage(sum);";

async function use() {
  const sums = await Promise.all([1, 2].map(() => new Promise((done) => new Worker(add, { eval: true }).on('message', done))));
  tell('threads', well(sums[0] + sums[1] === 999000));
  const temporary = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'bot-')), 'x');
  fs.writeFileSync(temporary, 'x');
  tell('temporary', well(fs.readFileSync(temporary, 'utf8') === 'x'));
  const beside = fs.readFileSync(path.join(__dirname, 'data.txt'), 'utf8');
  tell('data', well(fs.readFileSync('data.txt', 'utf8') === beside && beside === 'precomputed\n'));
  const byte = Buffer.alloc(1);
  fs.readSync(fs.openSync('large.bin'), byte, 0, 1, 3 * 2 ** 30);
  tell('large', well(byte.toString() === 'x'));
  const count = fs.existsSync('state') ? Number(fs.readFileSync('state', 'utf8')) + 1 : 1;
  fs.writeFileSync('state', String(count));
  tell('state', count);
}

(async () => {
  const lines = require('readline').createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  await lines.next();
  while (!(await lines.next()).done) {
    await use();
    console.log(1);
  }
})();
