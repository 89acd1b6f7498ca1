import { posix } from 'node:path';
import { anchorsOf, linksOf, type Page } from './markdown';

/** Every broken relative link, as `<page>: <target>: <reason>`. */
export function brokenLinks(pages: readonly Page[], exists: (path: string) => boolean): string[] {
  const anchors = new Map(pages.map((page) => [page.path, anchorsOf(page)]));
  return pages.flatMap((page) =>
    linksOf(page).flatMap((target) => {
      const reason = isElsewhere(target) ? undefined : faultOf(page, target, anchors, exists);
      return reason === undefined ? [] : [`${page.path}: ${target}: ${reason}`];
    }),
  );
}

const isElsewhere = (target: string): boolean => /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(target);

function faultOf(
  page: Page,
  target: string,
  anchors: ReadonlyMap<string, ReadonlySet<string>>,
  exists: (path: string) => boolean,
): string | undefined {
  const [file = '', anchor] = target.split('#');
  // GitHub resolves a leading slash to the root of the repository; other viewers do not.
  if (file.startsWith('/')) return 'the path is not relative';
  const path = file === '' ? page.path : posix.normalize(posix.join(posix.dirname(page.path), decodeURIComponent(file)));
  if (path.startsWith('..')) return 'the path leaves the repository';
  if (!exists(path)) return 'the file does not exist';
  if (anchor === undefined) return undefined;
  const known = anchors.get(path);
  if (!known) return 'only Markdown pages have anchors';
  return known.has(decodeURIComponent(anchor)) ? undefined : 'the page has no such heading';
}
