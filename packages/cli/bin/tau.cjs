#!/usr/bin/env node
// The committed way in: npm links it before anything is built, and it answers the one question that needs no build.
const argv = process.argv.slice(2);
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.on('error', () => {});
  process.stdout.write(`${require('../package.json').version}\n`);
} else {
  // Node 22 and later keep the compiled form of the bundle from one start to the next.
  if (Number.parseInt(process.versions.node, 10) >= 22) require('node:module').enableCompileCache?.();
  import('../dist/tau.js').catch((error) => {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    process.stderr.write('tau is not built yet: run "npm run build" in its folder.\n');
    process.exitCode = 1;
  });
}
