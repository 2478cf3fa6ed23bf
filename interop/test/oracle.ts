/** The tests every protocol gets: an official SDK and tau, given the same bytes, must have heard the same. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ModelErrorClass } from '../../packages/core/src/index.ts';
import type { ScriptStep } from '../../packages/testkit/src/index.ts';
import { resplitFetch, type Said, tauAnswers, tauSays, type WireApi, withServer } from './answers.ts';
import {
  anyReply,
  generated,
  inHalves,
  manyLetters,
  type PieceLens,
  scriptedProtocols,
  scripts,
  withEmptyPieces,
} from './scripts.ts';

export interface Oracle<Payload extends object> {
  api: WireApi;
  pieces: PieceLens<Payload>;
  /** Asks the server at this address by the SDK's own streaming helper. */
  says(url: string, fetchWith?: typeof fetch): Promise<Said>;
  /** Puts a message into the only order the SDK keeps. */
  arranged?(said: Said): Said;
}

export function answersAgree<Payload extends object>(oracle: Oracle<Payload>): void {
  const { api, pieces, says, arranged = (said) => said } = oracle;
  const protocol = scriptedProtocols[api];

  async function agree(step: ScriptStep, bytes?: number): Promise<void> {
    const heard = await withServer(step, (url) => says(url, bytes === undefined ? undefined : resplitFetch(bytes)));
    expect(arranged(await tauSays(api, step, bytes))).toEqual(arranged(heard));
  }

  test.each(scripts)('tau hears $name as the SDK does', ({ reply }) => agree(reply));

  test.each(scripts)('tau hears $name with empty pieces between as the SDK does', ({ reply }) =>
    agree(withEmptyPieces(protocol, pieces, reply)),
  );

  test.each(scripts.filter(({ name }) => name !== 'long arguments'))(
    'tau hears $name in halves of characters as the SDK does',
    ({ reply }) => agree(inHalves(protocol, pieces, reply)),
  );

  test.each([1, 2, 3, 7, 1000])('bytes in pieces of %i, across characters and lines, change nothing', (bytes) =>
    agree(
      { blocks: [{ thinking: manyLetters }, { text: manyLetters }, { call: 'x', input: { a: manyLetters } }] },
      bytes,
    ),
  );

  test('tau hears whatever a script can say as the SDK does', () =>
    fc.assert(
      fc.asyncProperty(anyReply, (reply) => agree(reply)),
      generated,
    ));

  test('a stream that is cut in the middle is an error to both', async () => {
    const step: ScriptStep = { cut: true, blocks: [{ text: 'This will not be told to its end, whoever listens.' }] };
    await expect(withServer(step, (url) => says(url))).rejects.toThrow();
    expect((await tauAnswers(api, step)).error?.class).toBe('network');
  });
}

export interface Fault {
  status: number;
  /** The SDK's class for it. */
  recognised: new (
    ...args: never[]
  ) => Error;
  /** More that the SDK reads from the body. */
  fields?: Record<string, unknown>;
  tau: ModelErrorClass;
}

export function faultsAgree({ api, says }: Pick<Oracle<object>, 'api' | 'says'>, faults: readonly Fault[]): void {
  test.each(faults)('the scripted $status is the $recognised.name of the SDK, and $tau to tau', async (fault) => {
    const { status, recognised, fields } = fault;
    const thrown = await withServer({ status }, (url) => says(url)).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(recognised);
    // Not a class above it that takes every error.
    expect(Object.getPrototypeOf(thrown)).toBe(recognised.prototype);
    expect(thrown).toMatchObject({ status, message: expect.stringContaining(`scripted error ${status}`), ...fields });
    expect((await tauAnswers(api, { status })).error).toMatchObject({ class: fault.tau, status });
  });
}
