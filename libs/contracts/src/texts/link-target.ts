import { urlIn } from '@sheaf/kernel';

/** The address of a link, behind its text: no white space, and parentheses only in pairs, as in addresses of Wikipedia. */
const target = /\(((?:[^\s()]|\([^\s()]{0,2048}\)){1,2048})\)/y;

/** The address that begins at a position, and the position behind it; undefined if there is none that a page may link to. */
export function linkTarget(source: string, at: number): { href: string; end: number } | undefined {
  if (source[at] !== '(') return undefined;
  target.lastIndex = at;
  const [whole = '', href = ''] = target.exec(source) ?? [];
  return href !== '' && mayBeLinked(href) ? { href, end: at + whole.length } : undefined;
}

/**
 * Web, mail and telephone addresses. None may have a part that hides where it leads: characters that display nothing, backslashes, which
 * browsers read as slashes, or a name before the host, as in `https://bank.example@evil.example`.
 */
function mayBeLinked(href: string): boolean {
  if (/[\p{C}\\<>"]/u.test(href)) return false;
  if (/^mailto:/i.test(href)) return /^mailto:[^\s?@]+@[^\s?@/]+(?:\?\S*)?$/i.test(href);
  if (/^tel:/i.test(href)) return /^tel:\+?[\d().-]{1,40}$/i.test(href);
  const url = /^https?:\/\/[^/]/i.test(href) ? urlIn(href) : undefined;
  return url?.username === '' && url.password === '';
}
