/** Programs that make, change, copy and remove files: every path that they touch is stated. */
import { describe, expect, test } from 'vitest';
import { judge } from './judging.ts';
import { refusedLines, storyOf, understood } from './programs-stories.ts';

describe('files are made, changed and removed', () => {
  understood([
    ['touch a b', 'writes a, writes b'],
    ['touch -r ref a', 'reads ref, writes a'],
    ['touch -d yesterday -- -a', 'writes -a'],
    ['mkdir -p a/b c', 'writes a/b, writes c'],
    ['mkdir -m 700 a', 'writes a'],
    ['rmdir a', 'removes a'],
    ['rmdir -p a/b/c', 'removes a/b/c, removes a/b, removes a'],
    ['rm a b', 'removes a, removes b'],
    ['rm -f -- -x', 'removes -x'],
    ['rm -rf dist', 'removes all of dist'],
    ['rm --recursive --force dist', 'removes all of dist'],
    ['rm -Rv a b', 'removes all of a, removes all of b'],
    ['unlink a', 'removes a'],
    ['tee out', 'writes out'],
    ['tee -a out two', 'writes out, writes two'],
    ['truncate -s 0 a', 'writes a'],
    ['chmod +x a', 'writes a'],
    ['chmod -x a', 'writes a'],
    ['chmod -R u+rwX,go-w src', 'writes src'],
    ['chmod 755 a b', 'writes a, writes b'],
    ['chmod 1777 a', 'writes a'],
    ['chown me:me a', 'writes a'],
    ['chgrp -R staff a', 'writes a'],
    ['dd if=a of=b bs=1M count=1', 'reads a, writes b'],
  ]);
  refusedLines([
    ['rm -rf --weird a', '--weird'],
    ['rm a -rf', 'after the first file'],
    ['rm $X', 'only when it runs'],
    ['rm -rf -- $X', 'only when it runs'],
    ['mkdir a -p', 'after the first file'],
    ['touch --weird a', '--weird'],
    ['chmod $X a', 'only when it runs'],
    ['chmod --reference=b a', '--reference'],
    ['chown -L -R me a', '-L'],
    ['chown --from=x me a', '--from'],
    ['truncate --weird a', '--weird'],
    ['dd if=a of=b weird=1', 'not understood'],
    ['dd $X', 'not understood'],
    ['patch -p1', 'named in the patch'],
    ['mktemp -d', 'only when it runs'],
  ]);
  test('tee to nowhere writes nothing', () => {
    expect(judge('tee /dev/null')).toEqual({ class: 'read-only', known: true, effects: [] });
  });
  test('what is not understood still tells what it may remove', () => {
    expect(storyOf(judge('rm -rf --weird a'))).toBe('removes all of a');
    expect(storyOf(judge('rm a -rf'))).toBe('removes all of a');
    expect(storyOf(judge('rm --odd a'))).toBe('removes a');
    expect(storyOf(judge('rm -rf a $X'))).toBe('removes all of a');
    expect(storyOf(judge('rm -rf a', { open: true }))).toBe('removes all of a');
    expect(storyOf(judge('/bin/rm -rf a'))).toBe('removes all of a');
    expect(judge('/bin/rm -rf a').known).toBe(false);
  });
});

