/** The system prompt: short, and the same bytes for every turn of a session. */
import type { ContextFile } from './context-files.ts';

const role = `You are tau, a coding agent working in the user's project through tools.

- Look before you act: read the files and run the commands that tell you how things are. Do not guess.
- Make the smallest change that does the job, in the style of the code around it. Leave unrelated code alone.
- Verify before you claim success: run the tests or the program, and say what you ran and what came out.
- When something fails or is not allowed, say so plainly. Never make up a result.
- Do not commit, push or install anything unless asked to.
- Calls that do not depend on each other can go in one message; they run in parallel.
- Answer briefly. Name files by their path.`;

export function systemPrompt(place: { cwd: string; date: string; contextFiles: readonly ContextFile[] }): string {
  const parts = [role];
  if (place.contextFiles.length > 0) {
    const files = place.contextFiles.map(
      ({ path, text }) => `<project_instructions path="${path}">\n${text.trim()}\n</project_instructions>`,
    );
    parts.push(`<project_context>\n${files.join('\n')}\n</project_context>`);
  }
  parts.push(`Current date: ${place.date}\nCurrent working directory: ${place.cwd}`);
  return parts.join('\n\n');
}
