/** What keys do that belong to no component: stop, leave, choose, change modes. */
import { type Agent, permissionModes, thinkingLevels } from '@tau/agent';
import type { Editor, InputEvent, KeyMatcher } from '@tau/tui';
import { modeMeanings } from '../commands/modes.ts';
import type { Commands } from './commands.ts';
import type { Sitting } from './sitting.ts';

export interface ControlOptions {
  agent: Pick<
    Agent,
    'messages' | 'model' | 'permissionMode' | 'setPermissionMode' | 'settings' | 'thinking' | 'setThinking'
  >;
  keys: KeyMatcher;
  editor: Editor;
  sitting: Pick<Sitting, 'isWorking' | 'stop' | 'takeBack' | 'add'>;
  commands: Pick<Commands, 'open' | 'obey' | 'palette'>;
  /** A question or a list is open. */
  hasPanel(): boolean;
  /** A word in the footer, for a moment. */
  status(text: string): void;
  leave(): void;
  suspend(): void;
  /** The user's own command. False when none runs. */
  stopShell(): boolean;
  toggleThinking(): boolean;
  openTranscript(): void;
  cycleModel(step: 1 | -1): void;
  pasteImage(): void;
  /** What was written and not sent is found again with the keys for what was said before. */
  remember(text: string): void;
  now?(): number;
}

export interface Control {
  /** True when the key did something here. */
  handle(event: InputEvent): boolean;
}

export function createControl(options: ControlOptions): Control {
  const { agent, keys, editor, sitting, commands, status } = options;
  const now = options.now ?? Date.now;
  /** Ctrl+C, one after another with nothing in between. */
  let presses = 0;
  /** When Escape had nothing to stop, if no other key came since. */
  let escapedAt = Number.NEGATIVE_INFINITY;

  function clear(): void {
    presses += 1;
    if (editor.text() !== '') {
      editor.clear();
      presses = 0;
    } else if (options.stopShell() || sitting.stop()) {
      if (presses > 2) options.leave();
      else if (presses === 2) status('Still stopping; Ctrl+C once more leaves at once');
    } else if (presses > 1) options.leave();
    else status('Ctrl+C once more, or Ctrl+D, leaves');
  }

  /** The second in a row clears the line, or goes back where there is none. The first is the editor's too. */
  function interrupt(): boolean {
    if (options.stopShell() || sitting.stop()) return true;
    const vim = editor.mode();
    // There Escape is a part of writing.
    if (vim !== undefined && (vim !== 'normal' || editor.text() !== '')) return false;
    const isSecond = now() - escapedAt < twiceMs;
    escapedAt = isSecond ? Number.NEGATIVE_INFINITY : now();
    const text = editor.expanded();
    const { doubleEscapeAction: back = 'tree' } = agent.settings;
    if (!isSecond) {
      if (text !== '') status('Escape once more clears the line');
      else if (back !== 'none' && agent.messages().length > 0) {
        status(`Escape once more: back to before something you said${back === 'fork' ? ', in a copy' : ''}`);
      }
      return false;
    }
    if (text === '') {
      if (back !== 'none') commands.open(back);
    } else {
      options.remember(text);
      editor.setText('');
      status('The line is cleared; the up arrow brings it back');
    }
    return true;
  }

  function takeBack(): void {
    const back = sitting.takeBack();
    const typed = editor.text();
    if (back.length === 0) status('Nothing waits');
    else editor.setText([...back, ...(typed === '' ? [] : [typed])].join('\n'));
  }

  function followUp(): void {
    const text = editor.expanded().trim();
    if (text === '') return;
    editor.clear();
    sitting.add(text, 'followUp');
  }

  function act(action: string): boolean {
    switch (action) {
      case 'app.clear':
        clear();
        return true;
      case 'app.interrupt':
        return interrupt();
      case 'app.exit':
        if (editor.text() !== '') return false;
        options.leave();
        return true;
      case 'app.suspend':
        options.suspend();
        return true;
      case 'app.mode.cycle': {
        const next = after(cycled, agent.permissionMode);
        if (next) agent.setPermissionMode(next);
        status(`${agent.permissionMode}: ${modeMeanings[agent.permissionMode]}`);
        return true;
      }
      case 'app.thinking.cycle': {
        const { reasoning, thinkingLevels: own } = agent.model;
        const levels = thinkingLevels.filter((level) => level === 'off' || (own?.includes(level) ?? true));
        const next = reasoning === false ? undefined : after(levels, agent.thinking);
        if (next) agent.setThinking(next);
        status(next ? `thinking: ${next}` : `${agent.model.id} does not think first`);
        return true;
      }
      case 'app.thinking.toggle':
        status(
          options.toggleThinking() ? 'What the model thinks is shown from now on' : 'What the model thinks is folded',
        );
        return true;
      case 'app.tools.expand':
        options.openTranscript();
        return true;
      case 'app.model.select':
        commands.open('model');
        return true;
      case 'app.model.cycleForward':
        options.cycleModel(1);
        return true;
      case 'app.model.cycleBackward':
        options.cycleModel(-1);
        return true;
      case 'app.message.followUp':
        if (!sitting.isWorking) return false;
        followUp();
        return true;
      case 'app.message.dequeue':
        takeBack();
        return true;
      case 'app.paste.image':
        // In vim's other modes it is a key of the editor.
        if ((editor.mode() ?? 'insert') !== 'insert') return false;
        options.pasteImage();
        return true;
      case 'app.help':
        commands.open('help');
        return true;
      case 'app.palette':
        commands.palette((chosen) => void act(chosen));
        return true;
      case 'app.session.resume':
        commands.open('sessions');
        return true;
      case 'app.session.new':
        commands.obey('/new');
        return true;
      case 'app.session.tree':
        commands.open('tree');
        return true;
      case 'app.session.fork':
        commands.open('fork');
        return true;
      case 'app.jobs':
        commands.obey('/ps');
        return true;
      case 'app.diff':
        commands.obey('/diff');
        return true;
      case 'app.settings':
        commands.open('settings');
        return true;
      default:
        return false;
    }
  }

  return {
    handle(event) {
      if (event.type !== 'key' || event.kind === 'release') return false;
      const inner = options.hasPanel() ? undefined : editor.inner();
      // What is open in the editor comes before the program around it.
      if (inner !== undefined && keys.match(event, inner) !== undefined) return false;
      const found = keys.match(event, 'app');
      if (found === undefined || found === 'pending' || found.action !== 'app.clear') presses = 0;
      if (typeof found !== 'object' || found.action !== 'app.interrupt') escapedAt = Number.NEGATIVE_INFINITY;
      if (found === 'pending') return true;
      if (options.hasPanel()) return false;
      if (found === undefined && event.text === '?' && editor.text() === '' && inner === undefined)
        return act('app.help');
      return found !== undefined && act(found.action);
    },
  };
}

/** Within which a second Escape belongs to the first. */
const twiceMs = 2000;

/** Those that a key reaches; the ones that ask no more are chosen by name. */
const cycled = permissionModes.filter((mode) => mode !== 'dangerously' && mode !== 'dontAsk');

/** The next of them, and the first behind the last or behind what is none of them. */
function after<T>(all: readonly T[], now: T | undefined): T | undefined {
  return all[(now === undefined ? 0 : all.indexOf(now) + 1) % all.length];
}
