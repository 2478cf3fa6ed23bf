/** Files the model hands to the user with `send_file`: what is told of them, on stderr and in the one JSON object. */
import { isRecord, type StampedEvent } from '@tau/agent';
import { clip } from '../render/clip.ts';
import { visible } from '../render/visible.ts';

export interface Delivered {
  path: string;
  description?: string;
}

const descriptionChars = 200;

/** The file that this event delivers, if it does. */
export function deliveredIn(event: StampedEvent): Delivered | undefined {
  if (event.type !== 'tool_execution_end' || event.toolName !== 'send_file' || event.result.isError) return undefined;
  const { details } = event.result;
  if (!isRecord(details) || typeof details.path !== 'string') return undefined;
  const { path, description } = details;
  return { path, ...(typeof description === 'string' && { description }) };
}

export function deliveryLine({ path, description }: Delivered): string {
  const about = description === undefined ? '' : ` (${clip(description, descriptionChars)})`;
  return `tau: file for you: ${visible(path).replaceAll('\n', '\\n')}${about}`;
}
