/** Settings of what people see, and of how many of the messages that wait a run is told at once. */
import type { SettingName } from '@tau/agent';
import type { ScriptStep } from '@tau/testkit';
import { expect } from 'vitest';
import { call, calls, request, says, talkIn } from '../conversation.ts';
import { startTau } from '../processes.ts';
import type { Proof, Scene } from './proof.ts';

const untilTold: ScriptStep = calls(call('bash', { command: 'until [ -e told ]; do sleep 0.02; done' }));

/** Two messages that wait while the first call of the run is under way. */
function twoWait(deliverAs: 'steer' | 'followUp'): Pick<Proof, 'settings' | 'value' | 'perform'> {
  return {
    settings: { permissionMode: 'dangerously' },
    value: 'all',
    async perform(scene: Scene) {
      const run = startTau(scene, ['-p', '--json', 'go'], 'pipe');
      await scene.model.arrival(0);
      const lines = ['one', 'two'].map((content) => JSON.stringify({ type: 'message', content, deliverAs }));
      run.child.stdin?.end(`${lines.join('\n')}\n`);
      await run.waitFor(deliverAs === 'steer' ? '"steering":2' : '"followUp":2', 'stdout');
      scene.write('told', '');
      return run.done;
    },
  };
}

/** Whether each message was there in a request. */
const heardIn =
  (number: number) =>
  ({ model }: Scene) =>
    ['user: one', 'user: two'].map((line) => talkIn(request(model, number)).includes(line));

export const outputProofs = {
  steeringMode: {
    ...twoWait('steer'),
    steps: [untilTold, says('first'), says('second')],
    see: heardIn(1),
    without: [true, false],
    with: [true, true],
  },
  followUpMode: {
    ...twoWait('followUp'),
    steps: [untilTold, says('first'), says('second'), says('third')],
    see: heardIn(2),
    without: [true, false],
    with: [true, true],
  },
  tips: {
    settings: { verbose: true },
    value: false,
    see: ({ run }) => run.stderr.includes('tau: tip: /init writes an AGENTS.md'),
    without: true,
    with: false,
  },
  verbose: {
    value: true,
    see: ({ run }) => run.stderr,
    without: '',
    with: expect.stringMatching(/^tau: 1 turn, /m),
  },
  color: {
    steps: [calls(call('bash', { command: 'ls' })), says('ok')],
    settings: { verbose: true },
    value: 'always',
    see: ({ run }) => run.stderr.includes('\u001b['),
    without: false,
    with: true,
  },
} satisfies Partial<Record<SettingName, Proof>>;
