import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiDocument, operationsOf } from './document';
import { prose, referencePages } from './reference';
import { isPublished, siteOf, type Source } from './site';

const root = join(__dirname, '../../..');
const document = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as ApiDocument;
const read = (path: string): Source => ({ path, text: readFileSync(join(root, path), 'utf8') });
const written = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .map((name) => `docs/${name}`)
  .filter(isPublished)
  .map(read);
const site = siteOf([...written, read('README.md'), read('CONTRIBUTING.md')], document, 'https://code.example.org/sheaf');
const pages = site.groups.flatMap((group) => group.pages);

it('has a place in the sidebar for every page of the documentation', () => {
  expect(pages.length).toBeGreaterThan(100);
  expect(new Set(pages.map((page) => page.path)).size).toBe(pages.length);
  expect(() => siteOf([{ path: 'docs/somewhere/new.md', text: '# New' }], document, '')).toThrow('somewhere/new.md');
});

it('links pages with pages, and all else with the repository', () => {
  const text =
    '# A\n[b](b.md#c) [code](../apps/x.ts) [test](../apps/y.ts "a (name)") [web](https://example.org) <img src="screens/form.png" alt="">\n```\n[b](b.md)\n```';
  const { groups } = siteOf([{ path: 'docs/guides/a.md', text }, read('docs/scale.md')], document, 'https://code.example.org/sheaf');
  expect(groups.find(({ title }) => title === 'Guides')?.pages[0]?.text).toBe(
    '# A\n[b](/guides/b.md#c) [code](https://code.example.org/sheaf/src/branch/main/docs/apps/x.ts) ' +
      '[test](https://code.example.org/sheaf/src/branch/main/docs/apps/y.ts "a (name)") [web](https://example.org) ' +
      '<img src="https://code.example.org/sheaf/src/branch/main/docs/guides/screens/form.png" alt="">\n```\n[b](b.md)\n```',
  );
});

it('has the pictures of its pages at its own address', () => {
  const text = '# A\n![b](pictures/b.webp) ![c](../screens/c.png)';
  const { groups } = siteOf([{ path: 'docs/guides/a.md', text }], document, 'https://code.example.org/sheaf');
  expect(groups.find(({ title }) => title === 'Guides')?.pages[0]?.text).toBe('# A\n![b](/guides/pictures/b.webp) ![c](/screens/c.png)');
});

it('lists every page for language models, with its text at the same address', () => {
  for (const { path } of pages) expect(site.index).toContain(`](/${path})`);
  expect(site.index).toMatch(/^# Sheaf\n\n> Sheaf is a self-hosted/);
});

it('describes every operation once, under its first tag', () => {
  const text = referencePages(document)
    .map((page) => page.text)
    .join('\n');
  for (const { operation } of operationsOf(document)) expect(text.split(`{#${operation.operationId}}`)).toHaveLength(2);
});

it('names each property of a body with its type, bounds and meaning', () => {
  const { text = '' } = referencePages(document).find((page) => page.title === 'Forms') ?? {};
  expect(text).toContain('| `folder_id` | string (at most 64 characters) or null |');
});

it('leaves nothing in a description that a page would take for a tag or an expression', () => {
  expect(prose('a <b> {{ c }} `<d> {{ e }}`')).toBe('a &lt;b> &#123;&#123; c }} `<d> {{ e }}`');
});
