/** The languages that can be told apart and coloured, each loaded when the first text in it is shown. */
import type { LanguageFn } from 'highlight.js';

interface Language {
  /** Other names: labels, extensions, and whole names of files. */
  also: string;
  /** Languages inside it. */
  needs?: readonly string[];
  load(): Promise<{ default: LanguageFn }>;
}

const languages: Readonly<Record<string, Language>> = {
  ada: { also: 'adb ads', load: () => import('highlight.js/lib/languages/ada') },
  apache: { also: '.htaccess', load: () => import('highlight.js/lib/languages/apache') },
  asciidoc: { also: 'adoc', load: () => import('highlight.js/lib/languages/asciidoc') },
  awk: { also: 'gawk mawk', load: () => import('highlight.js/lib/languages/awk') },
  bash: {
    also: 'sh zsh ksh bats fish .bashrc .zshrc .profile .bash_profile',
    load: () => import('highlight.js/lib/languages/bash'),
  },
  c: { also: 'h', load: () => import('highlight.js/lib/languages/c') },
  clojure: { also: 'clj cljs cljc edn', load: () => import('highlight.js/lib/languages/clojure') },
  cmake: { also: 'CMakeLists.txt', load: () => import('highlight.js/lib/languages/cmake') },
  coffeescript: { also: 'coffee', load: () => import('highlight.js/lib/languages/coffeescript') },
  cpp: { also: 'c++ cc cxx hpp hh hxx h++ ino cu', load: () => import('highlight.js/lib/languages/cpp') },
  crystal: { also: 'cr', load: () => import('highlight.js/lib/languages/crystal') },
  csharp: { also: 'cs c# csx', load: () => import('highlight.js/lib/languages/csharp') },
  css: { also: '', load: () => import('highlight.js/lib/languages/css') },
  d: { also: 'di', load: () => import('highlight.js/lib/languages/d') },
  dart: { also: '', load: () => import('highlight.js/lib/languages/dart') },
  delphi: { also: 'pas pascal', load: () => import('highlight.js/lib/languages/delphi') },
  diff: { also: 'patch', load: () => import('highlight.js/lib/languages/diff') },
  django: { also: 'jinja jinja2 j2', needs: ['xml'], load: () => import('highlight.js/lib/languages/django') },
  dockerfile: { also: 'docker Dockerfile Containerfile', load: () => import('highlight.js/lib/languages/dockerfile') },
  dos: { also: 'bat cmd batch', load: () => import('highlight.js/lib/languages/dos') },
  elixir: { also: 'ex exs', load: () => import('highlight.js/lib/languages/elixir') },
  elm: { also: '', load: () => import('highlight.js/lib/languages/elm') },
  erb: { also: '', needs: ['ruby', 'xml'], load: () => import('highlight.js/lib/languages/erb') },
  erlang: { also: 'erl hrl escript', load: () => import('highlight.js/lib/languages/erlang') },
  fortran: { also: 'f90 f95 for', load: () => import('highlight.js/lib/languages/fortran') },
  fsharp: { also: 'fs fsx f# fsi', load: () => import('highlight.js/lib/languages/fsharp') },
  glsl: { also: 'vert frag hlsl wgsl', load: () => import('highlight.js/lib/languages/glsl') },
  go: { also: 'golang', load: () => import('highlight.js/lib/languages/go') },
  gradle: { also: '', load: () => import('highlight.js/lib/languages/gradle') },
  graphql: { also: 'gql', load: () => import('highlight.js/lib/languages/graphql') },
  groovy: { also: 'Jenkinsfile gvy', load: () => import('highlight.js/lib/languages/groovy') },
  handlebars: { also: 'hbs', needs: ['xml'], load: () => import('highlight.js/lib/languages/handlebars') },
  haskell: { also: 'hs', load: () => import('highlight.js/lib/languages/haskell') },
  haxe: { also: 'hx', load: () => import('highlight.js/lib/languages/haxe') },
  http: { also: 'https', load: () => import('highlight.js/lib/languages/http') },
  ini: {
    also: 'toml cfg conf editorconfig .editorconfig .gitconfig .npmrc gitconfig',
    load: () => import('highlight.js/lib/languages/ini'),
  },
  java: { also: 'jsp', load: () => import('highlight.js/lib/languages/java') },
  javascript: {
    also: 'js jsx mjs cjs node bun deno',
    needs: ['xml'],
    load: () => import('highlight.js/lib/languages/javascript'),
  },
  json: {
    also: 'jsonc json5 jsonl ndjson webmanifest geojson .babelrc',
    load: () => import('highlight.js/lib/languages/json'),
  },
  julia: { also: 'jl', load: () => import('highlight.js/lib/languages/julia') },
  kotlin: { also: 'kt kts', load: () => import('highlight.js/lib/languages/kotlin') },
  latex: { also: 'tex sty cls', load: () => import('highlight.js/lib/languages/latex') },
  less: { also: '', load: () => import('highlight.js/lib/languages/less') },
  lisp: { also: 'cl el emacs-lisp elisp', load: () => import('highlight.js/lib/languages/lisp') },
  llvm: { also: 'll', load: () => import('highlight.js/lib/languages/llvm') },
  lua: { also: 'luau', load: () => import('highlight.js/lib/languages/lua') },
  makefile: {
    also: 'mk make Makefile GNUmakefile justfile',
    load: () => import('highlight.js/lib/languages/makefile'),
  },
  markdown: { also: 'md mdx mkd qmd rmd', needs: ['xml'], load: () => import('highlight.js/lib/languages/markdown') },
  matlab: { also: '', load: () => import('highlight.js/lib/languages/matlab') },
  nginx: { also: 'nginxconf', load: () => import('highlight.js/lib/languages/nginx') },
  nim: { also: '', load: () => import('highlight.js/lib/languages/nim') },
  nix: { also: '', load: () => import('highlight.js/lib/languages/nix') },
  objectivec: { also: 'objc mm obj-c objective-c', load: () => import('highlight.js/lib/languages/objectivec') },
  ocaml: { also: 'ml mli', load: () => import('highlight.js/lib/languages/ocaml') },
  perl: { also: 'pl pm', load: () => import('highlight.js/lib/languages/perl') },
  pgsql: { also: 'postgres postgresql plpgsql', load: () => import('highlight.js/lib/languages/pgsql') },
  php: { also: 'php5 phtml', needs: ['xml'], load: () => import('highlight.js/lib/languages/php') },
  plaintext: { also: 'text txt plain log', load: () => import('highlight.js/lib/languages/plaintext') },
  powershell: { also: 'ps1 pwsh psm1 psd1 ps', load: () => import('highlight.js/lib/languages/powershell') },
  prolog: { also: '', load: () => import('highlight.js/lib/languages/prolog') },
  properties: { also: '', load: () => import('highlight.js/lib/languages/properties') },
  protobuf: { also: 'proto', load: () => import('highlight.js/lib/languages/protobuf') },
  puppet: { also: 'pp', load: () => import('highlight.js/lib/languages/puppet') },
  python: { also: 'py py3 python3 pyi pyw gyp bzl starlark', load: () => import('highlight.js/lib/languages/python') },
  r: { also: '', load: () => import('highlight.js/lib/languages/r') },
  ruby: { also: 'rb gemspec rake Gemfile Rakefile', load: () => import('highlight.js/lib/languages/ruby') },
  rust: { also: 'rs', load: () => import('highlight.js/lib/languages/rust') },
  scala: { also: 'sc sbt', load: () => import('highlight.js/lib/languages/scala') },
  scheme: { also: 'scm rkt racket', load: () => import('highlight.js/lib/languages/scheme') },
  scss: { also: 'sass', load: () => import('highlight.js/lib/languages/scss') },
  shell: {
    also: 'console shellsession terminal shell-session',
    needs: ['bash'],
    load: () => import('highlight.js/lib/languages/shell'),
  },
  sql: { also: 'mysql sqlite', load: () => import('highlight.js/lib/languages/sql') },
  stylus: { also: 'styl', load: () => import('highlight.js/lib/languages/stylus') },
  swift: { also: '', load: () => import('highlight.js/lib/languages/swift') },
  tcl: { also: 'tk', load: () => import('highlight.js/lib/languages/tcl') },
  thrift: { also: '', load: () => import('highlight.js/lib/languages/thrift') },
  twig: { also: '', needs: ['xml'], load: () => import('highlight.js/lib/languages/twig') },
  typescript: { also: 'ts tsx mts cts', needs: ['xml'], load: () => import('highlight.js/lib/languages/typescript') },
  vala: { also: '', load: () => import('highlight.js/lib/languages/vala') },
  vbnet: { also: 'vb', load: () => import('highlight.js/lib/languages/vbnet') },
  verilog: { also: 'sv svh systemverilog', load: () => import('highlight.js/lib/languages/verilog') },
  vhdl: { also: 'vhd', load: () => import('highlight.js/lib/languages/vhdl') },
  vim: { also: 'vimrc .vimrc', load: () => import('highlight.js/lib/languages/vim') },
  wasm: { also: 'wat wast', load: () => import('highlight.js/lib/languages/wasm') },
  x86asm: { also: 'asm nasm s', load: () => import('highlight.js/lib/languages/x86asm') },
  xml: {
    also: 'html htm xhtml svg rss atom xsl xsd plist vue svelte astro csproj',
    needs: ['css', 'javascript'],
    load: () => import('highlight.js/lib/languages/xml'),
  },
  yaml: { also: 'yml .clang-format', load: () => import('highlight.js/lib/languages/yaml') },
};

