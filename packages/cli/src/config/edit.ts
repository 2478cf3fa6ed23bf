/** `tau config edit`: the user's editor on a settings file, and a look at what came of it. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Config, TauError, type WritableLayer, withOwnPrograms } from '@tau/agent';
import { exitCode } from '../exit.ts';
import { visibleLine } from '../render/visible.ts';

export async function edit(config: Config, layer: WritableLayer): Promise<number> {
  const editor = process.env.VISUAL || process.env.EDITOR;
  if (!editor) {
    throw new TauError('usage', 'There is no editor', {
      remedy: `Set VISUAL or EDITOR, or open ${config.path(layer)} yourself`,
    });
  }
  const path = config.path(layer);
  if (layer === 'user' && !existsSync(path)) config.writeTemplate();
  // Few editors make a folder for what they save.
  if (layer !== 'user') mkdirSync(dirname(path), { recursive: true });
  const there = config.files().find((file) => file.layer === layer && file.exists)?.path ?? path;
  await open(editor, there);
  const warnings = await config.check(layer);
  for (const warning of warnings) process.stderr.write(`tau: warning: ${visibleLine(warning)}\n`);
  return warnings.length > 0 ? exitCode.usage : exitCode.done;
}

/** An editor may be a command with arguments, so a shell reads it; the path comes beside it, never inside. */
async function open(editor: string, path: string): Promise<void> {
  const { spawn } = await import('node:child_process');
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', `${editor} "$@"`, 'sh', path], {
      env: withOwnPrograms(process.env),
      stdio: 'inherit',
    });
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new TauError('process', `The editor (${editor}) ended with ${code ?? 'a signal'}`);
}
