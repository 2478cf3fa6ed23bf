/** Programs that look at folders, compare files, and search. */
import { describe, expect, test } from 'vitest';
import { judge } from './judging.ts';
import { refusedLines, understood } from './programs-stories.ts';

describe('folders and what files are', () => {
  understood([
    ['ls', 'reads .'],
    ['ls -la', 'reads .'],
    ['ls -lah src test', 'reads src, reads test'],
    ['ls --color=never -1 src', 'reads src'],
    ['ls -R src', 'reads src'],
    ['ls -L', 'reads .'],
    ['ls -', 'reads -'],
    ['tree -L 2 -I node_modules', 'reads .'],
    ['tree -a --dirsfirst src', 'reads src'],
    ['du -sh src', 'reads src'],
    ['du -d1', 'reads .'],
    ['df -h', 'does nothing else'],
    ['df -h .', 'reads .'],
    ['stat a', 'reads a'],
    ['stat -c %s a', 'reads a'],
    ['stat -f %z a', 'reads %z, reads a'],
    ['file a b', 'reads a, reads b'],
    ['file --mime-type -b a', 'reads a'],
    ['readlink -f a', 'reads a'],
    ['realpath --relative-to=src a', 'reads a, reads src'],
  ]);
  refusedLines([
    ['ls -RL', 'follows links'],
    ['ls --recursive --dereference src', 'follows links'],
    ['ls --weird', '--weird'],
    ['tree -o out', '-o'],
    ['tree -R -L 1', '-R'],
    ['tree -l', '-l'],
    ['tree --fromfile x', '--fromfile'],
    ['du -L', '-L'],
    ['du -X list', '-X'],
    ['du --files0-from=list', '--files0-from'],
    ['file -z a', '-z'],
    ['file -C -m a', '-C'],
    ['file -f names', '-f'],
    ['file -p a', '-p'],
    ['file -m rules a', '-m'],
  ]);
});

describe('diff', () => {
  /** Only `dir` is a folder with something in it. */
  const glob = (pattern: string) => (pattern === 'dir/*' ? ['dir/x'] : []);

  understood(
    [
      ['diff a b', 'reads a, reads b'],
      ['diff -u a b', 'reads a, reads b'],
      ['diff -U5 --color=always a b', 'reads a, reads b'],
      ['diff - b', 'reads b'],
      ['diff -r --no-dereference dir e', 'reads dir, reads e, reads dir/e, reads e/dir'],
    ],
    { glob },
  );
  refusedLines(
    [
      ['diff dir e', 'links in a folder'],
      ['diff -r a b', 'links in a folder'],
      ['diff -l a b', '-l'],
      ['diff -X list a b', '-X'],
      ['diff --from-file=a b c', '--from-file'],
      ['diff --to-file=a b c', '--to-file'],
      ['diff a', 'two files'],
      ['diff a b c', 'two files'],
    ],
    { glob },
  );
  test('nobody who could look means that it is not known', () => {
    expect(judge('diff a b')).toMatchObject({ known: false, effects: [{ path: 'a' }, { path: 'b' }] });
  });
});

describe('search for text', () => {
  understood([
    ['grep x a b', 'reads a, reads b'],
    ['grep -rn x src', 'reads src'],
    ['grep -rn x', 'reads .'],
    ['grep x', 'does nothing else'],
    ['grep -rnE "x" src --include=*.ts', 'reads src'],
    ['grep -A3 -B 2 -C1 x a', 'reads a'],
    ['grep -5 x a', 'reads a'],
    ['grep -e x -e y a', 'reads a'],
    ['grep -f list a', 'reads a, reads list'],
    ['grep -P x a', 'reads a'],
    ['grep -e $X a', 'reads a'],
    ['grep -- $X a', 'reads a'],
    ['grep -d recurse x', 'reads .'],
    ['egrep -v x a', 'reads a'],
    ['rgrep x', 'reads .'],
    ['rg x', 'reads .'],
    ['rg -n x src', 'reads src'],
    ['rg -tts -g !*.d.ts x src lib', 'reads src, reads lib'],
    ['rg --files src', 'reads src'],
    ['rg --files', 'reads .'],
    ['rg -e x -f list', 'reads ., reads list'],
    ['rg -l --hidden --no-ignore x', 'reads .'],
    ['rg --type-list', 'does nothing else'],
    ['fd -e ts', 'reads .'],
    ['fd -H x src', 'reads src'],
  ]);
  refusedLines([
    ['grep -R x', '-R'],
    ['grep --dereference-recursive x', '--dereference-recursive'],
    ['grep --exclude-from=list x a', '--exclude-from'],
    ['grep $X a', 'only when it runs'],
    ['grep x $X', 'only when it runs'],
    ['grep -f $X a', 'only when it runs'],
    ['grep', 'pattern is missing'],
    ['rg --pre ./evil x', '--pre'],
    ['rg --pre=./evil x', '--pre=./evil'],
    ['rg --hostname-bin=./evil x', '--hostname-bin'],
    ['rg -z x', '-z'],
    ['rg --search-zip x', '--search-zip'],
    ['rg -L x', '-L'],
    ['rg --follow x', '--follow'],
    ['rg --ignore-file=list x', '--ignore-file'],
    ['fd -x rm', '-x'],
    ['fd -X rm', '-X'],
    ['fd --exec rm', '--exec'],
    ['fd -l', '-l'],
    ['fd -L', '-L'],
  ]);
});

