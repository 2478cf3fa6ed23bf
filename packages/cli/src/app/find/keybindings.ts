/** The keys in force: those that everything comes with, changed by the user's keybindings.json. It can be read again. */
import { promises } from 'node:fs';
import { join } from 'node:path';
import { type Action, type Binding, createKeymap, type Keymap, type KeyProblem, readKeybindings } from '@tau/tui';
import { appPresets } from '../presets.ts';

export interface LiveKeymap extends Keymap {
  /** From the next key on. Without bindings: those the actions come with. */
  use(bindings: readonly Binding[] | undefined): void;
}

/** Whoever holds it need not know that the keys changed. */
export function createLiveKeymap(actions: readonly Action[]): LiveKeymap {
  let current = createKeymap({ actions });
  return {
    get pending() {
      return current.pending;
    },
    get bindings() {
      return current.bindings;
    },
    actions,
    match: (event, contexts) => current.match(event, contexts),
    keysFor: (action) => current.keysFor(action),
    use(bindings) {
      current = createKeymap({ actions, ...(bindings && { bindings }) });
    },
  };
}

export interface KeyFile {
  path: string;
  /** Undefined when there is no file, or none that can be read. */
  bindings: readonly Binding[] | undefined;
  /** With the place in the file. That a key does not work everywhere is told only where it is known that it does not. */
  problems: readonly string[];
}

export async function readKeyFile(home: string, actions: readonly Action[], kitty?: boolean): Promise<KeyFile> {
  const path = join(home, 'keybindings.json');
  let text: string;
  try {
    text = await promises.readFile(path, 'utf8');
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const why = error instanceof Error ? error.message : String(error);
    return { path, bindings: undefined, problems: missing ? [] : [`${path} cannot be read: ${why}`] };
  }
  const { bindings, problems } = await readKeybindings(text, { actions, presets: appPresets, kitty: kitty !== false });
  return { path, bindings, problems: problems.map((one) => problemAt(path, one)) };
}

function problemAt(path: string, { line, column, message }: KeyProblem): string {
  return `${path}:${line}:${column}: ${message}`;
}
