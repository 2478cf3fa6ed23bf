/** The built-in hook: which files tools read and wrote, one line each, in `logs/files.jsonl` of tau's home. */
import { join } from 'node:path';
import { describeError, type Extension } from '@tau/core';
import type { Home } from '../config/home.ts';
import { createLogFile } from '../log-file.ts';

export interface FileLog {
  extension: Extension;
  close(): void;
}

/** The log never stands in the way: what cannot be written is said once, and the work goes on. */
export function createFileLog(home: Home, warn: (text: string) => void): FileLog {
  const path = join(home.logs, 'files.jsonl');
  const log = createLogFile(path);
  let complained = false;
  const extension: Extension = {
    name: 'the file-access log',
    register(api) {
      api.on('PostToolUse', ({ input, effects }) => {
        const { session_id: sessionId, cwd, tool_name: tool, tool_response: response } = input;
        const failed = response?.is_error === true;
        const timestamp = new Date().toISOString();
        try {
          for (const effect of effects) {
            if (effect.kind !== 'read' && effect.kind !== 'write') continue;
            const { kind, path: written, resolved = written } = effect;
            log.write({ timestamp, sessionId, cwd, tool, access: kind, path: resolved, ...(failed && { failed }) });
          }
        } catch (error) {
          if (!complained) warn(`File access cannot be logged in ${path}: ${describeError(error)}`);
          complained = true;
        }
        return undefined;
      });
    },
  };
  return { extension, close: log.close };
}
