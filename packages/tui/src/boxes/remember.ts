/** Rendering that is done once: the same lines are given back until the width or what they are made of changes. */

export interface Remembered {
  render(width: number): readonly string[];
  /** What the lines are made of changed. */
  forget(): void;
}

export function remember(draw: (width: number) => readonly string[]): Remembered {
  let known: { width: number; lines: readonly string[] } | undefined;
  return {
    render(width) {
      if (known?.width !== width) known = { width, lines: draw(width) };
      return known.lines;
    },
    forget() {
      known = undefined;
    },
  };
}

/** The same for lines made of others: drawn again only when one of the parts is another array than before. */
export function rememberParts(
  parts: (width: number) => readonly (readonly string[])[],
  join: (parts: readonly (readonly string[])[], width: number) => readonly string[],
): Remembered {
  let known: { width: number; parts: readonly (readonly string[])[]; lines: readonly string[] } | undefined;
  return {
    render(width) {
      const now = parts(width);
      const same =
        known?.width === width &&
        known.parts.length === now.length &&
        known.parts.every((lines, index) => lines === now[index]);
      if (!known || !same) known = { width, parts: now, lines: join(now, width) };
      return known.lines;
    },
    forget() {
      known = undefined;
    },
  };
}
