import { posix } from 'node:path';
import { type ApiDocument } from './document';
import { referencePages } from './reference';

/** A Markdown file of the repository. `path` is relative to its root. */
export interface Source {
  path: string;
  text: string;
}

/** A page of the site. `path` is relative to the site and ends with `.md`. */
export interface SitePage {
  path: string;
  title: string;
  text: string;
}

export interface Group {
  title: string;
  pages: SitePage[];
}

export interface Site {
  groups: Group[];
  /** `llms.txt`: the site for a language model, as llmstxt.org describes. */
  index: string;
}

/** Files of the repository that have a page of their own place in the site. All others keep their path below `docs/`. */
const places: Readonly<Record<string, string>> = {
  'README.md': 'overview.md',
  'CONTRIBUTING.md': 'contributing/index.md',
  'CHANGELOG.md': 'changelog.md',
  'SECURITY.md': 'reporting-vulnerabilities.md',
  'deploy/README.md': 'deploy.md',
  'docs/decisions/README.md': 'decisions/index.md',
  'libs/client/README.md': 'packages/client.md',
  'libs/webhooks/README.md': 'packages/webhooks.md',
  'apps/n8n-nodes-sheaf/README.md': 'packages/n8n.md',
  'apps/zapier/README.md': 'packages/zapier.md',
  'tools/bench/README.md': 'contributing/benchmarks.md',
};

/** The sidebar: a page is in the first group whose pattern its path matches, so that each has a place without a list of all. */
const groups: readonly { title: string; pattern: RegExp }[] = [
  { title: 'Start', pattern: /^(?:overview|COMPARISON|changelog|glossary)\.md$/ },
  { title: 'Guides', pattern: /^guides\// },
  { title: 'Packages', pattern: /^(?:packages\/|generated-clients\.md$)/ },
  { title: 'Forms and webhooks', pattern: /^(?:hosted-form|payments|erasing|deliveries|verify-webhooks|contract-decisions)\.md$/ },
  {
    title: 'Operations',
    pattern: /^(?:deploy|backup|runbooks|scale|performance|reliability|security|releasing|reporting-vulnerabilities)\.md$/,
  },
  { title: 'API reference', pattern: /^reference\// },
  { title: 'Contributing', pattern: /^(?:contributing\/|architecture\.md$)/ },
  { title: 'Decisions', pattern: /^decisions\// },
];

/** The folders in `docs` with pictures of pages. The site has them at the same paths. */
export const pictures = ['screens', 'guides/pictures'];

/** Whether a Markdown file of the repository is a page of the site. */
export const isPublished = (path: string): boolean => path in places || (path.startsWith('docs/') && path.endsWith('.md'));

const placeOf = (path: string): string => places[path] ?? path.replace(/^docs\//, '');

/**
 * The whole site.
 * @param repository the address of the repository, to which links to other files lead
 */
export function siteOf(sources: readonly Source[], document: ApiDocument, repository: string): Site {
  const written = sources
    .filter(({ path }) => isPublished(path))
    .map((source) => ({ path: placeOf(source.path), title: titleOf(source), text: relinked(source, repository) }));
  const pages = [...written, ...referencePages(document)];
  const filled = groups.map(({ title, pattern }) => ({
    title,
    pages: pages.filter(({ path }) => groups.find((group) => group.pattern.test(path))?.pattern === pattern).sort(inOrder),
  }));
  const homeless = pages.filter(({ path }) => !groups.some(({ pattern }) => pattern.test(path)));
  if (homeless.length > 0)
    throw new Error(`These pages are in no group of tools/docs-site/src/site.ts: ${homeless.map(({ path }) => path).join(', ')}`);
  return { groups: filled, index: indexOf(filled, document) };
}

/** Overviews first, decisions and references as they come, all others by title. */
function inOrder(one: SitePage, other: SitePage): number {
  const rank = ({ path }: SitePage): number => (/(?:^|\/)(?:index|overview|first-form)\.md$/.test(path) ? 0 : 1);
  if (rank(one) !== rank(other)) return rank(one) - rank(other);
  if (one.path.startsWith('reference/')) return 0;
  return one.path.startsWith('decisions/') ? one.path.localeCompare(other.path) : one.title.localeCompare(other.title);
}

const titleOf = ({ path, text }: Source): string =>
  path === 'README.md' ? 'Overview' : (/^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? path);

/** The text with its links to files turned into links of the site: to pages where they are pages, otherwise to the repository. */
function relinked({ path, text }: Source, repository: string): string {
  const turned = (target: string): string => {
    if (/^(?:[a-z][a-z0-9+.-]*:|#|\/\/)/i.test(target)) return target;
    const [file = '', anchor] = target.split('#');
    const found = posix.normalize(posix.join(posix.dirname(path), file));
    const mark = anchor === undefined ? '' : `#${anchor}`;
    if (pictures.some((folder) => found.startsWith(`docs/${folder}/`))) return found.replace('docs/', '/');
    return isPublished(found) ? `/${placeOf(found)}${mark}` : `${repository}/src/branch/main/${found}`;
  };
  let isCode = false;
  return text
    .split('\n')
    .map((line) => {
      if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
      if (isCode) return line;
      return line
        .replaceAll(/\]\(([^)\s]+)((?: "[^"]*")?)\)/g, (_, target: string, name: string) => `](${turned(target)}${name})`)
        .replaceAll(/(<img src=")([^"]+)"/g, (_, start: string, target: string) => `${start}${turned(target)}"`);
    })
    .join('\n');
}

function indexOf(filled: readonly Group[], document: ApiDocument): string {
  const links = ({ title, pages }: Group): string =>
    [`## ${title}`, '', ...pages.map((page) => `- [${page.title}](/${page.path})`)].join('\n');
  // Pages that a reader needs least come under the heading that llmstxt.org lets a reader skip.
  const [needed, others] = [filled.slice(0, 6), filled.slice(6)];
  return [
    `# ${document.info.title}`,
    `> Sheaf is a self-hosted form collection service: a REST API for forms, the submissions they collect and webhook subscriptions, pages for respondents, and a service that delivers each event to its subscribers.`,
    document.info.description,
    'Each page is Markdown at its address with `.md`. The whole API is at `/openapi.json` as OpenAPI 3.1.',
    ...needed.map(links),
    '## Optional',
    ...others.flatMap(({ pages }) => pages).map((page) => `- [${page.title}](/${page.path})`),
  ]
    .join('\n\n')
    .replaceAll(/(\n- .*)\n(?=\n- )/g, '$1')
    .concat('\n');
}
