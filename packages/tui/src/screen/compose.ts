/** The live region as lines: the root's, capped at the height there is, with the overlays over them. */
import type { Component } from '../component.ts';
import { type FittedLine, fitLine } from './line.ts';
import { laidOver, type OverlayOptions, overlayHeight, overlayWidth, placeOf } from './overlay.ts';
import type { Place } from './patch.ts';

export interface Layer {
  component: Component;
  options: OverlayOptions;
}

export interface LiveRegion {
  lines: readonly string[];
  cursor: Place | undefined;
}

/** Replaces the first line when lines above it had to go. */
export type OverflowLine = (hidden: number, width: number) => string;

export interface Composer {
  /** The same object as before when nothing changed. */
  compose(root: Component, layers: readonly Layer[], columns: number, height: number): LiveRegion;
}

/** `cursorIn` says whether the cursor of a component counts: the one that is typed into. */
export function createComposer(
  overflow: OverflowLine | undefined,
  cursorIn: (layer: Layer | undefined) => boolean,
): Composer {
  const fit = createFitting();
  let lastKey: readonly unknown[] = [];
  let last: LiveRegion = { lines: [], cursor: undefined };

  return {
    compose(root, layers, columns, height) {
      const rootLines = root.render(columns);
      const boxes = layers.map((layer) => ({
        layer,
        lines: layer.component.render(overlayWidth(layer.options, columns)),
      }));
      const boxKeys = boxes.flatMap(({ layer, lines }) => [layer, lines, cursorIn(layer)]);
      const key: readonly unknown[] = [columns, height, rootLines, cursorIn(undefined), ...boxKeys];
      if (key.length === lastKey.length && key.every((part, at) => part === lastKey[at])) return last;
      lastKey = key;
      fit.begin(columns);
      let region = rootRegion(rootLines, columns, height, cursorIn(undefined));
      for (const { layer, lines } of boxes) {
        region = withBox(region, { ...layer, lines }, columns, height, cursorIn(layer));
      }
      last = region;
      return last;
    },
  };

  function rootRegion(all: readonly string[], columns: number, height: number, hasCursor: boolean): LiveRegion {
    const hidden = Math.max(0, all.length - height);
    const lines: string[] = [];
    let cursor: Place | undefined;
    for (const [row, raw] of all.slice(hidden).entries()) {
      const source = row === 0 && hidden > 0 && overflow ? overflow(hidden + 1, columns) : raw;
      const line = fit.line(source);
      if (hasCursor && line.cursor !== undefined) cursor = { row, column: line.cursor };
      lines.push(line.text);
    }
    return { lines, cursor };
  }

  function withBox(
    { lines: behind, cursor: before }: LiveRegion,
    { options, lines: all }: Layer & { lines: readonly string[] },
    columns: number,
    height: number,
    hasCursor: boolean,
  ): LiveRegion {
    const width = overlayWidth(options, columns);
    const box = all.slice(0, overlayHeight(options, height)).map((line) => fit.boxLine(line, width));
    if (box.length === 0) return { lines: behind, cursor: before };
    // What is behind keeps its place at the bottom, where the editor is.
    const missing = Math.max(0, box.length - behind.length);
    const lines = [...Array.from({ length: missing }, () => ''), ...behind];
    const place = placeOf(options, { width, height: box.length }, { width: columns, height: lines.length });
    let cursor = before && { ...before, row: before.row + missing };
    for (const [at, line] of box.entries()) {
      const row = place.row + at;
      lines[row] = laidOver(lines[row] ?? '', line.text, place.column, width, columns);
      if (hasCursor && line.cursor !== undefined) cursor = { row, column: place.column + line.cursor };
    }
    return { lines, cursor };
  }
}

/** Lines that were on the last frame are not looked at again. */
function createFitting() {
  let before = new Map<string, FittedLine>();
  let now = new Map<string, FittedLine>();
  let width = 0;
  return {
    begin(columns: number) {
      before = columns === width ? now : new Map();
      now = new Map();
      width = columns;
    },
    line(source: string): FittedLine {
      const fitted = now.get(source) ?? before.get(source) ?? fitLine(source, width);
      now.set(source, fitted);
      return fitted;
    },
    boxLine: fitLine,
  };
}
