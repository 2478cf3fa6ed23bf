import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeTracePlace, startedNames, traceLines } from '../src/index.ts';
import { readTraces } from '../src/trace-log.ts';

async function trace(...lines: string[]) {
  const place = makeTracePlace();
  onTestFinished(place.dispose);
  writeFileSync(join(place.project, 'a.txt'), 'one\ntwo\n');
  writeFileSync(join(place.home, 'secret'), 'x\n');
  mkdirSync(join(place.project, 'sub'));
  symlinkSync('../home', join(place.project, 'link'));
  const env = { PATH: '/usr/bin:/bin', HOME: place.home, TMPDIR: place.temp, SHELL: '/bin/bash', LC_ALL: 'C' };
  const traces = await traceLines(place, lines, { env, shell: '/bin/bash' });
  return { place, traces, at: (number: number) => traces[number] ?? expect.fail(`there is no trace ${number}`) };
}

test('a line that only reads leaves reads and the names of its programs', async () => {
  const { place, at } = await trace('cat a.txt | wc -l; echo done >/dev/null');
  expect(at(0)).toMatchObject({ writes: [], connections: [], signals: [] });
  expect(at(0).reads).toContain(join(place.project, 'a.txt'));
  expect(startedNames(at(0)).sort()).toEqual(['bash', 'cat', 'wc']);
});

test('a file behind a link is told by where it really is', async () => {
  const { place, at } = await trace('cat link/secret', 'cd sub; cat ../link/../home/secret');
  for (const number of [0, 1]) expect(at(number).reads).toContain(join(place.home, 'secret'));
});

test('a folder is read when its names are, not when it is opened to come back to it', async () => {
  const { place, at } = await trace('ls .', 'find /none', 'find sub/..', "perl -e 'opendir D, shift; readdir D' sub");
  expect(at(0).reads).toContain(place.project);
  expect(at(1).reads).not.toContain(place.project);
  expect(at(2).reads).toContain(place.project);
  expect(at(3).reads).toContain(join(place.project, 'sub'));
});

test.each([
  ['touch new', 'openat'],
  ['echo x > new', 'openat'],
  ['mkdir new', 'mkdir'],
  ['rm a.txt', 'unlinkat'],
  ['mv a.txt b.txt', 'rename'],
  ['ln -s a.txt b.txt', 'symlink'],
  ['ln a.txt b.txt', 'link'],
  ['chmod 600 a.txt', 'chmod'],
  ['truncate -s 0 a.txt', 'openat'],
  ['touch -c a.txt', 'utimensat'],
  ['sed -i s/one/1/ a.txt', 'openat'],
  ['{ echo x >/etc/from-a-trace; } 2>/dev/null', 'openat /etc/from-a-trace'],
])('the write of %s is seen', async (line, call) => {
  const { at } = await trace(line);
  expect(at(0).writes.join('\n')).toContain(call);
});

test('a connection is seen, and leads nowhere', async () => {
  const { at } = await trace('true </dev/tcp/127.0.0.1/80', 'true </dev/udp/192.0.2.1/53');
  expect(at(0).connections.join('\n')).toContain('AF_INET');
  expect(at(1).connections.join('\n')).toContain('AF_INET');
});

test('each line has its own trace, even when it leaves something behind or takes too long', async () => {
  const { place, at, traces } = await trace('(sleep 1; touch late) & disown', 'sleep 60', 'setsid sleep 60 &', 'pwd');
  expect(traces).toHaveLength(4);
  expect(at(0).writes.join('\n')).toContain('late');
  for (const number of [1, 2, 3]) expect(at(number).writes).toEqual([]);
  expect(startedNames(at(2))).toContain('setsid');
  expect(startedNames(at(3))).toEqual(['bash']);
  expect(existsSync(join(place.project, 'late'))).toBe(true);
});

test('strange names and bytes arrive in the trace as they are', async () => {
  const { place, at } = await trace("echo x > $'a\\n<b>\"\\303\\251'");
  expect(at(0).writes).toContain(`openat ${join(place.project, 'a\n<b>"é')}`);
});

test('a call that was cut off by the end of its process is no riddle', () => {
  const log = [
    '10 clone(child_stack=NULL) = 11',
    '11 execve("/usr/bin/ls", ["ls"], 0x1) = 0',
    '11 <... ??? resumed>) = ?',
    '11 ???() = ?',
    '11 ???( <unfinished ...>',
    '11 +++ killed by SIGKILL +++',
  ].join('\n');
  expect(readTraces(log)).toMatchObject([{ started: ['/usr/bin/ls'], writes: [] }]);
  expect(() => readTraces(`${log}\n11 what is this`)).toThrow('cannot be read');
});
