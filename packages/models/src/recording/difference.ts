/** Where two JSON values first differ. */
import { isRecord } from '@tau/core';

/** A path such as `messages[1].content`; undefined when they are the same. The order of keys does not matter. */
export function firstDifference(expected: unknown, actual: unknown, path = ''): string | undefined {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const length = Math.max(expected.length, actual.length);
    return first(length, (at) => firstDifference(expected[at], actual[at], `${path}[${at}]`));
  }
  if (isRecord(expected) && isRecord(actual)) {
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
    return first(keys.length, (at) => {
      const key = keys[at] ?? '';
      return firstDifference(expected[key], actual[key], path === '' ? key : `${path}.${key}`);
    });
  }
  return Object.is(expected, actual) ? undefined : path || 'the whole of it';
}

function first(count: number, differs: (at: number) => string | undefined): string | undefined {
  for (let at = 0; at < count; at += 1) {
    const found = differs(at);
    if (found !== undefined) return found;
  }
  return undefined;
}
