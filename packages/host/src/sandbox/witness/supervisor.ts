/**
 * A witness inside the sandbox: a small perl program (nearly every Linux has perl) that starts the command, is asked by the
 * kernel before each call that would change a file, lets it go on, and says on a pipe which of them the sandbox refuses.
 * What contains the command are its mounts: whether a place is refused the witness learns from the kernel, so it does not
 * report what would fail outside as well. What no mount keeps it refuses itself: to make what is protected and does not
 * exist, to take protected links away, to change protected files, whose mounts do not outlast them, and to connect to
 * sockets where nothing can be written. A path is followed as the kernel follows it for the process that asks, and who
 * cannot be looked into is refused. A program that changes a path in its memory at the right moment gets past that; what it
 * made is put aside and told at the end. Some system calls it refuses too, in the place of the filter; and of a command that
 * failed it tells which of them it made, and on which ports of loopback nobody listened.
 * Nobody inside can look into the witness; when it ends, the kernel refuses what it would have been asked about.
 */
import { once } from '@tau/core';
import { callFilters } from '../bubblewrap/seccomp.ts';
import type { Launch } from '../sandbox.ts';
import { watchedCalls } from './calls.ts';

/** seccomp, faccessat, exit_group, prctl, statfs. */
const ownCalls = { x64: '317,269,231,157,137', arm64: '277,48,94,167,43' };

interface Told {
  /** What the command must not make or change. */
  refused: readonly string[];
  /** Sockets that it may connect to although they are where nothing can be written. */
  met: readonly string[];
  /** What must be mounted where, see `MountTable.sourceOf`: the program that mounts follows paths after tau has. */
  shown: readonly (readonly [path: string, source: string])[];
}

/** The command, started by the witness. Known machines only, as for the whole sandbox. */
export function witnessed(perl: string, launch: Launch, descriptor: number, told: Told): Launch {
  const { env, aside } = withoutPerls(launch.env);
  const lists = [told.refused, told.met].map((paths) => paths.map(hex).join(','));
  const shown = told.shown.map((pair) => pair.map(hex).join('=')).join(',');
  const given = [String(descriptor), ...known(), ...lists, shown, aside];
  const args = ['-e', script, '--', ...given, launch.program, ...launch.args];
  return { ...launch, program: perl, args, env };
}

/** The same for every command: numbers of calls, what to filter with a witness and without, how to read and name calls. */
const known = once((): string[] => {
  const { arch } = process;
  const [calls, filters] = [watchedCalls(arch), callFilters(arch)];
  if (!calls || !filters) throw new Error(`a witness on ${arch}, whose calls are not known`);
  const programs = [calls.filter, filters.all].map((filter) => filter.toString('hex'));
  return [arch === 'arm64' ? ownCalls.arm64 : ownCalls.x64, ...programs, calls.table, calls.names];
});

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
/** So often it looks who listens on loopback, and of so many ports it tells that nobody does. */
const maxSearches = 50;
const maxAlone = 3;

/**
 * Notes for the reader: 0xC0502100 and 0xC0182101 receive a question and send its answer; flag 1 of an answer is "go on".
 * Whoever holds the filter is stopped by it, the witness too, so it makes none of the calls in the table. What looks at a
 * call is compiled by the first one that opens more than a terminal or /dev/null: most commands change nothing. A call that
 * is not in the table is never let go on, and where something is guarded neither is one that cannot be read ("unseen") or
 * followed. A folder whose path leads through no link is where its path says; every other path is walked link by link,
 * because /proc/self is somebody else for the witness. 0x200000 opens a place without reading it. Errors: 2 and 20 are "not
 * there", 22 "no link", 13 and 30 what the witness answers. prctl 4 keeps others out of this process's memory. At
 * the end, who is about to leave is waited for: a fifth of a second who works, less who sleeps. It ends by the plain call, which spares perl its tidying up. In the lists of /proc/net 0A is
 * who listens, and 07 who has a port for datagrams.
 */
