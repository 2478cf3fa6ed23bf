/** `tau permissions add` and `remove`: one rule, in the place that was named. */
import { addRule, openPermissionView, type RulePlace, removeRule, TauError } from '@tau/agent';
import type { Option } from '../args/options.ts';
import { readTokens } from '../args/tokens.ts';
import { exitCode } from '../exit.ts';
import { visibleLine } from '../render/visible.ts';
import { workingFolder } from '../working-folder.ts';
import { say, sayJson, tell } from './view.ts';

const table: readonly Option[] = [
  { name: 'allow', help: 'it happens without asking (what add takes)' },
  { name: 'ask', help: 'it is always asked about' },
  { name: 'deny', help: 'it never happens' },
  { name: 'always', help: 'in this folder, kept in ~/.tau (what add and remove take)' },
  { name: 'user', help: 'in the settings in ~/.tau, for every folder' },
  { name: 'project', help: "in the project's settings, shared with whoever works on it" },
  { name: 'local', help: "in the project's, but yours alone" },
  { name: 'json', help: 'as JSON' },
];

const outcomes = ['allow', 'ask', 'deny'] as const;
const places = ['always', 'user', 'project', 'local'] as const;

export async function add(args: readonly string[]): Promise<number> {
  const { rule, outcome = 'allow', place = 'always', json } = read('add', args);
  const { path, changed, warnings } = await addRule(rule, outcome, { cwd: workingFolder(), env: process.env, place });
  for (const text of warnings) tell(`tau: warning: ${text}`);
  if (json) sayJson({ rule, outcome, place, path, changed: changed.length > 0 });
  else say(visibleLine(`${outcome} ${rule} ${changed.length > 0 ? 'is now in' : 'was already in'} ${path}`));
  await tellOthers(rule, outcome, place);
  return exitCode.done;
}

/** Whoever adds what does not count should know. */
async function tellOthers(rule: string, outcome: string, place: RulePlace): Promise<void> {
  const { rules } = await openPermissionView({ cwd: workingFolder(), env: process.env });
  const own = rules.find((one) => one.rule === rule && one.outcome === outcome && one.origin === place);
  if (own?.not !== undefined) tell(`tau: it does not count: ${own.not}; leave --${place} out, or use --user`);
}

export async function remove(args: readonly string[]): Promise<number> {
  const { rule, outcome, place = 'always', json } = read('remove', args);
  const where = { cwd: workingFolder(), env: process.env, place };
  const { path, changed } = await removeRule(rule, outcome, where);
  const { rules } = await openPermissionView({ cwd: where.cwd, env: where.env });
  const elsewhere = rules.filter((one) => one.rule === rule && (outcome ?? one.outcome) === one.outcome);
  if (json) sayJson({ rule, place, path, removed: changed, elsewhere });
  else {
    const what = changed.length > 0 ? `${changed.join(' and ')} ${rule} is no longer in` : `${rule} is not in`;
    say(visibleLine(`${what} ${path}`));
  }
  for (const one of elsewhere) {
    const how = one.origin === 'claude' ? 'change that file to remove it' : `add --${one.origin} to remove it`;
    tell(`tau: ${one.outcome} ${rule} still stands in ${one.place ?? one.origin}: ${how}`);
  }
  // Who wanted it gone and did not get that should not go on as if.
  return changed.length === 0 && elsewhere.length > 0 ? exitCode.failed : exitCode.done;
}

function read(name: string, args: readonly string[]) {
  const { flags, positionals } = readTokens(args, table);
  const [rule, ...more] = positionals;
  if (rule === undefined || rule.trim() === '' || more.length > 0) {
    throw new TauError('usage', `tau permissions ${name} takes one rule`, {
      remedy: `Quote it: tau permissions ${name} 'bash(npm test:*)'`,
    });
  }
  return {
    rule: rule.trim(),
    outcome: oneOf(outcomes, flags),
    place: oneOf(places, flags),
    json: flags.has('json'),
  };
}

function oneOf<T extends string>(names: readonly T[], flags: ReadonlyMap<string, unknown>): T | undefined {
  const given = names.filter((name) => flags.has(name));
  if (given.length > 1) throw new TauError('usage', `--${given.join(' and --')} exclude each other`);
  return given[0];
}
