/** What a sandbox changes about decisions: what it holds runs, what would leave it asks. */
import { expect, test } from 'vitest';
import { parseRules, shellEffects } from '../src/index.ts';
import { decideOn, decideShell, shellFor } from './decisions.ts';

const held = { mode: 'auto', contained: true } as const;

function decideOutside(command: string, setting: Parameters<typeof decideOn>[2] = {}) {
  const effects = shellEffects(command, shellFor()).map((effect) =>
    effect.kind === 'exec' ? { ...effect, outside: true } : effect,
  );
  return decideOn('bash', effects, { contained: true, ...setting });
}

test('in auto a command that nobody knows runs because the sandbox holds it, and the decision says so', () => {
  expect(decideShell('./build.sh --fast', held)).toMatchObject({ outcome: 'allow', contained: true });
  expect(decideShell('X=1 make; f() { ls; }; f', held)).toMatchObject({ outcome: 'allow', contained: true });
  expect(decideShell('./build.sh --fast', { mode: 'auto' }).outcome).toBe('ask');
});

test('what is allowed without the help of a sandbox does not say that it needs one', () => {
  expect(decideShell('ls src', held)).not.toHaveProperty('contained');
  expect(decideShell('make', { ...held, rules: { allow: ['bash(make)'] } })).not.toHaveProperty('contained');
});

test.each(['default', 'acceptEdits', 'dontAsk'] as const)(
  'in %s a sandbox changes nothing but what is offered',
  (mode) => {
    const { offer: inside, ...rest } = decideShell('./build.sh', { mode, contained: true });
    const { offer, ...bare } = decideShell('./build.sh', { mode });
    expect(rest).toEqual(bare);
    expect(offer).toEqual(mode === 'dontAsk' ? undefined : ['bash(./build.sh)']);
    expect(inside).toEqual(mode === 'dontAsk' ? undefined : ['contained(./build.sh)']);
  },
);

test('a rule for the sandbox allows nothing without one, nor outside', () => {
  const rules = { allow: ['contained(./build.sh)'] };
  const outside = [{ kind: 'exec', command: './build.sh', readOnly: false, outside: true } as const];
  expect(decideShell('./build.sh', { mode: 'default', contained: true, rules }).outcome).toBe('allow');
  expect(decideShell('./build.sh', { mode: 'default', rules }).outcome).toBe('ask');
  expect(decideOn('bash', outside, { mode: 'default', contained: true, rules }).outcome).toBe('ask');
  const denied = { allow: ['bash'], deny: ['contained(./build.sh)'] };
  expect(decideShell('./build.sh', { mode: 'default', contained: true, rules: denied }).outcome).toBe('deny');
  expect(decideShell('./build.sh', { mode: 'default', rules: denied }).outcome).toBe('allow');
});

test('in auto what leaves the sandbox still asks: writes outside, what steers tools, dangers, a line nobody can read', () => {
  for (const command of [
    'echo x > /etc/motd',
    './build.sh > /srv/out',
    'cp run.sh .git/hooks/pre-commit',
    'rm -rf src',
    'git push --force',
    'echo "unfinished',
  ]) {
    expect(decideShell(command, held), command).toMatchObject({ outcome: 'ask' });
  }
});

test('rules that ask or deny are not softened by a sandbox', () => {
  expect(decideShell('make deploy', { ...held, rules: { deny: ['bash(make deploy)'] } }).outcome).toBe('deny');
  expect(decideShell('make deploy', { ...held, rules: { ask: ['bash(make:*)'] } }).outcome).toBe('ask');
  expect(decideShell('./tool secrets/key', { ...held, rules: { deny: ['edit(secrets/**)'] } }).outcome).toBe('ask');
});

test('credentials are denied to commands in a sandbox too', () => {
  expect(decideShell('cat ~/.ssh/id_rsa', held).outcome).toBe('deny');
});

test('a named host asks, and what is offered is the host, not the command', () => {
  expect(decideShell('curl https://example.org/x', held)).toMatchObject({
    outcome: 'ask',
    offer: ['network(domain:example.org)'],
  });
  const rules = { allow: ['network(domain:*.example.org)'] };
  expect(decideShell('curl https://a.example.org/x', { ...held, rules }).outcome).toBe('allow');
  expect(decideShell('curl https://example.com/x', { ...held, rules }).outcome).toBe('ask');
});

test('a host rule for commands means nothing without a sandbox that holds them to it', () => {
  const rules = { allow: ['network(domain:example.org)'] };
  expect(decideShell('curl https://example.org/x', { mode: 'auto', rules }).outcome).toBe('ask');
});

test('a host that nobody knows yet is left to the sandbox in auto, and asked about in other modes', () => {
  expect(decideShell('npm install', held)).toMatchObject({ outcome: 'allow', contained: true });
  expect(decideShell('npm install', { mode: 'acceptEdits', contained: true }).outcome).toBe('ask');
});

