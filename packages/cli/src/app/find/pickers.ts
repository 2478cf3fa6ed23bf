/** What opens instead of words when a command comes without an argument: lists to choose from, screens of their own. */
import {
  type Config,
  deleteSession,
  describeError,
  listSessions,
  nameSession,
  type SessionPlace,
  thinkingLevels,
} from '@tau/agent';
import { type Keymap, printable, type SelectItem, type Theme } from '@tau/tui';
import type { CommandWorld, Panel as PanelName, Registry } from '../../commands/command.ts';
import { helpColumn } from '../../commands/help.ts';
import { labelOf } from '../../commands/talking.ts';
import { type ChooseOptions, createChoice } from '../panels/choose.ts';
import type { Panel, Panels } from '../panels/panel.ts';
import { createWords } from '../panels/words.ts';
import type { Viewing } from '../viewing.ts';
import { helpLines } from './help.ts';
import { listReady, modelItems } from './models.ts';
import { modeItems } from './modes.ts';
import { type Deed, paletteItems } from './palette.ts';
import { saidItems } from './said.ts';
import { aboutSession, sessionItems } from './sessions.ts';
import { createSettingsPanel } from './settings.ts';
import type { Themes } from './themes.ts';

export interface PickersOptions {
  world: CommandWorld;
  registry: Registry;
  panels: Panels;
  viewing: Viewing;
  theme: Theme;
  keys: Keymap;
  config: Config;
  themes: Themes;
  place: SessionPlace;
  rows(): number;
  tell(text: string, kind: 'note' | 'error'): void;
  /** A setting was written, and this is what counts. */
  onSet(key: string, value: unknown): void;
  onChange(): void;
}

export interface Pickers {
  /** False when there is nothing to choose from: then the words of the command do. */
  open(panel: PanelName, run: (argument: string) => void): Promise<boolean>;
  /** Everything that can be done. */
  palette(run: (deed: Deed) => void): void;
}

const maxSessions = 200;

