/** A decision as lines for a person: what happens, why, each part of a command, each effect, and what would allow it. */
import type { CallAccount, CommandAccount, Effect, PermissionView } from '@tau/agent';
import { clip } from '../render/clip.ts';

const mostLines = 50;

export function commandLines(account: CommandAccount, view: PermissionView): string[] {
  return [...head(account, view), ...parts(account), ...effects(account), ...remedy(account)];
}

export function callLines(account: CallAccount, view: PermissionView): string[] {
  return [...head(account, view), ...effects(account), ...remedy(account)];
}

function head({ decision }: CallAccount, view: PermissionView): string[] {
  const { mode, modeFrom } = view;
  const { outcome, reason, rule, class: kind } = decision;
  return [
    `${outcome}: ${clip(reason, 500)}`,
    `  class  ${kind}`,
    `  mode   ${mode} (${clip(modeFrom, 300)})`,
    ...(rule === undefined ? [] : [`  rule   ${clip(rule, 300)}`]),
    ...where(decision, view).map((text) => `  runs   ${clip(text, 300)}`),
  ];
}

/** Of a command: in the sandbox, outside of it, or why there is none. */
function where({ effects: all }: CallAccount['decision'], { sandbox, contains }: PermissionView): string[] {
  const command = all.find((effect) => effect.kind === 'exec');
  if (!command) return [];
  if (command.outside) return ['outside the sandbox'];
  if (contains) return [`contained by ${sandbox.backend}`];
  const why = sandbox.on ? 'this mode does without it unless --sandbox is given' : (sandbox.reason ?? 'it is off');
  return [`not contained: ${why}`];
}

function parts({ analysis: { parts: all, doubts, problem } }: CommandAccount): string[] {
  const rows = all.map(({ invocation, finding }) => {
    const words = clip(invocation.words.map(wordText).join(' '), 60);
    const found = finding.danger ?? (finding.known ? 'all it does is known' : (finding.why ?? 'not known'));
    const through = invocation.through.length === 0 ? '' : `, through ${clip(invocation.through.join(', '), 100)}`;
    return `  ${words.padEnd(24)}  ${finding.class.padEnd(15)}  ${clip(found, 200)}${through}`;
  });
  const notes = [...(problem === undefined ? [] : [problem]), ...doubts].map((note) => `  ${clip(note, 200)}`);
  return section('It starts:', [...rows, ...notes], 'parts');
}

/** As it could be typed again; what only the shell will know is shown as such. */
function wordText(word: string | undefined): string {
  if (word === undefined) return '$…';
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function effects({ decision }: CallAccount): string[] {
  const rows = decision.effects.map((effect) => {
    const to = 'path' in effect && effect.resolved !== undefined && effect.resolved !== effect.path;
    const leads = to ? ` → ${clip(effect.resolved ?? '', 200)}` : '';
    const again =
      effect.recoverable === undefined ? '' : effect.recoverable ? ' (can be had again)' : ' (gone for good)';
    return `  ${effect.kind.padEnd(6)} ${clip(effectText(effect), 200)}${leads}${again}`;
  });
  return section('It does:', rows, 'effects');
}

function effectText(effect: Effect): string {
  switch (effect.kind) {
    case 'read':
      return effect.path;
    case 'write':
      return effect.removes === undefined ? effect.path : `${effect.path}, which is removed`;
    case 'exec':
      return `${effect.command}${effect.readOnly ? ', which is proved to only read' : ''}`;
    case 'net':
      return effect.host === '*' ? 'the network' : effect.host;
    case 'spawn':
      return effect.agent;
    case 'mcp':
      return `${effect.tool} of ${effect.server}`;
    case 'config':
      return effect.key;
    case 'other':
      return effect.what;
  }
}

function section(title: string, rows: readonly string[], what: string): string[] {
  if (rows.length === 0) return [];
  const more = rows.length - mostLines;
  return ['', title, ...rows.slice(0, mostLines), ...(more > 0 ? [`  … and ${more} more ${what}`] : [])];
}

/** The rules that would have kept it from being asked; there are none for what must be asked every time. */
function remedy({ decision: { outcome, offer, rule } }: CallAccount): string[] {
  if (outcome !== 'ask') return [];
  if (rule !== undefined) return ['', `It asks because of the rule; tau permissions list says where it stands.`];
  if (!offer) return ['', 'No rule is offered for it: it is asked every time, or there is none that narrow.'];
  return [
    '',
    'To allow exactly this from now on:',
    ...offer.map((one) => `  tau permissions add ${quoted(clip(one, 400))}`),
  ];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
