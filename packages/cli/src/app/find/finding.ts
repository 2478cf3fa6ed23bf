/** Everything with which the user finds something, joined for one conversation: files, history, models, settings, keys, themes. */
import { dirname, join } from 'node:path';
import {
  type Agent,
  describeError,
  openConfig,
  type SessionChoice,
  type StampedEvent,
  type Watching,
  watchFiles,
} from '@tau/agent';
import type { CompletionProvider, Editor, Theme } from '@tau/tui';
import type { PromptCommand } from '../../args/parse.ts';
import type { CommandWorld, Registry, ScreenDeeds } from '../../commands/command.ts';
import { helpColumn } from '../../commands/help.ts';
import { createImagePaste } from '../around/image-paste.ts';
import type { Panels } from '../panels/panel.ts';
import type { Stage } from '../stage.ts';
import type { Viewing } from '../viewing.ts';
import { createPathCompletion, droppedAsMentions, mentionOf } from './complete.ts';
import { createFileIndex } from './file-index.ts';
import { keyLines } from './help.ts';
import { createPromptHistory, type PromptHistory } from './history-file.ts';
import { readKeyFile } from './keybindings.ts';
import { createModelCycle } from './models.ts';
import { createPickers, type Pickers } from './pickers.ts';
import { canBegin } from './sessions.ts';
import { createThemes, isBuiltin } from './themes.ts';

export interface FindingOptions {
  agent: Agent;
  command: PromptCommand;
  cwd: string;
  stage: Stage;
  theme: Theme;
  panels: Panels;
  viewing: Viewing;
  editor(): Editor;
  tell(text: string, kind: 'note' | 'error'): void;
  status(text: string): void;
  onChange(): void;
}

export interface Finding {
  completion: CompletionProvider;
  history: PromptHistory;
  /** Throws where it cannot. */
  canBegin(choice: SessionChoice): Promise<void>;
  /** What the commands need of the screen. */
  deeds: Pick<ScreenDeeds, 'setTheme' | 'themes' | 'setVim' | 'isVim' | 'reload' | 'keys'>;
  paste(text: string): string | undefined;
  /** The image of the clipboard, as a mention at the cursor. */
  pasteImage(): void;
  pickers(world: CommandWorld, registry: Registry): Pickers;
  cycleModel(step: 1 | -1): void;
  event(event: StampedEvent): void;
  /** Before the first frame: keys and colours of the user's files. Resolves to what is wrong with them. */
  load(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export function createFinding(options: FindingOptions): Finding {
  const { agent, command, cwd, stage, theme, panels, viewing, editor, tell, status, onChange } = options;
  const { keys } = stage;
  const { configFile, sessionDir } = command.agent;
  const config = openConfig({ env: process.env, cwd, ...(configFile !== undefined && { configFile }) });
  const place = { env: process.env, cwd, ...(sessionDir !== undefined && { sessionDir }) };
  const home = dirname(config.path('user'));
  const problem = (text: string) => tell(text, 'error');

  const index = createFileIndex({ list: (signal) => agent.files({ signal }), onProblem: problem, now: Date.now });
  const history = createPromptHistory({
    // A conversation that is kept nowhere leaves no words behind.
    file: agent.sessionPath === undefined ? undefined : join(home, 'history.jsonl'),
    ...{ project: cwd, scrub: agent.scrub, now: Date.now, onProblem: problem },
  });
  const themes = createThemes({ stage, config, name: agent.settings.theme ?? 'auto', onProblem: problem });
  const { env, platform } = process;
  const images = createImagePaste({ env, platform, capabilities: stage.capabilities });
  /** What was chosen since the settings were read. */
  let scope = command.models ?? agent.settings.cycleModels;
  const cycle = createModelCycle(agent, () => scope);

  /** For this sitting at once, and for the next ones in the user's settings. */
  async function keep(key: string, value: unknown, done: string): Promise<string> {
    try {
      const { path } = await config.save('user', key, value);
      return `${done}, kept in ${path}`;
    } catch (error) {
      return `${done} for this sitting only: ${describeError(error)}`;
    }
  }

  function onSet(key: string, value: unknown): void {
    if (key === 'theme') themes.show(typeof value === 'string' ? value : 'auto');
    else if (key === 'vim') editor().setVim(value === true);
    else if (key === 'cycleModels' && command.models === undefined) {
      scope = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined;
    }
    onChange();
  }

  async function loadKeys(kitty?: boolean): Promise<{ path: string; problems: readonly string[] }> {
    const { path, bindings, problems } = await readKeyFile(home, keys.actions, kitty);
    keys.use(bindings);
    return { path, problems };
  }

  let watching: Watching | undefined;
  /** As soon as it is saved; what is wrong in it is told, and the rest counts. */
  function watchKeys(path: string): void {
    watching ??= watchFiles([path], () => {
      void loadKeys(stage.capabilities().kittyKeyboard).then(({ problems }) => {
        for (const text of problems) problem(text);
        status(problems.length === 0 ? 'The keys are read again' : 'The keys are read again, with mistakes');
      });
    });
  }

  return {
    completion: createPathCompletion(agent, index),
    history,
    canBegin: (choice) => canBegin(choice, agent, place),
    deeds: {
      async setTheme(name) {
        for (const text of themes.show(name)) problem(text);
        return keep('theme', name, `theme: ${name}`);
      },
      themes: themes.names,
      setVim(on) {
        editor().setVim(on);
        return keep('vim', on, `vim: ${on ? 'on' : 'off'}`);
      },
      isVim: () => editor().mode() !== undefined,
      async reload() {
        index.touch();
        const { path, problems } = await loadKeys(stage.capabilities().kittyKeyboard);
        const all = [...problems, ...(await themes.load())];
        return ['Keys and themes are read again.', ...(all.length > 0 ? all : [`${path} has no mistakes.`])].join('\n');
      },
      keys() {
        const lines = keyLines(keys, (text) => theme.paint('title', text));
        const about = `${join(home, 'keybindings.json')} changes them; /reload reads it again.`;
        viewing.lines('Keys', [about, ...lines], { hang: helpColumn });
        return '';
      },
    },
    paste: (text) => droppedAsMentions(text, cwd),
    pasteImage: () =>
      void images.take().then(
        (path) => editor().insert(`${mentionOf(path)} `),
        (error: unknown) => status(describeError(error)),
      ),
    pickers: (world, registry) =>
      createPickers({
        ...{ world, registry, panels, viewing, theme, keys, config, themes, place, tell, onChange, onSet },
        rows: stage.rows,
      }),
    cycleModel: (step) => void cycle.step(step).then(status, (error: unknown) => problem(describeError(error))),
    event(event) {
      if (event.type === 'agent_end') index.touch();
    },
    async load() {
      void history.load().then(onChange);
      const own = isBuiltin(themes.current) ? [] : themes.load();
      const [read, aboutThemes] = await Promise.all([loadKeys(), own]);
      watchKeys(read.path);
      return [...read.problems, ...aboutThemes];
    },
    async close() {
      watching?.close();
      index.close();
      themes.close();
      await images.close();
      await history.settled();
    },
  };
}
