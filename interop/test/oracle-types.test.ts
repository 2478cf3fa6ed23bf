/** What tau sends, and what the scripted server answers, is what the types of the official SDKs allow, field for field. */
import { beforeAll, expect, test } from 'vitest';
import type { WireApi } from './answers.ts';
import { apis, requestTable } from './requests.ts';
import { scriptedProtocols, scripts } from './scripts.ts';
import { eventLiteral, type Literal, literalOf, type TypeFault, typeFaults } from './wire-types.ts';

interface Allowed {
  api: WireApi;
  /** A field of the items of a list. */
  list: string;
  field: string;
  why: string;
}

/** Fields that are right and that the types do not know. */
const allowed: readonly Allowed[] = [
  {
    api: 'openai-completions',
    list: 'messages',
    field: 'reasoning_content',
    why: 'of the imitators that show their thinking (DeepSeek, Moonshot and others): it goes back to who sent it',
  },
  {
    api: 'openai-completions',
    list: 'messages',
    field: 'reasoning_details',
    why: "OpenRouter's, which wants them back as they came",
  },
];

const met = new Set<Allowed>();

function withoutAllowed(api: WireApi, literal: Literal): Literal {
  const { value } = literal;
  if (typeof value !== 'object' || value === null) return literal;
  const body: Record<string, unknown> = { ...value };
  for (const one of allowed.filter((entry) => entry.api === api)) {
    const items: unknown = body[one.list];
    if (!Array.isArray(items)) continue;
    body[one.list] = items.map((item: object) => {
      if (!(one.field in item)) return item;
      met.add(one);
      return Object.fromEntries(Object.entries(item).filter(([name]) => name !== one.field));
    });
  }
  return { ...literal, value: body };
}

interface Spots {
  request: readonly string[];
  /** In the first event of a script. */
  event: readonly string[];
}

/** Where a field no vendor has is put, to see that it is found. */
const spots: Record<WireApi, Spots> = {
  'anthropic-messages': { request: ['', 'cache_control', 'messages.0', 'tools.0'], event: ['', 'message.usage'] },
  'openai-completions': {
    request: ['', 'stream_options', 'messages.1', 'tools.0.function'],
    event: ['', 'choices.0', 'choices.0.delta'],
  },
  'openai-responses': { request: ['', 'input.0', 'input.0.content.0', 'tools.0'], event: ['', 'response'] },
  'google-generative-ai': {
    request: ['config', 'contents.0', 'contents.0.parts.0', 'config.tools.0.functionDeclarations.0'],
    event: ['', 'candidates.0', 'candidates.0.content.parts.0'],
  },
};

function spoiled(literal: Literal, where: readonly string[]): Literal[] {
  return where.map((spot) => {
    const value = structuredClone(literal.value);
    let here: unknown = value;
    for (const step of spot === '' ? [] : spot.split('.')) here = isObject(here) ? Reflect.get(here, step) : undefined;
    if (!isObject(here)) throw new Error(`${literal.name}: there is nothing at ${spot}`);
    Object.assign(here, { no_vendor_has_this: 1 });
    return { ...literal, name: `a field too many at "${spot}" of ${literal.name}`, value };
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The events of all scripts that are not only long. */
function scripted(api: WireApi): Literal[] {
  const short = scripts.filter(({ reply }) => JSON.stringify(reply).length < 500);
  const body = { model: 'model-1', include: ['reasoning.encrypted_content'], stream_options: { include_usage: true } };
  const context = { number: 0, path: '/v1beta/models/model-1:streamGenerateContent?alt=sse', body };
  return short.flatMap(({ name, reply }) =>
    scriptedProtocols[api].stream(reply, context).flatMap((event) => {
      const data = event.slice(event.indexOf('data: ') + 'data: '.length).trim();
      return data === '[DONE]' ? [] : [eventLiteral(api, `scripted ${api}: ${name}`, data)];
    }),
  );
}

const faults = new Map<string, TypeFault[]>();
const controls: Literal[] = [];

beforeAll(async () => {
  const literals: Literal[] = [];
  for (const api of apis) {
    const rows = await requestTable(api);
    const own = rows.map((row) => withoutAllowed(api, literalOf(api, row)));
    const requests = own.map((literal) => ({ ...literal, name: `${api}: ${literal.name}` }));
    const events = scripted(api);
    literals.push(...requests, ...events);
    const plain = requests.filter(({ name }) => name.endsWith(': tools'));
    controls.push(...plain.flatMap((one) => spoiled(one, spots[api].request)));
    controls.push(...events.slice(0, 1).flatMap((one) => spoiled(one, spots[api].event)));
  }
  // One run for all: most of it is the reading of the SDKs' types.
  for (const fault of await typeFaults([...literals, ...controls])) {
    faults.set(fault.name, [...(faults.get(fault.name) ?? []), fault]);
  }
}, 120_000);

/** Each thing the compiler says once, with one request it says it of. */
function distinct(found: readonly TypeFault[]): string[] {
  const first = new Map<string, string>();
  for (const { name, message } of found) if (!first.has(message)) first.set(message, name);
  return [...first].map(([message, name]) => `${name}: ${message}`);
}

test.each(apis)('%s: the compiler finds no fault with any request', (api) => {
  const found = [...faults].flatMap(([name, about]) => (name.startsWith(`${api}: `) ? about : []));
  expect(distinct(found)).toEqual([]);
});

test.each(apis)('%s: the compiler finds no fault with any event of the scripted server', (api) => {
  const found = [...faults].flatMap(([name, about]) => (name.startsWith(`scripted ${api}: `) ? about : []));
  expect(distinct(found)).toEqual([]);
});

test('a field that no vendor has would be found, wherever it is', () => {
  expect(controls.length).toBeGreaterThan(50);
  const unfound = controls.filter(
    ({ name }) => !faults.get(name)?.some(({ message }) => message.includes('no_vendor_has')),
  );
  expect(unfound.map(({ name }) => name)).toEqual([]);
});

test('everything the compiler said was about a request or an event', () => {
  expect(faults.get('the compiler')).toBeUndefined();
});

test('every field that is let through is one that tau sends', () => {
  expect(allowed.filter((one) => !met.has(one))).toEqual([]);
});
