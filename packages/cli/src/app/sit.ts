/** One conversation at the screen, from its first frame to its last: joins agent, screen, keys and editor. */
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { describeError, openConfig, type SessionChoice } from '@tau/agent';
import { createEditor, firstOf, type InputEvent } from '@tau/tui';
import type { PromptCommand } from '../args/parse.ts';
import { changelogFile } from '../commands/changelog.ts';
import type { CommandWorld } from '../commands/command.ts';
import { exitCode } from '../exit.ts';
import { createLeaving } from '../leaving.ts';
import { closeAgent } from '../print/close.ts';
import { listenForInterrupt } from '../print/interrupt.ts';
import { makeAgent } from '../print/print.ts';
import { createAround } from './around/around.ts';
import { toClipboard } from './around/clipboard.ts';
import { contextPicture } from './around/context-picture.ts';
import { createDress } from './around/dress.ts';
import { editOutside } from './around/external.ts';
import { createFarewell } from './around/farewell.ts';
import { newsFor } from './around/news.ts';
import { createAsking } from './asking.ts';
import { finished, noteBlock, userBlock } from './blocks/said.ts';
import { createCommands } from './commands.ts';
import { createControl } from './control.ts';
import { createFinding } from './find/finding.ts';
import { createLayout } from './layout.ts';
import { createPanels } from './panels/panel.ts';
import { askSecret } from './panels/secret.ts';
import { createShell, readShellLine } from './shell.ts';
import { createSitting } from './sitting.ts';
import { openStage, type Stage } from './stage.ts';
import { createStory } from './story.ts';
import { createTranscript } from './transcript.ts';
import { createViewing } from './viewing.ts';
import { welcomeBlock } from './welcome.ts';

/** Set by the build from this package's package.json. */
declare const TAU_VERSION: string;

export interface Beginning {
  cwd: string;
  prompts: readonly string[];
  files: readonly string[];
  /** What stands in the editor at the beginning. */
  draft?: string;
  /** Another conversation stands above it. */
  follows?: boolean;
  /** Nobody will go on with it, so nothing is said about that at the end. */
  isForShow?: boolean;
}

/** The exit code, or which conversation comes next, with what to begin it with. */
export type SittingEnd = number | { begin: SessionChoice; draft?: string };

