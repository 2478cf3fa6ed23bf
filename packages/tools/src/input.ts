/** Typed access to a call's input. The gate has validated it; these only tell the compiler, and fail loudly if not. */
import { isRecord, TauError, type ToolInput } from '@tau/core';

export function text(input: ToolInput, key: string): string {
  const value = optionalText(input, key);
  if (value === undefined) throw wrong(key, 'text');
  return value;
}

export function optionalText(input: ToolInput, key: string): string | undefined {
  const value = input[key];
  if (value === undefined || typeof value === 'string') return value;
  throw wrong(key, 'text');
}

export function optionalNumber(input: ToolInput, key: string): number | undefined {
  const value = input[key];
  if (value === undefined || typeof value === 'number') return value;
  throw wrong(key, 'a number');
}

export function flag(input: ToolInput, key: string): boolean {
  const value = input[key];
  if (value === undefined || typeof value === 'boolean') return value ?? false;
  throw wrong(key, 'true or false');
}

export function optionalObjects(input: ToolInput, key: string): ToolInput[] | undefined {
  const value = input[key];
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every(isRecord)) return value;
  throw wrong(key, 'a list of objects');
}

export function optionalTexts(input: ToolInput, key: string): string[] | undefined {
  const value = input[key];
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw wrong(key, 'a list of texts');
}

function wrong(key: string, expected: string): TauError {
  return new TauError('usage', `${key} must be ${expected}`);
}
