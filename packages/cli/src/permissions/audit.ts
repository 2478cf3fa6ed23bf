/** `tau permissions audit`: what was decided here last, and who answered. */
import { type AuditRecord, readAudit, TauError } from '@tau/agent';
import type { Option } from '../args/options.ts';
import { readTokens } from '../args/tokens.ts';
import { exitCode } from '../exit.ts';
import { clip } from '../render/clip.ts';
import { workingFolder } from '../working-folder.ts';
import { none, say, sayJson, tell } from './view.ts';

const table: readonly Option[] = [
  { name: 'limit', value: 'N', help: 'at most N (default 50)' },
  { name: 'all', help: 'of every folder' },
  { name: 'json', help: 'as JSON' },
];

export async function audit(args: readonly string[]): Promise<number> {
  const { flags, positionals } = readTokens(args, table);
  none('audit', positionals);
  const limit = limitOf(flags.get('limit')?.at(-1));
  const all = flags.has('all');
  const { path, records, unreadable, more } = readAudit({
    env: process.env,
    ...(limit !== undefined && { limit }),
    ...(!all && { project: workingFolder() }),
  });
  if (flags.has('json')) sayJson({ path, records, unreadable, more });
  else if (records.length === 0)
    say(`Nothing was decided ${all ? 'yet' : 'in this folder yet; --all shows other folders'}`);
  else say(records.map((record) => recordLine(record, all)).join('\n'));
  if (unreadable > 0) tell(`tau: ${unreadable} lines of ${path} cannot be read and are left out`);
  if (more && !flags.has('json')) tell(`tau: there are older ones in ${path}; --limit shows more`);
  return exitCode.done;
}

function limitOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new TauError('usage', `--limit cannot be "${text}"`, { remedy: 'It is a whole number from 1 to 99999' });
}

/** The oldest first, as a log is read. */
function recordLine(record: AuditRecord, withFolder: boolean): string {
  const { timestamp, outcome, tool, what, reason, cwd } = record;
  const folder = withFolder ? `  ${clip(cwd, 60)}` : '';
  const said = `${outcome}${answerText(record)}`;
  return `${clip(timestamp, 30)}${folder}  ${said.padEnd(10)}  ${record.class.padEnd(10)}  ${clip(tool, 20)}  ${clip(what, 100)}  (${clip(reason, 200)})`;
}

function answerText({ answer }: AuditRecord): string {
  if (answer === undefined) return '';
  const { outcome, scope, unattended } = answer;
  if (unattended) return ', nobody there';
  if (outcome === 'deny') return ', no';
  return scope === undefined || scope === 'once' ? ', yes' : `, yes (${clip(scope, 20)})`;
}