test('a host that the sandbox never lets anybody reach is denied before anything is asked or a rule is looked at', () => {
  const unreachable = (host: string) => (host === '10.0.0.1' ? 'it is private' : undefined);
  const rules = { allow: ['network', 'bash(curl:*)'] };
  for (const mode of ['default', 'auto', 'dontAsk'] as const) {
    const decision = decideShell('curl http://10.0.0.1/', { mode, contained: true, rules, unreachable });
    expect(decision, mode).toMatchObject({ outcome: 'deny', reason: 'it is private' });
  }
  expect(decideShell('curl http://10.0.0.2/', { ...held, unreachable }).outcome).toBe('ask');
  expect(decideOutside('curl http://10.0.0.1/', { mode: 'auto', unreachable }).outcome).toBe('ask');
});

test('loopback is the session itself in a sandbox: auto does not ask about it, other modes and the world without one do', () => {
  for (const host of ['localhost', '127.0.0.1', '127.1.2.3']) {
    const command = `curl http://${host}:3000/`;
    expect(decideShell(command, held), host).toMatchObject({ outcome: 'allow', contained: true });
    expect(decideShell(command, { mode: 'auto' }).outcome, host).toBe('ask');
    expect(decideShell(command, { mode: 'default', contained: true }).outcome, host).toBe('ask');
    expect(decideOutside(command, { mode: 'auto' }).outcome, host).toBe('ask');
  }
  for (const host of ['localhost.example.org', '127.0.0.1.example.org', '10.127.0.0.1', '1127.0.0.1']) {
    expect(decideShell(`curl http://${host}/`, held).outcome, host).toBe('ask');
  }
  expect(decideShell('curl http://localhost/', { ...held, rules: { deny: ['network'] } }).outcome).toBe('deny');
});

test('a deny rule about a host reaches commands, whichever tool it names', () => {
  for (const deny of ['network(domain:example.org)', 'web_fetch(domain:example.org)', 'network']) {
    expect(decideShell('curl https://example.org/x', { ...held, rules: { deny: [deny] } }).outcome, deny).toBe('deny');
  }
});

test('the question about a new host offers a rule for it, and that rule allows it', () => {
  const asked = decideOn('network', [{ kind: 'net', host: 'example.org' }], held);
  expect(asked).toMatchObject({ outcome: 'ask', offer: ['network(domain:example.org)'] });
  const rules = { allow: ['network(domain:example.org)'] };
  expect(decideOn('network', [{ kind: 'net', host: 'example.org' }], { ...held, rules }).outcome).toBe('allow');
  expect(decideOn('web_fetch', [{ kind: 'net', host: 'example.org' }], { ...held, rules }).outcome).toBe('ask');
});

test('plan runs what nobody knows where the sandbox keeps it from writing, and nothing that says it writes or connects', () => {
  const plan = { mode: 'plan', contained: true } as const;
  expect(decideShell('npm test', plan)).toMatchObject({ outcome: 'allow', contained: true });
  for (const command of ['touch x', 'make > out.txt', 'npm install', 'rm -rf src', 'sudo make']) {
    expect(decideShell(command, plan).outcome, command).toBe('deny');
  }
  expect(decideShell('npm test', { mode: 'plan' }).outcome).toBe('deny');
});

test.each(['default', 'acceptEdits', 'trustProject', 'auto'] as const)(
  'in %s running outside the sandbox always asks, and no rule is offered for it',
  (mode) => {
    for (const command of ['ls', 'npm test', 'X=1', 'echo "unfinished']) {
      const decision = decideOutside(command, { mode, rules: { allow: ['bash', 'bash(npm test:*)'] } });
      expect(decision, command).toMatchObject({ outcome: 'ask', everyTime: true });
      expect(decision).not.toHaveProperty('offer');
    }
  },
);

test('plan and dontAsk run nothing outside', () => {
  expect(decideOutside('ls', { mode: 'plan' }).outcome).toBe('deny');
  expect(decideOutside('ls', { mode: 'dontAsk' }).outcome).toBe('deny');
});

test('dangerously asks about nothing, but with walls that the user wants about what leaves them', () => {
  const bare = { mode: 'dangerously' } as const;
  const walled = { ...bare, contained: true } as const;
  const outcomes = (setting: typeof bare | typeof walled) => [
    decideOutside('make', { contained: false, ...setting }).outcome,
    decideOn('write', [{ kind: 'write', path: '/home/me/x' }], setting).outcome,
    decideOn('read', [{ kind: 'read', path: '/home/me/x' }], setting).outcome,
    decideOn('write', [{ kind: 'write', path: '/home/me/project/.git/config' }], setting).outcome,
    decideShell('echo x >> /home/me/.bashrc', setting).outcome,
  ];
  expect(outcomes(bare)).toEqual(Array(5).fill('allow'));
  expect(outcomes(walled)).toEqual(Array(5).fill('ask'));
  const kept = ['make', 'cat /home/me/x', 'rm -rf src', 'git push --force', 'curl https://example.org', 'touch a'];
  for (const command of kept) expect(decideShell(command, walled), command).toMatchObject({ outcome: 'allow' });
  const rules = { allow: ['outside(make)', 'write(/home/me/x)'] };
  expect(decideOutside('make', { ...walled, rules }).outcome).toBe('allow');
  expect(decideOn('write', [{ kind: 'write', path: '/home/me/x' }], { ...walled, rules }).outcome).toBe('allow');
});

