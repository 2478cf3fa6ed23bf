/** The system prompt, to the byte. */
import { expect, test } from 'vitest';
import { composePrompt, type PromptParts } from '../src/prompt/compose.ts';
import { type Family, familyOf } from '../src/prompt/family.ts';
import { languageText, styleText } from '../src/prompt/styles.ts';

const parts: PromptParts = {
  cwd: '/work',
  date: '2026-01-02',
  family: 'other',
  tools: [],
  additions: [],
  contextFiles: [],
};

const tools = [
  { name: 'read', description: 'Reads a file. Lines are numbered.', guidelines: ['Read before you edit.'] },
  { name: 'apply_patch', snippet: 'changes files', guidelines: ['Read before you edit.', 'One patch, many files.'] },
];

test('by itself it is short', () => {
  expect(composePrompt(parts)).toMatchInlineSnapshot(`
    "You are tau, a coding agent working in the user's project through tools.

    - Look before you act: read the files and run the commands that tell you how things are. Do not guess.
    - Of a large file read what you need: search first, then read that part with offset and limit.
    - Make the smallest change that does the job, in the style of the code around it. Leave unrelated code alone.
    - Verify before you claim success: run the tests or the program, and say what you ran and what came out.
    - When something fails or is not allowed, say so plainly. Never make up a result.
    - Do not commit, push or install anything unless asked to.
    - Calls that do not depend on each other can go in one message; they run in parallel.
    - Answer briefly. Name files by their path.

    Current date: 2026-01-02
    Current working directory: /work"
  `);
  expect(composePrompt(parts).length).toBeLessThan(1200);
});

const added = (family: Family, names: string[] = []) => {
  const lines = (of: Family) =>
    composePrompt({ ...parts, family: of, tools: names.map((name) => ({ name })) }).split('\n');
  const plain = lines('other');
  const own = lines(family);
  return { added: own.filter((line) => !plain.includes(line)), gone: plain.filter((line) => !own.includes(line)) };
};

test('a GPT model is asked to go on to the end, and to patch where it can', () => {
  expect(added('gpt', ['apply_patch'])).toMatchInlineSnapshot(`
    {
      "added": [
        "- Keep going until the task is done; stop early only for what the user alone can decide.",
        "- Change files with apply_patch rather than through the shell.",
      ],
      "gone": [],
    }
  `);
  expect(added('gpt').added).toHaveLength(1);
});

test('a Gemini model is asked to act and to check', () => {
  expect(added('gemini')).toMatchInlineSnapshot(`
    {
      "added": [
        "- Act with the tools instead of describing what you would do.",
        "- Check that a library or command is there before you use it, and comment only what the code cannot say.",
      ],
      "gone": [],
    }
  `);
});

test('a small model is asked for one step at a time, and not for several at once', () => {
  expect(added('small')).toMatchInlineSnapshot(`
    {
      "added": [
        "- One step at a time: make one call, look at its result, then decide on the next.",
        "- Use a tool by calling it, never by writing the call as text.",
      ],
      "gone": [
        "- Calls that do not depend on each other can go in one message; they run in parallel.",
      ],
    }
  `);
});

test.each([
  ['gpt-5.1-codex', 'gpt'],
  ['openai/gpt-oss-20b', 'gpt'],
  ['o3-mini', 'gpt'],
  ['codex-mini-latest', 'gpt'],
  ['gemini-2.5-pro', 'gemini'],
  ['google/gemini-3-flash', 'gemini'],
  ['qwen2.5-coder:7b', 'small'],
  ['meta-llama/Llama-3.2-3B-Instruct', 'small'],
  ['phi-4-14b', 'small'],
  ['gemma-3-1b-it', 'small'],
  ['qwen3-coder:30b-a3b', 'other'],
  ['mixtral-8x7b', 'other'],
  ['llama-3.3-70b', 'other'],
  ['claude-sonnet-4-5', 'other'],
  ['deepseek-chat', 'other'],
  ['o', 'other'],
  ['', 'other'],
])('%s is of the family %s', (id, family) => {
  expect(familyOf({ id })).toBe(family);
});

test('its parts come in one order, and the same parts make the same bytes', () => {
  const whole: PromptParts = {
    ...parts,
    tools,
    base: 'BASE',
    additions: ['FIRST\n', '', 'SECOND'],
    contextFiles: [{ path: '/work/AGENTS.md', text: 'Be kind.\n' }],
    git: { branch: 'main' },
  };
  expect(composePrompt(whole)).toMatchInlineSnapshot(`
    "BASE

    FIRST

    SECOND

    Tools:
    - Read before you edit.
    - One patch, many files.

    <project_context>
    <project_instructions path="/work/AGENTS.md">
    Be kind.
    </project_instructions>
    </project_context>

    Git branch when the session began: main

    Current date: 2026-01-02
    Current working directory: /work"
  `);
  expect(composePrompt(structuredClone(whole))).toBe(composePrompt(whole));
});

test('a placeholder is filled, and what it placed is not said again', () => {
  const base = 'In {{cwd}} on {{ date }}:\n{{tools}}\n{{instructions}}\n{{unknown}} {{ }} $& $1';
  const contextFiles = [{ path: '/work/AGENTS.md', text: 'not {{cwd}} but $&' }];
  expect(composePrompt({ ...parts, tools, base, contextFiles })).toMatchInlineSnapshot(`
    "In /work on 2026-01-02:
    - read: Reads a file.
    - apply_patch: changes files
    - Read before you edit.
    - One patch, many files.
    <project_context>
    <project_instructions path="/work/AGENTS.md">
    not {{cwd}} but $&
    </project_instructions>
    </project_context>
    {{unknown}} {{ }} $& $1"
  `);
});

test('a placeholder used twice is filled twice', () => {
  expect(composePrompt({ ...parts, base: '{{cwd}} {{cwd}}' })).toBe('/work /work\n\nCurrent date: 2026-01-02');
});

test('styles are known by name, or are the words themselves', () => {
  for (const name of ['concise', 'explanatory', 'learning']) expect(styleText(name)).toMatch(/^Style: .{40}/);
  expect(styleText(' like a pirate ')).toBe('Style: like a pirate');
  expect(styleText('constructor')).toBe('Style: constructor');
});

test('a language is a name, one line of it', () => {
  expect(languageText('German')).toBe('Answer in German. Keep code, commands and names as they are.');
  expect(languageText(`x\n\n${'y'.repeat(500)}`)).toMatch(/^Answer in x y{58}\. Keep/);
});