export async function sit(
  command: PromptCommand,
  { cwd, prompts, files, draft, follows = false, isForShow = false }: Beginning,
): Promise<SittingEnd> {
  const interrupt = listenForInterrupt({ ctrlC: false });
  const transcript = createTranscript({ follows });
  let stage: Stage | undefined;
  const refresh = () => {
    if (!stage) return;
    const lines = transcript.take(stage.columns());
    if (lines.length > 0) stage.screen.commit(lines);
    stage.screen.requestFrame();
  };
  let onEvent = (_: InputEvent) => {};
  let end = (_: SittingEnd) => {};
  const over = new Promise<SittingEnd>((resolve) => {
    end = resolve;
  });
  interrupt.signal.addEventListener('abort', () => end(interrupt.code() ?? exitCode.failed));

  const panels = createPanels((panel) => {
    stage?.screen.focus(panel ?? editor);
    refresh();
  });
  const replies = {
    ask(...given: Parameters<ReturnType<typeof createAsking>['ask']>) {
      around.asks(`${given[0].toolName} waits for your answer`);
      return asking.ask(...given);
    },
    question(...given: Parameters<ReturnType<typeof createAsking>['question']>) {
      around.asks(given[0].question);
      return asking.question(...given);
    },
  };
  const making = listenForInterrupt();
  const agent = await makeAgent(command, { cwd, interrupt: making, schema: undefined, replies });
  making.dispose();
  if (typeof agent === 'number') return agent;

  const opened = openStage({
    env: process.env,
    themeName: agent.settings.theme ?? 'auto',
    onEvent: (event) => onEvent(event),
    // A signal that a key made was meant for the program that has the terminal.
    onSignal: (signal) => signal === 'SIGINT' && !opened.isLent && end(exitCode.interrupted),
    onChange: refresh,
    onEnd: () => end(exitCode.hungUp),
  });
  stage = opened;
  // After the stage: at the end of the process the terminal is given back first.
  const farewell = createFarewell(agent);
  if (isForShow) farewell.withdraw();
  const { screen, theme, keys } = opened;
  const rows = () => opened.rows();
  const tell = (text: string, kind: 'note' | 'error') => {
    transcript.add(noteBlock(text, theme, kind === 'error' ? 'error' : 'noticeText', kind === 'error' ? '✗' : '·'));
    refresh();
  };

  const viewing = createViewing({ screen, theme, keys, onChange: refresh, isAsking: () => panels.asks > 0 });
  const story = createStory({
    ...{ agent, transcript, theme, keys, cwd, viewing, onChange: refresh },
    images: () => opened.capabilities().images,
    hyperlinks: () => opened.capabilities().hyperlinks,
  });
  const unsubscribe = agent.subscribe((event) => {
    story.event(event);
    finding.event(event);
    around.event(event);
    refresh();
  });
  const shell = createShell({
    ...{ agent, signal: interrupt.signal, tell },
    onChange() {
      beat();
      refresh();
    },
  });

  const sitting = createSitting({
    ...{ agent, signal: interrupt.signal, tell },
    onPrompt(text) {
      transcript.add(userBlock(text, theme));
      refresh();
    },
    giveBack(texts) {
      const typed = editor.text();
      editor.setText([...texts, ...(typed === '' ? [] : [typed])].join('\n'));
      refresh();
    },
    onChange() {
      beat();
      refresh();
    },
  });

  const around = createAround({
    ...{ agent, stage: opened, cwd, env: process.env, run: sitting, shell, onChange: refresh },
    isModeChosen: command.agent.permissionMode !== undefined,
    isAsking: () => panels.asks > 0,
    unseenAsks: () => panels.unseen,
    warn: (text) => transcript.add(noteBlock(text, theme, 'warning', '⚠')),
  });
  const finding = createFinding({
    ...{ agent, command, cwd, stage: opened, theme, panels, viewing, tell, onChange: refresh },
    editor: () => editor,
    status: (text) => around.status(text),
  });
  const mayLeave = createLeaving({ jobs: agent.jobs, status: around.status });
  const leave = () => {
    if (mayLeave()) end(exitCode.done);
  };
  const world: CommandWorld = {
    ...{ agent, leave, spent: sitting.spent },
    waiting: sitting.waiting,
    clearWaiting: sitting.takeBack,
    screen: {
      async begin(session, words) {
        await finding.canBegin(session);
        if (mayLeave()) end({ begin: session, ...(words !== undefined && { draft: words }) });
        return '';
      },
      wentTo(text) {
        around.moved();
        if (text !== '') editor.setText(text);
      },
      showContext() {
        transcript.add(finished((width) => contextPicture(agent, theme, width)));
        return '';
      },
      secret: (label) => askSecret({ panels, theme, keys, label }),
      copy: (text) => {
        const { env, platform } = process;
        return toClipboard(text, { env, platform, capabilities: opened.capabilities, send: screen.send });
      },
      ...finding.deeds,
      openTranscript: () => openTranscript(),
    },
  };
  const commands = createCommands({
    ...{ world, tell, onChange: refresh },
    pickers: (registry) => finding.pickers(world, registry),
    begin: (line) => editor.setText(line),
  });

  const editor = createEditor({
    ...{ theme, keys, provider: firstOf([commands.completion, finding.completion]), onUpdate: refresh },
    ...{ history: finding.history, vim: agent.settings.vim === true, onPaste: finding.paste },
    look: { prompt: '> ', placeholder: 'Ask, or /help' },
    maxRows: () => Math.max(3, Math.floor(rows() / 3)),
    onExternal: (text) => editOutside(text, { env: process.env, lend: opened.lend }),
    onChange() {
      dress();
      refresh();
    },
    onSubmit(text) {
      if (text.trim() === '' || commands.obey(text)) return;
      if (readShellLine(text)) {
        if (shell.run(text)) return;
        editor.setText(text);
        return around.status('Your last command still runs; Esc stops it');
      }
      if (sitting.isWorking) sitting.add(text, 'steer');
      else sitting.say({ text, attachments: [] });
    },
    onError: (error) => tell(describeError(error), 'error'),
  });

  /** Rows there are for what takes the editor's place. */
  let room = rows();
  const asking = createAsking({
    ...{ panels, theme, keys, cwd: realpathSync(cwd), draft: editor, viewing, onChange: refresh },
    room: () => room,
    sandbox: () => agent.sandbox,
    stop: () => void sitting.stop(),
  });

  /** The line around the editor says how hard the model thinks, or that a command is typed. */
  const dress = createDress({ agent, editor });
  const openTranscript = () =>
    void story.openTranscript().catch((error: unknown) => tell(describeError(error), 'error'));
  const control = createControl({
    ...{ agent, keys, editor, sitting, commands, suspend: opened.suspend, status: around.status },
    hasPanel: () => panels.current !== undefined || viewing.isOpen,
    stopShell: shell.stop,
    leave,
    toggleThinking: story.toggleThinking,
    openTranscript,
    cycleModel: finding.cycleModel,
    remember: finding.history.add,
    pasteImage: finding.pasteImage,
  });
  onEvent = (event) => {
    around.input(event);
    if (!control.handle(event)) screen.handleInput(event);
    asking.heard(event);
    dress();
    around.changed();
    refresh();
    screen.requestFrame(true);
  };

  let ticking: NodeJS.Timeout | undefined;
  /** Draws again while something turns, and not longer. */
  function beat(): void {
    const working = around.working();
    around.changed();
    if ((working !== undefined) === (ticking !== undefined)) return;
    clearInterval(ticking);
    ticking = working ? setInterval(() => screen.requestFrame(), working.everyMs) : undefined;
  }
  const wrongFiles = await finding.load();
  screen.setRoot(
    createLayout({
      ...{ transcript, theme, rows, queue: sitting.waiting },
      footer: around.footer,
      // Whatever is open has keys of its own, and Esc means something else there.
      working: () => (panels.current ? undefined : around.working()),
      input(left) {
        room = left;
        return panels.current ?? editor;
      },
    }),
  );
  screen.focus(editor);
  const isFirst = prompts.length === 0;
  const news = newsFor(TAU_VERSION, dirname(openConfig({ env: process.env, cwd }).path('user')), changelogFile());
  transcript.add(welcomeBlock({ agent, theme, cwd, isFirst, news, onChange: refresh }));
  for (const warning of [...agent.warnings, ...wrongFiles]) transcript.add(noteBlock(warning, theme, 'warning', '⚠'));
  story.recall();
  if (draft !== undefined) editor.setText(draft);
  refresh();
  try {
    const attachments = (await Promise.all(files.map((path) => agent.attach(path)))).flat();
    for (const [at, text] of prompts.entries()) sitting.say({ text, attachments: at === 0 ? attachments : [] });
    if (command.chooseSession) commands.open('sessions');
    const next = await over;
    if (typeof next !== 'number') farewell.withdraw();
    return next;
  } finally {
    clearInterval(ticking);
    await shell.close();
    await sitting.close();
    unsubscribe();
    refresh();
    await opened.close();
    farewell.say();
    around.close();
    await finding.close();
    interrupt.dispose();
    await closeAgent(agent);
  }
}
