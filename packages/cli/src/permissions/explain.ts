/** `tau permissions explain`: what would happen to a command, or to any call, and why. */
import { type CallAccount, isRecord, type PermissionView, TauError, type ToolInput } from '@tau/agent';
import { readTokens } from '../args/tokens.ts';
import { exitCode } from '../exit.ts';
import { readPiped } from '../print/stdin.ts';
import { callLines, commandLines } from './account.ts';
import { openView, say, sayJson, viewOptions, warnOf } from './view.ts';

const table = [...viewOptions, { name: 'tool', value: 'NAME', help: 'explain a call of this tool; the input is JSON' }];

export async function explain(args: readonly string[]): Promise<number> {
  const { flags, positionals } = readTokens(args, table);
  const tool = flags.get('tool')?.at(-1);
  const text = await given(positionals, tool);
  const view = await openView(flags);
  warnOf(view);
  const json = flags.has('json');
  if (tool === undefined) {
    const account = await view.explainCommand(text);
    const { command, programs } = account;
    if (json) sayJson({ command, ...verdictOf(account, view), programs });
    else say(commandLines(account, view).join('\n'));
  } else {
    const account = await view.explain(tool, inputOf(tool, text));
    if (json) sayJson({ tool: account.tool, input: account.input, ...verdictOf(account, view) });
    else say(callLines(account, view).join('\n'));
  }
  return exitCode.done;
}

function verdictOf({ decision }: CallAccount, { mode, sandbox, contains }: PermissionView) {
  const { class: kind, outcome, reason, rule, effects, offer } = decision;
  return {
    ...{ mode, class: kind, outcome, reason },
    ...(rule !== undefined && { rule }),
    ...{ effects, ...(offer && { offer }) },
    sandbox: { ...sandbox, contains },
  };
}

/** Words are not joined: a shell has taken their quotes away, and without them they mean something else. */
async function given(positionals: readonly string[], tool: string | undefined): Promise<string> {
  const [text, ...more] = positionals;
  const what = tool === undefined ? 'one command' : 'the input as one JSON object';
  const example = tool === undefined ? "'git log | head'" : `--tool ${tool} '{ … }'`;
  if (text === undefined || more.length > 0) {
    throw new TauError(
      'usage',
      `tau permissions explain takes ${what}${more.length > 0 ? ', and got several words' : ''}`,
      {
        remedy: `Quote it as a whole: tau permissions explain ${example}. With - it is read from standard input`,
      },
    );
  }
  const whole = text === '-' ? (await readPiped(false, new AbortController().signal)).replace(/\r?\n$/, '') : text;
  if (whole.trim() === '')
    throw new TauError('usage', 'There is nothing to explain', {
      remedy: `For example: tau permissions explain ${example}`,
    });
  return whole;
}

function inputOf(tool: string, text: string): ToolInput {
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch {
    input = undefined;
  }
  if (isRecord(input)) return input;
  throw new TauError('usage', `The input of ${tool} must be a JSON object`, {
    remedy: `For example: tau permissions explain --tool write '{"path": "a.txt", "content": ""}'`,
  });
}
