/** What hooks know of the session they belong to. */
import type { HookInput, RunEvent } from '@tau/core';
import type { Hook } from '@tau/extend';
import type { Home } from '../config/home.ts';
import type { CallRulesPlace } from './call-rules.ts';
import type { HookWorld } from './world.ts';

export interface HooksPlace extends CallRulesPlace, HookWorld {
  home: Home;
  /** False: none of the settings. */
  wanted: boolean;
  /** The run's readers are told of each hook. */
  wantsEvents: boolean;
  /** Of extensions. */
  registered: readonly Hook[];
  /** Files of settings, whether they are there or not. */
  settingFiles(): readonly string[];
  /** Whether what stands in a file of the project, by its path within it, counts like the user's own. */
  covers(path: string): boolean;
  /** What was said before is from an earlier sitting. */
  resumed: boolean;
  base(): Pick<HookInput, 'session_id' | 'transcript_path' | 'cwd' | 'permission_mode'>;
  emit(event: RunEvent): void;
  /** Something for the user that is itself no occasion for a hook. */
  notice(level: 'info' | 'warning', text: string): void;
}
