// Loads the built command, with V8's code cache when the build left one for this Node: without it, compiling takes a
// fifth of a short run. What it loads is plain CommonJS, and a cache that does not fit is ignored by V8.
const { readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { Script } = require('node:vm');

/** What was compiled, by file. */
const scripts = new Map();

/** Runs the build from its entry, with all that every run needs out of one file. The build is one flat folder. */
function start(folder) {
  const first = join(folder, 'start.cjs');
  const begin = compile(first);
  /** What is asked for of the first file, by the name of the part. */
  const own = { exports: {} };
  /** What was made, by the name it is asked for; parts of Node too, whose own search takes longer. */
  const made = new Map();
  const load = (name) => {
    const known = made.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    made.set(name, module);
    if (!name.startsWith('./')) {
      module.exports = require(name);
      return module.exports;
    }
    const file = join(folder, name);
    const part = own.exports.parts?.[name];
    if (part) module.exports = part();
    else
      compile(file, (source) => `(function(${parameters}){${source}\n})`)(module.exports, load, module, file, folder);
    return module.exports;
  };
  begin(own.exports, load, own, first, folder);
}

const head = '(function(exports,require,module,__filename,__dirname){';

function compile(file) {
  // The build is ASCII, and one byte a character is what V8 reads fastest.
  const source = readFileSync(file, 'latin1');
  // Most parts are functions as they stand; those that Node loads too, for the SDK or in a thread, are not.
  const whole = source.startsWith(head) ? source : `${head}${source}\n})`;
  const script = new Script(whole, { filename: file, cachedData: readCache(file) });
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

module.exports = { cacheOf, head, scripts, start };
