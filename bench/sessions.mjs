/** Rows about conversations on disk: how long it takes to list many, and to go on with a long one. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const sessionCount = 3000;
const folderCount = 30;
const longBytes = 100 * 1024 * 1024;

export const sessions = {
  rows: [
    { key: 'list', name: 'list 3,000 sessions', unit: 'ms', atMost: 120 },
    { key: 'open', name: 'open a 100 MB session', unit: 'ms', atMost: 150 },
    { key: 'openMemory', name: 'peak memory, 100 MB session', unit: 'MB', atMost: 120 },
  ],

  async prepare({ root, project }) {
    const many = join(root, 'many');
    const none = join(root, 'none');
    mkdirSync(none);
    for (let number = 0; number < sessionCount; number++) writeSession(many, number);
    const long = join(root, 'long.jsonl');
    writeFileSync(long, longSession(project));
    return { many, none, long };
  },

  /** What a start costs anyway is taken off: the same command without the sessions. */
  async sample(workplace, binary, { many, none, long }) {
    const list = (dir) =>
      workplace.node([binary, 'sessions', '--all', '--limit', String(sessionCount), '--session-dir', dir]);
    const listed = await list(many);
    const lines = listed.stdout.trimEnd().split('\n').length - 1;
    if (lines !== sessionCount) throw new Error(`${lines} sessions were listed`);
    const nothing = await list(none);

    const print = [binary, '-p', 'hi'];
    const going = [...print, '--session', long];
    const fresh = await workplace.scenario('answer', print);
    const opened = await workplace.scenario('answer', going);
    const memory = await workplace.scenario('answer', going, { memory: true });
    if (!opened.requests[0].body.includes('what was left out')) throw new Error('the conversation was not told');
    const first = ({ requests, startedAt }) => requests[0].arrivedAt - startedAt;
    return {
      list: listed.wall - nothing.wall,
      open: first(opened) - first(fresh),
      openMemory: memory.peak,
    };
  },
};

function writeSession(dir, number) {
  const cwd = `/home/me/projects/app-${number % folderCount}`;
  const folder = join(dir, `--${cwd.slice(1).replaceAll('/', '-')}--`);
  mkdirSync(folder, { recursive: true });
  const id = idOf(number);
  const turns = Array.from({ length: 10 }, (_, turn) => [
    user(`prompt ${turn} of session ${number}`),
    assistant('some words '.repeat(60)),
  ]);
  const time = timeOf(number).replaceAll(/[:.]/g, '-');
  writeFileSync(join(folder, `${time}_${id}.jsonl`), fileOf(header(cwd, number), turns.flat()));
}

/** Most of it was summed up long ago; what counts are the last twenty messages. */
function longSession(cwd) {
  const messages = [];
  const result = 'a line of a log that somebody read once\n'.repeat(250);
  for (let bytes = 0; bytes < longBytes; bytes += 11_000) messages.push(user('go on'), assistant(result));
  const tail = Array.from({ length: 10 }, (_, turn) => [user(`question ${turn}`), assistant(`answer ${turn}`)]).flat();
  const compaction = (firstKeptEntryId) => ({
    type: 'compaction',
    summary: 'what was left out',
    firstKeptEntryId,
    tokensBefore: 1000,
  });
  const firstKept = entryId(messages.length + 1);
  return fileOf(header(cwd, 0), [...messages, compaction(firstKept), ...tail]);
}

function fileOf(first, bodies) {
  const lines = bodies.map((body, at) => {
    const place = { id: entryId(at), parentId: at === 0 ? null : entryId(at - 1), timestamp: timeOf(at) };
    const { type, ...rest } = body;
    return JSON.stringify({ type, ...place, ...rest });
  });
  return `${[JSON.stringify(first), ...lines].join('\n')}\n`;
}

function header(cwd, number) {
  return { type: 'session', version: 3, id: idOf(number), timestamp: timeOf(number), cwd };
}

function user(content) {
  return { type: 'message', message: { role: 'user', content, timestamp: 1 } };
}

function assistant(text) {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost };
  const from = { api: 'anthropic-messages', provider: 'scripted', model: 'scripted', usage, stopReason: 'stop' };
  return { type: 'message', message: { role: 'assistant', content: [{ type: 'text', text }], ...from, timestamp: 1 } };
}

/** A UUIDv7: it begins with the time. */
function idOf(number) {
  const time = (1_700_000_000_000 + number * 1000).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${number.toString(16).padStart(12, '0')}`;
}

function entryId(number) {
  return number.toString(16).padStart(8, '0');
}

function timeOf(number) {
  return new Date(1_700_000_000_000 + number * 1000).toISOString();
}
