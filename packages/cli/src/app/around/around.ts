/** What is around the conversation: footer, working line, title, calls back, warnings about the context. Joins its parts. */
import { type Agent, checkedOut, checkedOutByGit, type StampedEvent, type Watching, watchCheckedOut } from '@tau/agent';
import type { Component, InputEvent } from '@tau/tui';
import { createFooter } from '../footer.ts';
import type { Stage } from '../stage.ts';
import { createBranch } from './branch.ts';
import { createFullness } from './fullness.ts';
import { createMeter } from './meter.ts';
import { modeWhy } from './mode-why.ts';
import { createNotifier, onDesktop } from './notify.ts';
import { statusFacts } from './status-facts.ts';
import { createStatusLine } from './status-line.ts';
import { createTitle } from './title.ts';
import { createWorking, type Working } from './working.ts';

/** Set by the build from this package's package.json. */
declare const TAU_VERSION: string;

export interface AroundOptions {
  agent: Agent;
  stage: Stage;
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** A flag said which mode. */
  isModeChosen: boolean;
  /** The run under way. */
  run: { readonly isWorking: boolean; readonly isStopping: boolean; readonly since: number };
  /** The user's own command. */
  shell: { readonly isRunning: boolean };
  isAsking(): boolean;
  /** Questions behind something else that is open. */
  unseenAsks(): number;
  warn(text: string): void;
  onChange(): void;
}

export interface Around {
  footer: Component;
  /** While something works. */
  working(): Working | undefined;
  event(event: StampedEvent): void;
  input(event: InputEvent): void;
  /** A word in the footer, for a moment. */
  status(text: string): void;
  /** Something was changed that no event tells of: a mode, a model, what is open. */
  changed(): void;
  /** The conversation goes on from elsewhere. */
  moved(): void;
  /** Something waits for the user. */
  asks(text: string): void;
  close(): void;
}

/** How long a word in the footer stays. */
const statusMs = 4000;

export function createAround(options: AroundOptions): Around {
  const { agent, stage, cwd, env, run, shell, warn, onChange } = options;
  const { theme, screen } = stage;
  const { platform } = process;
  const begun = options.isModeChosen ? undefined : agent.permissionMode;
  const began = Date.now();
  const meter = createMeter(agent);
  const branch = createBranch({
    ...{ read: () => checkedOut(cwd, env), ask: () => checkedOutByGit(cwd, env), onChange },
  });
  const fullness = createFullness(meter);
  let said: { text: string; until: number } | undefined;
  let fading: NodeJS.Timeout | undefined;
  let watching: Watching | undefined;
  // Somebody may switch it in another window. The first frame does not wait for this.
  const beginning = setImmediate(() => {
    const before = branch.current();
    watching = watchCheckedOut(cwd, env, () => {
      branch.refresh();
      onChange();
    });
    // It may have been switched since the first look.
    branch.refresh();
    if (branch.current() !== before) onChange();
  });

  const statusLine = createStatusLine({
    ...{ command: agent.settings.statusLine, theme, env, cwd, onChange, onProblem: warn },
    about: () =>
      statusFacts({
        ...{ agent, cwd, meter, version: TAU_VERSION, branch: branch.current(), durationMs: Date.now() - began },
      }),
  });
  const notifier = createNotifier({
    way: () => agent.settings.notifications ?? 'auto',
    capabilities: stage.capabilities,
    send: screen.send,
    desktop: (heading, text) => onDesktop(heading, text, { env, platform }),
    now: Date.now,
  });
  const title = createTitle({
    ...{ cwd, name: () => agent.sessionName, send: screen.send },
    hasProgress: () => stage.capabilities().progress,
  });
  const working = createWorking({
    ...{ theme, now: Date.now, since: () => run.since, isStopping: () => run.isStopping },
    isShell: () => shell.isRunning && !run.isWorking,
  });
  const footer = createFooter(
    {
      ...{ agent, cwd, meter, branch: branch.current, own: statusLine.lines },
      status: () => (said && said.until > Date.now() ? said.text : undefined),
      why: () => modeWhy(agent, begun),
      asks: options.unseenAsks,
      statuses: agent.statuses,
      jobs: () => agent.jobs().filter(({ isRunning }) => isRunning).length,
    },
    theme,
  );

  function changed(): void {
    if (agent.settings.terminalTitle !== false) {
      title(options.isAsking() ? 'question' : run.isWorking || shell.isRunning ? 'work' : 'nothing');
    }
    statusLine.refresh();
  }

  function ended(reason: string): void {
    branch.refresh();
    notifier.ends(reason === 'done' ? 'The work is done' : `The work has ended: ${reason}`, Date.now() - run.since);
  }

  changed();
  return {
    footer,
    working: () => (run.isWorking || shell.isRunning ? working : undefined),
    event(event) {
      meter.event(event);
      working.event(event);
      if (event.type === 'tool_execution_end') branch.refresh();
      if (event.type === 'agent_end') ended(event.reason);
      if (event.type !== 'message_end' && event.type !== 'agent_end') return;
      statusLine.refresh();
      const warning = fullness();
      if (warning !== undefined) warn(warning);
    },
    input(event) {
      notifier.input(event);
      // Whoever goes on has seen it.
      if (event.type === 'paste' || (event.type === 'key' && event.kind !== 'release')) said = undefined;
      if (event.type === 'focus' && event.focused) branch.refresh();
    },
    status(text) {
      said = { text, until: Date.now() + statusMs };
      clearTimeout(fading);
      fading = setTimeout(onChange, statusMs + 50);
      fading.unref();
      onChange();
    },
    changed,
    moved() {
      meter.reset();
      changed();
      onChange();
    },
    asks(text) {
      notifier.asks(text);
      changed();
    },
    close() {
      clearTimeout(fading);
      clearImmediate(beginning);
      watching?.close();
      statusLine.close();
    },
  };
}
