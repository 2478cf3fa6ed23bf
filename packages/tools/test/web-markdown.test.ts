import { expect, test } from 'vitest';
import { toMarkdown } from '../src/web/markdown.ts';

const { signal } = new AbortController();
const read = (html: string) => toMarkdown(html, 'https://example.org/docs/page', signal);
const markdown = async (html: string) => (await read(html)).markdown;

test.each([
  ['headings', '<h1>One <a href="#x">#</a></h1><h3>T<b>w</b>o</h3>', '# One\n\n### T**w**o'],
  ['paragraphs and line breaks', '<p> a\n b </p>c<br>d<div>e</div>', 'a b\n\nc\nd\n\ne'],
  ['links, made whole', '<a href="../x?a=1">up</a> <a href="#y">here</a>', '[up](https://example.org/x?a=1) here'],
  ['links that lead nowhere', '<a href="javascript:x()">a</a> <a href="mailto:x@y">b</a><a href="/x"></a>', 'a b'],
  ['a link over blocks', '<a href="/x"><h3>Title</h3><p>text</p></a>', '[Title text](https://example.org/x)'],
  ['emphasis with spaces in it', 'a<b> b </b>c <i></i>d', 'a **b** c d'],
  ['code', 'use <code>a|b</code> or <code>`</code>', 'use `a|b` or `` ` ``'],
  [
    'code blocks as they are',
    '<pre><code class="language-js">a\n  <span>b</span> &lt; c\n</code></pre>',
    '```js\na\n  b < c\n```',
  ],
  ['code blocks with a fence inside', '<pre>```\nx\n```</pre>', '````\n```\nx\n```\n````'],
  ['lists', 'x<ul><li>a<li>b<ol><li>c<li>d</ol><li><p>e<p>f</ul>y', 'x\n\n- a\n- b\n  1. c\n  2. d\n- e\n\n  f\n\ny'],
  ['quotes', '<blockquote>a<p>b</blockquote>c', '> a\n\n> b\n\nc'],
  ['tables', '<table><tr><th>a<th>b|c<tr><td>1<td>2<br>3</table>', '| a | b\\|c |\n| --- | --- |\n| 1 | 2 3 |'],
  ['tables that only place things', '<table><tr><td>a<p>b</td></tr><tr><td>c</td></tr></table>', 'a\nb\n\nc'],
  ['tables in tables', '<table><tr><td><table><tr><td>1<td>a<tr><td>2<td>b</table></table>', '1 a\n2 b'],
  [
    'images that say something',
    '<img src="/a.png" alt="A plan"><img src="b.png">',
    '![A plan](https://example.org/a.png)',
  ],
  ['entities', '&lt;p&gt; &amp;amp; &#x41;', '<p> &amp; A'],
])('%s', async (_, html, expected) => {
  const page = await read(html);
  expect(
    page.markdown
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n'),
  ).toBe(expected);
  expect(page.cut).toBe(false);
});

test('what steers, decorates or runs is left out', async () => {
  const html = `<title>The title</title><nav>menu</nav><script>x()</script><style>y</style><noscript>z</noscript>
    <aside>ads</aside><p hidden>h</p><p aria-hidden="true">h</p><p style="display: none">h</p><p>text</p><footer>f</footer>`;
  expect(await read(html)).toEqual({ title: 'The title', markdown: 'text', cut: false });
});

test('where the page says which part is its content, only that is taken', async () => {
  const long = 'The content of the page. '.repeat(20).trim();
  expect(await markdown(`<div>around</div><main><p>${long}</main><div>below</div>`)).toBe(long);
  expect(await markdown(`<div>around</div><div role="main">${long}</div>`)).toBe(long);
  expect(await markdown(`<div>around</div><article>${long}</article>`)).toBe(long);
  expect(await markdown('<div>around</div><main>too short</main>')).toBe('around\n\ntoo short');
});

test('a page that is all menu is taken with its menu', async () => {
  expect(await markdown('<nav><ul><li><a href="/a">A</a></ul></nav>')).toBe('- [A](https://example.org/a)');
});

test('an element that was never closed does not swallow the blocks after it', async () => {
  const paragraph = 'words '.repeat(40).trim();
  const text = await markdown(`<b>${`<p>${paragraph}</p>`.repeat(3)}`);
  expect(text).toBe([paragraph, paragraph, paragraph].join('\n\n'));
});

test('a page that is nested without end is cut, and says so', async () => {
  for (const tag of ['<div>', '<b>', '<ul><li>', '<blockquote>', '<table><tr><td>', '<a href=x>']) {
    expect(await read(`<p>first</p>${tag.repeat(300_000)}`)).toMatchObject({
      cut: true,
      markdown: expect.stringContaining('first'),
    });
  }
});

test('links cannot make a page much longer than it is', async () => {
  const base = `https://example.org/${'a'.repeat(3000)}/`;
  for (const link of ['<p><a href=x>y</a></p>', '<a href=x>y</a>', '<img src=x alt=y>']) {
    const page = await toMarkdown(link.repeat(100_000), base, signal);
    expect(page.cut).toBe(true);
    expect(page.markdown.length).toBeLessThan(32 * 1024 * 1024);
  }
});

test('a page is not read to its end when the user interrupts', async () => {
  const stop = new AbortController();
  const reading = toMarkdown('<p>x</p>'.repeat(200_000), 'https://example.org/', stop.signal);
  stop.abort();
  await expect(reading).rejects.toThrow(/abort/);
});
