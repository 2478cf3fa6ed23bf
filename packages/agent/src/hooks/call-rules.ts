/** Whether a rule of a hook speaks of a call: by the same reading of rules and commands as a deny. In doubt it does. */
import type { GateCall, RegisteredTool, ResolvedEffect } from '@tau/core';
import { type PathScope, parseRules, restricts, type ShellReader, subjectOf, withPlaces } from '@tau/policy';
import { realPlace } from '../place.ts';

export interface CallRulesPlace {
  cwd: string;
  scope: PathScope;
  shell: ShellReader;
  findTool(name: string): RegisteredTool | undefined;
  resolve(effects: Awaited<ReturnType<RegisteredTool['tool']['effects']>>): Promise<ResolvedEffect[]>;
}

type ParsedRule = ReturnType<typeof parseRules>['rules'][number];

export function createCallRules({ cwd, scope, shell, findTool, resolve }: CallRulesPlace) {
  const parsed = new Map<string, readonly ParsedRule[]>();
  const read = (text: string) => {
    const known = parsed.get(text) ?? withPlaces(parseRules({ deny: [text] }).rules, scope, realPlace);
    parsed.set(text, known);
    return known;
  };
  return {
    /** `known`: what the call does, where somebody has found out already. */
    of(call: GateCall, known?: readonly ResolvedEffect[]): (rule: string) => Promise<boolean> {
      const registered = findTool(call.toolName);
      const source = registered?.source ?? 'extension';
      let effects = known;
      return async (text) => {
        try {
          const rules = read(text);
          if (effects === undefined && rules.some(({ pattern }) => pattern !== undefined)) {
            effects = registered ? await resolve(await registered.tool.effects(call.input, { cwd })) : [];
          }
          const subject = subjectOf(call, source, effects ?? [], { scope, analyse: shell.analyse });
          return rules.length === 0 || rules.some((rule) => restricts(rule, subject));
        } catch {
          // What the call does cannot be said; the hook may be there to look at just that.
          return true;
        }
      };
    },
  };
}
