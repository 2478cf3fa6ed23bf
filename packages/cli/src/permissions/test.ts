/** `tau permissions test`: does what a team expects of its rules still hold? For CI: code 1 when something differs. */
import { type PermissionView, TauError } from '@tau/agent';
import { textIn } from '../args/file-text.ts';
import { readTokens } from '../args/tokens.ts';
import { exitCode } from '../exit.ts';
import { readPiped } from '../print/stdin.ts';
import { clip } from '../render/clip.ts';
import { type Expectation, readExpectations } from './expectations.ts';
import { openView, say, sayJson, viewOptions, warnOf } from './view.ts';

interface Result extends Expectation {
  got: string;
  reason: string;
}

export async function test(args: readonly string[]): Promise<number> {
  const { flags, positionals } = readTokens(args, viewOptions);
  const [path, ...more] = positionals;
  if (more.length > 0) {
    throw new TauError('usage', 'tau permissions test takes one file', { remedy: 'Put all expectations into it' });
  }
  const view = await openView(flags);
  if (path === undefined) {
    const { count, problems } = view.examples;
    if (flags.has('json')) sayJson({ examples: count, problems });
    else say(exampleLines(count, problems).join('\n'));
    return problems.length > 0 ? exitCode.failed : exitCode.done;
  }
  warnOf(view);
  const text = path === '-' ? await readPiped(false, new AbortController().signal) : textIn(path, 'test', tooLong);
  const expected = readExpectations(text, path);
  const results: Result[] = [];
  const views = new Map<string | undefined, PermissionView>([[undefined, view]]);
  for (const one of expected) {
    const under = views.get(one.mode) ?? (await openView(flags, one.mode));
    views.set(one.mode, under);
    const { decision } =
      one.tool === undefined ? await under.explainCommand(one.command ?? '') : await under.explain(one.tool, one.input);
    results.push({ ...one, got: decision.outcome, reason: decision.reason });
  }
  const differing = results.filter(({ outcome, got }) => outcome !== got);
  if (flags.has('json')) sayJson({ checked: results.length, differing });
  else say(resultLines(results.length, differing, path).join('\n'));
  return differing.length > 0 ? exitCode.failed : exitCode.done;
}

const tooLong = 'Split it into several files';

function resultLines(checked: number, differing: readonly Result[], path: string): string[] {
  const rows = differing.map(({ line, outcome, got, reason, command, tool, mode }) => {
    const what = clip(command ?? tool ?? '', 200);
    const under = mode === undefined ? '' : ` in the mode ${mode}`;
    return `${clip(path, 200)}:${line}: ${what}: expected ${outcome}, got ${got}${under}: ${clip(reason, 300)}`;
  });
  const end =
    differing.length === 0
      ? `${checked} as expected`
      : `${differing.length} of ${checked} are not as expected; tau permissions explain says more`;
  return [...rows, end];
}

function exampleLines(examples: number, problems: readonly string[]): string[] {
  if (examples === 0) {
    return [
      'No rule carries examples. Write them beside a rule as match and notMatch, or name a file of expectations.',
    ];
  }
  if (problems.length === 0) return [`${examples} examples of rules hold`];
  return [...problems.map((one) => clip(one, 500)), `${problems.length} of ${examples} examples do not hold`];
}
