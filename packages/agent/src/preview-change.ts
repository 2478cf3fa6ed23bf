/** What a call would do to files, before it is allowed: read from the disk at this moment, and nothing is written. */
import { realpathSync } from 'node:fs';
import type { ToolInput } from '@tau/core';
import { localHost } from '@tau/host';
import { type PreviewedFile, previewChange as preview } from '@tau/tools';

export type { PreviewedFile } from '@tau/tools';

/** Undefined for a tool that changes no file. Throws what the call would fail with. */
export function previewChange(
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
  tool: string,
  input: ToolInput,
): Promise<PreviewedFile[] | undefined> {
  return preview(localHost({ cwd: realpathSync(cwd), env }).files, tool, input);
}