const script = String.raw`
my ($out, $numbers, $filter, $strict, $table, $names, $kept, $met, $shown, $aside) = splice @ARGV, 0, 10;
delete $ENV{LC_ALL};
for (split /,/, $aside) { my ($name, $value) = map { pack 'H*', $_ } split /=/, $_, 2; $ENV{$name} = $value }
my %kept = map { pack('H*', $_) => 1 } split /,/, $kept;
my ($seccomp, $access, $leave, $prctl, $statfs) = map { $_ + 0 } split /,/, $numbers;
my %read = split /[:;]/, $table;
my %names = split /[:;]/, $names;
sub filtered {
  my ($flags, $filter) = @_;
  $filter = pack 'H*', $filter;
  my $program = pack 'SSLP', length($filter) / 8, 0, 0, $filter;
  return syscall($seccomp, 1, $flags, $program);
}
sub unseen {
  if (filtered(0, $strict) != 0) { syswrite STDERR, "system calls cannot be filtered\n"; exit 126 }
  exec { $ARGV[0] } @ARGV;
  exit 127;
}
sub named { my ($text) = @_; $text =~ s/\\([0-7]{3})/chr oct $1/ge; return $text }
if ($shown ne '') {
  my (%wanted, %mounted);
  for (split /,/, $shown) { my ($path, $source) = map { pack 'H*', $_ } split /=/; $wanted{$path} = $source }
  if (open my $list, '<', '/proc/self/mountinfo') {
    while (<$list>) { my @fields = split / /; $mounted{named($fields[4])} = "$fields[2] " . named($fields[3]) }
  }
  for (sort keys %wanted) {
    next if defined $mounted{$_} && $mounted{$_} eq $wanted{$_};
    syswrite STDERR, "The command did not run: while its sandbox was made, something else was put at $_\n";
    exit 126;
  }
}
open(my $report, '>&=', $out) or unseen();
if (syscall($prctl, 4, 0, 0, 0, 0) != 0) { syswrite $report, "off\n"; close $report; unseen() }
my $ear = filtered(8, $filter);
if ($ear < 0) { syswrite $report, "off\n"; close $report; unseen() }
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
my ($seen, $searches, %told, %made, %heard, %alone) = (0, 0);
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
  return length $text > 4096 ? '' : undef;
}
my $looking = <<'LOOKING';
my %met = map { pack('H*', $_) => 1 } split /,/, $met;
sub refused_at { my $path = $_[0]; syscall($access, -100, $path, 2) < 0 && $! == 30 }
sub read_only {
  my ($path, $about) = ($_[0], "\0" x 120);
  return syscall($statfs, $path, $about) != 0 || unpack('x80Q', $about) & 1;
}
sub leader {
  my ($tid) = @_;
  open(my $about, '<', "/proc/$tid/status") or die "unseen\n";
  my ($leader) = map { /^Tgid:\s*(\d+)/ } <$about>;
  return $leader || die "unseen\n";
}
sub walked {
  my ($tid, $path, $follow) = @_;
  my ($at, $links, @left) = ('', 0, split m{/+}, $path);
  while (@left) {
    my $name = shift @left;
    next if $name eq '' || $name eq '.';
    if ($name eq '..') { $at =~ s{/[^/]*$}{}; next }
    return ($at, $name) if !@left && !$follow;
    my $to = readlink "$at/$name";
    if (defined $to) {
      die "endless\n" if ++$links > 40;
      if ($name =~ /^(?:thread-)?self\z/ && $to =~ m{^\d+(?:/task/\d+)?\z}) {
        die "another /proc\n" if $at ne '/proc';
        $to = leader($tid) . ($name eq 'self' ? '' : "/task/$tid");
      }
      if ($to =~ m{^/}) { $at = '' } elsif ($at =~ m{^/proc/\d}) { return }
      unshift @left, split m{/+}, $to;
      next;
    }
    my $why = $! + 0;
    return ($at, $name) if !@left && ($why == 2 || $why == 22);
    return if $why == 2 || $why == 20 || length $name > 255;
    die "closed\n" if $why != 22;
    $at .= "/$name";
  }
  return $at =~ m{^(.*)/([^/]*)\z}s ? ($1, $2) : ('', '');
}
sub place_of {
  my ($tid, $from, $path, $follow) = @_;
  if ($path !~ m{^/}) {
    my $base = readlink($from == -100 ? "/proc/$tid/cwd" : "/proc/$tid/fd/$from");
    die "unseen\n" if !defined $base;
    $path = "$base/$path";
  }
  $path =~ s{/(?:\.?/)+}{/}g;
  my ($up, $name) = $path =~ m{^(.*)/([^/]+)/?\z}s;
  if (defined $name && $name !~ /^\.\.?\z/ && sysopen(my $open, $up eq '' ? '/' : $up, 0x200000)) {
    my $real = readlink '/proc/self/fd/' . fileno $open;
    return ($up, $name) if defined $real && $real eq ($up eq '' ? '/' : $up) && !($follow && -l "$up/$name");
  }
  return walked($tid, $path, $follow);
}
sub address_at {
  my ($tid, $at, $length) = @_;
  $length &= 0xffffffff;
  open(my $memory, '<:raw', "/proc/$tid/mem") or die "unseen\n";
  sysseek($memory, $at, 0) or die "unseen\n";
  defined sysread($memory, my $address, $length > 110 ? 110 : $length) or die "unseen\n";
  my $family = length $address < 2 ? 0 : unpack 'S', $address;
  my ($path) = $family == 1 ? substr($address, 2) =~ /^([^\0]+)/ : ();
  return ($family, $address, $path);
}
sub listens {
  my ($tid, $port) = @_;
  my $end = sprintf '%04X', $port;
  for my $kind (qw(tcp tcp6 udp udp6)) {
    open(my $list, '<', "/proc/$tid/net/$kind") or $kind eq 'tcp' ? return 1 : next;
    my $state = $kind =~ /^tcp/ ? '0A' : '07';
    while (my $line = <$list>) { return 1 if $line =~ /^ *\d+: \w+:$end \w+:\w+ $state / }
  }
  return 0;
}
sub reach {
  my ($tid, $host, $port, $own) = @_;
  if (!$own || $port == 53) { tell_once("connect $host $port"); return }
  return if $port == 0 || $heard{$port} || $searches++ >= ${maxSearches};
  if (listens($tid, $port)) { $heard{$port} = 1; delete $alone{$port} }
  elsif (keys %alone < ${maxAlone}) { $alone{$port} = 1 }
}
sub meet {
  my ($tid, @arguments) = @_;
  my ($family, $address, $path) = address_at($tid, @arguments[1, 2]);
  if (defined $path) {
    my ($up, $name) = place_of($tid, -100, $path, 1) or return 0;
    my $place = "$up/$name";
    return 0 if $met{$place} || !-S $place || !read_only($place);
    tell_once('socket ' . unpack 'H*', $place);
    return 13;
  }
  return 0 if $seen > ${maxRead};
  if ($family == 2 && length $address >= 8) {
    my ($port, @parts) = unpack 'x2nC4', $address;
    reach($tid, join('.', @parts), $port, $parts[0] == 127 || "@parts" eq '0 0 0 0');
  } elsif ($family == 10 && length $address >= 24) {
    my ($port, @parts) = unpack 'x2nx4n8', $address;
    my $text = join ':', map { sprintf '%x', $_ } @parts;
    reach($tid, $text, $port, $text =~ /^0:0:0:0:0:(?:0:0:[01]|ffff:7f[0-9a-f]{2}:[0-9a-f]+)$/);
  }
  return 0;
}
sub look {
  my ($tid, $arguments, $act, $folder, $path, $flags) = @_;
  return meet($tid, @$arguments) if $act eq 'meet';
  my $from = $folder eq '-' ? -100 : unpack('l', pack 'L', $arguments->[$folder] & 0xffffffff);
  my $name;
  if ($act eq 'bind') {
    (undef, undef, $name) = address_at($tid, @$arguments[1, 2]);
    return 0 if !defined $name;
    $act = 'make';
  } else {
    $name = text_at($tid, $arguments->[$path]);
    die "unseen\n" if !defined $name;
    $name = "/proc/$tid/fd/$from" if $name eq '' && $act eq 'share';
    return 0 if $name eq '';
  }
  my $follows = $act eq 'open' || $act eq 'change' || $act eq 'share';
  my ($up, $last) = place_of($tid, $from, $name, $follows) or return 0;
  my $place = "$up/$last";
  my $exists = lstat $place;
  my $makes = $act eq 'make' || $act eq 'put' || $act eq 'open' && ($flags eq '-' || $arguments->[$flags] & 0x40);
  if ($kept{$place} && ($exists || $makes)) {
    tell_once('write ' . unpack 'H*', $place);
    return 30;
  }
  return 0 if $act eq 'share' || $seen > ${maxRead};
  my $in_place = $exists && !($act eq 'take' && -l _) && refused_at($place);
  my $in_folder = refused_at($up eq '' ? '/' : $up);
  my $no = $act eq 'open' ? ($exists ? $in_place : $makes && $in_folder)
    : $act eq 'change' ? $in_place
    : $act eq 'make' ? !$exists && $in_folder
    : $act eq 'take' ? $exists && ($in_folder || $in_place)
    : $in_folder || $in_place;
  tell_once('write ' . unpack 'H*', $place) if $no;
  return 0;
}
1;
LOOKING
sub answer {
  my $question = "\0" x 80;
  ioctl($asked, 0xC0502100, $question) or return 0;
  my ($id, $pid, undef, $number, undef, undef, @arguments) = unpack 'QLLlLQQ6', $question;
  my $named = $names{$number} || $number;
  if (!$read{$number}) {
    $made{$named} = 1;
    my $reply = pack 'QqlL', $id, 0, -1, 0;
    return ioctl($asked, 0xC0182101, $reply);
  }
  my $no = 0;
  $seen++;
  for (split /\|/, $read{$number}) {
    my ($act, @reading) = split /,/;
    my $guards = %kept || $act eq 'meet';
    next if $seen > ${maxRead} && !$guards;
    next if $act eq 'open' && (text_at($pid, $arguments[$reading[1]]) || '') =~ m{^/dev/(?:null|tty)\z};
    if ($looking) { eval $looking or exit 126; $looking = '' }
    my $said = eval { look($pid, \@arguments, $act, @reading) };
    $made{$named} = 1 if $guards && !defined $said && $@ eq "unseen\n";
    $no ||= defined $said ? $said : $guards ? 13 : 0;
  }
  tell_once('many') if $seen == ${maxRead};
  my $reply = $no ? pack('QqlL', $id, 0, -$no, 0) : pack('QqlL', $id, 0, 0, 1);
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
if ($status) {
  tell_once("call $_") for sort keys %made;
  tell_once("nobody $_") for sort { $a <=> $b } keys %alone;
}
syscall($leave, $status & 127 ? 128 + ($status & 127) : $status >> 8);
`;
