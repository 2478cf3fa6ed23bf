/** Programs that look at, end or start other processes, now or later. */
import type { Finding, Invocation, Judge, Word } from '../invocation.ts';
import { alwaysDangerous, forEach, risky } from './danger.ts';
import { looksAt, notKnown } from './findings.ts';
import { hiddenValue } from './judges.ts';
import { gives, operandsOf } from './loose.ts';
import { isMisread, type OptionTable, readInvocation, valuesOf } from './options.ts';

const kind = 'process-control';
const later = 'it leaves something that runs later';
const endsMuch = 'it ends processes that nobody named';
const stopsService = 'it stops or takes away a service of this machine';

export const processPrograms: ReadonlyMap<string, Judge> = new Map([
  ['ps', ps],
  [
    'pgrep',
    listing({ flags: 'flaxnociv', values: 'uUgGPstd', long: 'list-name list-full full exact newest oldest count' }),
  ],
  ['pidof', listing({ flags: 'sx', values: 'o' })],
  ['pstree', listing({ flags: 'apuntTlcgA' })],
  ['jobs', listing({ flags: 'lnprs' })],
  ['wait', listing({ flags: 'nf' })],
  ['ulimit', ulimit],
  ['kill', kill],
  ...forEach('pkill killall skill', killByName),
  ...alwaysDangerous('killall5', endsMuch, kind),
  ...forEach('fg bg disown renice tmux screen', () => notKnown(kind, 'it steers other processes')),
  ...forEach('systemctl service rc-service initctl', service),
  ['launchctl', launchctl],
  ['crontab', crontab],
  ...forEach('at batch', ({ words }) => risky(kind, later, gives(words, 'l', 'V') ? undefined : later)),
  ...alwaysDangerous('systemd-run', later, kind),
  ...alwaysDangerous('shutdown reboot halt poweroff init telinit', 'it stops the machine', kind),
]);

/** They only look, with these options. */
function listing(table: OptionTable): Judge {
  return (invocation) => {
    const reading = readInvocation(invocation, table);
    const why = isMisread(reading) ? reading.why : hiddenValue(reading);
    return why === undefined ? looksAt([]) : notKnown(kind, why);
  };
}

/** It prints limits; to raise one can have files written, when a program dies. */
function ulimit(invocation: Invocation): Finding {
  const reading = readInvocation(invocation, { flags: 'HSabcdefiklmnpqrstuvxPRT' });
  if (isMisread(reading)) return notKnown(kind, reading.why);
  return reading.operands.length === 0 ? looksAt([]) : notKnown(kind, 'it changes what later commands may do');
}

/** Its letters mean three things at once, and one of them shows what is in the environment: only well-worn forms. */
const psForms =
  /^(-?aux(ww|f|wwf)?|-?ax(f|u|l)?|ax|-e|-A|-a|-x|-f|-F|-l|-ef|-eF|-ely|-efww|-w|-ww|-L|-H|-ejH|-axjf|--forest|--no-headers?)$/;
const psTable: OptionTable = { values: 'opuUCGt', longValues: 'sort pid ppid user format', old: psForms };
const psColumns =
  /^(pid|ppid|pgid|sid|user|uid|ruser|group|gid|comm|ucmd|cmd|args|command|stat|state|s|time|cputime|etimes?|lstart|start|stime|%cpu|pcpu|c|%mem|pmem|rss|vsz|sz|ni|nice|pri|tty|tt|nlwp|psr|wchan|flags|f)(=.*)?$/;

function ps(invocation: Invocation): Finding {
  const reading = readInvocation(invocation, psTable);
  if (isMisread(reading)) return notKnown(kind, reading.why);
  const columns = valuesOf(reading, 'o', 'format').flatMap((value) => value?.split(',') ?? ['?']);
  const understood =
    hiddenValue(reading) === undefined &&
    reading.operands.every((word) => word !== undefined && psForms.test(word)) &&
    reading.options.every(({ name, value }) => name === 'sort' || !value?.startsWith('-')) &&
    columns.every((column) => psColumns.test(column));
  return understood ? looksAt([]) : notKnown(kind, 'it may show what is in the environment of processes');
}

function kill({ words: [, ...words] }: Invocation): Finding {
  if (words[0] === '-l' || words[0] === '-L')
    return words.length < 3 && !words.includes(undefined) ? looksAt([]) : notKnown(kind, 'it is not understood');
  return risky(kind, 'it ends or wakes other processes', targets(words).some(isEverything) ? endsMuch : undefined);
}

/** The words after the signal. */
function targets(words: readonly Word[]): Word[] {
  const [first, ...rest] = words;
  if (first === '-s' || first === '-n') return rest.slice(1);
  return first?.startsWith('-') ? rest : [...words];
}

/** Process 1, one's own group, everything there is. */
function isEverything(target: Word): boolean {
  return target === '1' || target === '0' || target === '-1' || target === '-0';
}

function killByName({ words: [, ...words] }: Invocation): Finding {
  const names = operandsOf(words, '-s --signal -u -U -g -G -P -t');
  const byUser = words.some((word) => /^-([a-z]*u|U)$/.test(word ?? '')) || gives(words, 'user', 'euid', 'uid');
  const all = (byUser && names.length === 0) || names.some((name) => name === '' || /^[.*^$]+$/.test(name ?? '-'));
  return risky(kind, 'it ends processes by name', all ? endsMuch : undefined);
}

function service({ words: [, ...words] }: Invocation): Finding {
  const verbs = operandsOf(words).map((word) => word ?? '');
  if (verbs.some((verb) => /^(reboot|poweroff|halt|kexec|suspend|hibernate|emergency|rescue|isolate)$/.test(verb))) {
    return risky(kind, 'it stops the machine', 'it stops the machine');
  }
  if (verbs.some((verb) => /^(stop|disable|mask|kill|revert)$/.test(verb)))
    return risky(kind, stopsService, stopsService);
  const stays = verbs.some((verb) => /^(enable|link|edit|set-default|set-environment|import-environment)$/.test(verb));
  return risky(kind, 'it deals with services of this machine', stays ? later : undefined);
}

function launchctl({ words: [, ...words] }: Invocation): Finding {
  const verb = operandsOf(words)[0] ?? '';
  if (/^(load|bootstrap|submit|enable|setenv|config)$/.test(verb)) return risky(kind, later, later);
  const stops = /^(unload|bootout|remove|disable|kill|stop|reboot)$/.test(verb);
  return risky(kind, 'it deals with services of this machine', stops ? stopsService : undefined);
}

function crontab({ words, open }: Invocation): Finding {
  if (words.length === 2 && words[1] === '-l' && !open) return looksAt([]);
  return risky(kind, later, gives(words, 'r') ? 'it removes everything that is to run later' : later);
}
