/** The report of what nobody approved, where the command has no way to bring the case about. */
import { expect, test } from 'vitest';
import { createDenialReport } from '../src/print/denials.ts';

test('what no rule can name leaves only the mode to choose', () => {
  const report = createDenialReport();
  const timestamp = '2026-01-01T00:00:00.000Z';
  const decision = { outcome: 'ask' as const, reason: 'it is not ours', class: 'unknown' as const, effects: [] };
  const ids = { id: 'q', toolCallId: 'c' };
  // A tool of somebody else whose name a rule would take for one of ours.
  report.watch({ type: 'permission_request', ...ids, toolName: 'Bash', input: {}, decision, timestamp });
  report.watch({ type: 'permission_response', ...ids, outcome: 'deny', unattended: true, timestamp });
  expect(report.count()).toBe(1);
  expect(report.text()).toMatch(/^To allow it: choose a --permission-mode$/m);
});
