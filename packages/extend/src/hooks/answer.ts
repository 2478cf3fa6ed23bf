/** What a hook of tau's own format says: JSON on its standard output, or nothing, and an exit code. */
import { type HookWord, isRecord } from '@tau/core';
import { type Output, type Spoken, textOf, withText } from './spoken.ts';

export function tauAnswer({ exitCode, stdout, stderr }: Output): Spoken {
  if (exitCode !== 0) {
    const why = stderr.trim() || stdout.trim();
    return { word: { action: 'deny', reason: why === '' ? `it ended with code ${exitCode}` : why } };
  }
  if (stdout.trim() === '') return { word: {} };
  const said = parse(stdout);
  return isRecord(said) ? wordOf(said) : unreadable('it did not answer with a JSON object');
}

/** Undefined when it is no JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const known = ['action', 'message', 'reason', 'input', 'modifiedInput', 'modified_input', 'text', 'context', 'notice'];

/** What is misspelt may be a no. */
function wordOf(said: Record<string, unknown>): Spoken {
  const odd = Object.keys(said).find((name) => !known.includes(name));
  if (odd !== undefined) return unreadable(`it said "${odd}", which means nothing`);
  const action = typeof said.action === 'string' ? said.action.toLowerCase() : said.action;
  const input = said.modifiedInput ?? said.modified_input ?? said.input;
  const more: HookWord = {};
  const reason = textOf(said.message) ?? textOf(said.reason);
  withText(more, 'reason', reason);
  withText(more, 'context', textOf(said.context));
  withText(more, 'notice', textOf(said.notice));
  if (action !== 'modify' && (input !== undefined || said.text !== undefined)) {
    return unreadable('it gave something to change to, but its action is not "modify"');
  }
  switch (action) {
    case undefined:
      return { word: more };
    case 'allow':
    case 'deny':
    case 'ask':
    case 'retry':
      return { word: { ...more, action } };
    case 'modify':
      if (isRecord(input)) return { word: { ...more, input } };
      if (typeof said.text === 'string') return { word: { ...more, text: said.text } };
      return unreadable('it wants to modify, but says neither "modifiedInput" nor "text"');
    default:
      return unreadable(`it said the action ${JSON.stringify(said.action)?.slice(0, 100)}, which there is not`);
  }
}

function unreadable(why: string): Spoken {
  return { failure: { kind: 'output', why } };
}