export function createPickers(options: PickersOptions): Pickers {
  const { world, registry, panels, viewing, theme, keys, config, themes, place, rows, tell, onChange } = options;
  const { agent } = world;

  type Given<T> = Pick<ChooseOptions<T>, 'title' | 'items' | 'onChoose'> & Partial<ChooseOptions<T>>;
  function choose<T>(given: Given<T>) {
    const choice = createChoice<T>({
      ...{ theme, keys, rows },
      ...given,
      onCancel() {
        panels.close(choice);
        given.onCancel?.();
      },
      onChoose(values) {
        panels.close(choice);
        given.onChoose(values);
      },
    });
    panels.open(choice);
    return choice;
  }

  function chooseOne(title: string, items: readonly SelectItem<string>[], selected: string | undefined, run: Run) {
    if (items.length === 0) return false;
    choose<string>({
      ...{ title, items, ...(selected !== undefined && { selected }) },
      onChoose: ([value]) => value !== undefined && run(value),
    });
    return true;
  }

  async function chooseScope(): Promise<boolean> {
    const [all, scoped] = await Promise.all([listReady(), listReady(agent.settings.cycleModels ?? [])]);
    if (all.length === 0) return false;
    choose<string>({
      title: 'Which models the keys for the next and the previous one go through',
      items: modelItems(all),
      checked: scoped.map(labelOf),
      hints: [
        ['tui.list.toggle', 'marks'],
        ['tui.list.toggleAll', 'all or none'],
        ['tui.list.select', 'keeps it in your settings'],
      ],
      onChoose(values) {
        const whole = values.length === all.length;
        const saved = whole ? config.remove('user', 'cycleModels') : config.save('user', 'cycleModels', [...values]);
        void saved.then(
          ({ path }) => {
            options.onSet('cycleModels', whole ? undefined : values);
            tell(
              whole ? `All models, as if nothing were set in ${path}.` : `${values.length} kept in ${path}.`,
              'note',
            );
          },
          (error: unknown) => tell(describeError(error), 'error'),
        );
      },
    });
    return true;
  }

  async function chooseTheme(run: Run): Promise<boolean> {
    for (const problem of await themes.load()) tell(problem, 'error');
    const before = themes.current;
    choose<string>({
      title: 'Colours; what you see is the one under the cursor',
      items: themes.names().map((name) => ({ value: name, label: name })),
      selected: before,
      onMove: (name) => void themes.show(name),
      onCancel: () => void themes.show(before),
      onChoose: ([name]) => name !== undefined && run(name),
    });
    return true;
  }

  async function listed() {
    const { sessions } = await listSessions(place, { limit: maxSessions });
    return sessions.filter(({ id }) => id !== agent.sessionId);
  }

  async function chooseSession(run: Run): Promise<boolean> {
    let sessions = await listed();
    if (sessions.length === 0) return false;
    /** To be deleted when it is said once more. */
    let doomed: string | undefined;
    let wrong: string | undefined;
    const about = (id: string) => {
      const found = sessions.find((one) => one.id === id);
      return found ? aboutSession(found) : id;
    };
    const change = async (deed: () => Promise<unknown>) => {
      doomed = undefined;
      try {
        await deed();
        sessions = await listed();
        choice.list.setItems(sessionItems(sessions, Date.now()));
      } catch (error) {
        wrong = describeError(error);
      }
      onChange();
    };
    const rename = (id: string) => {
      const words: Panel = createWords({
        ...{ theme, keys, label: `Another name for "${about(id)}"; nothing takes its name away:` },
        onCancel: () => panels.replace(words, choice),
        onWords(name) {
          panels.replace(words, choice);
          void change(() => nameSession(id, name, place));
        },
      });
      panels.replace(choice, words);
    };
    const choice = choose<string>({
      title: 'Go on with',
      items: sessionItems(sessions, Date.now()),
      hints: [
        ['tui.list.select', 'opens it'],
        ['app.sessions.rename', 'renames'],
        ['app.sessions.delete', 'deletes'],
      ],
      warning: () => (doomed === undefined ? wrong : `The same key once more deletes "${about(doomed)}" for good`),
      more: {
        context: 'sessions',
        onOther() {
          doomed = undefined;
          wrong = undefined;
        },
        act(action, id) {
          if (id === undefined) return;
          wrong = undefined;
          if (action === 'app.sessions.rename') rename(id);
          else if (doomed === id) void change(() => deleteSession(id, place));
          else doomed = id;
        },
      },
      onChoose: ([id]) => id !== undefined && run(id),
    });
    return true;
  }

  async function openSettings(): Promise<boolean> {
    const panel: Panel = await createSettingsPanel({
      ...{ theme, keys, config, rows, onChange, onSet: options.onSet },
      choices: (key) => (key === 'theme' ? themes.names() : undefined),
      onClose: () => panels.close(panel),
    });
    panels.open(panel);
    return true;
  }

  return {
    async open(panel, run) {
      switch (panel) {
        case 'model': {
          const models = await listReady();
          return chooseOne('Which model answers', modelItems(models), labelOf(agent.model), run);
        }
        case 'scope':
          return chooseScope();
        case 'thinking': {
          const { thinkingLevels: own, reasoning } = agent.model;
          const cannot = reasoning === false ? 'the model does not think' : 'the model has no such level';
          const items = thinkingLevels.map((level) => ({
            ...{ value: level, label: level },
            ...((reasoning === false ? level !== 'off' : own && level !== 'off' && !own.includes(level)) && {
              description: cannot,
            }),
          }));
          return chooseOne('How hard it thinks', items, agent.thinking, run);
        }
        case 'mode':
          return chooseOne('What may happen without asking', modeItems(), agent.permissionMode, run);
        case 'theme':
          return chooseTheme(run);
        case 'sessions':
          return chooseSession(run);
        case 'tree': {
          const { going } = agent;
          const items = saidItems(going.said(), going.branches(), Date.now());
          return chooseOne('Go back; files that were changed since stay as they are', items, undefined, run);
        }
        case 'fork':
          return chooseOne(
            'Go on in a copy, from before',
            saidItems(agent.going.said(), [], Date.now()),
            undefined,
            run,
          );
        case 'settings':
          return openSettings();
        case 'help':
          viewing.lines(
            'Help',
            helpLines(keys, registry.list(world), (text) => theme.paint('title', text)),
            { hang: helpColumn },
          );
          return true;
        case 'diff': {
          const { diffText } = await import('../../commands/project.ts');
          const text = await diffText();
          if (text !== '') viewing.lines('Changes since the last commit', coloured(printable(text), theme));
          return text !== '';
        }
        case 'changelog': {
          const { changelogFile, changelogText, changesIn } = await import('../../commands/changelog.ts');
          const lines = changesIn(await changelogText(changelogFile())).flatMap((change) => change.lines);
          const shown = lines.map((line) =>
            /^##|:$/.test(line) ? theme.paint('title', printable(line)) : printable(line),
          );
          if (lines.length > 0) viewing.lines('What is new, the newest first', shown);
          return lines.length > 0;
        }
        case 'permissions':
          return false;
      }
    },
    palette(run) {
      choose<Deed>({
        title: 'What to do',
        items: paletteItems(registry.list(world), keys),
        onChoose: ([deed]) => deed && run(deed),
      });
    },
  };
}

type Run = (argument: string) => void;

/** A diff by the beginnings of its lines. */
function coloured(text: string, theme: Theme): string[] {
  return text.split('\n').map((line) => {
    if (/^(?:diff |index |--- |\+\+\+ )/.test(line)) return theme.paint('diffFile', line);
    if (line.startsWith('@@')) return theme.paint('diffHunk', line);
    if (line.startsWith('+')) return theme.paint('diffAdded', line);
    return line.startsWith('-') ? theme.paint('diffRemoved', line) : theme.paint('diffContext', line);
  });
}
