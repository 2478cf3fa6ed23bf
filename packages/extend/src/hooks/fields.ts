/** The parts that both formats have in common, each as a value or as a sentence about what is wrong with it. */
import { isRecord } from '@tau/core';
import type { Handler } from './hook.ts';

const maxSecs = 600;

/** What a hook runs, or what is wrong with it. */
export function readHandler(given: Record<string, unknown>): Handler | string {
  const { command, url, headers = {}, allowedEnvVars = [], outside = false } = given;
  if (typeof outside !== 'boolean') return '"outside" must be true or false';
  if ((command === undefined) === (url === undefined)) return 'it must have a "command" or a "url", and not both';
  if (command !== undefined) {
    if (typeof command !== 'string' || command.trim() === '') return '"command" must be a text';
    if (command.includes('\0')) return '"command" has a NUL character in it';
    return { type: 'command', command, ...(outside && { outside }) };
  }
  if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:\/\//i.test(url)) {
    return '"url" must be an address that begins with http:// or https://';
  }
  if (/^https?:\/\/[^/?#\\]*@/i.test(url)) return '"url" must have no user name or password in it; use "headers"';
  if (!isTextMap(headers)) return '"headers" must be texts by name';
  if (!isTexts(allowedEnvVars)) return '"allowedEnvVars" must be a list of names';
  const hidden = Object.values(headers)
    .flatMap((text) => [...text.matchAll(variable)].map(([, plain, braced]) => plain ?? braced ?? ''))
    .find((name) => !allowedEnvVars.includes(name));
  if (hidden !== undefined) return `its headers name $${hidden}, which "allowedEnvVars" does not list`;
  return { type: 'http', url, headers, allowedEnvVars };
}

/** A variable in a header. */
export const variable = /\$(?:([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)\})/g;

/** In milliseconds, or what is wrong with it. */
export function readTimeout(value: unknown, standard: number): number | string {
  if (value === undefined) return standard * 1000;
  if (typeof value === 'number' && value > 0 && value <= maxSecs) return value * 1000;
  return `its timeout must be a number of seconds above 0 and at most ${maxSecs}`;
}

export function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string' && one !== '');
}

function isTextMap(value: unknown): value is Record<string, string> {
  return isRecord(value) && Object.values(value).every((one) => typeof one === 'string');
}
