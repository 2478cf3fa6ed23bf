/**
 * A witness inside the sandbox: a small perl program (nearly every Linux has perl) that starts the command, is asked by the
 * kernel before each call that would change a file, lets it go on, and says on a pipe which of them the sandbox refuses.
 * What contains the command are its mounts: whether a place is refused the witness learns from the kernel, so it does not
 * report what would fail outside as well. One thing it refuses itself: to make what is protected and does not exist, where
 * no mount can be, and to change protected files, whose mounts do not outlast them. A program that changes a path in its
 * memory at the right moment gets past that; what it made is put aside and told at the end.
 */
import type { Launch } from '../sandbox.ts';
import { watchedCalls } from './calls.ts';

/** The command, started by the witness. `refused`: what it must not make or change. Known machines only, as for the whole sandbox. */
export function witnessed(perl: string, launch: Launch, descriptor: number, refused: readonly string[]): Launch {
  const calls = watchedCalls(process.arch);
  if (!calls) return launch;
  const numbers = process.arch === 'arm64' ? '277,48,94' : '317,269,231';
  const names = refused.map(hex).join(',');
  const { env, aside } = withoutPerls(launch.env);
  const given = [String(descriptor), numbers, calls.filter.toString('hex'), calls.table, names, aside];
  const args = ['-e', script, '--', ...given, launch.program, ...launch.args];
  return { ...launch, program: perl, args, env };
}

/**
 * What would make this perl another one, or have it read a dozen files of the user's language first, is put aside: the
 * witness hands it to the command.
 */
function withoutPerls(env: NodeJS.ProcessEnv): { env: NodeJS.ProcessEnv; aside: string } {
  const isPerls = ([name]: [string, unknown]) => name === 'LC_ALL' || name.startsWith('PERL');
  const all = Object.entries(env);
  const aside = all.filter(isPerls).map(([name, value = '']) => `${hex(name)}=${hex(value)}`);
  const kept = Object.fromEntries(all.filter((one) => !isPerls(one)));
  return { env: { ...kept, LC_ALL: 'C' }, aside: aside.join(',') };
}

function hex(text: string): string {
  return Buffer.from(text).toString('hex');
}

/** After so many calls it stops reading them, and only lets them go on: a large installation must not take twice as long. */
const maxRead = 20_000;
const maxReports = 50;

/**
 * Notes for the reader: 0xC0502100 and 0xC0182101 receive a question and send its answer; flag 1 of an answer is "go on".
 * Whoever holds the filter is stopped by it, the witness too, so it makes none of the calls in the table. What looks at a
 * call is compiled by the first one that opens more than a terminal or /dev/null: most commands change nothing. At the end,
 * who is about to leave is waited for: a fifth of a second who works, less who sleeps. It ends by the plain call, which
 * spares perl its tidying up.
 */
