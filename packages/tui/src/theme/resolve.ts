/** What every role of a theme looks like: the themes it extends, its variables, and the fall-back from role to role. */
import { type Colour, colourNames, parseColour } from './colours.ts';
import type { ResolvedTheme, RoleStyle } from './paint.ts';
import { type Role, roleFacts } from './roles.ts';
import {
  type ColourValue,
  problemText,
  type StyleValue,
  styleSwitches,
  type ThemeProblem,
  type ThemeSource,
} from './source.ts';

/** The chain of themes, the extended ones first. */
type Chain = readonly ThemeSource[];

const maxChain = 16;

/** The theme of that name. A theme that extends its own name means the one it stands in front of. */
export type FindTheme = (name: string, extendedBy?: ThemeSource) => ThemeSource | undefined;

/** A colour that cannot be understood is left out and told of; the role then looks as if the theme did not name it. */
export function resolveTheme(source: ThemeSource, find: FindTheme): { theme: ResolvedTheme; problems: ThemeProblem[] } {
  const problems: ThemeProblem[] = [];
  const chain = chainOf(source, find, problems);
  const vars = new Map<string, { value: ColourValue; of: ThemeSource }>();
  for (const link of chain)
    for (const [name, value] of Object.entries(link.vars ?? {})) vars.set(name, { value, of: link });
  const own = new Map<Role, RoleStyle>();
  for (const link of chain) {
    for (const { role, part } of roleFacts) {
      const value = link.colours?.[role];
      if (value === undefined) continue;
      const style = styleOf(value, part === 'ground' ? 'bg' : 'fg', (colour, key) => {
        const found = colourOf(colour, vars);
        if ('kind' in found) return found;
        const named = found.variable === undefined ? undefined : vars.get(found.variable);
        const problem = named
          ? problemAt(named.of, `vars.${found.variable}`, found.message)
          : problemAt(link, `colours.${role}${key}`, found.message);
        // Twenty roles may name one bad variable.
        if (!problems.some((told) => problemText(told) === problemText(problem))) problems.push(problem);
        return undefined;
      });
      if (style) own.set(role, style);
    }
  }
  const kind = [...chain].reverse().find((link) => link.kind !== undefined)?.kind ?? 'dark';
  return { theme: { name: source.name, kind, styles: withFallbacks(own) }, problems };
}

function withFallbacks(own: ReadonlyMap<Role, RoleStyle>): Map<Role, RoleStyle> {
  const likeOf = new Map(roleFacts.map(({ role, like }) => [role, like]));
  const styles = new Map<Role, RoleStyle>();
  for (const { role } of roleFacts) {
    let at: Role | undefined = role;
    while (at !== undefined && !own.has(at)) at = likeOf.get(at);
    const style = at === undefined ? undefined : own.get(at);
    if (style) styles.set(role, style);
  }
  return styles;
}

function chainOf(source: ThemeSource, find: FindTheme, problems: ThemeProblem[]): Chain {
  const chain: ThemeSource[] = [source];
  for (let link = source; link.extends !== undefined; ) {
    const next = find(link.extends, link);
    if (!next) {
      problems.push(problemAt(link, 'extends', `There is no theme "${link.extends}" to extend.`));
      break;
    }
    if (chain.includes(next) || chain.length >= maxChain) {
      const names = [...chain.toReversed(), next].map(({ name }) => name).join(' → ');
      const what = chain.includes(next)
        ? 'The themes extend each other in a circle'
        : 'Too many themes extend each other';
      problems.push(problemAt(source, 'extends', `${what}: ${names}.`));
      break;
    }
    chain.unshift(next);
    link = next;
  }
  return chain;
}

type Vars = ReadonlyMap<string, { value: ColourValue; of: ThemeSource }>;

/** The colour, or what is wrong with it and where: at the variable it comes from, or at the role that names it. */
function colourOf(value: ColourValue, vars: Vars): Colour | { message: string; variable?: string } {
  const seen: string[] = [];
  let at = value;
  for (let named = variable(at, vars); named; named = variable(at, vars)) {
    const name = String(at);
    if (seen.includes(name)) {
      return { message: `The variables name each other in a circle: ${[...seen, name].join(' → ')}.`, variable: name };
    }
    seen.push(name);
    at = named.value;
  }
  const colour = parseColour(at);
  if (colour) return colour;
  const last = seen.at(-1);
  const message = `"${at}" is no colour: write #rgb, #rrggbb, 0 to 255, default, a name of vars, or one of ${colourNames().join(', ')}.`;
  return last === undefined ? { message } : { message, variable: last };
}

function variable(value: ColourValue, vars: Vars) {
  return typeof value === 'string' ? vars.get(value) : undefined;
}

function styleOf(
  value: ColourValue | StyleValue,
  layer: 'fg' | 'bg',
  colour: (value: ColourValue, key: string) => Colour | undefined,
): RoleStyle | undefined {
  if (typeof value !== 'object') {
    const found = colour(value, '');
    return found && { [layer]: found };
  }
  const style: RoleStyle = {};
  for (const name of styleSwitches) if (value[name]) style[name] = true;
  const fg = value.fg === undefined ? undefined : colour(value.fg, '.fg');
  const bg = value.bg === undefined ? undefined : colour(value.bg, '.bg');
  if (fg) style.fg = fg;
  if (bg) style.bg = bg;
  return style;
}

function problemAt(source: ThemeSource, path: string, message: string): ThemeProblem {
  const place = source.places?.get(path);
  return { message, ...(source.file === undefined ? {} : { file: source.file }), ...(place ? { place } : {}) };
}
