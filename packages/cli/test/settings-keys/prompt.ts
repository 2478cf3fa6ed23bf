/** Settings that shape the system prompt. */
import { execFileSync } from 'node:child_process';
import type { SettingName } from '@tau/agent';
import { expect } from 'vitest';
import { standIn } from './programs.ts';
import { type Proof, system } from './proof.ts';

/** The words are in the prompt only with the setting. */
function brings(words: string): Pick<Proof, 'see' | 'without' | 'with'> {
  return { see: system, without: expect.not.stringContaining(words), with: expect.stringContaining(words) };
}

/** The words are in the prompt unless the setting takes them out. */
function takes(words: string): Pick<Proof, 'see' | 'without' | 'with'> {
  return { see: system, without: expect.stringContaining(words), with: expect.not.stringContaining(words) };
}

const pullRequest = `cat <<'END'
{"number":7,"title":"Mend it","url":"https://example.org/7","state":"OPEN","isDraft":true,"baseRefName":"main"}
END`;

export const promptProofs = {
  systemPrompt: { value: 'You review code.', ...takes('You are tau') },
  appendSystemPrompt: { value: 'Explain each change.', ...brings('Explain each change.') },
  customInstructions: { value: 'Use tabs.', ...brings('Use tabs.') },
  language: { value: 'Deutsch', ...brings('Answer in Deutsch.') },
  outputStyle: { value: 'explanatory', ...brings('Style: explain as you go.') },
  contextFiles: { files: { 'AGENTS.md': 'Indent by three.' }, value: false, ...takes('Indent by three.') },
  'gitContext.enabled': { git: true, files: { 'new.txt': 'x' }, value: true, ...brings('?? new.txt') },
  'gitContext.maxDiffLines': {
    git: true,
    files: { 'new.txt': 'x\n' },
    prepare: ({ project }) => void execFileSync('git', ['add', 'new.txt'], { cwd: project }),
    settings: { gitContext: { enabled: true } },
    value: 10,
    ...brings('new.txt | 1 +'),
  },
  'gitContext.pullRequest': {
    git: true,
    perform: ({ tau, home }) => tau(['-p', 'go'], { env: { PATH: standIn(home, 'gh', pullRequest) } }),
    value: true,
    ...brings('Pull request: #7 "Mend it" (open, draft) into main, https://example.org/7'),
  },
} satisfies Partial<Record<SettingName, Proof>>;
