/** Cards of hostile text: nothing in a name, an argument or an output moves the cursor or is wider than the screen. */

import { stripAnsi, widthOf } from '@tau/tui';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createArriving } from '../../src/app/blocks/arriving.ts';
import { failed, tell, text } from './telling.ts';

const nasty = [
  '\u001b[2J',
  '\u001b]0;x\u0007',
  '\r',
  '\u0000',
  '\u009b1A',
  '\u202e',
  '漢字',
  '👩‍👩‍👧',
  'e\u0301',
  '\n',
  '\t',
  '{"',
  'word ',
];
const words = fc
  .array(fc.constantFrom(...nasty, 'plain text', 'a'.repeat(50)), { maxLength: 12 })
  .map((all) => all.join(''));
const tools = fc.constantFrom(
  'bash',
  'read',
  'grep',
  'ls',
  'edit',
  'write',
  'apply_patch',
  'todo',
  'jobs',
  'mcp__a__b',
  '\u001b[1Aevil',
);
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the subject
const moving = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/;

test('whatever a call holds, its lines stay inside the screen and steer nothing', () => {
  fc.assert(
    fc.property(
      tools,
      words,
      words,
      fc.boolean(),
      fc.integer({ min: 20, max: 120 }),
      (tool, one, two, fails, width) => {
        const { event, live, taken, call } = tell(width);
        const input = {
          command: one,
          path: two,
          pattern: one,
          old_string: one,
          new_string: two,
          content: two,
          input: one,
          todos: [{ task: one, status: two }],
        };
        event({ type: 'tool_execution_start', toolCallId: 'a', toolName: tool, input });
        event({ type: 'tool_execution_update', toolCallId: 'a', delta: two });
        const shown = [...live(6)];
        call(
          'a',
          tool,
          input,
          (fails ? failed : text)(one, {
            diff: two,
            exitCode: 0,
            truncated: true,
            fullOutputPath: one,
            files: [{ diff: one }],
          }),
        );
        event({ type: 'message_update', delta: { kind: 'thinking', index: 0, text: two } });
        shown.push(...taken(), ...live(6));
        for (const line of shown) {
          expect(widthOf(line)).toBeLessThanOrEqual(width);
          expect(stripAnsi(line)).not.toMatch(moving);
        }
      },
    ),
    { seed: 7, numRuns: 150 },
  );
});

test('arguments that arrive in any pieces are what they would be at once', () => {
  const value = fc.record({
    path: words,
    edits: fc.array(fc.record({ old: words, fresh: words }), { maxLength: 3 }),
    more: fc.jsonValue(),
  });
  fc.assert(
    fc.property(value, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 }), (given, sizes) => {
      const json = JSON.stringify(given);
      const arriving = createArriving();
      let at = 0;
      for (let turn = 0; at < json.length; turn++) {
        const size = sizes[turn % sizes.length] ?? 1;
        arriving.push(json.slice(at, at + size));
        at += size;
        if (turn % 3 === 0) arriving.value();
        if (turn % 7 === 0) expect(given.path.startsWith(String(arriving.value().path ?? ''))).toBe(true);
      }
      expect(arriving.value()).toEqual(JSON.parse(json));
    }),
    { seed: 7, numRuns: 100 },
  );
});
