/** There is no model to talk to yet: what can be done about it, to choose from. Ends when there is one, or nobody wants one. */
import { type Auth, describeError, listModels, openAuth, openConfig, TauError } from '@tau/agent';
import { type Component, printable, type SelectItem, type Theme, wrap } from '@tau/tui';
import { exitCode } from '../../exit.ts';
import { createChoice } from '../panels/choose.ts';
import type { Panel } from '../panels/panel.ts';
import { createSecret } from '../panels/secret.ts';
import { openStage, type Stage } from '../stage.ts';

/** Declared by the build from this package's package.json. */
declare const TAU_VERSION: string;

export type Settled =
  /** There is one now. */
  | 'again'
  /** To look at a recording first. */
  | 'demo'
  /** Nobody wants one: the exit code. */
  | number;

type Wish = { kind: 'key'; provider: string } | { kind: 'local'; model: string } | { kind: 'demo' } | { kind: 'leave' };

/** What was missing is on the screen above; how to go on is what is left to say. */
const goodbye = [
  'tau: No model to talk to yet. Any time: tau auth set PROVIDER keeps a key,',
  'and tau demo shows tau at work without one.',
].join('\n');

/** Of the many, those that most people have a key of. */
const common = ['anthropic', 'openai', 'google', 'openrouter'];

export async function settleModel(
  problem: TauError,
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<Settled> {
  const auth = await openAuth(env);
  const wishes = await wishesOf(auth, { cwd, env });
  let panel: Panel | undefined;
  let settle = (_: Settled) => {};
  const settled = new Promise<Settled>((resolve) => {
    settle = resolve;
  });
  const leave = () => settle(exitCode.usage);
  const root: Component = { render: (width) => ['', ...(panel?.render(width) ?? [])] };
  const stage = openStage({
    ...{ env, themeName: 'auto', onChange: () => stage.screen.requestFrame(), onEnd: leave },
    onEvent(event) {
      if (event.type === 'key' && event.key === 'ctrl+d') leave();
      else stage.screen.handleInput(event);
    },
    onSignal: leave,
  });
  const { screen, theme } = stage;
  const show = (next: Panel) => {
    panel = next;
    screen.focus(next);
  };
  const list = () => show(wishPanel(stage, wishes, choose, leave));

  function choose(wish: Wish): void {
    if (wish.kind === 'key') show(keyPanel(stage, wish.provider, auth, () => settle('again'), list));
    else if (wish.kind === 'demo') settle('demo');
    else if (wish.kind === 'leave') leave();
    else {
      void keepModel(wish.model, { cwd, env }).then(
        () => settle('again'),
        (error: unknown) => screen.commit(sentence(describeError(error), 'error', stage)),
      );
    }
  }

  screen.setRoot(root);
  screen.commit([
    theme.paint('title', `τ tau ${TAU_VERSION}`),
    '',
    ...sentence('Welcome. tau talks to a language model, and there is none it can ask yet.', 'text', stage),
    ...reasonsFor(problem, wishes).flatMap((text) => sentence(text, 'muted', stage)),
    ...foundWrong(problem).flatMap((text) => sentence(`⚠ ${text}`, 'warning', stage)),
  ]);
  list();
  try {
    return await settled;
  } finally {
    await stage.close();
    if (typeof (await settled) === 'number') process.stderr.write(`${goodbye}\n`);
  }
}

async function wishesOf(auth: Auth, place: { cwd: string; env: NodeJS.ProcessEnv }): Promise<SelectItem<Wish>[]> {
  const [{ providers }, { models }] = await Promise.all([auth.status(), listModels(place)]);
  const needy = providers.filter(({ needed, used }) => needed && used === undefined);
  const keyed = (group: string, isCommon: boolean) =>
    needy
      .filter(({ provider }) => common.includes(provider) === isCommon)
      .toSorted((a, b) => common.indexOf(a.provider) - common.indexOf(b.provider))
      .map(({ provider, variable }) => ({
        ...{ value: { kind: 'key', provider } as const, label: provider, group },
        description: variable === undefined ? 'keep its key in tau' : `keep its key in tau, or set ${variable}`,
      }));
  return [
    ...models.map(({ label }) => ({
      ...{ value: { kind: 'local', model: label } as const, label, group: 'On this machine' },
      description: 'answers already; nothing is sent anywhere else',
    })),
    ...keyed('With a key', true),
    {
      ...{ value: { kind: 'demo' }, label: 'see it work', group: 'Without one' },
      description: 'a recorded model repairs a small project',
    },
    {
      value: { kind: 'leave' },
      label: 'leave',
      group: 'Without one',
      description: 'tau auth set keeps a key, any time',
    },
    ...keyed('With a key of another provider', false),
  ];
}

function wishPanel(
  { theme, keys, rows }: Stage,
  items: readonly SelectItem<Wish>[],
  choose: (wish: Wish) => void,
  onCancel: () => void,
): Panel {
  return createChoice<Wish>({
    ...{ theme, keys, rows, items, onCancel, title: 'What shall it be? Enter takes it, Esc leaves.' },
    onChoose: ([wish]) => wish && choose(wish),
  });
}

function keyPanel(
  { theme, keys, screen }: Stage,
  provider: string,
  auth: Auth,
  onKept: () => void,
  onCancel: () => void,
): Panel {
  let wrong: string | undefined;
  return createSecret({
    ...{ theme, keys, onCancel, label: `Key of ${provider}; it is kept in ${auth.authFile}, which only you can read` },
    problem: () => wrong,
    onSecret(text) {
      auth.set(provider, text).then(onKept, (error: unknown) => {
        wrong = describeError(error);
        screen.requestFrame();
      });
    },
  });
}

async function keepModel(model: string, place: { cwd: string; env: NodeJS.ProcessEnv }): Promise<void> {
  await openConfig(place).save('user', 'model', model);
}

/** What is missing, and what was looked for: what to do about it is in the list below. */
function reasonsFor(problem: TauError, wishes: readonly SelectItem<Wish>[]): string[] {
  const isLocal = wishes.some(({ value }) => value.kind === 'local');
  return [
    // That there is none at all was said already; that one lacks its key was not.
    ...(problem.message === 'No model to talk to' ? [] : [`${problem.message}.`]),
    ...(isLocal ? [] : ['No model runs on this machine: Ollama, LM Studio and llama.cpp were looked for.']),
  ];
}

/** What was wrong with files on the way, which may be why there is no model: told behind the remedy. */
function foundWrong({ remedy = '', cause }: TauError): string[] {
  if (!(cause instanceof TauError)) return [];
  return remedy
    .slice(cause.remedy?.length ?? 0)
    .split('\n')
    .filter(Boolean);
}

function sentence(
  text: string,
  role: 'text' | 'muted' | 'warning' | 'error',
  { theme, columns }: { theme: Theme; columns(): number },
): string[] {
  return wrap(printable(text), Math.max(20, columns())).map((line) => theme.paint(role, line));
}
