/** OpenAI's Responses API: a reply as the items the vendor streams, each begun, grown, told again as a whole, and ended. */
import { errorBody } from './openai-error.ts';
import { field, modelOf, type Protocol, pieces, type ReplyContext, streamsOnRequest, usageOf } from './protocol.ts';
import type { RecordedRequest, ScriptBlock, ScriptedReply } from './script.ts';

/** A fixed date, so that two runs of a script are the same bytes. */
const created = 1_700_000_000;

export const openaiResponses: Protocol = {
  serves: (pathname) => pathname === '/v1/responses',
  refuses: (request) => streamsOnRequest(request) ?? brokenPair(request),
  documents: {},
  stream,
  errorBody,
};

type Fields = Record<string, unknown>;
/** An event's payload; its `type` is also the event's name. */
type Payload = { type: string } & Fields;

function stream(reply: ScriptedReply, context: ReplyContext): string[] {
  const items = reply.blocks.map((block, index) => itemOf(block, index, context));
  const length = reply.stopReason === 'length';
  const response = (fields: Fields) => ({
    id: `resp_scripted_${context.number}`,
    object: 'response',
    created_at: created,
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    model: modelOf(context.body),
    output: [],
    store: field(context.body, 'store') ?? true,
    usage: null,
    ...fields,
  });
  const whole = response({
    status: length ? 'incomplete' : 'completed',
    incomplete_details: length ? { reason: 'max_output_tokens' } : null,
    output: items.map(({ item }) => item),
    usage: usage(reply),
  });
  const payloads: Payload[] = [
    { type: 'response.created', response: response({}) },
    { type: 'response.in_progress', response: response({}) },
    ...items.flatMap((one, index) => itemEvents(one, index, reply.chunk)),
    { type: length ? 'response.incomplete' : 'response.completed', response: whole },
  ];
  return payloads.map(({ type, ...fields }, sequence_number) => {
    const data = JSON.stringify({ type, sequence_number, ...fields });
    return `event: ${type}\ndata: ${data}\n\n`;
  });
}

interface ScriptedItem {
  block: ScriptBlock;
  /** As it is when it begins, and when it is whole. */
  begun: Fields;
  item: Fields;
}

function itemOf(block: ScriptBlock, index: number, { number, body }: ReplyContext): ScriptedItem {
  const place = `scripted_${number}_${index}`;
  if ('text' in block) {
    const head = { id: `msg_${place}`, type: 'message' };
    const role = { role: 'assistant' };
    return {
      block,
      begun: { ...head, status: 'in_progress', content: [], ...role },
      item: { ...head, status: 'completed', content: [textPart(block.text)], ...role },
    };
  }
  if ('thinking' in block) {
    const head = { id: `rs_${place}`, type: 'reasoning' };
    const include = field(body, 'include');
    const wanted = Array.isArray(include) && include.includes('reasoning.encrypted_content');
    return {
      block,
      begun: { ...head, summary: [] },
      item: {
        ...head,
        // Only on request, as nothing else lets a vendor that keeps nothing go on from it.
        ...(wanted && { encrypted_content: `gAAAA_${place}` }),
        summary: summaryOf(block) === '' ? [] : [summaryPart(summaryOf(block))],
      },
    };
  }
  const head = { id: `fc_${place}`, type: 'function_call' };
  const call = { call_id: block.id ?? `call_${place}`, name: block.call };
  return {
    block,
    begun: { ...head, status: 'in_progress', arguments: '', ...call },
    item: { ...head, status: 'completed', arguments: JSON.stringify(block.input), ...call },
  };
}

function itemEvents({ block, begun, item }: ScriptedItem, output_index: number, chunk: number | undefined): Payload[] {
  return [
    { type: 'response.output_item.added', output_index, item: begun },
    ...growth(block, { item_id: item.id, output_index }, chunk),
    { type: 'response.output_item.done', output_index, item },
  ];
}

function growth(block: ScriptBlock, place: Fields, chunk: number | undefined): Payload[] {
  if ('text' in block) {
    const at = { ...place, content_index: 0 };
    return [
      { type: 'response.content_part.added', ...at, part: textPart('') },
      ...deltas('response.output_text.delta', { ...at, logprobs: [] }, block.text, chunk),
      { type: 'response.output_text.done', ...at, logprobs: [], text: block.text },
      { type: 'response.content_part.done', ...at, part: textPart(block.text) },
    ];
  }
  if ('thinking' in block) {
    const at = { ...place, summary_index: 0 };
    const text = summaryOf(block);
    if (text === '') return [];
    return [
      { type: 'response.reasoning_summary_part.added', ...at, part: summaryPart('') },
      ...deltas('response.reasoning_summary_text.delta', at, text, chunk),
      { type: 'response.reasoning_summary_text.done', ...at, text },
      { type: 'response.reasoning_summary_part.done', ...at, part: summaryPart(text) },
    ];
  }
  const json = JSON.stringify(block.input);
  return [
    ...deltas('response.function_call_arguments.delta', place, json, chunk),
    { type: 'response.function_call_arguments.done', ...place, arguments: json },
  ];
}

function deltas(type: string, place: Fields, text: string, chunk: number | undefined): Payload[] {
  return pieces(text, chunk).map((delta) => ({ type, ...place, delta }));
}

function textPart(text: string): Fields {
  return { type: 'output_text', annotations: [], logprobs: [], text };
}

function summaryPart(text: string): Fields {
  return { type: 'summary_text', text };
}

function summaryOf(block: { thinking: string; redacted?: boolean }): string {
  return block.redacted ? '' : block.thinking;
}

/** Here cached tokens are part of the input's. */
function usage(reply: ScriptedReply): Fields {
  const { input, output, cacheRead, cacheWrite } = usageOf(reply);
  const all = input + cacheRead + cacheWrite;
  return {
    input_tokens: all,
    input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: all + output,
  };
}

/** The vendor refuses half a pair: a call and its output, and reasoning and the item it led to. */
function brokenPair({ body }: RecordedRequest): string | undefined {
  const input = field(body, 'input');
  const items: unknown[] = Array.isArray(input) ? input : [];
  const idsOf = (type: string) =>
    new Set(items.flatMap((item) => (field(item, 'type') === type ? [field(item, 'call_id')] : [])));
  const calls = idsOf('function_call');
  const outputs = idsOf('function_call_output');
  for (const [at, item] of items.entries()) {
    const id = field(item, 'call_id');
    if (id !== undefined && !/^[\w-]{1,64}$/.test(String(id))) return `input[${at}].call_id is not valid: ${id}`;
    if (calls.has(id) && !outputs.has(id)) return `there is no output for the call ${id}`;
    if (outputs.has(id) && !calls.has(id)) return `there is no call for the output ${id}`;
    if (field(item, 'type') !== 'reasoning') continue;
    const next = items.slice(at + 1).find((other) => field(other, 'type') !== 'reasoning');
    if (field(next, 'id') === undefined)
      return `reasoning ${field(item, 'id')} is without the item that must follow it`;
  }
  return undefined;
}
