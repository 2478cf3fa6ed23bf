/** What the bench's model answers, as bytes made before the clock runs: one list of replies per scenario. */
import { wires } from './wires.mjs';

// A model that makes the same call again and again is stopped, so no two calls here are the same.
export const echoTurns = 21;
export const chunkCount = 20_000;
export const chunkText = 'word ';
export const parallelCommands = 8;
export const searchPattern = 'needleInTheHay';

/** Replies in order; each is a list of buffers to write one after another, or such a list with a pace. */
export const scenarios = {
  answer: [textReply(['ok'])],
  echoOnce: turnScript(1, (at) => `echo ${at}`),
  echoTurns: turnScript(echoTurns, (at) => `echo ${at}`),
  writeOnce: turnScript(1, (at) => `echo ${at} > made`),
  writeTurns: turnScript(echoTurns, (at) => `echo ${at} > made`),
  parallel: [
    toolReply(Array.from({ length: parallelCommands }, (_, at) => bash(`toolu_p${at}`, sleepFor(at)))),
    textReply(['done']),
  ],
  chunks: [textReply(manyChunks())],
  // As a quick model speaks, a word at a time.
  words: [{ everyMs: 5, parts: wires['anthropic-messages'](manyWords()).map((event) => Buffer.from(event)) }],
  search: [toolReply([{ id: 'toolu_s', name: 'grep', input: { pattern: searchPattern } }]), textReply(['done'])],
  ...Object.fromEntries(
    otherApis().flatMap((api) => [
      [`answer/${api}`, [batched(wires[api](['ok']))]],
      [`chunks/${api}`, [batched(wires[api](manyChunks()))]],
    ]),
  ),
};

/** Those that have rows of their own; everything else is measured over Anthropic Messages. */
export function otherApis() {
  return Object.keys(wires).filter((api) => api !== 'anthropic-messages');
}

/** 400 of them, in paragraphs and lists as answers have them, and an end that is seen only once. */
function manyWords() {
  const words = ['stone', 'has', 'light', 'on', 'a', 'hill', 'and', 'of', 'glass', 'made', 'the', 'birds', 'sing'];
  const answer = Array.from({ length: 398 }, (_, at) => {
    const opening = at % 60 === 0 && at > 0 ? '\n\n' : at % 60 > 40 && at % 10 === 1 ? '\n- ' : at === 0 ? '' : ' ';
    return opening + words[(at * 7) % words.length];
  });
  return [...answer, '\n\n', 'END'];
}

/** The same time in as many spellings. */
export function sleepFor(at) {
  return `sleep 0.2${'0'.repeat(at)}`;
}

function manyChunks() {
  return Array.from({ length: chunkCount }, () => chunkText);
}

function textReply(texts) {
  return batched(wires['anthropic-messages'](texts));
}

function turnScript(turns, command) {
  const replies = Array.from({ length: turns }, (_, at) => toolReply([bash(`toolu_e${at}`, command(at))]));
  return [...replies, textReply(['done'])];
}

function bash(id, command) {
  return { id, name: 'bash', input: { command } };
}

function toolReply(calls) {
  const blocks = calls.flatMap(({ id, name, input }, index) => [
    start(index, { type: 'tool_use', id, name, input: {} }),
    delta(index, { type: 'input_json_delta', partial_json: JSON.stringify(input) }),
    stop(index),
  ]);
  return reply(blocks, 'tool_use');
}

function reply(blocks, stop_reason) {
  const usage = { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 };
  const message = { id: 'msg_bench', type: 'message', role: 'assistant', model: 'bench', content: [], usage };
  const events = [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ].map((payload) => `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`);
  return batched(events);
}

/** In pieces of many events, so that the server's own cost per event stays out of the figures. */
function batched(events) {
  const batches = [];
  for (let at = 0; at < events.length; at += 250) batches.push(Buffer.from(events.slice(at, at + 250).join('')));
  return batches;
}

function start(index, content_block) {
  return { type: 'content_block_start', index, content_block };
}

function delta(index, change) {
  return { type: 'content_block_delta', index, delta: change };
}

function stop(index) {
  return { type: 'content_block_stop', index };
}
