/** The line around the editor: by its colour how hard the model thinks, or that what is typed goes to the shell. */
import type { Agent, ThinkingLevel } from '@tau/agent';
import type { Editor, Role } from '@tau/tui';
import { shellLook } from '../shell.ts';

const roles: Readonly<Record<ThinkingLevel, Role>> = {
  off: 'thinkingOff',
  minimal: 'thinkingMinimal',
  low: 'thinkingLow',
  medium: 'thinkingMedium',
  high: 'thinkingHigh',
  max: 'thinkingMax',
};

/** To be called after whatever may have changed it. */
export function createDress({ agent, editor }: { agent: Pick<Agent, 'thinking'>; editor: Editor }): () => void {
  let worn = '';
  return () => {
    const { thinking } = agent;
    const usual = { borderRole: thinking === undefined ? 'editorBorder' : roles[thinking], title: '' } as const;
    const { borderRole, title } = shellLook(editor.text()) ?? usual;
    const next = `${borderRole} ${title}`;
    if (next === worn) return;
    worn = next;
    editor.setLook({ borderRole, title });
  };
}
