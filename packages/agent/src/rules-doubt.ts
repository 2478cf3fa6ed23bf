/** Rules in tau's own settings that were likely brought along from Claude Code, where they would mean another place. */
import { existsSync } from 'node:fs';
import { parseRules, type RuleSet } from '@tau/policy';

/** More than a person reads. */
const most = 5;

/**
 * `Read(/secrets/**)`: the root of the disk here, the folder of the settings there. Only where nothing of that name is on
 * the disk, and the tool is spelled as there: who means the disk has something on it.
 */
export function rootedRules(settings: RuleSet): string[] {
  const doubtful = parseRules(settings).rules.flatMap(({ outcome, text, written, tool }) => {
    const [, path = ''] = /^[A-Z]\w*\(\/(?!\/)(.*)\)$/s.exec(text) ?? [];
    const isPlace = ['read', 'edit', 'write'].includes(tool) && written !== tool;
    const [top = ''] = path.split('/');
    if (!isPlace || top === '' || /[*?[]/.test(top) || existsSync(`/${top.replace(/:\*$/, '')}`)) return [];
    const here = `${written}(./${path})`;
    return [
      `The ${outcome} rule ${JSON.stringify(text)} is about /${top} at the root of the disk, where there is nothing. In Claude Code's own files it would be a place in the project: write ${JSON.stringify(here)} if you mean that.`,
    ];
  });
  const more = doubtful.length - most;
  return more > 0 ? [...doubtful.slice(0, most), `${more} more rules are about places that are not there.`] : doubtful;
}
