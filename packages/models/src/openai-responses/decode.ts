/** Responses events, told to the assembler. Items and events of an unknown type are passed over. */
import type { ModelRequest } from '@tau/core';
import { alias, originals } from '../alias.ts';
import type { Assembler } from '../assembler.ts';
import { eventFailure, reasonFailure } from '../failure.ts';
import type { Decoder } from '../protocol.ts';
import { createOrder } from './order.ts';
import { callArguments, createOutput, type Output, partName } from './output.ts';
import type { WireEvent, WireResponse, WireUsage } from './wire.ts';

export function responsesDecoder(assembler: Assembler, { model: { provider }, tools }: ModelRequest): Decoder {
  const nameOf = originals(
    tools.map(({ name }) => name),
    alias,
  );
  const output = createOutput(assembler, provider, nameOf);
  const order = createOrder(take, ({ type }) => !isPiece(type) && lastTypes.has(type));

  function finish(response: WireResponse, incomplete: boolean): void {
    assembler.identify(response);
    countTokens(assembler, response.usage);
    // Once it has failed, the assembler takes nothing more.
    if (response.status === 'failed') fail(response.error);
    for (const [output_index, item] of (response.output ?? []).entries()) output.end({ output_index }, item);
    if (response.incomplete_details?.reason === 'content_filter') {
      assembler.fail(reasonFailure(provider, 'refused', 'filtered the answer'));
    }
    // Whatever the reason, it is not the whole answer.
    if (incomplete || response.status === 'incomplete') assembler.stop('length');
    assembler.end();
  }

  function fail(error: unknown): void {
    assembler.fail(eventFailure(provider, JSON.stringify({ error: error ?? { message: 'no reason was given' } })));
  }

  function take(event: WireEvent): void {
    // Nearly all of them, so they are not compared with every other name first.
    if (isPiece(event.type)) {
      growItem(output, event);
      return;
    }
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
        growItem(output, event);
    }
  }

  return {
    event(data) {
      // Not the vendor's word, but of some that stand in for it.
      if (data !== '[DONE]') order.push(JSON.parse(data), data);
    },
    close: order.close,
  };
}

function isPiece(type: string): boolean {
  return type.endsWith('.delta');
}

const contentOf = ({ content_index }: WireEvent) => partName('content', content_index);
const summaryOf = ({ summary_index }: WireEvent) => partName('summary', summary_index);

const lastTypes: ReadonlySet<string> = new Set([
  'response.completed',
  'response.done',
  'response.incomplete',
  'response.failed',
  'error',
]);

function growItem(output: Output, event: WireEvent): void {
  const delta = typeof event.delta === 'string' ? event.delta : '';
  switch (event.type) {
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      output.piece(event, 'message', contentOf(event), delta);
      break;
    case 'response.output_item.added':
      if (event.item) output.begin(event, event.item);
      break;
    case 'response.output_item.done':
      if (event.item) output.end(event, event.item);
      break;
    case 'response.output_text.done':
    case 'response.refusal.done':
      output.whole(event, 'message', contentOf(event), event.text ?? event.refusal ?? '');
      break;
    case 'response.content_part.done':
      // Reasoning has parts of content too.
      if (event.part?.type === 'reasoning_text')
        output.whole(event, 'reasoning', contentOf(event), event.part.text ?? '');
      else output.whole(event, 'message', contentOf(event), event.part?.text ?? event.part?.refusal ?? '');
      break;
    case 'response.reasoning_summary_text.delta':
      output.piece(event, 'reasoning', summaryOf(event), delta);
      break;
    case 'response.reasoning_summary_text.done':
      output.whole(event, 'reasoning', summaryOf(event), event.text ?? '');
      break;
    case 'response.reasoning_summary_part.done':
      output.whole(event, 'reasoning', summaryOf(event), event.part?.text ?? '');
      break;
    case 'response.reasoning_text.delta':
      output.piece(event, 'reasoning', contentOf(event), delta);
      break;
    case 'response.reasoning_text.done':
      output.whole(event, 'reasoning', contentOf(event), event.text ?? '');
      break;
    case 'response.function_call_arguments.delta':
      output.piece(event, 'function_call', callArguments, delta);
      break;
    case 'response.function_call_arguments.done':
      output.whole(event, 'function_call', callArguments, event.arguments ?? '');
      break;
  }
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
