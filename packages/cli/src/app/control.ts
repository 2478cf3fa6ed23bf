/** What keys do that belong to no component: stop, leave, choose, change modes. */
import { type Agent, permissionModes, thinkingLevels } from '@tau/agent';
import type { Editor, InputEvent, Keymap } from '@tau/tui';
import type { Commands } from './commands.ts';
import { modeMeanings } from './find/modes.ts';
import type { Sitting } from './sitting.ts';

export interface ControlOptions {
  agent: Agent;
  keys: Keymap;
  editor: Editor;
  sitting: Sitting;
  commands: Commands;
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
}

export interface Control {
  /** True when the key did something here. */
  handle(event: InputEvent): boolean;
}

export function createControl(options: ControlOptions): Control {
  const { agent, keys, editor, sitting, commands, status } = options;
  /** Ctrl+C, one after another with nothing in between. */
  let presses = 0;

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
        return options.stopShell() || sitting.stop();
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
      case 'app.help':
        commands.open('help');
        return true;
      case 'app.palette':
        commands.palette((chosen) => void act(chosen));
        return true;
      case 'app.session.resume':
        commands.open('sessions');
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
      if (found === 'pending') return true;
      if (options.hasPanel()) return false;
      if (found === undefined && event.text === '?' && editor.text() === '' && inner === undefined)
        return act('app.help');
      return found !== undefined && act(found.action);
    },
  };
}

/** Those that a key reaches; the ones that ask no more are chosen by name. */
const cycled = permissionModes.filter((mode) => mode !== 'dangerously' && mode !== 'dontAsk');

/** The next of them, and the first behind the last or behind what is none of them. */
function after<T>(all: readonly T[], now: T | undefined): T | undefined {
  return all[(now === undefined ? 0 : all.indexOf(now) + 1) % all.length];
}
