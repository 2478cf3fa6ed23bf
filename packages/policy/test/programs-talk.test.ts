/** What the shell says by itself, and what programs tell about the machine. */
import { describe, expect, test } from 'vitest';
import { judge } from './judging.ts';
import { refusedLines, understood } from './programs-stories.ts';

describe('they tell and touch nothing', () => {
  understood([
    ['echo hello', 'does nothing else'],
    ['echo -n -e --weird -- x', 'does nothing else'],
    ['true', 'does nothing else'],
    [': ignored', 'does nothing else'],
    ["printf '%s %5.2f %d%%\n' a 1.5 3", 'does nothing else'],
    ["printf '%(%F)T\n' -1", 'does nothing else'],
    ['printf -- -%s- a', 'does nothing else'],
    ['pwd -P', 'does nothing else'],
    ['type -a ls', 'does nothing else'],
    ['which -a node', 'does nothing else'],
    ['command -v node', 'does nothing else'],
    ['expr 1 + 2', 'does nothing else'],
    ['sleep 0.2', 'does nothing else'],
    ['sleep 1m', 'does nothing else'],
    ['seq 1 10', 'does nothing else'],
    ['seq -s, 5 -1 1', 'does nothing else'],
    ['date', 'does nothing else'],
    ['date -u +%FT%TZ', 'does nothing else'],
    ["date -d '2 days ago' +%s", 'does nothing else'],
    ['date -Iseconds', 'does nothing else'],
    ['date -r a', 'reads a'],
    ['uname -a', 'does nothing else'],
    ['hostname', 'does nothing else'],
    ['hostname -s', 'does nothing else'],
    ['whoami', 'does nothing else'],
    ['id -un', 'does nothing else'],
    ['nproc --all', 'does nothing else'],
    ['free -h', 'does nothing else'],
    ['uptime', 'does nothing else'],
    ['locale -a', 'does nothing else'],
    ['getconf PAGE_SIZE', 'does nothing else'],
    ['printenv HOME PATH', 'does nothing else'],
    ['sync', 'does nothing else'],
  ]);
});

describe('tests look at the paths they name', () => {
  understood([
    ['test -f a', 'reads a'],
    ['[ -d src ]', 'reads src'],
    ['[ ! -e a ]', 'reads a'],
    ['[ a -nt b ]', 'reads a, reads b'],
    ['[ -f a -a -f b ]', 'reads a, reads b'],
    ['[ -n $X ]', 'does nothing else'],
    ['[ $X = yes ]', 'does nothing else'],
    ['[ 1 -lt 2 ]', 'does nothing else'],
    ['test', 'does nothing else'],
  ]);
});

describe('hidden powers', () => {
  refusedLines([
    ["printf -v 'a[$(evil)]' x", 'set variables'],
    ["printf %n 'a[$(evil)]'", 'format'],
    ["printf '%5n' x", 'format'],
    ['printf $X', 'only when it runs'],
    ['printf %s $X', 'secret'],
    ['echo $X', 'secret'],
    ['expr $X', 'secret'],
    ["test -v 'a[$(evil)]'", 'variable by its name'],
    ["[ -n a -a -v 'a[$(evil)]' ]", 'variable by its name'],
    ["test -R 'a[$(evil)]'", 'variable by its name'],
    ['[ $X a ]', 'not understood'],
    ['[ -f $X ]', 'only when it runs'],
    ['[ $X -a -f b ]', 'not understood'],
    ['[ -f a', 'missing'],
    ['command ls', 'another program'],
    ['command -p ls', 'another program'],
    ['sleep infinity', 'not understood'],
    ['date 010112002026', 'sets the clock'],
    ['date -s now', '-s'],
    ['date --set=now', '--set=now'],
    ['date -f dates', '-f'],
    ['hostname evil', 'not understood'],
    ['hostname -f', '-f'],
    ['hostname -F file', '-F'],
    ['getconf -v POSIX_V7_ILP32_OFF32 PATH', '-v'],
    ['printenv', 'secrets'],
    ['printenv ANTHROPIC_API_KEY', 'secrets'],
    ['free -s 1', '-s'],
  ]);
});

describe('the shell does these itself, so that no PATH can lead elsewhere', () => {
  understood(
    [
      ['echo a', 'does nothing else'],
      ['printf a', 'does nothing else'],
      ['[ -f a ]', 'reads a'],
      ['command -v a', 'does nothing else'],
    ],
    { trustedPath: false },
  );
  test.each(['date', 'expr 1', 'which a'])('but not %s', (line) => {
    expect(judge(line, { trustedPath: false })).toMatchObject({ known: false, why: expect.stringContaining('PATH') });
  });
});