const script = String.raw`
my ($out, $numbers, $filter, $table, $kept, $aside) = splice @ARGV, 0, 6;
delete $ENV{LC_ALL};
for (split /,/, $aside) { my ($name, $value) = map { pack 'H*', $_ } split /=/, $_, 2; $ENV{$name} = $value }
my %kept = map { pack('H*', $_) => 1 } split /,/, $kept;
my %last_names = map { m{([^/]*)$}; $1 => 1 } keys %kept;
my ($seccomp, $access, $leave) = split /,/, $numbers;
my %read = split /[:;]/, $table;
open(my $report, '>&=', $out) or exec { $ARGV[0] } @ARGV;
$filter = pack 'H*', $filter;
my $program = pack 'SSLP', length($filter) / 8, 0, 0, $filter;
my $ear = syscall($seccomp + 0, 1, 8, $program);
if ($ear < 0) { syswrite $report, "off\n"; close $report; exec { $ARGV[0] } @ARGV; exit 127 }
my $child = fork;
if (!defined $child) { syswrite STDERR, "cannot start a process\n"; exit 126 }
if (!$child) {
  close $report;
  exec { $ARGV[0] } @ARGV;
  syswrite STDERR, "$ARGV[0]: $!\n";
  exit 127;
}
$SIG{$_} = 'IGNORE' for qw(TERM INT HUP QUIT PIPE USR1 USR2);
close STDIN; close STDOUT; close STDERR;
open(my $asked, '+<&=', $ear) or exit 126;
my $end = syscall(434, $child, 0);
my ($seen, %told) = (0);
sub tell_once {
  my ($line) = @_;
  return if $told{$line}++ || keys %told > ${maxReports};
  syswrite $report, "$line\n";
}
sub text_at {
  my ($pid, $at) = @_;
  return unless $at;
  open(my $memory, '<:raw', "/proc/$pid/mem") or return;
  sysseek($memory, $at, 0) or return;
  my $text = '';
  for (1 .. 3) {
    my $got = sysread($memory, $text, $_ == 1 ? 4096 - $at % 4096 : 4096, length $text) or last;
    return substr($text, 0, index($text, "\0")) if index($text, "\0") >= 0;
  }
  return;
}
my $looking = <<'LOOKING';
sub refused_at { my $path = $_[0]; syscall($access + 0, -100, $path, 2) < 0 && $! == 30 }
sub above { my $path = $_[0]; $path =~ s{/+$}{}; $path =~ s{/[^/]*$}{} or return '.'; $path eq '' ? '/' : $path }
sub real {
  my ($path, $itself) = @_;
  sysopen(my $open, $itself ? $path : above($path), 0x200000) or return $path;
  my $place = readlink '/proc/self/fd/' . fileno $open;
  return $path if !defined $place;
  return $place if $itself;
  my ($name) = $path =~ m{([^/]*)/*$};
  return $place eq '/' ? "/$name" : "$place/$name";
}
sub look {
  my ($pid, $arguments, $act, $folder, $path, $flags) = @_;
  if ($act eq 'meet') {
    return 0 if $seen > ${maxRead};
    open(my $memory, '<:raw', "/proc/$pid/mem") or return 0;
    sysseek($memory, $arguments->[1], 0) or return 0;
    sysread($memory, my $address, $arguments->[2] > 28 ? 28 : $arguments->[2]) or return 0;
    my $family = unpack 'S', $address;
    if ($family == 2 && length $address >= 8) {
      my ($port, @parts) = unpack 'x2nC4', $address;
      tell_once("connect " . join('.', @parts) . " $port") unless $parts[0] == 127 || "@parts" eq '0 0 0 0';
    } elsif ($family == 10 && length $address >= 24) {
      my ($port, @parts) = unpack 'x2nx4n8', $address;
      my $text = join ':', map { sprintf '%x', $_ } @parts;
      tell_once("connect $text $port") unless $text =~ /^0:0:0:0:0:(?:0:0:[01]|ffff:7f[0-9a-f]{2}:[0-9a-f]+)$/;
    }
    return 0;
  }
  my $name = text_at($pid, $arguments->[$path]);
  return 0 if !defined $name || $name eq '';
  if ($name !~ m{^/}) {
    my $at = $folder eq '-' ? -100 : unpack('l', pack 'L', $arguments->[$folder] & 0xffffffff);
    my $base = readlink($at == -100 ? "/proc/$pid/cwd" : "/proc/$pid/fd/$at");
    return 0 if !defined $base;
    $name = "$base/$name";
  }
  $name =~ s{^/proc/(?:self|thread-self)(?=/|$)}{/proc/$pid};
  if ($act eq 'open') {
    for (1 .. 20) {
      my $to = readlink $name;
      last if !defined $to;
      $name = $to =~ m{^/} ? $to : above($name) . "/$to";
    }
  }
  my ($last) = $name =~ m{([^/]*)/*$};
  my $exists = lstat $name;
  my $makes = $act eq 'make' || $act eq 'put' || $act eq 'open' && ($flags eq '-' || $arguments->[$flags] & 0x40);
  if ($last_names{$last} && ($exists || $makes) && $kept{real($name, 0)}) {
    tell_once('write ' . unpack 'H*', real($name, 0));
    return 1;
  }
  return 0 if $seen > ${maxRead};
  my $link = $exists && -l $name;
  my $in_place = ($act ne 'take' || !$link) && $exists && refused_at($name);
  my $in_folder = refused_at(above($name));
  my $no = $act eq 'open' ? ($exists ? $in_place : $makes && $in_folder)
    : $act eq 'change' ? $in_place
    : $act eq 'make' ? !$exists && $in_folder
    : $act eq 'take' ? $exists && ($in_folder || $in_place)
    : $in_folder || $in_place;
  tell_once('write ' . unpack 'H*', real($name, $exists && ($act eq 'open' || $act eq 'change'))) if $no;
  return 0;
}
1;
LOOKING
sub answer {
  my $question = "\0" x 80;
  ioctl($asked, 0xC0502100, $question) or return 0;
  my ($id, $pid, undef, $number, undef, undef, @arguments) = unpack 'QLLlLQQ6', $question;
  my $no = 0;
  $seen++;
  if ($seen <= ${maxRead} || %kept) {
    for (split /\|/, $read{$number} || '') {
      my ($act, @reading) = split /,/;
      next if $act eq 'open' && (text_at($pid, $arguments[$reading[1]]) || '') =~ m{^/dev/(?:null|tty)\z};
      if ($looking) { eval $looking or exit 126; $looking = '' }
      $no ||= eval { look($pid, \@arguments, $act, @reading) };
    }
    tell_once('many') if $seen == ${maxRead};
  }
  my $reply = $no ? pack('QqlL', $id, 0, -30, 0) : pack('QqlL', $id, 0, 0, 1);
  ioctl($asked, 0xC0182101, $reply);
}
my $wanted = '';
vec($wanted, $ear, 1) = 1;
vec($wanted, $end, 1) = 1 if $end >= 0;
sub serve {
  my ($seconds) = @_;
  my $ready = $wanted;
  my $count = select $ready, undef, undef, $seconds;
  return 0 if $count <= 0;
  if (vec $ready, $ear, 1) { answer(); return 1 }
  return 2;
}
my $status;
while (1) {
  my $what = serve($end < 0 ? 0.02 : undef);
  next if $what == 1;
  if (waitpid($child, 1) == $child) { $status = $?; last }
}
vec($wanted, $end, 1) = 0 if $end >= 0;
sub others {
  my $busy = 0;
  opendir(my $all, '/proc') or return 0;
  for my $pid (grep { /^\d+$/ && $_ != 1 && $_ != $$ } readdir $all) {
    open(my $file, '<', "/proc/$pid/stat") or next;
    my ($state) = (<$file> || '') =~ /\) (\w) [^)]*$/;
    return 5 if defined $state && $state !~ /[RDZX]/;
    $busy = 1 if defined $state && $state !~ /[ZX]/;
  }
  return $busy;
}
my $looks = 0;
while (my $weight = others()) {
  $looks += $weight;
  if ($looks > 50) { tell_once('left'); last }
  1 while serve(0.004) == 1;
}
syscall($leave + 0, $status & 127 ? 128 + ($status & 127) : $status >> 8);
`;
