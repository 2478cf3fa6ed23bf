/** `tau --help`, from the option table. */
import { optionTable } from './options.ts';

export function helpText(): string {
  const rows = optionTable.map(({ name, short, value, help }) => {
    const head = `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;
    return `  ${head.padEnd(28)} ${help}`;
  });
  return `tau: a coding agent that works on the project in the current folder

Usage:
  tau -p "PROMPT"              answer or do what is asked, then exit
  tau -p -c "PROMPT"           go on with the last conversation of this folder
  tau auth [set|remove NAME]   which keys there are; keep one for a provider, or forget it
  tau models [FILTER]          which models there are, what they cost, which are ready
  tau demo                     see it fix a bug, without a model or a key
  command | tau -p "PROMPT"    what is piped in comes after the prompt
  tau -p @FILE "PROMPT"        with an image, a PDF or a text file

Each argument is a prompt of its own, answered in order: quote what belongs together.

Options:
${rows.join('\n')}

Keys: TAU_API_KEY, ANTHROPIC_API_KEY, OPENAI_API_KEY, …, tau auth set, or ~/.tau/models.json: see docs/credentials.md.
Settings: ~/.tau/settings.json; TAU_HOME moves ~/.tau elsewhere.
What tau may do without asking is decided by mode and rules: see docs/permissions.md.

Exit codes: 0 done · 1 network, provider or run failed · 2 usage, configuration, credentials, unknown model
            3 something needed approval and nobody could give it · 4 turn or token limit
            129 hung up · 130 interrupted · 131 quit · 143 terminated`;
}
