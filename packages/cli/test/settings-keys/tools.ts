/** Settings about what the tools may do, which there are, and what commands run in. */
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SettingName } from '@tau/agent';
import type { ScriptStep } from '@tau/testkit';
import { expect } from 'vitest';
import { call, calls, request, says } from '../conversation.ts';
import { sessionFiles } from '../sessions.ts';
import { type Proof, result, type Seen, toolsSent } from './proof.ts';

const once = (name: string, input: Record<string, unknown>): ScriptStep[] => [calls(call(name, input)), says('ok')];
const free = { permissionMode: 'dangerously' };

/** The exit code, and whether there is a file `made` now. */
const made = ({ run, project }: Seen) => [run.code, existsSync(join(project, 'made'))];
const writes = once('write', { path: 'made', content: 'x' });

export const toolProofs = {
  permissionMode: { steps: writes, value: 'acceptEdits', see: made, without: [3, false], with: [0, true] },
  'permissions.allow': { steps: writes, value: ['write'], see: made, without: [3, false], with: [0, true] },
  'permissions.ask': {
    steps: writes,
    settings: { permissionMode: 'acceptEdits' },
    value: ['write'],
    see: made,
    without: [0, true],
    with: [3, false],
  },
  'permissions.deny': {
    steps: writes,
    settings: free,
    value: ['write'],
    see: made,
    without: [0, true],
    with: [0, false],
  },
  shellConfirm: {
    steps: once('bash', { command: 'touch made' }),
    value: false,
    see: made,
    without: [3, false],
    with: [0, true],
  },
  auditLog: {
    steps: once('read', { path: 'none' }),
    value: false,
    see: ({ tauHome }) => existsSync(join(tauHome, 'logs/permissions.jsonl')),
    without: true,
    with: false,
  },
  hooks: {
    steps: writes,
    settings: free,
    value: [{ event: 'PreToolUse', tools: ['write'], command: 'echo not now >&2; exit 1' }],
    see: made,
    without: [0, true],
    with: [0, false],
  },
  disableAllHooks: {
    steps: writes,
    settings: { ...free, hooks: [{ event: 'PreToolUse', command: 'exit 1' }] },
    value: true,
    see: made,
    without: [0, false],
    with: [0, true],
  },
  claudeHooks: {
    steps: writes,
    settings: free,
    prepare({ home, write }) {
      const hooks = { PreToolUse: [{ matcher: 'Write', hooks: [{ type: 'command', command: 'exit 2' }] }] };
      write(join(home, '.claude/settings.json'), JSON.stringify({ hooks }));
    },
    value: true,
    see: made,
    without: [0, true],
    with: [0, false],
  },
  claudeRules: {
    steps: writes,
    prepare({ home, write }) {
      write(join(home, '.claude/settings.json'), JSON.stringify({ permissions: { allow: ['Write(./made)'] } }));
    },
    value: true,
    see: made,
    without: [3, false],
    with: [0, true],
  },
  fileAccessLog: {
    steps: once('read', { path: 'none' }),
    value: true,
    see: ({ tauHome }) => existsSync(join(tauHome, 'logs/files.jsonl')),
    without: false,
    with: true,
  },
  additionalDirectories: {
    steps: once('write', { path: '~/notes/made', content: 'x' }),
    settings: { permissionMode: 'acceptEdits' },
    prepare: ({ home, write }) => write(join(home, 'notes/there'), ''),
    value: ['~/notes'],
    see: ({ run, home }) => [run.code, existsSync(join(home, 'notes/made'))],
    without: [3, false],
    with: [0, true],
  },
  tools: {
    value: ['read', 'grep'],
    see: toolsSent,
    without: expect.arrayContaining(['read', 'bash']),
    with: ['read', 'grep'],
  },
  excludeTools: {
    value: ['bash'],
    see: toolsSent,
    without: expect.arrayContaining(['read', 'bash']),
    with: expect.not.arrayContaining(['bash']),
  },
  respectGitignore: {
    git: true,
    files: { '.gitignore': 'hidden.txt\n', 'hidden.txt': 'x', 'plain.txt': 'x' },
    steps: once('glob', { pattern: '*.txt' }),
    value: false,
    see: result,
    without: expect.not.stringContaining('hidden.txt'),
    with: expect.stringContaining('hidden.txt'),
  },
  env: {
    steps: once('bash', { command: 'echo "as $WHOM"' }),
    settings: free,
    value: { WHOM: 'me' },
    see: result,
    without: expect.stringMatching(/^as $/m),
    with: expect.stringMatching(/^as me$/m),
  },
  shell: {
    steps: once('bash', { command: 'echo hi' }),
    settings: free,
    prepare({ home, write }) {
      write(join(home, 'my-shell'), '#!/bin/sh\necho through mine\nexec /bin/sh "$@"\n');
      chmodSync(join(home, 'my-shell'), 0o755);
    },
    value: ({ home }) => join(home, 'my-shell'),
    see: result,
    without: expect.not.stringContaining('through mine'),
    with: expect.stringContaining('through mine\nhi'),
  },
  commandPrefix: {
    steps: once('bash', { command: 'echo hi' }),
    settings: free,
    value: 'echo before',
    see: result,
    without: expect.not.stringContaining('before'),
    with: expect.stringContaining('before\nhi'),
  },
  sessionDir: {
    value: '~/kept',
    see: ({ home, tauHome }) => [join(home, 'kept'), tauHome].map((folder) => sessionFiles(folder).length),
    without: [0, 1],
    with: [1, 0],
  },
  'webFetch.enabled': {
    value: false,
    see: ({ model }) => request(model, 0).raw.includes('web_fetch'),
    without: true,
    with: false,
  },
  'webFetch.privateHosts': {
    // The server that plays the model has a page too.
    steps: [({ headers }) => calls(call('web_fetch', { url: `http://${headers.host}/v1/models` })), says('ok')],
    settings: free,
    value: ({ model }) => [new URL(model.url).host],
    see: result,
    without: expect.not.stringContaining('owned_by'),
    with: expect.stringContaining('owned_by'),
  },
} satisfies Partial<Record<SettingName, Proof>>;
