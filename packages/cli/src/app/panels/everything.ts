/** All of what is asked for a viewer: every argument to its last character, every effect, every rule. */
import type { Ask } from '@tau/agent';
import type { Section, Sections, Theme } from '@tau/tui';
import { entirely } from '../../render/exactly.ts';
import { effectTexts, textOf } from '../../repl/approval.ts';
import { exactRows } from './exact-rows.ts';
import { changing, type Preview } from './preview.ts';

/** Lines of a part of the viewer: those that are not seen are not laid out. */
const linesAtOnce = 200;

export function everythingAbout(ask: Ask, preview: Preview, { theme, cwd }: { theme: Theme; cwd: string }): Sections {
  const { toolName, input, decision } = ask;
  const facts = [
    `${entirely(toolName)} [${decision.class}]`,
    ...entirely(`why: ${decision.reason}`).split('\n'),
    ...(decision.rule === undefined ? [] : [`rule: ${entirely(decision.rule)}`]),
    ...effectTexts(ask, cwd).map((text) => `· ${text}`),
    ...(decision.offer ?? []).map((rule) => `a longer yes allows: ${entirely(rule).replaceAll('\n', ' ⏎ ')}`),
  ];
  const change: Section[] = changing.includes(toolName)
    ? [{ title: theme.paint('title', 'what would change'), lines: preview.all }]
    : [];
  const given = Object.entries(input).flatMap(([name, value]) =>
    textParts(theme.paint('title', entirely(name).replaceAll('\n', ' ⏎ ')), textOf(value), theme),
  );
  const sections = [...textParts(theme.paint('title', 'what is asked'), facts.join('\n'), theme), ...change, ...given];
  return sectionsOf(sections);
}

/** A text to its last character. */
export function textParts(title: string, text: string, theme: Theme): Section[] {
  const lines = entirely(text).split('\n');
  const parts: Section[] = [];
  for (let at = 0; at < lines.length; at += linesAtOnce) {
    const some = lines.slice(at, at + linesAtOnce);
    parts.push({ ...(at === 0 && { title }), lines: (width) => exactRows(some, width, theme) });
  }
  return parts;
}

export function sectionsOf(sections: readonly Section[]): Sections {
  return { length: sections.length, section: (at) => sections[at] ?? { lines: () => [] } };
}
