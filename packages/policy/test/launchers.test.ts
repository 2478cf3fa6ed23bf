/** What other programs are told to start is seen: rules that deny it, and what is dangerous in it, hold there too. */
import { describe, expect, test } from 'vitest';
import { createShellReader } from '../src/index.ts';
import { decideShell, shellIn } from './decisions.ts';
import { launchers, remotes } from './launchers.ts';
import { dangers, deeds, does, isKnown, isReadOnly } from './walking.ts';

const starting = (way: string, line: string) => way.replace('%', () => line);
const all = [...launchers, ...remotes];

describe('whatever starts it', () => {
  test.each(['dangerously', 'default', 'auto'] as const)(
    'a denied command is denied in %s mode, with all commands allowed',
    (mode) => {
      const rules = { allow: ['bash'], deny: ['bash(git push:*)'] };
      const passed = all.filter((way) => decideShell(starting(way, 'git push'), { mode, rules }).outcome !== 'deny');
      expect(passed).toEqual([]);
    },
  );

  test('a denied program that nobody knows is denied too', () => {
    const rules = { allow: ['bash'], deny: ['bash(deploy:*)'] };
    const ways = all.filter((way) => !/spawn|<<|echo|find|exec -a/.test(way));
    const passed = ways.filter((way) => decideShell(starting(way, 'deploy prod'), { rules }).outcome === 'allow');
    expect(passed).toEqual([]);
  });

  test('what is dangerous asks, with all commands allowed', () => {
    const rules = { allow: ['bash'] };
    const passed = all.filter((way) => decideShell(starting(way, 'git push --force'), { rules }).outcome !== 'ask');
    expect(passed).toEqual([]);
    const removed = all.filter((way) => decideShell(starting(way, 'rm -rf src'), { rules }).outcome !== 'ask');
    expect(removed).toEqual([]);
  });

  test('reading is not proved by it', async () => {
    const { analyse } = await shellIn({ tameGit: () => true, managed: () => false, glob: () => [] });
    const known = [
      'watch',
      'flock',
      'time',
      'taskset',
      'ionice',
      'stdbuf',
      'setsid',
      'ls |',
      'find',
      'exec',
      'coproc',
      'env',
      'make',
    ];
    const ways = all.filter((way) => !known.some((name) => way.startsWith(name)));
    const proved = ways.filter((way) =>
      analyse(starting(way, 'ls')).parts.every(({ finding }) => finding.known && !finding.danger),
    );
    expect(proved).toEqual([]);
  });
});

test('a line that holds another one waits for the parser, and one that holds none does not', async () => {
  const facts = () => ({ cwd: '/w/app', home: '/home/me', trustedPath: true });
  const unread = [];
  for (const way of all) {
    const line = starting(way, 'git push');
    const reader = createShellReader(facts);
    await reader.ready(line);
    if (reader.analyse(line).problem !== undefined) unread.push(line);
  }
  expect(unread).toEqual([]);
  const reader = createShellReader(facts);
  await reader.ready('ls');
  for (const line of ['git status', 'git diff -- src', 'docker ps', 'npm test', 'tmux ls']) {
    expect([line, reader.ready(line)]).toEqual([line, undefined]);
  }
});

test('on this machine its paths count: credentials stay denied in every mode', () => {
  const line = 'cat /home/me/.ssh/id_rsa';
  const passed = launchers.filter(
    (way) => decideShell(starting(way, line), { mode: 'dangerously' }).outcome !== 'deny',
  );
  expect(passed).toEqual([]);
});

describe('on another machine', () => {
  test('its paths are not those of this one', () => {
    expect(does('ssh host cat /etc/shadow')).toEqual(['net host']);
    expect(does("ssh host 'echo x > /etc/passwd'")).toEqual(['net host']);
    expect(does('docker exec c cat /root/.ssh/id_rsa')).toEqual([]);
    expect(does('kubectl exec p -- cp /a /b')).toEqual(['net *']);
    expect(decideShell('docker exec c cat /etc/shadow', { rules: { allow: ['bash(docker exec:*)'] } }).outcome).toBe(
      'allow',
    );
  });

  test('a rule for the launcher is enough for what it has a shell do there', () => {
    const rules = { allow: ['bash(ssh host:*)', 'bash(docker exec:*)'] };
    for (const line of ["ssh host 'export A=1; f() { make; }; f'", 'docker exec web sh -c "x=$((1 + 2)); make $x"']) {
      expect(decideShell(line, { rules })).toMatchObject({ outcome: 'allow' });
    }
    expect(decideShell("ssh host 'rm -rf ~/x'", { rules })).toMatchObject({ outcome: 'ask', everyTime: true });
  });

  test('removing a folder is dangerous, whichever it is', () => {
    expect(dangers('ssh host rm -rf /srv/x')).toEqual(['it removes folders where nobody can look']);
    expect(dangers('ssh host rm x')).toEqual([]);
  });

  test('what does not parse there asks', () => {
    const rules = { allow: ['bash(ssh:*)'] };
    expect(decideShell("ssh host 'if then'", { rules }).outcome).toBe('ask');
  });
});

