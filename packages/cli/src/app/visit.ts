/** The first visit to a project that has not been judged yet: what it would enable, and a question, before anything counts. */
import { type TrustStatus, trustStatus } from '@tau/agent';
import { type InputEvent, printableLine, wrap } from '@tau/tui';
import { exitCode } from '../exit.ts';
import { listenForInterrupt } from '../print/interrupt.ts';
import { createTrust, type TrustAnswer } from './panels/trust.ts';
import { openStage } from './stage.ts';
import { createViewing } from './viewing.ts';

/** What was said is recorded, and a no for now is the lack of a record. The exit code of who left instead. */
export async function visit(cwd: string, env: NodeJS.ProcessEnv): Promise<number | undefined> {
  const status = await trustStatus({ env, cwd });
  if (!status.open) return undefined;
  const answer = await askAtScreen(status, env);
  if (typeof answer === 'number') return answer;
  if (answer !== 'no') await status.record(answer === 'yes' ? 'yes' : 'no');
  return undefined;
}

async function askAtScreen(status: TrustStatus, env: NodeJS.ProcessEnv): Promise<TrustAnswer | number> {
  const interrupt = listenForInterrupt({ ctrlC: false });
  let onEvent = (_: InputEvent) => {};
  let answer = (_: TrustAnswer | number) => {};
  const answered = new Promise<TrustAnswer | number>((resolve) => {
    answer = resolve;
  });
  interrupt.signal.addEventListener('abort', () => answer(interrupt.code() ?? exitCode.failed));
  // Nothing of the project's settings is known yet, nor of the user's: the colours are those of the terminal.
  const { screen, theme, keys, rows, columns, close } = openStage({
    ...{ env, themeName: 'auto' },
    onEvent: (event) => onEvent(event),
    onSignal: (signal) => signal === 'SIGINT' && answer(exitCode.interrupted),
    onChange: () => screen.requestFrame(),
    onEnd: () => answer(exitCode.hungUp),
  });
  const onChange = () => screen.requestFrame();
  const viewing = createViewing({ screen, theme, keys, onChange });
  const habits = { draft: undefined, last: undefined, left: undefined, now: Date.now };
  const panel = createTrust(status, {
    ...{ theme, keys, habits, onChange },
    room: () => Math.max(1, rows() - 1),
    onAnswer: answer,
    onLeave: () => answer(exitCode.interrupted),
    onView: (lines) => viewing.lines('What it would enable', lines),
  });
  onEvent = (event) => {
    screen.handleInput(event);
    onChange();
  };
  screen.setRoot(panel);
  screen.focus(panel);
  try {
    const given = await answered;
    const said = saidOf(given, status);
    if (said !== '') screen.commit([...wrap(theme.paint('muted', printableLine(said)), columns()), '']);
    return given;
  } finally {
    panel.end();
    await close();
    interrupt.dispose();
  }
}

/** What stays on the screen of it. */
function saidOf(answer: TrustAnswer | number, { root = '' }: TrustStatus): string {
  switch (answer) {
    case 'yes':
      return `${root} is trusted as it is now; tau trust no changes that.`;
    case 'never':
      return `${root} is not trusted; tau trust yes changes that.`;
    case 'no':
      return `${root} is not trusted for now; tau trust shows what it would enable.`;
    default:
      return '';
  }
}
