/** A few colours: for terminals only, unless the user wants them always or never. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  cyan(text: string): string;
}

export type ColorWish = 'auto' | 'always' | 'never';

export function createStyle(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv, wish: ColorWish = 'auto'): Style {
  const able = stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  const on = wish === 'always' || (wish === 'auto' && able);
  const paint = (open: number, close: number) => (text: string) =>
    on ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return { bold: paint(1, 22), dim: paint(2, 22), red: paint(31, 39), green: paint(32, 39), cyan: paint(36, 39) };
}
