// Loads the built command, with V8's code cache when the build left one for this Node: without it, compiling takes a
// fifth of a short run. What it loads is plain CommonJS, and a cache that does not fit is ignored by V8.
const { readFileSync } = require('node:fs');
const { dirname, join, resolve } = require('node:path');
const { Script } = require('node:vm');

const scripts = new Map();

/** Like `require`, for a file of the build by its full path. */
function load(file) {
  const known = scripts.get(file);
  if (known) return known.module.exports;
  // The bundler writes ASCII, and one byte a character is what V8 reads fastest.
  const source = readFileSync(file, 'latin1');
  const script = new Script(`(function(exports,require,module,__filename,__dirname){${source}\n})`, {
    filename: file,
    cachedData: readCache(file),
  });
  const module = { exports: {} };
  const folder = dirname(file);
  scripts.set(file, { script, module });
  const requirePart = (name) => (name.startsWith('./') ? load(resolve(folder, name)) : require(name));
  script.runInThisContext()(module.exports, requirePart, module, file, folder);
  return module.exports;
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

module.exports = { cacheOf, load, scripts };
