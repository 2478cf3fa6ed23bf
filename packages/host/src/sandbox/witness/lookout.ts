/**
 * Tells which of some files were opened, by whomever: a small perl program outside, one for a session, which the kernel
 * notifies. Each file is watched until it is opened once. A watch that ends with every command would cost it 12 ms.
 */
import { keepAlive } from '../../local/keep-alive.ts';
import { later } from '../../local/later.ts';

export interface Lookout {
  /** From now on. What was opened before is forgotten. */
  watch(paths: readonly string[]): void;
  /** Those of them that were opened until now. */
  opened(paths: readonly string[]): Promise<string[]>;
  close(): void;
}

/** A healthy one answers at once. */
const patienceMs = 500;

/** inotify_init1, inotify_add_watch. */
const ownCalls = { x64: ['294', '254'], arm64: ['26', '27'] };

export function openLookout(perl: string): Lookout {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const numbers = process.arch === 'arm64' ? ownCalls.arm64 : ownCalls.x64;
  const child = spawn(perl, ['-e', script, '--', ...numbers], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { LC_ALL: 'C' },
  });
  const watched = new Set<string>();
  const opened = new Set<string>();
  const asked = new Map<string, () => void>();
  let questions = 0;
  let rest = '';
  const giveUp = () => {
    for (const answer of asked.values()) answer();
  };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) hear(line);
  });
  // Without it nobody hears of what was opened; nothing else depends on it.
  child.once('error', giveUp).once('close', giveUp);
  child.stdin.on('error', () => {});
  // Its input ends with tau, and so does it.
  for (const one of [child, child.stdin, child.stdout]) keepAlive(one, 'unref');

  function hear(line: string): void {
    const [word, value = ''] = line.split(' ');
    if (word === 'done') asked.get(value)?.();
    if (word !== 'open') return;
    const path = Buffer.from(value, 'hex').toString('utf8');
    watched.delete(path);
    opened.add(path);
  }

  return {
    watch(paths) {
      for (const path of paths) opened.delete(path);
      const fresh = paths.filter((path) => !watched.has(path));
      for (const path of fresh) watched.add(path);
      const lines = fresh.map((path) => `add ${Buffer.from(path).toString('hex')}\n`);
      if (lines.length > 0) child.stdin.write(lines.join(''));
    },
    async opened(paths) {
      questions += 1;
      const number = String(questions);
      await new Promise<void>((resolve) => {
        const timer = later(patienceMs, resolve);
        asked.set(number, () => {
          clearTimeout(timer);
          resolve();
        });
        if (child.exitCode === null && child.signalCode === null) child.stdin.write(`ask ${number}\n`);
        else resolve();
      });
      asked.delete(number);
      return paths.filter((path) => opened.has(path));
    },
    close: () => void child.stdin.end(),
  };
}

/** 0x80800: does not wait, closed for others; 0x80000020: the first time it is opened. */
const script = String.raw`
my ($init, $add) = map { $_ + 0 } @ARGV;
$SIG{$_} = 'IGNORE' for qw(HUP INT QUIT TERM PIPE);
my $number = syscall($init, 0x80800);
exit 1 if $number < 0 || !open my $notes, '<&=', $number;
my ($text, %paths) = ('');
sub told {
  while (sysread $notes, my $events, 65536) {
    while (length $events >= 16) {
      my ($at, $length) = unpack 'lx8L', $events;
      my $path = delete $paths{$at};
      syswrite STDOUT, "open $path\n" if defined $path;
      substr $events, 0, 16 + $length, '';
    }
  }
}
while (1) {
  my $ready = '';
  vec($ready, 0, 1) = vec($ready, $number, 1) = 1;
  next if select($ready, undef, undef, undef) <= 0;
  told() if vec $ready, $number, 1;
  next if !vec $ready, 0, 1;
  sysread(STDIN, $text, 65536, length $text) or exit 0;
  while ($text =~ s/^(\w+) (\w+)\n//) {
    my ($word, $value) = ($1, $2);
    if ($word eq 'ask') { told(); syswrite STDOUT, "done $value\n"; next }
    my $path = pack 'H*', $value;
    my $at = syscall($add, $number, $path, 0x80000020);
    $paths{$at} = $value if $at >= 0;
  }
}
`;
