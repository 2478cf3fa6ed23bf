/** Earlier conversations to go on with: what each is about, how old and how large, and whether it is in use. */
import type { SessionInfo } from '@tau/agent';
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
