import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { slug } from 'github-slugger';
import { defineConfig } from 'vitepress';

// tools/commands/docs.mjs wrote the pages, and the sidebar beside them.
const folder = join(import.meta.dirname, '../../../../dist/docs-site');
const { sidebar, version } = JSON.parse(readFileSync(join(folder, 'site.json'), 'utf8'));

export default defineConfig({
  title: 'Sheaf',
  description: 'A self-hosted form collection service',
  lang: 'en',
  srcDir: join(folder, 'content'),
  outDir: join(folder, 'html'),
  srcExclude: ['public/**'],
  cacheDir: join(folder, 'cache'),
  cleanUrls: true,
  // Guides speak of the system that the reader starts.
  ignoreDeadLinks: [/^https?:\/\/localhost/],
  markdown: {
    anchor: { slugify: (text) => slug(text) },
    // The guides' own words after a language, such as `sh background`, are for the tests that run them.
    // Otherwise Vue reads `{{ }}` in a code span.
    config: (md) => {
      const plain = md.renderer.rules.code_inline;
      md.renderer.rules.code_inline = (tokens, index, ...rest) => {
        tokens[index].attrSet('v-pre', '');
        return plain(tokens, index, ...rest);
      };
    },
    languageAlias: { mjs: 'js' },
  },
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  themeConfig: {
    outline: { level: 2 },
    search: { provider: 'local' },
    sidebar: sidebar.map((group) => ({ ...group, collapsed: !['Start', 'Guides'].includes(group.text) })),
    nav: [
      { text: 'Guides', link: '/guides/first-form' },
      { text: 'API', link: '/reference/forms' },
      { text: 'Operations', link: '/deploy' },
      { text: version, link: '/changelog' },
    ],
  },
});
