/** Responses events, told to the assembler. Items and events of an unknown type are passed over. */
import type { ModelRequest } from '@tau/core';
import { alias, originals } from '../alias.ts';
import type { Assembler } from '../assembler.ts';
import { eventFailure } from '../failure.ts';
import type { Decoder } from '../protocol.ts';
import { callArguments, createOutput, type Output, partName } from './output.ts';
import type { WireEvent, WireResponse, WireUsage } from './wire.ts';

export function responsesDecoder(assembler: Assembler, { model: { provider }, tools }: ModelRequest): Decoder {
  const nameOf = originals(
    tools.map(({ name }) => name),
    alias,
  );
  const output = createOutput(assembler, provider, nameOf);
  const isRepeated = repetitions();

  function finish(response: WireResponse, incomplete: boolean): void {
    assembler.identify(response);
    countTokens(assembler, response.usage);
    // Once it has failed, the assembler takes nothing more.
    if (response.status === 'failed') fail(response.error);
    for (const [output_index, item] of (response.output ?? []).entries()) output.end({ output_index }, item);
    if (response.incomplete_details?.reason === 'content_filter') {
      assembler.fail({ class: 'refused', message: `${provider} filtered the answer` });
    }
    // Whatever the reason, it is not the whole answer.
    if (incomplete || response.status === 'incomplete') assembler.stop('length');
    assembler.end();
  }

  function fail(error: unknown): void {
    assembler.fail(eventFailure(provider, JSON.stringify({ error: error ?? { message: 'no reason was given' } })));
  }

  return {
    event(data) {
      // Not the vendor's word, but of some that stand in for it.
      if (data === '[DONE]') return;
      const event: WireEvent = JSON.parse(data);
      switch (event.type) {
        case 'response.created':
        case 'response.in_progress':
          assembler.identify(event.response ?? {});
          break;
        case 'response.completed':
        case 'response.done':
          finish(event.response ?? {}, false);
          break;
        case 'response.incomplete':
          finish(event.response ?? {}, true);
          break;
        case 'response.failed':
          countTokens(assembler, event.response?.usage);
          fail(event.response?.error);
          break;
        case 'error':
          // Either shape is in use: the error itself, and the error in an envelope.
          fail(event.error ?? { code: event.code, message: event.message });
          break;
        default:
          if (!isRepeated(event.sequence_number, data)) growItem(output, event);
      }
    },
  };
}

function growItem(output: Output, event: WireEvent): void {
  const content = partName('content', event.content_index);
  const summary = partName('summary', event.summary_index);
  const delta = typeof event.delta === 'string' ? event.delta : '';
  switch (event.type) {
    case 'response.output_item.added':
      if (event.item) output.begin(event, event.item);
      break;
    case 'response.output_item.done':
      if (event.item) output.end(event, event.item);
      break;
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      output.piece(event, 'message', content, delta);
      break;
    case 'response.output_text.done':
    case 'response.refusal.done':
      output.whole(event, 'message', content, event.text ?? event.refusal ?? '');
      break;
    case 'response.content_part.done':
      // Reasoning has parts of content too.
      if (event.part?.type === 'reasoning_text') output.whole(event, 'reasoning', content, event.part.text ?? '');
      else output.whole(event, 'message', content, event.part?.text ?? event.part?.refusal ?? '');
      break;
    case 'response.reasoning_summary_text.delta':
      output.piece(event, 'reasoning', summary, delta);
      break;
    case 'response.reasoning_summary_text.done':
      output.whole(event, 'reasoning', summary, event.text ?? '');
      break;
    case 'response.reasoning_summary_part.done':
      output.whole(event, 'reasoning', summary, event.part?.text ?? '');
      break;
    case 'response.reasoning_text.delta':
      output.piece(event, 'reasoning', content, delta);
      break;
    case 'response.reasoning_text.done':
      output.whole(event, 'reasoning', content, event.text ?? '');
      break;
    case 'response.function_call_arguments.delta':
      output.piece(event, 'function_call', callArguments, delta);
      break;
    case 'response.function_call_arguments.done':
      output.whole(event, 'function_call', callArguments, event.arguments ?? '');
      break;
  }
}

const maxMissed = 1000;

/**
 * Tells an event that came before from one that is late, by their numbers. They mean nothing where two events have the
 * same one: then nothing is taken for a repetition.
 */
function repetitions(): (number: number | undefined, data: string) => boolean {
  const missed = new Set<number>();
  let last = -1;
  let lastData = '';
  let trusted = true;
  return (number, data) => {
    if (typeof number !== 'number') return false;
    if (number === last && data !== lastData) trusted = false;
    if (number <= last) return trusted && !missed.delete(number);
    for (let one = last + 1; one < number && missed.size < maxMissed; one += 1) missed.add(one);
    last = number;
    lastData = data;
    return false;
  };
}

/** Here what the cache read and wrote is part of the input. */
function countTokens(assembler: Assembler, usage: WireUsage | null | undefined): void {
  if (!usage) return;
  const cacheRead = usage.input_tokens_details?.cached_tokens ?? 0;
  const cacheWrite = usage.input_tokens_details?.cache_write_tokens ?? 0;
  assembler.usage({
    input: Math.max(0, (usage.input_tokens ?? 0) - cacheRead - cacheWrite),
    output: usage.output_tokens ?? 0,
    cacheRead,
    cacheWrite,
  });
}
