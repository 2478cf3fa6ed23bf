import { expect, test } from 'vitest';
import { shellEffects } from '../src/index.ts';
import { decideShell, shellIn } from './decisions.ts';
import { everyHostileLine, hostileLines } from './hostile-lines.ts';

/** As much as a machine can honestly know: a real PATH, a repository that names nothing. */
const trusting = await shellIn({ tameGit: (folder) => folder === '/w/app', glob: () => [] });
const show = (line: string) => JSON.stringify(line);

test('there are hundreds of hostile lines, and none of them twice in a group', () => {
  expect(everyHostileLine.length).toBeGreaterThan(600);
  for (const lines of Object.values(hostileLines)) expect(lines).toHaveLength(new Set(lines).size);
});

test.each(Object.keys(hostileLines))('%s: no line is allowed when nobody has allowed anything', (trick) => {
  const passed = (hostileLines[trick] ?? []).filter((line) => decideShell(line).outcome === 'allow');
  expect(passed.map(show)).toEqual([]);
});

test.each(Object.keys(hostileLines))('%s: no line is proved to stay within the project and only to read', (trick) => {
  const proved = (hostileLines[trick] ?? []).filter((line) => {
    const [exec, ...effects] = shellEffects(line, trusting);
    const outside = effects.some((effect) => effect.kind === 'read' && /^([/~]|.*\.\.)/.test(effect.path));
    return exec?.kind === 'exec' && exec.readOnly && !outside;
  });
  expect(proved.map(show)).toEqual([]);
});

test.each(['plan', 'dontAsk'] as const)('%s mode allows none of them either', (mode) => {
  const passed = everyHostileLine.filter(([, line]) => decideShell(line, { mode }).outcome === 'allow');
  expect(passed.map(([, line]) => show(line))).toEqual([]);
});

test('a rule that allows reading commands does not carry a hostile line with it', () => {
  const allow = ['bash(ls:*)', 'bash(cat:*)', 'bash(echo:*)', 'bash(git status:*)', 'bash(cd:*)', 'bash(true)'];
  // What a rule names is allowed as it is called: only lines in which something else happens count.
  const passed = everyHostileLine.filter(
    ([, line]) => /\brm\b|>\s*f\b/.test(line) && decideShell(line, { rules: { allow } }).outcome === 'allow',
  );
  expect(passed.map(([, line]) => show(line))).toEqual([]);
});
