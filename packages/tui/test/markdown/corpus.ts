/** Documents as people and models write them, and as nobody should. */
import fc from 'fast-check';
import { hostileText } from '../text/hostile.ts';

export const documents: Readonly<Record<string, string>> = {
  text: `# A title with **weight**

A paragraph with *emphasis*, **strength**, ***both***, ~~regret~~, \`code\` and &amp; &rarr; &#169; &unknown;.
The next line of the source is the same paragraph.\\
A hard break, and another one  
with two spaces. Escaped \\*stars\\* and <kbd>html</kbd>, one<br>two.

Second title
------------
### A smaller one with \`code\`
###### The smallest

* * *

<details>
<summary>More</summary>

Inside.

</details>
`,
  links: `A [link](https://example.org/page "title"), a [relative one](docs/guide.md#top), <https://auto.example>,
https://bare.example/path_with_underscores?x=1, www.example.com, me@example.org and ![a picture](https://example.org/p.png).

[https://good.example](https://evil.example) says where it leads; [a script](javascript:alert(1)) does not lead anywhere.

[named]: https://named.example/long/address
A [named] link, and a note[^1].

[^1]: The note itself, with some words.
`,
  lists: `Things to do:
- one
- two with a text that is long enough to be wrapped at most of the widths that are tried here
  - below two
    - below that
  - again

    a paragraph of the item
- [ ] open
- [x] done

3. three
4. four
   \`\`\`js
   const four = 4;
   \`\`\`
9. five, whatever it says

1) other
2) delimiter

* loose

* items

1. Step
  - set in by two only
2. Next
`,
  quotes: `> A quote
> over two lines
lazily continued
> > nested
> > > deeper
>
> - a list
>   inside
>
> \`\`\`sh
> ls -la
> \`\`\`

> [!WARNING]
> Mind the gap.

> [!NOTE] is only a note on a line of its own.
`,
  tables: `| Name | Count | Description |
|:-----|------:|:-----------:|
| apple | 1 | A fruit that is red, green or yellow, and falls not far from its tree |
| \`a \\| b\` | 22 | **bold** and [a link](https://example.org) |
| 漢字 | 333 | two<br>lines |
| short |

a | b
--|--
1 | 2
3 | 4 | 5

| a | b | c | d | e | f | g | h |
|---|---|---|---|---|---|---|---|
| one | two | three | four | five | six | seven | eight |
`,
  code: `\`\`\`ts
interface A { name: string; n?: number }
/* a comment
   over lines */
export const f = async (a: A): Promise<string> => \`hello \${a.name}\`; // a long line that goes on and on until it is wrapped
\`\`\`
~~~
plain, with \`\`\` in it
	a tab
~~~

    indented code

    after a blank line
\`\`\`unknown-language
?
\`\`\`
\`\`\`python title="x.py"
def f(x):
    return x + 1
`,
  quirks: `Text before a list:
1. first
\`\`\`bash
npm test
\`\`\`
2. second, with **bold that never ends
* a star * alone
#not a heading
Text | with a bar
\`\`\`\`md
\`\`\`js
nested()
\`\`\`
\`\`\`\`
- item
\t- below, with a tab
**Heading in bold**:
\`code that never ends
`.replaceAll('\n', '\r\n'),
  hostile: `# \u001b[31mred\u001b[0m \u001b]0;title\u0007
> \u202ereversed and שלום עולם

- \u0000 nul \u0007 bell
- ${'long'.repeat(60)}
- 👨‍👩‍👧‍👦 🇩🇪 e\u0301 漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字

| \u001b[2J | 漢字漢字漢字 |
|---|---|
| a\u009b31m | \ud800 |

[\u001b]8;;x\u0007](https://example.org/\u001b[2J\u0007)
\`\u001b[1m\` &#27;[2J &#x202e;

\`\`\`js\u001b[2J
const s = '\u001b[2J\u0007'; // \u202e
\`\`\`
`,
};

const lines = [
  ...Object.values(documents).flatMap((document) => document.split('\n')),
  '',
  '',
  '',
  '- a',
  '  - b',
  '    c',
  '1. x',
  '> q',
  '```ts',
  '```',
  '~~~',
  '| a | b |',
  '|---|---|',
  '===',
  '---',
  '<!-- c',
  '-->',
  '/*',
  '*/',
  '    x',
  '\tx',
  '[a]: b',
  '[a]',
  'text',
];

/** Lines of all kinds in any order: what begins is not always ended. */
export const anyDocument = fc.oneof(
  fc.array(fc.constantFrom(...lines), { maxLength: 40 }).map((chosen) => chosen.join('\n')),
  fc.array(fc.constantFrom(...lines), { maxLength: 40 }).map((chosen) => chosen.join('\r\n')),
  fc.array(fc.oneof(hostileText, fc.constantFrom(...lines)), { maxLength: 20 }).map((chosen) => chosen.join('\n')),
  fc.string({ unit: fc.constantFrom(...'*_`~[]()<>#-+|!\\&;: \n\tab1.') }),
);

/** A text in parts of any size. */
export function parts(text: string, cuts: readonly number[]): string[] {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  return [...places, text.length].map((end, index) => text.slice(places[index - 1] ?? 0, end));
}