export function languageNamed(name: string): Language | undefined {
  return Object.hasOwn(languages, name) ? languages[name] : undefined;
}

/** The language and those that may stand inside it. */
export function withInner(name: string): string[] {
  const found = new Set([name]);
  for (const one of found) for (const inner of languageNamed(one)?.needs ?? []) found.add(inner);
  return [...found];
}

export interface LanguageHint {
  /** What a block of code says after its fence. */
  label?: string;
  path?: string;
  /** The first line of the text may name its interpreter. */
  code?: string;
}

/** The language of a text, by the surest of the hints. */
export function languageOf(hint: LanguageHint): string | undefined {
  const label = hint.label?.trim().match(/^(?:\{\s*\.?)?([^\s{},:]+)/)?.[1];
  return byName(label) ?? byPath(hint.path) ?? byPath(label) ?? byInterpreter(hint.code);
}

function byName(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const wanted = name.toLowerCase().replace(/^language-/, '');
  if (languageNamed(wanted) !== undefined) return wanted;
  return Object.keys(languages).find((key) => languages[key]?.also.toLowerCase().split(' ').includes(wanted));
}

function byPath(path: string | undefined): string | undefined {
  const file = path?.split(/[\\/]/).at(-1);
  if (file === undefined || file === '') return undefined;
  const whole = Object.keys(languages).find((key) => languages[key]?.also.split(' ').includes(file));
  if (whole !== undefined) return whole;
  if (/^(?:Dockerfile|Containerfile)\./.test(file)) return 'dockerfile';
  return file.includes('.') ? byName(file.split('.').at(-1)) : undefined;
}

function byInterpreter(code: string | undefined): string | undefined {
  const line = code?.slice(0, 200).match(/^#!\s*(\S+)(?:\s+(?:-\S+\s+)*(\S+))?/);
  if (line === null || line === undefined) return undefined;
  const [, program = '', argument] = line;
  const name = program.endsWith('/env') ? argument : program.split('/').at(-1);
  return byName(name?.replace(/[\d.]+$/, ''));
}
