/** The gallery: every component of the toolkit on a page of its own, in every theme. */
import { createBox } from '../src/boxes/box.ts';
import { createHints } from '../src/boxes/hints.ts';
import { createColumn } from '../src/boxes/layout.ts';
import { createSpacer } from '../src/boxes/text.ts';
import { createToasts } from '../src/boxes/toasts.ts';
import { createHighlighter } from '../src/code/highlighter.ts';
import type { Focusable } from '../src/component.ts';
import type { InputEvent } from '../src/input/event.ts';
import type { Action } from '../src/keys/action.ts';
import { defaultActions } from '../src/keys/defaults.ts';
import { createKeymap } from '../src/keys/keymap.ts';
import { createSelectList } from '../src/lists/select-list.ts';
import { createTabs } from '../src/lists/tabs.ts';
import { createParser } from '../src/markdown/parser.ts';
import type { Opened } from '../src/screen/screen.ts';
import { startTui, type Tui, type TuiOptions } from '../src/start.ts';
import { guessCapabilities } from '../src/terminal/capabilities.ts';
import { createProcessTerminal } from '../src/terminal/process.ts';
import { builtinThemes } from '../src/theme/builtin.ts';
import { colourDepth } from '../src/theme/depth.ts';
import { openTheme } from '../src/theme/load.ts';
import { createViewer, textSections } from '../src/viewer/viewer.ts';
import type { Kit, Page } from './kit.ts';
import { basicPages } from './pages/basics.ts';
import { documentPages } from './pages/documents.ts';
import { listPages } from './pages/lists.ts';
import { looksPages } from './pages/looks.ts';
import { typingPages } from './pages/typing.ts';
import { scrolled } from './scroll.ts';

export const pages: readonly Page[] = [...basicPages, ...listPages, ...typingPages, ...documentPages, ...looksPages];
export const themeNames: readonly string[] = builtinThemes.map(({ name }) => name);

const galleryActions: readonly Action[] = [
  { name: 'gallery.next', keys: ['tab'], context: 'gallery', description: 'Next page' },
  { name: 'gallery.previous', keys: ['shift+tab'], context: 'gallery', description: 'Page before' },
  { name: 'gallery.theme', keys: ['ctrl+t'], context: 'gallery', description: 'Next theme' },
  { name: 'gallery.overlay', keys: ['f2', 'ctrl+x o'], context: 'gallery', description: 'An overlay' },
  { name: 'gallery.viewer', keys: ['ctrl+o'], context: 'gallery', description: 'The viewer' },
  { name: 'gallery.suspend', keys: ['ctrl+z'], context: 'gallery', description: 'Back to the shell for a while' },
  { name: 'gallery.quit', keys: ['ctrl+q', 'ctrl+c'], context: 'gallery', description: 'Leave' },
];

/** Lines around a page: titles, rule, space, hints, up to three messages and the line that stays free. */
const around = 8;

export type GalleryOptions = Pick<TuiOptions, 'terminal' | 'environment' | 'isTerminal'> & { now?(): number };

