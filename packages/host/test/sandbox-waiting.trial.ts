/** A sandbox that is made before its command is known: it serves the next one that only reads, or nobody. */
import { spawn } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Host, localHost, type SandboxPolicy } from '../src/index.ts';
import { type BubblewrapFacts, testBubblewrap } from '../src/sandbox/bubblewrap/self-test.ts';
import { openSandbox } from '../src/sandbox/open.ts';
import { makePlace, numberedProcessesOf, type Place, processesOf } from './contained.ts';
import { bundleScript } from './script.ts';

let place: Place;
let host: Host;
let facts: BubblewrapFacts;
const path = { PATH: process.env.PATH };

beforeAll(async () => {
  const found = await testBubblewrap(path, '/nowhere');
  if (!found.works) throw new Error(`${found.reason}. ${found.remedy}`);
  facts = found.facts;
});
beforeEach(() => {
  place = makePlace();
  const env = { ...path, TAU_PLACE: place.root };
  host = localHost({ cwd: place.project, env, sandbox: async () => openSandbox(facts, { env }) });
});
afterEach(async () => {
  await host.processes.end();
  place.dispose();
});

async function run(command: string, more: Partial<SandboxPolicy> = {}, stdin?: string) {
  let output = '';
  const result = await host.processes.run({
    command,
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    ...(stdin !== undefined && { stdin }),
    contain: { writable: [], readOnly: [], unreadable: [], network: 'none', ...more },
    onOutput: (chunk) => (output += chunk),
  });
  return { ...result, output };
}

/** The shells that wait: their line ends with what they do when they are told. */
const waiting = () =>
  numberedProcessesOf(place).flatMap(({ pid, text }) => (/^\S+\s+\/\S*bash -c .*REPLY"$/.test(text) ? [pid] : []));

/** The numbers of those that were waited for: one of them may be about to leave still. */
let met: Set<string>;
/** Their namespaces, held open: so no later one gets the same number. */
let held: number[];
beforeEach(() => {
  met = new Set();
  held = [];
});
afterEach(() => held.forEach(closeSync));

/** The namespace of the one that waits now and did not before. */
async function nextWaiting(): Promise<string> {
  let found: string[] = [];
  await expect
    .poll(() => {
      found = waiting().filter((pid) => !met.has(pid));
      return found;
    })
    .toHaveLength(1);
  const [pid = ''] = found;
  met.add(pid);
  held.push(openSync(`/proc/${pid}/ns/pid`, 'r'));
  return readlinkSync(`/proc/${pid}/ns/pid`);
}

/** Runs it when one waits, and says whether that was the one that served it. */
async function next(command: string, more: Partial<SandboxPolicy> = {}) {
  const waits = await nextWaiting();
  const { output, ...ended } = await run(`readlink /proc/self/ns/pid; ${command}`, more);
  const [space, ...lines] = output.split('\n');
  return { ...ended, output: lines.join('\n'), space, wasWaiting: space === waits };
}

test('the second command that only reads is served by one that waited, the third too, each by its own', async () => {
  expect((await run('echo one')).output).toBe('one\n');
  const second = await next('echo two');
  const third = await next('echo three');
  expect([second.wasWaiting, third.wasWaiting]).toEqual([true, true]);
  expect([second.output, third.output]).toEqual(['two\n', 'three\n']);
  expect(second.space).not.toBe(third.space);
});

test('it is the same command: output, ends, input, variables, complaints, many lines and long ones', async () => {
  await run('true');
  expect(await next('echo out; echo err >&2; pwd; exit 3')).toMatchObject({
    ...{ output: `out\nerr\n${place.project}\n`, exitCode: 3, wasWaiting: true },
  });
  expect((await next('echo "[$REPLY$IFS$1$0]" | tr -d " \\t\\n"; cat')).output).toMatch(/^\[\/.*bash\]$/);
  expect((await next('cat <<\\X\n$a `b` "c\nX\necho é')).output).toBe('$a `b` "c\né\n');
  expect((await next('kill -SEGV $$')).exitCode).toBe(139);
  expect((await next('ls /proc/$$/fd')).output.replace('255\n', '')).toBe('0\n1\n2\n');
  const wrong = await next('if then');
  expect(wrong).toMatchObject({ exitCode: expect.any(Number), output: expect.stringContaining('if then') });
  expect(wrong.output).not.toMatch(/ulimit|exec|REPLY/);
  const long = `echo ${'x'.repeat(10_000)}`;
  expect((await run(long)).output).toHaveLength(10_001);
  expect((await run('cat', {}, 'given\n')).output).toBe('given\n');
  const all = await Promise.all([1, 2, 3, 4, 5, 6].map((number) => run(`echo ${number}`)));
  expect(all.map(({ output }) => output).join('')).toBe('1\n2\n3\n4\n5\n6\n');
});

test('whatever else it would be told, it is not the one', async () => {
  await run('true');
  expect(await next('echo "$A"', { env: { A: 'a' } })).toMatchObject({ output: 'a\n', wasWaiting: false });
  expect(await next('echo "$A"', { env: { A: 'b' } })).toMatchObject({ output: 'b\n', wasWaiting: false });
  const key = join(place.root, 'key');
  writeFileSync(key, 'a key');
  expect(await next(`cat ${key}`, { unreadable: [key] })).toMatchObject({ output: '', wasWaiting: false });
  expect(await next(`cat ${key}`, { unreadable: [key] })).toMatchObject({ output: '', wasWaiting: true });
  expect(await next('echo x > made; cat made', { writable: [place.project] })).toMatchObject({ output: 'x\n' });
});

test('what was hidden and is another file or folder now is hidden again; so is what came to be', async () => {
  const at = (name: string) => join(place.root, name);
  const [file, other, folder, later] = [at('file'), at('other'), at('folder'), at('later')];
  const policy = { unreadable: [file, other, folder, later] };
  const write = (name: string) => {
    writeFileSync(name, 'a key');
    return name;
  };
  const fill = (name: string) => {
    mkdirSync(name);
    return write(join(name, 'key'));
  };
  const gone = (name: string) => {
    rmSync(name, { recursive: true });
    return name;
  };
  const move = (from: string, to: string) => {
    renameSync(from, to);
    return from;
  };
  write(file);
  write(other);
  fill(folder);
  const changes: [string, () => string][] = [
    ['put in its place', () => move(write(at('new')), file)],
    ['made anew', () => write(gone(other))],
    ['a folder made anew', () => fill(gone(folder))],
    ['its folder exchanged', () => fill(move(folder, at('old')))],
    ['come to be', () => write(later)],
  ];
  const look = `cat ${file} ${other} ${folder}/* ${later} 2>&-; echo looked`;
  await run('true', policy);
  expect(await next(look, policy)).toMatchObject({ output: 'looked\n', wasWaiting: true });
  for (const [what, change] of changes) {
    await expect.poll(waiting).toHaveLength(1);
    change();
    expect(await next(look, policy), what).toMatchObject({ output: 'looked\n', wasWaiting: false });
  }
  expect(await next(look, policy)).toMatchObject({ output: 'looked\n', wasWaiting: true });
});

test('a socket that was bound meanwhile is not reached', async () => {
  const socket = join(place.outside, 's');
  const connect = `perl -MSocket -e 'socket(my $s, PF_UNIX, SOCK_STREAM, 0); print connect($s, pack_sockaddr_un("${socket}")) ? "met" : "no"'`;
  await run('true');
  await expect.poll(waiting).toHaveLength(1);
  const server = createServer((client) => client.end());
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(() => void server.close());
  expect(await next(connect)).toMatchObject({ output: 'no', wasWaiting: false });
});

test('where the one that waits was killed, the command gets one of its own', async () => {
  await run('true');
  await expect.poll(waiting).toHaveLength(1);
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
      if (line.includes('REPLY') && line.includes(place.root)) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // Gone.
    }
  }
  await expect.poll(waiting).toEqual([]);
  expect((await run('echo fine')).output).toBe('fine\n');
});

