// Talks instead of moving.
let lines = [];
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  lines.push(line);
  if (lines.length < 7 + 4 * parseInt(lines[0])) return;
  console.log('the shiny one, please');
  lines = [];
});
