/** Text with the roles of its parts, as the highlighter tells them. */
import type { Emitter } from 'highlight.js';
import type { Role, Theme } from '../theme/theme.ts';

export interface Span {
  text: string;
  role: Role | undefined;
}

/** Looked up by the whole name of a scope, then by its first part. */
const scopes: Readonly<Record<string, Role>> = {
  keyword: 'syntaxKeyword',
  literal: 'syntaxConstant',
  'variable.language': 'syntaxKeyword',
  'selector-tag': 'syntaxTag',
  'selector-id': 'syntaxTag',
  'selector-class': 'syntaxTag',
  'selector-attr': 'syntaxTag',
  'selector-pseudo': 'syntaxTag',
  tag: 'syntaxPunctuation',
  name: 'syntaxTag',
  built_in: 'syntaxBuiltin',
  type: 'syntaxType',
  class: 'syntaxType',
  'title.class': 'syntaxType',
  title: 'syntaxFunction',
  function: 'syntaxFunction',
  section: 'syntaxFunction',
  number: 'syntaxNumber',
  'variable.constant': 'syntaxConstant',
  symbol: 'syntaxConstant',
  bullet: 'syntaxNumber',
  string: 'syntaxString',
  regexp: 'syntaxRegexp',
  char: 'syntaxEscape',
  code: 'syntaxString',
  link: 'syntaxString',
  addition: 'diffAdded',
  deletion: 'diffRemoved',
  comment: 'syntaxComment',
  quote: 'syntaxComment',
  doctag: 'syntaxComment',
  meta: 'syntaxMeta',
  attr: 'syntaxAttribute',
  attribute: 'syntaxAttribute',
  property: 'syntaxProperty',
  variable: 'syntaxVariable',
  'template-variable': 'syntaxVariable',
  params: 'syntaxParameter',
  operator: 'syntaxOperator',
  punctuation: 'syntaxPunctuation',
};

function roleOf(scope: string): Role | undefined {
  return scopes[scope] ?? scopes[scope.split(/[. ]/, 1)[0] ?? ''];
}

/** Gathers spans where the library would write HTML. */
export class SpanEmitter implements Emitter {
  readonly spans: Span[] = [];
  private readonly open: (Role | undefined)[] = [];

  startScope(name: string): void {
    // Inside a string template the code is code again.
    this.open.push(name === 'subst' ? undefined : (roleOf(name) ?? this.open.at(-1)));
  }

  endScope(): void {
    this.open.pop();
  }

  /** The library's older names for the two above, which it still uses in places. */
  openNode(name: string): void {
    this.startScope(name);
  }

  closeNode(): void {
    this.endScope();
  }

  addText(text: string): void {
    if (text !== '') this.spans.push({ text, role: this.open.at(-1) });
  }

  __addSublanguage(inner: Emitter): void {
    if (!(inner instanceof SpanEmitter)) return;
    for (const { text, role } of inner.spans) this.spans.push({ text, role: role ?? this.open.at(-1) });
  }

  finalize(): void {}

  toHTML(): string {
    return '';
  }
}

/** One painted string for each line of the text that the spans make. */
export function paintLines(spans: readonly Span[], theme: Theme): string[] {
  const lines = [''];
  for (const { text, role } of spans) {
    text.split('\n').forEach((part, index) => {
      if (index > 0) lines.push('');
      if (part === '') return;
      lines.push((lines.pop() ?? '') + (role === undefined ? part : theme.paint(role, part)));
    });
  }
  return lines;
}