describe('dangers', () => {
  test.each([
    ['rm -rf --no-preserve-root /', 'protection of the root folder'],
    ['rm -rf $X', 'known only when it runs'],
    ['rm -r a/ $X', 'known only when it runs'],
    ['rm --recursive -- $X', 'known only when it runs'],
    ['chmod -R 777 /', 'a whole system or home'],
    ['chown -R me /home', 'a whole system or home'],
    ['chown --recursive me /usr/', 'a whole system or home'],
    ['chmod u+s a', 'rights of its owner'],
    ['chmod g=rxs a', 'rights of its owner'],
    ['chmod +s a', 'rights of its owner'],
    ['chmod 4755 a', 'rights of its owner'],
    ['chmod 02755 a', 'rights of its owner'],
    ['install -m 4755 a b', 'rights of its owner'],
    ['install -Dm4755 a b', 'rights of its owner'],
    ['dd if=a of=/dev/sda', 'a device'],
    ['dd if=a of=//dev/sda', 'a device'],
    ['cp a /dev/sda', 'a device'],
    ['tee /dev/sda', 'a device'],
    ['tee --weird /dev/sda', 'a device'],
    ['sort -o /dev/sda a', 'a device'],
    ['shred a', 'nothing can bring them back'],
  ])('%s: %s', (line, danger) => {
    expect(judge(line).danger).toContain(danger);
  });
  test.each([
    'rm -rf a',
    'chmod u-s a',
    'chmod 0755 a',
    'chmod o+t a',
    'dd if=/dev/zero of=a',
    'cp a /dev/shm/b',
    'tee /dev/stderr',
  ])('%s is none by itself', (line) => {
    expect(judge(line).danger).toBeUndefined();
  });
});

describe('copies, moves and links', () => {
  understood([
    ['cp a b', 'reads a, writes b, writes b/a'],
    ['cp x/a b/', 'reads x/a, writes b/, writes b/a'],
    ['cp a b dir', 'reads a, reads b, writes dir/a, writes dir/b'],
    ['cp -t dir a', 'reads a, writes dir/a'],
    ['cp -T a b', 'reads a, writes b'],
    ['cp -pv --no-clobber a b', 'reads a, writes b, writes b/a'],
    ['mv a b', 'reads a, removes a, writes b, writes b/a'],
    ['mv -f a b dir', 'reads a, reads b, removes a, removes b, writes dir/a, writes dir/b'],
    ['install -m 755 a bin', 'reads a, writes bin, writes bin/a'],
    ['install -d a b', 'writes a, writes b'],
    ['install -t dir -D a', 'reads a, writes dir/a'],
    ['ln a b', 'reads a, writes a, writes b, writes b/a'],
    ['ln -s a b', 'reads a, reads b/a, writes b, writes b/a'],
    ['ln -sf /opt/x dir/b', 'reads /opt/x, writes dir/b, writes dir/b/x'],
    ['ln -s dir/a', 'reads dir/a, writes ./a'],
    ['ln -sfnT a dir/b', 'reads dir/a, writes dir/b'],
  ]);
  refusedLines([
    ['cp -l a b', '-l'],
    ['cp -s a b', '-s'],
    ['cp -rL a b', '-rL'],
    ['cp --parents a b', '--parents'],
    ['cp --backup a b', '--backup'],
    ['cp -S x a b', '-S'],
    ['cp a', 'not certain'],
    ['cp .. b', 'not certain'],
    ['cp a b -r', 'after the first file'],
    ['cp -- a $X', 'not certain'],
    ['cp a $X', 'only when it runs'],
    ['cp -r a b', 'links in the folder'],
    ['cp -a a b', 'links in the folder'],
    ['cp --weird a b', '--weird'],
    ['mv --backup a b', '--backup'],
    ['mv --weird a b', '--weird'],
    ['install -s a b', '-s'],
    ['install --strip-program=x a b', '--strip-program'],
    ['ln -s ../a b', 'upwards'],
    ['ln -s $X b', 'only when it runs'],
    ['ln -t dir a', '-t'],
  ]);
  describe('a folder is copied to where nothing is', () => {
    understood(
      [
        ['cp -r a b', 'reads a, writes b, writes b/a'],
        ['cp -a a b', 'reads a, writes b, writes b/a'],
      ],
      { glob: () => [] },
    );
    refusedLines([['cp -r a b', 'links in the folder']], { glob: (pattern) => (pattern === 'b/a/*' ? ['b/a/x'] : []) });
    refusedLines([['cp -r a b', 'links in the folder']], { glob: (pattern) => (pattern === 'b/.*' ? ['b/.x'] : []) });
    refusedLines([['cp -r a b', 'links in the folder']], { glob: () => undefined });
    refusedLines([['cp -r a b', 'links in the folder']], { glob: () => [], folders: undefined });
  });
});

