/**
 * The events of a sitting that nobody waits for the word of: its beginning and end, the first use of a project, files that
 * changed, what the user is told.
 */
import { join } from 'node:path';
import { describeError, type RunEvent } from '@tau/core';
import { claudeProjectFiles, claudeUserFile } from './declared.ts';
import { createFileWatch } from './file-watch.ts';
import type { LiveHooks } from './live.ts';
import type { HooksPlace } from './place.ts';
import { isSetUp, recordSetup } from './setup-record.ts';

export interface Sitting {
  /** A run begins. What hooks have for the model. */
  begin(): Promise<string[]>;
  /** Something happened that the user may want to be called for. */
  see(event: RunEvent): void;
  /** `reason`: how the last run ended. */
  end(reason: string): Promise<void>;
}

const maxChanges = 100;
/** Of what waits to be told; more is dropped, and that is said. */
const maxWaiting = 100;

export function createSitting(place: HooksPlace, live: LiveHooks): Sitting {
  const { home, root, notice } = place;
  const changes = createFileWatch(() => ({
    files: [...place.settingFiles(), claudeUserFile(home), ...claudeProjectFiles.map((file) => join(root, file))],
    skills: [join(home.tau, 'skills'), join(root, '.tau', 'skills')],
  }));
  let begun = false;
  let waiting = 0;
  let told: Promise<unknown> = Promise.resolve();

  /** One after the other, beside the run. */
  function notify(type: string, message: string): void {
    if (waiting >= maxWaiting) {
      if (waiting++ === maxWaiting) notice('warning', 'Notification hooks cannot keep up; some are left out');
      return;
    }
    waiting += 1;
    told = told
      .then(() => live.tell('Notification', { notification_type: type, message }))
      .catch((error: unknown) => notice('warning', `A Notification hook could not be run: ${describeError(error)}`))
      .finally(() => {
        waiting -= 1;
      });
  }

  async function setUp(): Promise<string[]> {
    if (!live.hears('Setup') || !place.trusted()) return [];
    try {
      if (await isSetUp(home, root)) return [];
      const { context, warnings } = await live.tell('Setup', {});
      // What failed is tried again the next time.
      if (warnings.length === 0) await recordSetup(home, root, new Date().toISOString());
      return context;
    } catch (error) {
      notice('warning', `The Setup hooks could not be run: ${describeError(error)}`);
      return [];
    }
  }

  return {
    async begin() {
      const context: string[] = [];
      for (const path of changes().slice(0, maxChanges)) {
        if (live.hears('FileChanged')) context.push(...(await live.tell('FileChanged', { file_path: path })).context);
      }
      if (begun) return context;
      begun = true;
      context.push(...(await setUp()));
      if (!live.hears('SessionStart')) return context;
      const started = await live.tell('SessionStart', { source: place.resumed ? 'resume' : 'startup' });
      return [...context, ...started.context];
    },
    see(event) {
      if (!live.hears('Notification')) return;
      if (event.type === 'permission_request') {
        notify('permission_prompt', `tau needs your permission to use ${event.toolName}: ${event.decision.reason}`);
      }
      if (event.type === 'question_request') notify('question', event.question.question);
      if (event.type === 'notice' && event.level === 'warning') notify('warning', event.text);
    },
    async end(reason) {
      await told;
      if (begun && live.hears('SessionEnd')) await live.tell('SessionEnd', { reason });
    },
  };
}
