#!/usr/bin/env node
// The committed way in: npm links it before anything is built, and it answers the one question that needs no build.
const argv = process.argv.slice(2);
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.on('error', () => {});
  process.stdout.write(`${require('../package.json').version}\n`);
} else if (Number.parseInt(process.versions.node, 10) < 20) {
  process.stderr.write(`tau needs Node 20.19 or later; this is ${process.version}.\n`);
  process.exitCode = 2;
} else {
  const dist = require('node:path').join(__dirname, '../dist');
  if (require('node:fs').existsSync(`${dist}/start.cjs`)) {
    const { start } = require('./load.cjs');
    start(dist);
  } else {
    process.stderr.write('tau is not built yet: run "npm run build" in its folder.\n');
    process.exitCode = 1;
  }
}