test('only a rule that says outside allows it, part by part, and no danger in it', () => {
  const rules = { allow: ['outside(git push:*)', 'bash(make:*)'] };
  expect(decideOutside('git push origin main', { rules })).toMatchObject({ outcome: 'allow' });
  expect(decideOutside('git push origin main && make', { rules }).outcome).toBe('ask');
  expect(decideOutside('git push --force', { rules }).outcome).toBe('ask');
  expect(decideShell('git push origin main', { contained: true, rules }).outcome).toBe('ask');
});

test('a deny rule for commands counts outside as well, and one for outside only there', () => {
  expect(decideOutside('make', { rules: { deny: ['bash(make)'], allow: ['outside(make)'] } }).outcome).toBe('deny');
  const rules = { deny: ['outside(make:*)'] };
  expect(decideOutside('make all', { rules }).outcome).toBe('deny');
  expect(decideShell('make all', { ...held, rules }).outcome).toBe('allow');
});

test('rules about what is outside, and about hosts, are read like the others', () => {
  expect(parseRules({ allow: ['outside(git push:*)', 'network(domain:example.org)'] }).problems).toEqual([]);
  expect(parseRules({ allow: ['network(example.org)'] }).problems).toHaveLength(1);
  expect(parseRules({ allow: ['outside', 'network'] }).warnings).toEqual([
    expect.stringContaining('every command outside the sandbox'),
    expect.stringContaining('every public host'),
  ]);
});

test('what makes a repository of the project, and what holds commands, is written by no tool unasked', () => {
  const asks = (path: string) => decideOn('write', [{ kind: 'write', path }], held).outcome === 'ask';
  expect(
    ['HEAD', '/w/added/HEAD', '/tmp/tau-contained-x/filter', '/tmp/tau-stubs-0/1'].filter((path) => !asks(path)),
  ).toEqual([]);
  expect(['src/HEAD', 'HEAD.md', '/tmp/notes', '/tmp/x/tau-contained-y'].filter(asks)).toEqual([]);
});

test('what a command says it does in a folder that is opened to it is held in auto, and outside in every other mode', () => {
  const places = { writable: ['/home/me/out'] };
  const outcomes = (command: string, setting: object = held) => decideShell(command, { ...setting, places });
  for (const command of ['echo x > ~/out/g', 'cp a ~/out/b', 'cat ~/out/g', 'cd ~/out && make > log'])
    expect(outcomes(command), command).toMatchObject({ outcome: 'allow', contained: true });
  for (const command of ['echo x > ~/outer', 'echo x > ~/out/.envrc', 'echo x > ~/out/HEAD', 'rm -rf ~/out'])
    expect(outcomes(command).outcome, command).toBe('ask');
  for (const mode of ['default', 'acceptEdits', 'trustProject'] as const)
    expect(outcomes('echo x > ~/out/g', { mode, contained: true }).outcome, mode).toBe('ask');
  expect(outcomes('echo x > ~/out/g', { mode: 'auto' }).outcome).toBe('ask');
  expect(decideOutside('echo x > ~/out/g', { mode: 'auto', places }).outcome).toBe('ask');
  const link = { '/home/me/out/g': '/home/me/notes' };
  expect(decideShell('echo x > ~/out/g', { ...held, places, links: link }).outcome).toBe('ask');
  const write = [{ kind: 'write', path: '/home/me/out/g' }] as const;
  expect(decideOn('write', write, { ...held, places }).outcome).toBe('ask');
});

test('what the user hides is denied to whoever no sandbox holds, in every mode, and the longer path wins', () => {
  const places = { unreadable: ['/w/app/secret', '/home/me'], writable: ['/home/me/out'] };
  const on = (kind: 'read' | 'write', path: string, more: object = {}) =>
    decideOn(kind, [{ kind, path }], { mode: 'dangerously', places, ...more });
  for (const path of ['secret', '/w/app/SECRET/a', '/home/me/x']) {
    expect([on('read', path).outcome, on('write', path).outcome], path).toEqual(['deny', 'deny']);
  }
  expect(on('read', 'open', { links: { open: '/w/app/secret/a' } }).outcome).toBe('deny');
  expect(on('read', 'secret', { rules: { allow: ['read(secret)'] } }).reason).toBe(
    'the setting sandbox.unreadable hides secret',
  );
  for (const path of ['secrets', 'src/a', '/home/me/out/g']) expect(on('read', path).outcome, path).toBe('allow');
  const inProject = decideOn('read', [{ kind: 'read', path: 'a' }], { places: { unreadable: ['/w'] } });
  expect(inProject.outcome).toBe('allow');
  expect(decideShell('cat secret', { places }).outcome).toBe('deny');
  expect(decideShell('grep -r x .', { places }).outcome).toBe('deny');
  expect(decideOutside('cat secret', { places }).outcome).toBe('deny');
  // The sandbox hides it, and says so.
  expect(decideShell('cat secret', { ...held, places }).outcome).toBe('allow');
});
