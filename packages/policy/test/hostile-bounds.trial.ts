// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is the shell that expands them.
/** Lines beyond all measure: the work is counted, nothing is allowed by giving up, and a deny still denies. */
import { expect, test } from 'vitest';
import { decideShell, shellFor } from './decisions.ts';

const many = (count: number, text: string) => text.repeat(count);
const mega = 1024 * 1024;

/** Each with `rm x` as the last thing that it runs. */
const huge: Readonly<Record<string, string>> = {
  '10,000 commands after each other': `${many(10_000, 'true; ')}rm x`,
  '10,000 commands joined by and': `${many(10_000, 'true && ')}rm x`,
  '10,000 commands joined by or': `${many(10_000, 'false || ')}rm x`,
  '10,000 commands in a pipe': `${many(10_000, 'cat | ')}rm x`,
  '10,000 lines': `${many(10_000, 'echo "a b" | wc -l\n')}rm x`,
  '100,000 commands': `${many(100_000, 'ls;')}rm x`,
  '10,000 subshells in each other': `${many(10_000, '(')}rm x${many(10_000, ')')}`,
  '10,000 groups in each other': `${many(10_000, '{ ')}rm x${many(10_000, '; }')}`,
  '10,000 substitutions in each other': `echo ${many(10_000, '$(')}rm x${many(10_000, ')')}`,
  '10,000 quoted substitutions in each other': `echo ${many(10_000, '"$(')}rm x${many(10_000, ')"')}`,
  '10,000 process substitutions in each other': `cat ${many(10_000, '<(')}rm x${many(10_000, ')')}`,
  '10,000 conditions in each other': `${many(10_000, 'if true; then ')}rm x; ${many(10_000, 'fi; ')}`,
  '10,000 loops in each other': `${many(10_000, 'for i in 1; do ')}rm x; ${many(10_000, 'done; ')}`,
  '10,000 defaults in each other': `echo ${many(10_000, '${x:-')}$(rm x)${many(10_000, '}')}`,
  '10,000 expressions in each other': `echo $((${many(10_000, '(')}1${many(10_000, ')')})); rm x`,
  '10,000 wrappers': `${many(10_000, 'env ')}rm x`,
  '10,000 launchers': `${many(10_000, 'npx ')}rm x`,
  '10,000 launchers after each other': `${many(10_000, 'npx ls; ')}rm x`,
  '10,000 machines': `${many(10_000, 'ssh a ls; ')}rm x`,
  '10,000 machines through each other': `${many(10_000, 'ssh a ')}rm x`,
  '10,000 patches': `${many(10_000, 'git diff -- a; ')}rm x`,
  '10,000 tests of paths': `[[ ${many(10_000, '-f a && ')}-f a ]]; rm x`,
  '10,000 evals': `${many(10_000, 'eval ')}rm x`,
  '10,000 redirections': `ls ${many(10_000, '2>&1 ')}; rm x`,
  '10,000 here-documents': `cat ${many(10_000, '<<E ')}\n${many(10_000, 'x\nE\n')}rm x`,
  '10,000 brace lists': `echo ${many(10_000, '{a,b}')}; rm x`,
  '10,000 cases': `case x in ${many(10_000, 'a) ls;; ')} x) rm x;; esac`,
  '10,000 functions': `${many(10_000, 'f() { ls; }; ')}rm x`,
  '10,000 changes of folder': `${many(10_000, 'cd a; ')}rm x`,
  '10,000 assignments': `${many(10_000, 'a=1 ')}rm x`,
  '10,000 nots in a test': `[ ${many(10_000, '! ')}a ]; rm x`,
  '10,000 ands in a test': `[ ${many(10_000, 'a -a ')}a ]; rm x`,
  '10,000 moves': `${many(10_000, 'mv a b; ')}rm x`,
  'a path of 40,000 folders': `cat ${many(40_000, 'a/')}b; rm x`,
  '10,000 backticks': `echo ${many(10_000, '`ls` ')}; rm x`,
  'a megabyte of one word': `echo ${many(mega, 'a')}; rm x`,
  'a megabyte of words': `echo ${many(mega / 2, 'a ')}; rm x`,
  'a megabyte in quotes': `echo '${many(mega, 'a')}'; rm x`,
  'a megabyte of quotes': `echo ${many(mega / 2, "''")}; rm x`,
  'a megabyte of backslashes': `echo ${many(mega / 2, '\\\\')}; rm x`,
  'a megabyte of dollars': `echo ${many(mega, '$')}; rm x`,
  'a megabyte of stars': `ls ${many(mega, '*')}; rm x`,
  'a megabyte of open brackets': `echo ${many(mega, '[')}; rm x`,
  'a megabyte of blanks': `ls${many(mega, ' ')}; rm x`,
  'a megabyte of new lines': `ls${many(mega, '\n')}rm x`,
  'a megabyte of comment': `ls # ${many(mega, 'x')}\nrm x`,
  'a megabyte of here-document': `cat <<E\n${many(mega / 4, 'x x\n')}E\nrm x`,
  'a megabyte of semicolons': `ls ${many(mega / 2, '; ')}rm x`,
  'a megabyte of commands': `${many(mega / 4, 'ls; ')}rm x`,
};

/** Each is cut off where it is deepest, so that it never closes. */
const unclosed: Readonly<Record<string, string>> = {
  parentheses: many(100_000, '('),
  substitutions: many(50_000, '$('),
  'quotes with substitutions': many(25_000, '"$('),
  backticks: many(100_001, '`'),
  braces: many(100_000, '${x:-'),
  'double parentheses': many(50_000, '(('),
  brackets: many(50_000, '[[ '),
  conditions: many(20_000, 'if '),
  'here-documents': many(5000, '<<E '),
};

test.each(Object.entries(huge))(
  '%s: not allowed, not proved, and denied by a rule on the last of it',
  (_, line) => {
    const { outcome, effects } = decideShell(line);
    expect(outcome).not.toBe('allow');
    expect(effects[0]).toMatchObject({ kind: 'exec', readOnly: false });
    expect(decideShell(line, { mode: 'dangerously', rules: { deny: ['bash(rm:*)'] } })).toMatchObject({
      outcome: 'deny',
      rule: 'bash(rm:*)',
    });
  },
  60_000,
);

test.each(Object.entries(unclosed))(
  '%s that never close are refused',
  (_, line) => {
    expect(decideShell(line).outcome).not.toBe('allow');
    expect(decideShell(`${line} rm x`, { rules: { allow: ['bash'], deny: ['bash(rm:*)'] } }).outcome).not.toBe('allow');
  },
  60_000,
);

test('twice as long a line is about twice the work: the parts that are looked at are counted', () => {
  const parts = (count: number) => shellFor().analyse(many(count, 'ls; ')).parts.length;
  expect(parts(500)).toBe(500);
  expect(parts(1000)).toBe(1000);
  // Beyond the bound nothing is taken for understood.
  const beyond = shellFor().analyse(many(200_000, 'ls; '));
  expect(beyond.problem).toMatch(/\w/);
  expect(beyond.parts.length).toBeLessThan(100_000);
});

test('a rule that allows the whole tool does not allow what is too long to be taken apart', () => {
  const line = `${many(200_000, 'ls; ')}rm -rf ~`;
  expect(decideShell(line, { rules: { allow: ['bash'] } }).outcome).toBe('ask');
});
