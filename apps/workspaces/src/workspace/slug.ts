import { randomBytes } from 'node:crypto';

const maxLength = 63;

/** A slug from a name: letters without diacritics, everything else as hyphens; "workspace" if nothing is left. */
export function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return trimmed(words) || 'workspace';
}

/** The slug with a random suffix. */
export const anotherSlug = (slug: string): string => `${trimmed(slug.slice(0, maxLength - 7))}-${randomBytes(3).toString('hex')}`;

const trimmed = (text: string): string =>
  text
    .replace(/^-+/, '')
    .slice(0, maxLength)
    .replace(/(?<!-)-+$/, '');
