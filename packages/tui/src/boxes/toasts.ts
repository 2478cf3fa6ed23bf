/** Short messages that go by themselves. A few at most; time comes from outside. */
import type { Component } from '../component.ts';
import { printableLine } from '../text/ansi.ts';
import { cut } from '../text/cut.ts';
import { wrap } from '../text/wrap.ts';
import type { Theme } from '../theme/theme.ts';

export type ToastKind = 'info' | 'success' | 'warning' | 'error';

export interface Toasts extends Component {
  /** The same message again is counted, not repeated. When there are too many, the oldest goes. */
  show(text: string, kind?: ToastKind, ms?: number): void;
  dismiss(): void;
  /** When the next one goes, on the clock; undefined when there is none. A frame is due then. */
  readonly nextAt: number | undefined;
}

interface Toast {
  text: string;
  kind: ToastKind;
  until: number;
  times: number;
}

const marks: Record<ToastKind, string> = { info: 'ℹ', success: '✓', warning: '⚠', error: '✗' };
/** Lines of one message; more belongs elsewhere. */
const maxLines = 3;

export function createToasts(options: { theme: Theme; now(): number; ms?: number; most?: number }): Toasts {
  const { theme, now, ms: usual = 4_000, most = 3 } = options;
  let toasts: readonly Toast[] = [];
  let known: { width: number; toasts: readonly Toast[]; lines: readonly string[] } | undefined;

  function prune(): void {
    const time = now();
    if (toasts.some(({ until }) => until <= time)) toasts = toasts.filter(({ until }) => until > time);
  }

  function linesOf({ text, kind, times }: Toast, width: number): string[] {
    const count = times > 1 ? ` (×${times})` : '';
    const lines = wrap(printableLine(text) + count, Math.max(1, width - 2));
    const shown = lines.slice(0, maxLines);
    if (lines.length > maxLines) shown[maxLines - 1] = cut(`${shown[maxLines - 1]} …`, Math.max(1, width - 2));
    return shown.map((line, index) => cut(`${index === 0 ? theme.paint(kind, marks[kind]) : ' '} ${line}`, width));
  }

  return {
    show(text, kind = 'info', ms = usual) {
      prune();
      const same = toasts.find((toast) => toast.text === text && toast.kind === kind);
      const others = toasts.filter((toast) => toast !== same);
      toasts = [...others, { text, kind, until: now() + ms, times: (same?.times ?? 0) + 1 }].slice(-most);
    },
    dismiss() {
      toasts = [];
    },
    get nextAt() {
      prune();
      return toasts.length === 0 ? undefined : Math.min(...toasts.map(({ until }) => until));
    },
    render(width) {
      prune();
      if (known?.width !== width || known.toasts !== toasts) {
        known = { width, toasts, lines: toasts.flatMap((toast) => linesOf(toast, width)) };
      }
      return known.lines;
    },
  };
}