test('it ends with the session, keeps nobody from ending, and ends with tau however that ends', async () => {
  await run('true');
  await expect.poll(waiting).toHaveLength(1);
  await host.processes.end();
  await expect.poll(() => processesOf(place)).toEqual([]);
  const owner = (last: string) =>
    bundleScript(
      place.root,
      `const { openSandbox } = await import(${JSON.stringify(join(import.meta.dirname, '../src/sandbox/open.ts'))});
       const env = { PATH: process.env.PATH, TAU_PLACE: ${JSON.stringify(place.root)} };
       const facts = ${JSON.stringify(facts)};
       const inside = localHost({ cwd: ${JSON.stringify(place.project)}, env, sandbox: async () => openSandbox(facts, { env }) });
       const contain = { writable: [], readOnly: [], unreadable: [], network: 'none' };
       await inside.processes.run({ command: 'true', timeoutMs: 9000, signal: new AbortController().signal, onOutput() {}, contain });
       ${last}`,
    );
  // The kernel takes those with it whose keeper has told it so, which is a moment after its start.
  const later = 'await new Promise((resolve) => setTimeout(resolve, 300));';
  for (const last of ['await inside.processes.end()', later, `${later} process.kill(process.pid, "SIGKILL")`]) {
    const child = spawn(process.execPath, [await owner(last)], { stdio: 'ignore' });
    await new Promise((resolve) => child.once('close', resolve));
    expect(child.signalCode).toBe(last.includes('SIGKILL') ? 'SIGKILL' : null);
    await expect.poll(() => processesOf(place)).toEqual([]);
  }
});
