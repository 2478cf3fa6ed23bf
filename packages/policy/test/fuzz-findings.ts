/** Lines, cut down to the least, that were once proved to only read and did more when they were run. */

/** They do more than read: none of them is proved any more. */
export const liars: readonly string[] = [
  // It has another program unpack what it looks at.
  'locale -m',
  'locale --charmaps',
  // The second of the files is one to write.
  'find sub -type f -exec uniq {} +',
  // What it starts only reads, but itself it writes to the log of the machine.
  'su -c ls',
  'sudo ls',
  // Nothing stays of what is written there, but it is a file like any other to who removes or makes it.
  'rm /dev/null',
  'mkdir /dev/null',
  'touch /dev/null',
  'chmod 777 /dev/null',
  // Of two orders the last one counts.
  'xz -t --compress a.txt',
  'xz -lz a.txt',
  // What is put in for one word may be many, and the second of them is what is run.
  'nice -n $(echo 5 rm f)',
  'timeout -k $(echo 1 5 rm f)',
  // What follows a list hides from the parser what is in it, not from the shell.
  'a=([0]=$(rm f)$(true))PATH=. ',
  'a=(`rm f`)b',
  // A place in a list is evaluated, and what is evaluated may run code.
  "b='c[$(touch f)]'; a=([b]=1)",
  "b='c[$(touch f)]'; a+=([$b]=1)",
  // Of joined letters only the first counts, so that the last word is a file to write; or the last two are.
  'xxd -bc 5 f',
  'tree -Io x f',
  // The option stands before the archive and has no value there, so that the archive is another.
  'unzip -lx ../a.zip b.zip',
  // The number is a file.
  'zstd -c -T 5 a.txt',
  // From a real path `..` leads elsewhere.
  'cd -P link && cd .. && cat a.txt',
  "env -C link bash -c 'cd .. && cat a.txt'",
  // What follows a process substitution is a part of its name.
  'echo > >(cat)x',
  'cat <(ls)x',
  // It merges some of them into a temporary file first, and it does so with any when it has little room.
  'sort ./* -h -m',
  'sort --merge a.txt b.txt',
  'sort -S 1K a.txt',
  'sort --buffer-size=1K a.txt',
  'sort --batch-size=2 a.txt b.txt',
];

/** They only read, but more than they said: the folder they must name now. */
export const silent: readonly (readonly [line: string, folder: string])[] = [
  ['echo link/*', 'link'],
  ['echo ../*', '..'],
  ['cd link && echo *', 'link'],
  ['cd .. && false */c.txt', '..'],
  ['echo */*.txt', 'link'],
  ['cd link && true [ab].txt missing', 'link'],
];

/** The analysis of these did not end. */
export const endless: readonly string[] = ['cd -P -P sub && ls', 'cd -P -L -P -- sub && ls'];

export const findings: readonly string[] = [...liars, ...silent.map(([line]) => line)];