describe('what is started is told', () => {
  test.each([
    ['npx -y prettier --check .', ['npx -y prettier --check .', 'prettier --check .']],
    ["npx -c 'ls; pwd'", ['npx -c ls; pwd', 'ls', 'pwd']],
    ['uv run --with x pytest -q', ['uv run --with x pytest -q', 'pytest -q']],
    ['mise x node@20 -- node a.js', ['mise x node@20 -- node a.js', 'node a.js']],
    ['nix develop -c make test', ['nix develop -c make test', 'make test']],
    ['caffeinate -t 10 make', ['caffeinate -t 10 make', 'make']],
    ['git rebase main', ['git rebase main']],
    ["git rebase -x 'make test' main", ['git rebase -x make test main', 'make test']],
    ['docker run --rm alpine ls', ['docker run --rm alpine ls']],
    ['tmux ls', ['tmux ls']],
    ['npm install x y', ['npm install x y']],
    ['npx --version', ['npx --version']],
  ])('%s', (line, expected) => {
    expect(deeds(line)).toEqual(expected);
  });

  test('what it does is that of the launcher and of what it starts', () => {
    expect(does('npx rm -rf dist')).toEqual(['net *', 'remove dist']);
    expect(does('poetry run touch b')).toEqual(['write b']);
    expect(isKnown('gosu me touch x')).toBe(false);
    expect(isReadOnly('tini -- ls')).toBe(false);
  });
});

test('words that are not started are no commands', () => {
  const rules = { allow: ['bash'], deny: ['bash(git push:*)', 'bash(rm:*)', 'bash(test:*)'] };
  for (const line of ['npm rm x', 'docker rm c', 'npm test', 'cargo test', 'echo git push', 'git log --grep push']) {
    expect([line, decideShell(line, { rules }).outcome]).toEqual([line, 'allow']);
  }
});

test('a rule that allows the launcher allows what its own words name', () => {
  const rules = { allow: ['bash(npx:*)', 'bash(uv run:*)'] };
  expect(decideShell('npx eslint src', { rules }).outcome).toBe('allow');
  expect(decideShell('uv run pytest -q', { rules }).outcome).toBe('allow');
  // A line is more than one command, and each must be allowed.
  expect(decideShell("npx -c 'make; ls'", { rules }).outcome).toBe('ask');
});

describe('a name that is given to a program is not proved', () => {
  test.each(['exec -a rm ls', 'exec -c ls', 'exec -l ls'])('%s', (line) => {
    expect(isReadOnly(line)).toBe(false);
  });
});

describe('a text that nobody knows yet may be any command', () => {
  const rules = { allow: ['bash'], deny: ['bash(git push:*)'] };

  test.each([
    'eval "$X"',
    'bash -c "$X"',
    'bash -lc "$X"',
    'curl x | sh',
    'cat list.txt | sh',
    'su -c "$X"',
    'watch "$X"',
    'flock f -c "$X"',
    'env -S "$X"',
    'npx -c "$X"',
    'npx $X',
    'uv run $X',
    'ssh host $X',
    'ssh host "git $X"',
    'ssh host ls "$X"',
    'docker exec c $X',
    'docker exec c sh -c "$X"',
    'tmux new-session -d "$X"',
    'trap "$X" EXIT',
  ])('%s asks where a rule denies a command', (line) => {
    expect(decideShell(line, { rules }).outcome).toBe('ask');
    expect(isKnown(line)).toBe(false);
  });

  test('without such a rule the one that allows every command is enough', () => {
    for (const line of ['eval "$X"', 'bash -c "$X"', 'ssh host $X', 'npx $X', 'cat list.txt | sh']) {
      expect([line, decideShell(line, { rules: { allow: ['bash'] } }).outcome]).toEqual([line, 'allow']);
    }
  });

  test('what is only handed to a program that is known is not one', () => {
    for (const line of ['docker exec c ls "$X"', 'npx eslint "$X"', 'bash x.sh', 'make $X', 'ssh host ls']) {
      expect([line, decideShell(line, { rules }).outcome]).toEqual([line, 'allow']);
    }
  });
});
