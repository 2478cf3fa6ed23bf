/** `tau --help`, from the option table. */
import { type Option, optionGroups } from './options.ts';

export function helpText(): string {
  const groups = optionGroups.map(({ title, options }) => [`${title}:`, ...options.map(row)].join('\n'));
  return `tau: a coding agent that works on the project in the current folder

Usage:
  tau ["PROMPT"]               talk with it at a terminal: see docs/terminal.md
  tau -p "PROMPT"              answer or do what is asked, then exit
  tau -p -c "PROMPT"           go on with the last conversation of this folder
  tau auth [set|remove NAME]   which keys there are; keep one for a provider, or forget it
  tau config [list|get|set|…]  what is set, where it came from; change it
  tau init [--project]         a settings file to begin with, or an AGENTS.md
  tau models [FILTER]          which models there are, what they cost, which are ready
  tau permissions [explain|…]  what it may do here and why; add or remove a rule
  tau trust [status|yes|no]    whether what this project brings counts: its hooks, rules, helpers
  tau sessions                 which conversations there are; show, name or delete one
  tau doctor                   is everything there that it needs, and safe; what to do where not
  tau demo [--interactive]     see it fix a bug, without a model or a key
  command | tau -p "PROMPT"    what is piped in comes after the prompt
  tau -p @FILE "PROMPT"        with an image, a PDF or a text file

Each argument is a prompt of its own, answered in order: quote what belongs together.

${groups.join('\n\n')}

Tools: read, write, edit, bash, grep, glob, ls.
       When looked for or named: apply_patch, ask_user, jobs, plan_enter, plan_exit, send_file, todo, web_fetch.
Keys: TAU_API_KEY, ANTHROPIC_API_KEY, OPENAI_API_KEY, …, tau auth set, or ~/.tau/models.json: see docs/credentials.md.
Settings: ~/.tau/settings.json, .tau/settings.json in a project, TAU_* variables: see docs/settings.md and tau config.
TAU_HOME moves ~/.tau elsewhere.
What tau may do without asking is decided by mode and rules: see tau permissions and docs/permissions.md.

Exit codes:
  0  done
  1  network, provider or run failed
  2  usage, configuration, credentials, unknown model
  3  something needed approval and nobody could give it
  4  turn, token or money limit
  129 hung up · 130 interrupted · 131 quit · 143 terminated`;
}

function row({ name, short, value, optional, help }: Option): string {
  const shown = value === undefined ? '' : optional ? ` [${value}]` : ` ${value}`;
  const named = `${short ? `-${short}, ` : ''}--${name}${shown}`;
  return `  ${named.padEnd(28)}${named.length > 28 ? '  ' : ' '}${help}`;
}