describe('find', () => {
  understood([
    ['find', 'reads .'],
    ['find .', 'reads .'],
    ['find src lib -name *.ts', 'reads src, reads lib'],
    ['find -name x', 'reads .'],
    ['find . -type f ( -name a -o -name b ) -not -path ./x/* -print0', 'reads .'],
    ['find -H . -maxdepth 2 -mtime -1 -size +10k', 'reads .'],
    ['find . -newer a', 'reads ., reads a'],
    ['find . -newermt 2026-01-01', 'reads .'],
    ['find . -newermm a', 'reads ., reads a'],
    ["find . -printf '%p %s\n'", 'reads .'],
    ['find . -name $X', 'reads .'],
    ['find a -delete', 'reads a, removes all of a'],
    ['find a b -name x -delete', 'reads a, reads b, removes all of a, removes all of b'],
    ['find . -fprint out', 'reads ., writes out'],
    ['find . -fprint0 out', 'reads ., writes out'],
    ['find . -fls out', 'reads ., writes out'],
    ['find . -fprintf out %p', 'reads ., writes out'],
  ]);
  refusedLines([
    ['find -L . -name x', '-L'],
    ['find . -follow', '-follow'],
    ['find -files0-from list', '-files0-from'],
    ['find . -weird', '-weird'],
    ['find . -name', '-name'],
    ['find . -exec rm {} ;', 'starts other programs'],
    ['find . -execdir rm {} +', 'starts other programs'],
    ['find . -ok rm {} ;', 'starts other programs'],
    ['find . -okdir rm {} ;', 'starts other programs'],
    ['find . $X', 'only when it runs'],
    ['find $X -name a', 'only when it runs'],
    ['find . -printf $X', '-printf'],
    ['find . -fprint $X', 'only when it runs'],
    ['find -D exec .', '-D'],
  ]);
  test('what is not understood still tells that everything may be removed', () => {
    expect(judge('find a -weird -delete')).toMatchObject({
      class: 'write',
      known: false,
      effects: [{ kind: 'read' }, { kind: 'write', path: 'a', removes: 'tree' }],
    });
  });
  test('more words may be anything', () => {
    expect(judge('find .', { open: true }).known).toBe(false);
  });
});

describe('jq', () => {
  understood([
    ['jq . a.json', 'reads a.json'],
    ['jq -r .scripts.test package.json', 'reads package.json'],
    ["jq -rc '.[] | select(.env == 1) | {a, b: .c}' a", 'reads a'],
    ['jq --arg v 1 .x a', 'reads a'],
    ['jq --slurpfile s b . a', 'reads b, reads a'],
    ['jq -n --args $ARGS x y', 'does nothing else'],
    ["jq -n '[inputs]' a b", 'reads a, reads b'],
    ['jq --indent 4 . -- -a', 'reads -a'],
  ]);
  refusedLines([
    ['jq env', 'environment'],
    ['jq -n $ENV.SECRET', 'environment'],
    ['jq -n \'"\\(env)"\'', 'environment'],
    ['jq \'import "x" as $y; .\' a', 'environment'],
    ['jq \'include "x"; .\' a', 'environment'],
    ['jq -f program a', 'not understood'],
    ['jq --from-file program a', 'not understood'],
    ['jq -L lib . a', 'not understood'],
    ['jq --weird . a', 'not understood'],
    ['jq $X a', 'not understood'],
    ['jq . $X', 'not understood'],
  ]);
});
