/** A race against what tau puts right after a command: folders that become links while it looks at them. */
import { mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Place, runContained, usePlace, useRunner } from './contained.ts';

const runner = useRunner();
let place: Place;
usePlace((made) => {
  place = made;
});

const renameat2 = process.arch === 'arm64' ? 276 : 316;
const pairs = 300;
const rounds = 5;

test.each(['own', 'ordinary'] as const)(
  'nothing outside is touched, whatever is exchanged meanwhile (%s user)',
  async (user) => {
    const { project, outside } = place;
    const names = Array.from({ length: 20 }, (_, index) => `file-${index}`).sort();
    for (const name of names) writeFileSync(join(outside, name), '');
    mkdirSync(join(project, 'tools'));
    writeFileSync(join(project, 'tools/envrc'), '');
    symlinkSync('tools/envrc', join(project, '.envrc'));
    // In the folder itself, wherever it is moved to.
    writeFileSync(
      join(project, 'exchange.pl'),
      `my ($n) = @ARGV;
     for (1 .. ${pairs}) { mkdir "a$_"; open my $f, '>', "a$_/x"; symlink '${outside}', "z$_" }
     open my $ready, '>', "${project}/$n" . "ready"; close $ready;
     until (-e "${project}/$n" . "stop") { syscall(${renameat2}, -100, "a$_", -100, "z$_", 2) for 1 .. ${pairs} }`,
    );
    const policy = { readOnly: [join(project, '.envrc'), join(project, 'tools/envrc')] };
    const round = (n: number) => [
      { command: `mkdir d${n}; cd d${n}; exec perl ../exchange.pl ${n}`, policy, background: true, beside: true },
      {
        command: `until [ -e ${n}ready ]; do sleep 0.01; done; rm .envrc; mv d${n} .envrc; echo made; exit 3`,
        policy,
      },
      { command: `touch ${n}stop`, policy },
    ];
    const asked = Array.from({ length: rounds }, (_, n) => round(n)).flat();
    const answers = await runContained(runner.path, asked, { place, user });
    const makers = answers.filter((_, index) => index % 3 === 1);
    for (const answer of makers) expect(answer).toMatchObject({ output: 'made\n', exitCode: 3 });
    expect(readdirSync(outside).sort()).toEqual(names);
    expect(readlinkSync(join(project, '.envrc'))).toBe('tools/envrc');
  },
  120_000,
);
