/** How long a provider asks to be left alone, from the headers of its answer. */
import type { WireResponse } from './transport.ts';

export function retryAfter(headers: WireResponse['headers'], now: number): number | undefined {
  const exact = number(header(headers, 'retry-after-ms'));
  if (exact !== undefined) return exact;
  const text = header(headers, 'retry-after');
  if (text === undefined) return undefined;
  const seconds = number(text);
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** A header that came twice counts once. */
export function header(headers: WireResponse['headers'], name: string): string | undefined {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value)?.trim();
}

/** Not negative, not empty, nothing but a number. */
export function number(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}