describe('archives', () => {
  understood([
    ['tar tf a.tar', 'reads a.tar'],
    ['tar -tzvf a.tgz', 'reads a.tgz'],
    ['tar --list --file=a.tar', 'reads a.tar'],
    ['tar czf a.tgz src', 'reads src, writes a.tgz'],
    ['tar -C src -cf a.tar x', 'reads src/x, writes a.tar'],
    ['tar cfC a.tar src x', 'reads src/x, writes a.tar'],
    ['tar cf - src', 'reads src'],
    ['tar xOf a.tar x', 'reads a.tar'],
    ['unzip -l a.zip', 'reads a.zip, reads a.zip.zip'],
    ['gzip a', 'reads a, writes a.gz, removes a'],
    ['gzip -k a', 'reads a, writes a.gz'],
    ['gzip -c a', 'reads a, reads a.gz'],
    ['gzip -l a.gz', 'reads a.gz'],
    ['gunzip a.gz', 'reads a.gz, writes a, removes a.gz'],
    ['gzip -d a.gz', 'reads a.gz, writes a, removes a.gz'],
    ['zcat a.gz', 'reads a.gz'],
    ['zcat', 'does nothing else'],
    ['bzip2 -dk a.bz2', 'reads a.bz2, writes a'],
    ['xz -T0 -9 a', 'reads a, writes a.xz, removes a'],
    ['zstd -19 a', 'reads a, writes a.zst'],
    ['zstd --rm a', 'reads a, writes a.zst, removes a'],
    ['unzstd a.zst', 'reads a.zst, writes a'],
  ]);
  refusedLines([
    ['tar xf a.tar', 'named in the archive'],
    ['tar -xzf a.tgz -C out', 'named in the archive'],
    ['tar xf a.tar --to-command=evil', '--to-command'],
    ['tar tf a.tar --checkpoint=1 --checkpoint-action=exec=evil', '--checkpoint'],
    ['tar cf a.tar --checkpoint-action=exec=evil b', '--checkpoint-action'],
    ['tar -I evil -tf a.tar', '-I'],
    ['tar tf a.tar --use-compress-program=evil', '--use-compress-program'],
    ['tar tf host:a.tar', 'another machine'],
    ['tar tf a.tar --rsh-command=evil', '--rsh-command'],
    ['tar tf a.tar --rmt-command=evil', '--rmt-command'],
    ['tar tMf a.tar -F evil', '-M'],
    ['tar cf a.tar -T list', '-T'],
    ['tar chf a.tar src', '-h'],
    ['tar cf a.tar @b.tar', 'another archive'],
    ['tar cf a.tar b -C / etc', 'after the first file'],
    ['tar t', 'which archive'],
    ['tar tcf a.tar', 'not certain'],
    ['tar f a.tar', 'not certain'],
    ['tar rf a.tar b', '-r'],
    ['unzip a.zip', 'named in the archive'],
    ['unzip -l *.zip', 'which archive'],
    ['zip -r a.zip src', 'not known'],
    ['gzip -r src', '-r'],
    ['gunzip -N a.gz', '-N'],
    ['gzip -S .x a', '-S'],
    ['gunzip a', 'only when it runs'],
    ['zstd -o out a', '-o'],
    ['xz --files=list', '--files'],
  ]);
  test('what comes out is written to the folder that is named', () => {
    expect(storyOf(judge('tar xzf a.tgz -C out'))).toBe('reads a.tgz, writes out');
    expect(storyOf(judge('unzip a.zip -d out'))).toBe('reads a.zip, reads a.zip.zip, writes out');
  });
});

test('programs that start others by themselves name them', () => {
  expect(judge('tar tzf a.tgz').starts).toEqual(['sh', 'gzip']);
  expect(judge('tar -tf a.tar.xz').starts).toEqual(['sh', 'xz']);
  expect(judge('tar tf a.tar').starts).toBeUndefined();
  expect(judge('zcat a.gz').starts).toEqual(['gzip']);
  expect(judge('egrep x a').starts).toEqual(['grep']);
});
