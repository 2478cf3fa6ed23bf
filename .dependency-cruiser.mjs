// The import table of docs/architecture.md, checked. A package may import what its row names, and nothing else of ours.
const table = {
  core: [],
  tui: [],
  engine: ['core'],
  models: ['core'],
  host: ['core'],
  policy: ['core'],
  extend: ['core'],
  session: ['core', 'host'],
  tools: ['core', 'host', 'policy'],
  agent: ['core', 'engine', 'models', 'host', 'policy', 'extend', 'session', 'tools'],
  serve: ['agent'],
  web: ['core'],
  cli: ['agent', 'tui', 'serve'],
  testkit: ['core'],
};

export default {
  forbidden: [
    ...Object.entries(table).map(([name, allowed]) => ({
      name: `${name}-imports-only-${allowed.join('-') || 'itself'}`,
      severity: 'error',
      from: { path: `^packages/${name}/src/` },
      to: { path: '^packages/', pathNot: `^packages/(${[name, ...allowed].join('|')})/` },
    })),
    {
      name: 'every-package-has-a-row',
      comment: 'A new package is added to the table above first.',
      severity: 'error',
      from: { path: `^packages/(?!(${Object.keys(table).join('|')})/)` },
      to: {},
    },
    {
      name: 'through-the-door',
      comment: 'Another package is entered by its src/index.ts only.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: { path: '^packages/[^/]+/src/', pathNot: ['^packages/$1/', '^packages/[^/]+/src/index\\.ts$'] },
    },
    {
      name: 'core-has-no-io',
      severity: 'error',
      from: { path: '^packages/core/src/' },
      to: { dependencyTypes: ['core', 'npm'], pathNot: 'node_modules/@cfworker/json-schema' },
    },
    {
      name: 'engine-and-policy-are-pure',
      comment: 'Decisions and the loop touch the world through ports. Path arithmetic is not the world.',
      severity: 'error',
      from: { path: '^packages/(engine|policy)/src/' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?path(/posix)?$' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-test-code-in-the-product',
      severity: 'error',
      from: { path: '^packages/(?!testkit/)[^/]+/src/' },
      to: { path: ['^packages/testkit/', '^packages/[^/]+/test/'] },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default'] },
  },
};
