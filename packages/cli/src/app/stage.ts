/** The terminal made ready for the app: keys understood, colours chosen, a screen to draw on, all given back at the end. */
import {
  type Capabilities,
  createDecoder,
  createProbe,
  createProcessTerminal,
  createScreen,
  defaultActions,
  type EndSignal,
  type InputEvent,
  openTheme,
  progress,
  type Screen,
  type Theme,
  type ThemeSource,
  titlePop,
  titlePush,
} from '@tau/tui';
import { createLiveKeymap, type LiveKeymap } from './find/keybindings.ts';
import { appActions } from './keys.ts';

export interface Stage {
  screen: Screen;
  /** Another file of keys changes them; whoever holds it need not know. */
  keys: LiveKeymap;
  /** Its colours change with `setTheme`; whoever holds it need not know. */
  theme: Theme;
  capabilities(): Capabilities;
  columns(): number;
  rows(): number;
  /** Of these themes, from now on. Says what is wrong with it. */
  setTheme(name: string, sources?: readonly ThemeSource[]): readonly string[];
  suspend(): void;
  /** Another program has the terminal while it works. */
  lend<T>(work: () => Promise<T>): Promise<T>;
  readonly isLent: boolean;
  close(): Promise<void>;
}

export interface StageOptions {
  env: NodeJS.ProcessEnv;
  themeName: string;
  onEvent(event: InputEvent): void;
  onSignal(signal: EndSignal): void;
  /** Something that is drawn may look different now. */
  onChange(): void;
  /** The terminal is gone. */
  onEnd(): void;
}

export function openStage(options: StageOptions): Stage {
  const { env, onEvent, onChange } = options;
  const terminal = createProcessTerminal({ onSignal: options.onSignal });
  const keys = createLiveKeymap([...appActions, ...defaultActions]);
  let wanted = options.themeName;
  let sources: readonly ThemeSource[] | undefined;
  const probe = createProbe({
    environment: env,
    isTerminal: true,
    write: terminal.write,
    onChange(found) {
      if (found.kittyKeyboard) terminal.enable('kittyKeyboard');
      current = chosen().theme;
      onChange();
    },
  });
  const chosen = () => {
    const { colours, background } = probe.capabilities;
    const ground = { background, colourFgBg: env.COLORFGBG };
    return openTheme(wanted, { depth: colours, ground, ...(sources && { sources }) });
  };
  let current = chosen().theme;
  const theme: Theme = {
    get name() {
      return current.name;
    },
    get kind() {
      return current.kind;
    },
    paint: (role, text) => current.paint(role, text),
    get current() {
      return current;
    },
  };
  const decoder = createDecoder({ onEvent, onReply: probe.reply });
  const screen = createScreen({ terminal, capabilities: probe.forScreen });
  terminal.start({
    onInput: decoder.feed,
    onResize() {
      screen.resized();
      onChange();
    },
    onSuspend: screen.pause,
    onResume: screen.resume,
    onStop() {
      screen.leave({ keep: false });
      terminal.write(probe.capabilities.progress ? progress({ state: 'none' }) + titlePop : titlePop);
    },
    onEnd: options.onEnd,
  });
  terminal.write(titlePush);
  probe.ask();
  // Before anybody says what went wrong: the words belong below what is drawn, on a terminal that is the shell's again.
  const onCrash = () => void terminal.stop();
  process.on('uncaughtExceptionMonitor', onCrash);
  let isLent = false;
  return {
    screen,
    keys,
    theme,
    capabilities: () => probe.capabilities,
    columns: () => terminal.columns,
    rows: () => terminal.rows,
    setTheme(name, among = sources) {
      wanted = name;
      sources = among;
      const { theme: next, problems } = chosen();
      current = next;
      onChange();
      return problems.map(({ message }) => message);
    },
    suspend: terminal.suspend,
    get isLent() {
      return isLent;
    },
    async lend(work) {
      const takeBack = terminal.lend();
      isLent = true;
      try {
        return await work();
      } finally {
        isLent = false;
        takeBack();
      }
    },
    async close() {
      probe.end();
      decoder.flush();
      try {
        screen.draw();
      } finally {
        // Also where nothing can be drawn any more: the shell gets its terminal back.
        await terminal.stop();
        process.off('uncaughtExceptionMonitor', onCrash);
      }
    },
  };
}
