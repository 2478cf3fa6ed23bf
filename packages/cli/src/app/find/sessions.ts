/** Earlier conversations to go on with: what each is about, how old and how large, and whether it is in use. */
import {
  type Agent,
  describeOwner,
  lookUpSession,
  type SessionChoice,
  type SessionInfo,
  type SessionPlace,
  TauError,
} from '@tau/agent';
import type { SelectItem } from '@tau/tui';

export function sessionItems(sessions: readonly SessionInfo[], now: number): SelectItem<string>[] {
  return sessions.map((one) => ({
    value: one.id,
    label: aboutSession(one),
    description: [ago(now - Date.parse(one.modified)), size(one.size), ...(one.model ? [one.model] : [])].join(' · '),
    ...(one.owner && { disabled: `in use by process ${one.owner.pid}` }),
  }));
}

export function aboutSession({ name, firstPrompt, id }: Pick<SessionInfo, 'name' | 'firstPrompt' | 'id'>): string {
  const text = (name === undefined ? (firstPrompt ?? id) : `[${name}] ${firstPrompt ?? ''}`)
    .replace(/\s+/g, ' ')
    .trim();
  return text.length > maxChars ? `${text.slice(0, maxChars - 1)}…` : text;
}

const maxChars = 80;

/** Whether another conversation can begin, before this one is left. Throws and says why not. */
export async function canBegin(
  choice: SessionChoice,
  agent: Pick<Agent, 'sessionId'>,
  place: SessionPlace,
): Promise<void> {
  if (typeof choice === 'string') return;
  const { id, owner } = await lookUpSession('open' in choice ? choice.open : choice.fork, place);
  // A copy only reads.
  if (!('open' in choice)) return;
  if (id === agent.sessionId) throw new TauError('usage', 'This conversation is open already');
  if (owner) {
    throw new TauError('session', `The conversation is in use by ${describeOwner(owner)}`, {
      remedy: 'Wait until it ends',
    });
  }
}

const units: readonly [unit: string, ms: number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
];

export function ago(ms: number): string {
  const [unit, length] = units.find(([, one]) => ms >= one) ?? ['', 0];
  return length === 0 ? 'just now' : `${Math.floor(ms / length)} ${unit} ago`;
}

function size(bytes: number): string {
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1000))} KB`;
}
