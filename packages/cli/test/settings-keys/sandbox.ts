/** Settings about the sandbox that commands run in. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SettingName } from '@tau/agent';
import { call, calls, says } from '../conversation.ts';
import { at } from '../json.ts';
import { proxiedGet } from '../proxied-get.ts';
import { events, exitCode, type Proof, result, type Seen } from './proof.ts';

const runs = (command: string) => [calls(call('bash', { command })), says('ok')];
const inAuto = { permissionMode: 'auto' };
/** Through a proxy that does not answer nobody is reached: what counts is who is asked first. */
const throughNobody: Proof['perform'] = (scene) =>
  scene.tau(['-p', 'go'], { env: { http_proxy: 'http://127.0.0.1:9', no_proxy: '127.0.0.1' } });

/** Whether the run said at its start that commands are contained. */
const isOn = (seen: Seen) =>
  at(
    events(seen).find((event) => at(event, 'type') === 'agent_start'),
    'sandbox',
    'on',
  );

export const sandboxProofs = {
  'sandbox.enabled': {
    contained: true,
    args: ['--output-format', 'stream-json'],
    value: false,
    see: isOn,
    without: true,
    with: false,
  },
  'sandbox.backend': {
    contained: true,
    args: ['--output-format', 'stream-json'],
    value: process.platform === 'darwin' ? 'bubblewrap' : 'seatbelt',
    see: isOn,
    without: true,
    with: false,
  },
  'sandbox.hosts': {
    contained: true,
    settings: inAuto,
    files: { 'get.cjs': proxiedGet },
    perform: throughNobody,
    steps: runs('node get.cjs http://a.example/'),
    value: ['a.example'],
    see: exitCode,
    without: 3,
    with: 0,
  },
  'sandbox.registries': {
    contained: true,
    settings: inAuto,
    files: { 'get.cjs': proxiedGet },
    perform: throughNobody,
    steps: runs('node get.cjs http://registry.npmjs.org/'),
    value: ['npm'],
    see: exitCode,
    without: 3,
    with: 0,
  },
  'sandbox.writable': {
    contained: true,
    settings: inAuto,
    files: { 'keep.sh': 'touch "$HOME/kept/made"' },
    prepare: ({ home, write }) => write(join(home, 'kept/there'), ''),
    steps: runs('sh keep.sh'),
    value: ['~/kept'],
    see: ({ home }) => existsSync(join(home, 'kept/made')),
    without: false,
    with: true,
  },
  'sandbox.unreadable': {
    contained: true,
    settings: inAuto,
    files: { 'look.sh': 'cat secret.txt || true', 'secret.txt': 'pssst' },
    steps: runs('sh look.sh'),
    value: ['secret.txt'],
    see: (seen) => String(result(seen)).includes('pssst'),
    without: true,
    with: false,
  },
} satisfies Partial<Record<SettingName, Proof>>;