export function startGallery({ now = Date.now, ...options }: GalleryOptions = {}): Tui {
  const environment = options.environment ?? process.env;
  const isTerminal = options.isTerminal ?? (process.stdin.isTTY === true && process.stdout.isTTY === true);
  const { plain } = guessCapabilities(environment, isTerminal);
  const terminal = options.terminal ?? createProcessTerminal({ cooked: plain });
  const keys = createKeymap({ actions: [...galleryActions, ...defaultActions] });
  const highlighter = createHighlighter({ onReady: redraw });
  const parser = createParser();
  const start = now();
  let themeAt = 0;
  let selected = 0;
  let last = 'none yet';
  let open: Opened | undefined;
  let ticking: NodeJS.Timeout | undefined;
  let leaving: NodeJS.Timeout | undefined;
  // The first frame is drawn while it starts.
  let tui: Tui | undefined;
  let face = build();
  const root: Focusable = {
    render: (width) => face.component.render(width),
    handleInput: (event) => face.tabs.handleInput(event),
    get focused() {
      return face.tabs.focused;
    },
    set focused(value) {
      face.tabs.focused = value;
    },
  };
  const started = startTui({ ...options, terminal, root, onInput });
  tui = started;
  return { ...started, stop };

  function redraw(): void {
    tui?.screen.requestFrame();
  }

  function stop(how?: { keep?: boolean }): Promise<void> {
    clearInterval(ticking);
    clearTimeout(leaving);
    open?.close();
    return started.stop(how);
  }

  function build() {
    const depth = colourDepth(environment, true);
    const { theme } = openTheme(themeNames[themeAt] ?? 'dark', { depth });
    const kit: Kit = {
      theme,
      keys,
      now: () => now() - start,
      capabilities: () => tui?.capabilities() ?? guessCapabilities(environment, true),
      highlighter,
      parser,
      redraw,
      say,
      lastKey: () => last,
    };
    const height = () => terminal.rows - around;
    const toasts = createToasts({ theme, now });
    const tabs = createTabs({
      theme,
      keys,
      tabs: pages.map(({ title, make }) => ({
        title,
        child: lazily(() => scrolled(make(kit), { theme, keys, height })),
      })),
      selected,
      onChange: turnTo,
    });
    const hints = createHints({
      theme,
      keys,
      hints: [
        { action: 'gallery.next', label: 'next' },
        { action: 'gallery.quit', label: 'leave' },
        { action: 'gallery.theme', label: theme.name },
        { action: 'gallery.overlay', label: 'overlay' },
        { action: 'gallery.viewer', label: 'viewer' },
      ],
    });
    return { component: createColumn([tabs, createSpacer(), toasts, hints]), tabs, theme, toasts };
  }

  function say(text: string): void {
    face.toasts.show(text, 'success');
    clearTimeout(leaving);
    leaving = setTimeout(redraw, (face.toasts.nextAt ?? now()) - now());
    leaving.unref();
  }

  /** Pages that move need frames; the others cost nothing. */
  function turnTo(index: number): void {
    selected = index;
    clearInterval(ticking);
    const every = pages[selected]?.everyMs;
    ticking = every === undefined ? undefined : setInterval(redraw, every);
    ticking?.unref();
  }

  function changeTheme(): void {
    themeAt = (themeAt + 1) % themeNames.length;
    const { focused } = face.tabs;
    face = build();
    face.tabs.focused = focused;
  }

  function close(): void {
    open?.close();
    open = undefined;
    redraw();
  }

  function showOverlay(): void {
    const { theme } = face;
    const list = createSelectList({
      theme,
      keys,
      items: themeNames.map((name) => ({ value: name, label: name })),
      selected: theme.name,
      onSelect([name]) {
        themeAt = Math.max(0, themeNames.indexOf(name ?? '') - 1);
        changeTheme();
        close();
      },
      onCancel: close,
    });
    const box = createBox({
      theme,
      child: list,
      border: 'round',
      title: 'An overlay',
      footer: 'Esc closes',
      ground: 'overlayBg',
    });
    open = started.screen.showOverlay(box, { anchor: 'center', width: '60%', minWidth: 24 });
  }

  function openViewer(): void {
    const lines = Array.from(
      { length: 500 },
      (_, index) => `${index + 1}: a line of the viewer, which scrolls and searches`,
    );
    open = started.screen.openFull(
      createViewer({
        theme: face.theme,
        keys,
        sections: textSections(lines),
        title: 'The viewer (q closes)',
        onClose: close,
        onChange: redraw,
      }),
    );
  }

  function onInput(event: InputEvent): boolean {
    if (event.type === 'key' && event.kind !== 'release') last = event.key;
    const match = keys.match(event, 'gallery');
    if (match === undefined || match === 'pending') return match === 'pending' && !open;
    // What is open has the keys, but for the one that everything gives way to.
    if (open && match.action !== 'gallery.suspend') return false;
    switch (match.action) {
      case 'gallery.next':
        face.tabs.select(selected + 1);
        return true;
      case 'gallery.previous':
        face.tabs.select(selected - 1);
        return true;
      case 'gallery.theme':
        changeTheme();
        return true;
      case 'gallery.overlay':
        showOverlay();
        return true;
      case 'gallery.viewer':
        openViewer();
        return true;
      case 'gallery.suspend':
        terminal.suspend();
        return true;
      case 'gallery.quit':
        void stop();
        return true;
      default:
        return false;
    }
  }
}

/** A page is made when it is first seen: what is never looked at loads nothing. */
function lazily(make: () => Focusable): Focusable {
  let made: Focusable | undefined;
  const page = () => {
    made ??= make();
    return made;
  };
  return {
    render: (width) => page().render(width),
    handleInput: (event) => page().handleInput(event),
    get focused() {
      return made?.focused ?? false;
    },
    set focused(value) {
      if (made || value) page().focused = value;
    },
  };
}
