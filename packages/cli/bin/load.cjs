// Loads the built command, with V8's code cache when the build left one for this Node: without it, compiling takes a
// fifth of a short run. What it loads is plain CommonJS, and a cache that does not fit is ignored by V8.
const { readFileSync } = require('node:fs');
const { dirname, join, resolve } = require('node:path');
const { Script } = require('node:vm');

/** What was compiled, by file. */
const scripts = new Map();
/** Functions that make a part of the build, by the file it would be. */
const parts = new Map();
const made = new Map();

/** Runs the build from its entry, with all that every run needs out of one file. */
function start(folder) {
  const joined = compile(join(folder, 'start.cjs'), (source) => `({${source}})`);
  for (const [name, part] of Object.entries(joined)) parts.set(join(folder, name), part);
  return load(join(folder, 'tau.cjs'));
}

/** Like `require`, for a file of the build by its full path. */
function load(file) {
  const known = made.get(file);
  if (known) return known.exports;
  const module = { exports: {} };
  made.set(file, module);
  const folder = dirname(file);
  const requirePart = (name) => (name.startsWith('./') ? load(resolve(folder, name)) : require(name));
  const part = parts.get(file) ?? compile(file, (source) => `(function(${parameters}){${source}\n})`);
  part(module.exports, requirePart, module, file, folder);
  return module.exports;
}

const parameters = 'exports,require,module,__filename,__dirname';

function compile(file, wrap) {
  // The bundler writes ASCII, and one byte a character is what V8 reads fastest.
  const script = new Script(wrap(readFileSync(file, 'latin1')), { filename: file, cachedData: readCache(file) });
  scripts.set(file, script);
  return script.runInThisContext();
}

function readCache(file) {
  try {
    return readFileSync(cacheOf(file));
  } catch {
    return undefined;
  }
}

function cacheOf(file) {
  return join(dirname(file), 'code', `${file.slice(dirname(file).length + 1)}.${process.version}-${process.arch}`);
}

module.exports = { cacheOf, parameters, scripts, start };
