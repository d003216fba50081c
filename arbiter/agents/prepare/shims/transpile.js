// Turns one TypeScript file into JavaScript without checking types, with the library of any tsc that is written in JavaScript:
//   node transpile.js TSC SOURCE OUTPUT
// Only a syntax error fails: a bot may use what the type checker knows nothing about, such as a site's readline().
'use strict';
const fs = require('fs');
const path = require('path');

const [tsc, source, output] = process.argv.slice(2);
const ts = require(path.join(path.dirname(fs.realpathSync(tsc)), '..', 'lib', 'typescript.js'));
const { outputText, diagnostics } = ts.transpileModule(fs.readFileSync(source, 'utf8'), {
  fileName: source,
  reportDiagnostics: true,
  compilerOptions: {
    target: ts.ScriptTarget.ES2022,
    module: output.endsWith('.mjs') ? ts.ModuleKind.ES2022 : ts.ModuleKind.CommonJS,
    esModuleInterop: true,
  },
});
if (diagnostics.length) {
  const host = { getCurrentDirectory: () => process.cwd(), getCanonicalFileName: (name) => name, getNewLine: () => '\n' };
  process.stderr.write(ts.formatDiagnostics(diagnostics, host));
  process.exit(1);
}
fs.writeFileSync(output, outputText);
